/** Things of which a project uses one: naming another later takes the earlier one's place. */

/** By group. The names are the same in every language but for the last groups. */
const GROUPS: Record<string, readonly string[]> = {
  "js packages": ["npm", "pnpm", "yarn", "bun"],
  "python packages": ["pip", "uv", "poetry", "pipenv", "conda"],
  "js tests": ["jest", "vitest", "mocha", "ava", "jasmine", "bun test", "node:test"],
  "python tests": ["pytest", "unittest", "nose"],
  "browser tests": ["playwright", "cypress", "puppeteer", "selenium"],
  linter: ["eslint", "biome", "oxlint", "tslint"],
  "python linter": ["ruff", "flake8", "pylint"],
  formatter: ["prettier", "biome", "dprint"],
  bundler: ["webpack", "vite", "rollup", "esbuild", "parcel", "turbopack"],
  database: ["postgres", "postgresql", "mysql", "sqlite", "mariadb", "mongodb"],
  runner: ["make", "just", "mise", "task"],
  containers: ["docker", "podman"],
  branch: ["main", "master", "develop", "trunk"],
  joining: ["merge", "rebase", "squash"],
  indent: [
    "tabs",
    "spaces",
    "tabulatoren",
    "leerzeichen",
    "tabulaciones",
    "espacios",
    "tabulations",
    "espaces",
    "制表符",
    "空格",
    "タブ",
    "スペース",
  ],
  quotes: ["single quotes", "double quotes", "单引号", "双引号"],
  semicolons: ["semicolons", "no semicolons"],
  language: [
    "english",
    "german",
    "french",
    "spanish",
    "chinese",
    "japanese",
    "englisch",
    "deutsch",
    "französisch",
    "spanisch",
    "inglés",
    "español",
    "anglais",
    "français",
    "中文",
    "英文",
    "日本語",
    "英語",
  ],
};

/** Two spellings of one thing. */
const SAME: Record<string, string> = {
  postgresql: "postgres",
  tabulatoren: "tabs",
  tabulaciones: "tabs",
  tabulations: "tabs",
  制表符: "tabs",
  タブ: "tabs",
  leerzeichen: "spaces",
  espacios: "spaces",
  espaces: "spaces",
  空格: "spaces",
  スペース: "spaces",
  单引号: "single quotes",
  双引号: "double quotes",
  englisch: "english",
  inglés: "english",
  anglais: "english",
  英文: "english",
  英語: "english",
  deutsch: "german",
  français: "french",
  französisch: "french",
  español: "spanish",
  spanisch: "spanish",
  中文: "chinese",
  日本語: "japanese",
};

const NAMES = Object.entries(GROUPS).flatMap(([group, names]) =>
  names.map((name) => ({ group, name, thing: SAME[name] ?? name, pattern: patternOf(name) })),
);

/** Its name between other letters is another word. */
function patternOf(name: string): RegExp {
  return /^[\u3040-\u9fff]/.test(name)
    ? new RegExp(name, "u")
    : new RegExp(`(?<![\\p{Script=Latin}\\p{N}_/-])${name}(?![\\p{Script=Latin}\\p{N}_/-])`, "iu");
}

export type Rival = { group: string; thing: string; name: string };

export function rivalsIn(text: string): Rival[] {
  return NAMES.filter(({ pattern }) => pattern.test(text)).map(({ group, thing, name }) => ({
    group,
    thing,
    name,
  }));
}

/** What a text says is to be given up: "instead of X", "no longer X", "X ではなく". */
const GIVEN_UP: readonly RegExp[] = [
  /\b(?:instead of|rather than|no longer|not|never|stop using|anymore|statt|anstelle von|anstatt|nicht mehr|kein(?:e[nmrs]?)?|nicht|au lieu de|plutôt que|plus|pas|en (?:lugar|vez) de|ya no|no|nunca)\s+(?:use |using |more |de |usar |utiliser )*[`"']?$/iu,
  /(?:代替|取代|不要用?|不用|不再使?用?|别用|而不是|而非)\s*[`「]?$/u,
];
const GIVEN_UP_BEFORE = /^[`"'」]?\s*(?:ではなく|じゃなくて|の代わりに|をやめ|は使わない|から(?=\S+に))/u;

/** Whether the text names `name` as what is no longer wanted. */
export function isGivenUp(text: string, name: string): boolean {
  for (let at = text.toLowerCase().indexOf(name); at >= 0; at = text.toLowerCase().indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 40), at);
    if (GIVEN_UP.some((pattern) => pattern.test(before))) return true;
    if (GIVEN_UP_BEFORE.test(text.slice(at + name.length))) return true;
  }
  return false;
}
