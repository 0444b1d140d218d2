import { afterEach, describe, expect, test } from "bun:test";
import type { SupersededHow } from "../../src/core/observation.ts";
import {
  committed,
  type Draft,
  editOf,
  failing,
  finding,
  linksIn,
  mended,
  passing,
  type Scripted,
  scripted,
} from "./scripted.ts";

let store: Scripted | undefined;
afterEach(() => store?.close());

type Case = [name: string, older: Draft, newer: Draft, how: SupersededHow | null];

const web = (url: string, title: string): Draft => ({ unit: `web:${url}`, title });
const git = (title: string, facts: string[] = []): Draft => ({
  unit: "run:git",
  title,
  type: "change",
  facts,
});

const REPEATED: Case[] = [
  [
    "a plan further on",
    {
      unit: "plan",
      title: "Planned 2 steps",
      facts: ["Open: parse rates", "Open: show rates"],
      origin: "assistant",
    },
    {
      unit: "plan",
      title: "Left open",
      facts: ["Done: parse rates", "Open: show rates"],
      origin: "assistant",
    },
    "repeated",
  ],
  [
    "a finding restated",
    finding("The cache in `loadRates` is never cleared because `ttl` is zero"),
    finding("`loadRates` never clears its cache, because the `ttl` is zero"),
    "repeated",
  ],
  [
    "another finding about the same function",
    finding("The cache in `loadRates` is never cleared because `ttl` is zero"),
    finding("`loadRates` is called twice per request by the checkout page"),
    null,
  ],
  [
    "a finding with other numbers",
    finding("The upload limit in `nginx.conf` is 10 MB for all routes"),
    finding("The upload limit in `nginx.conf` is 20 MB for all routes"),
    null,
  ],
  [
    "the same words denied",
    finding("The worker does retry failed uploads in `queue.ts`"),
    finding("The worker does not retry failed uploads in `queue.ts`"),
    null,
  ],
  [
    "a finding restated in Chinese",
    finding("缓存没有清除的原因是过期时间设置为零"),
    finding("缓存没有被清除的原因是过期时间设置为零"),
    "repeated",
  ],
  [
    "a finding restated in German",
    finding("Der Zwischenspeicher in `loadRates` wird nie geleert, weil `ttl` null ist"),
    finding("Weil `ttl` null ist, wird der Zwischenspeicher in `loadRates` nie geleert"),
    "repeated",
  ],
  [
    "the same edit of the same file",
    editOf("src/a.ts", "Changed parseRate in src/a.ts"),
    editOf("src/a.ts", "Changed parseRate in src/a.ts"),
    "repeated",
  ],
  [
    "another edit of the same file",
    editOf("src/a.ts", "Added parseRate to src/a.ts"),
    editOf("src/a.ts", "Removed parseRate from src/a.ts"),
    null,
  ],
  [
    "the same check with the same names",
    failing("test", "npm test", ["cart.total", "cart.tax"]),
    failing("test", "npm test", ["cart.total", "cart.tax"]),
    "repeated",
  ],
  [
    "the same check with other names",
    failing("test", "npm test", ["cart.total"]),
    failing("test", "npm test", ["login.expires"]),
    null,
  ],
  [
    "the same page",
    web("https://x.dev/a", "Read about rates"),
    web("https://x.dev/a", "Read on rates"),
    "repeated",
  ],
  [
    "another page",
    web("https://x.dev/a", "Read about rates"),
    web("https://x.dev/b", "Read about rates"),
    null,
  ],
  [
    "the same checks pass",
    passing("Tests pass (`npm test`, 41 passed); lint is clean (`npm run lint`)"),
    passing("Tests pass (`npm test`, 43 passed); lint is clean (`npm run lint`)"),
    "repeated",
  ],
  [
    "fewer checks pass later",
    passing("Tests pass (`npm test`); lint is clean (`npm run lint`)"),
    passing("Tests pass (`npm test`)"),
    null,
  ],
  ["a push as before", git("Pushed main"), git("Pushed main"), "repeated"],
  ["another commit", committed("add rates", "aaaaaaa"), committed("add taxes", "bbbbbbb"), null],
];

const plan = (title: string, ...facts: string[]): Draft => ({
  unit: "plan",
  title,
  facts,
  origin: "assistant",
});

const SETTLED: Case[] = [
  [
    "a plan carried out",
    plan("Planned 2 steps: parse rates", "Open: parse rates", "Open: show rates"),
    plan("Done 2 steps", "Done: parse rates", "Done: show rates"),
    "settled",
  ],
  [
    "another plan",
    plan("Planned 2 steps: parse rates", "Open: parse rates", "Open: show rates"),
    plan("Planned 2 steps: export customers", "Open: export customers", "Open: import customers"),
    null,
  ],
  [
    "by the same check",
    failing("test", "npm test", ["cart.total"]),
    passing("Tests pass (`npm test`, 9 passed)"),
    "settled",
  ],
  [
    "by a broader run",
    failing("test", "go test ./cart -run TestTotal", ["TestTotal"]),
    passing("Tests pass (`go test ./...`, 4 packages ok)"),
    "settled",
  ],
  [
    "by a script that runs all",
    failing("test", "go test ./cart -run TestTotal", ["TestTotal"]),
    passing("Tests pass (`make test`)"),
    "settled",
  ],
  [
    "by work that was verified",
    failing("test", "npm test", ["cart.total"]),
    editOf("src/cart.ts", "Changed total in src/cart.ts", { facts: ["Verified: tests pass (`npm test`)"] }),
    "settled",
  ],
  [
    "not by a narrower run",
    failing("test", "npm test", ["cart.total"]),
    passing("Tests pass (`npm test -- -t login`)"),
    null,
  ],
  [
    "not by another kind of check",
    failing("test", "npm test", ["cart.total"]),
    passing("Lint is clean (`npm run lint`)"),
    null,
  ],
  [
    "by its later fix",
    failing("test", "npm test", ["cart.total"]),
    mended("test", "npx vitest run cart", ["cart.total", "cart.tax"]),
    "settled",
  ],
  [
    "not by the fix of something else",
    failing("test", "npx vitest run login", ["login.expires"]),
    mended("test", "npx vitest run cart", ["cart.total"]),
    null,
  ],
  [
    "a command that works by now",
    {
      unit: "failure:docker compose up",
      title: "`docker compose up` fails: port in use",
      concepts: ["gotcha"],
    },
    {
      unit: "failure:docker compose up",
      title: "`docker compose up` failed: port in use — works after a restart",
      concepts: ["gotcha", "problem-solution"],
    },
    "settled",
  ],
];

for (const [kind, cases] of Object.entries({ REPEATED, SETTLED })) {
  describe(kind.toLowerCase(), () => {
    test.each(cases)("%s", (_, older, newer, how) => {
      store = scripted([{ drafts: [older] }, { drafts: [newer] }]);
      store.compress([0, 1]);
      expect(linksIn(store.db)).toEqual(how ? [`${older.title} → ${newer.title} (${how})`] : []);
    });
  });
}
