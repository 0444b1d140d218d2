/** Secrets that have a place rather than a name: headers, addresses, command-line options. */
import { looksRandom } from "./entropy.ts";
import { judgeName } from "./secret-names.ts";
import { isSecretValue } from "./secret-values.ts";

const AUTHORIZATION =
  /((?:proxy-)?authorization\\*["'`]?\]?[ \t]{0,8}[:=,][ \t]{0,8}\\*["'`]?)((?:bearer|basic|token|digest|apikey|api-key|key|negotiate|ntlm|hawk|oauth|aws4-hmac-sha256|sharedkey|splunk|ssws|bot|genie(?:key)?)[ \t]{1,8})?([^\s"'`<>\\][^"'`\r\n\\]{0,8000})/gi;
const BEARER = /\b(bearer|basic)(?:[ \t]{1,4}|%20|\+)([A-Za-z0-9._~+/%-]{16,}=*)/gi;
const COOKIE =
  /((?:set-)?cookie\\*["'`]?[ \t]{0,8}:[ \t]{0,8}\\*["'`]?)([^\s"'`<>\\=;(){}]{1,128}=[^"'`\r\n\\]{1,8000})/gi;
const URL_PASSWORD =
  /(:\/\/[^\s/?#@:"'`<>\\()[\]{}]{0,256}:)([^\s/?#@"'`<>\\]{1,512}(?:@(?=[^\s/?#"'`<>\\]{1,256}@)[^\s/?#@"'`<>\\]{1,256}){0,3})@(?=[\w.[${-])/g;
const URL_TOKEN = /(https?:\/\/)([A-Za-z0-9_-]{20,512})@(?=[\w.-])/g;
const HOOK =
  /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{5,25}\/|\.webhook\.office\.com\/webhookb2\/|chat\.googleapis\.com\/v1\/spaces\/[\w-]{1,64}\/messages\?|hooks\.zapier\.com\/hooks\/catch\/|api\.telegram\.org\/bot)([^\s"'`<>\\)\]]{16,512})/gi;
const OPTION =
  /((?:\bmysql(?:dump|admin|import)?|\bmariadb(?:-dump)?)(?=\s)[^|;&\n]{0,200}?\s-p|\bsshpass\s{1,4}-p\s{0,4}|\b(?:docker|podman|helm|oras|az|skopeo)\s(?:registry\s)?login(?=\s)[^|;&\n]{0,200}?\s-p\s{1,4}|\bredis-cli(?=\s)[^|;&\n]{0,200}?\s-a\s{1,4}|\bunzip(?=\s)[^|;&\n]{0,100}?\s-P\s{1,4}|\b(?:curl|wget|http)(?=\s)[^|;&\n]{0,200}?\s(?:-u|--user|--proxy-user|-U)[\s=]{1,4}["']?[^\s:"'`]{1,128}:)(["']?)([^\s"'`|;&\n]{1,256})/g;
const ELEMENT =
  /(<((?:\w{1,32}:)?[\w.-]{0,40}(?:password|passwd|passphrase|secret|token|api[_-]?key)[\w.-]{0,16})>)([^<>\s]{3,512})(?=<\/)/gi;
/** Variables as containers and CI systems list them: a name, then its value. */
const PAIR =
  /(\b(?:name|key)\\*["']?[ \t]{0,4}[:=][ \t]{0,4}\\*["']?)([\w.-]{3,64})(\\*["']?,?(?:\s|\\n){0,40}\\*["']?value\\*["']?[ \t]{0,4}[:=][ \t]{0,4}\\*["']?)([^\s"'\\,{}[\]]{1,512})/gi;
/** What a person says in passing. */
const SAID =
  /(\b(?:password|passwd|passphrase|passcode|pin)\s(?:for \S{1,60}\s)?(?:is|was|=)[: \t]{1,3}["'`]?)([^\s"'`,;<>()]{6,128})/gi;
const NAMED_METHOD = /^(?:sha|md5|bcrypt|argon|base64|pbkdf|utf|aes|v\d|\d)/i;
const NETRC = /(\bmachine\s{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8})(\S{1,256})/g;

const TEMPLATE = /^(?:\$|<|#?\{|\[redacted:|%[({A-Z]|\.\.\.|…)/;
const PROSE =
  /^(?:header|headers|token|tokens|required|is|the|and|or|auth|authentication|authorization|value|string)\b/i;

/** The text with what headers, addresses and options carry replaced. */
export function redactPlaces(text: string): string {
  let out = text;
  if (/authorization|cookie|bearer|basic/i.test(out)) out = redactHeaders(out);
  if (out.includes("://")) {
    out = out.replace(URL_PASSWORD, (all: string, head: string, password: string) =>
      isTemplate(password) ? all : `${head}[redacted:url-password]@`,
    );
    out = out.replace(URL_TOKEN, (all: string, head: string, token: string) =>
      looksRandom(token) ? `${head}[redacted:url-password]@` : all,
    );
  }
  if (/hooks?\b|telegram/i.test(out)) {
    out = out.replace(HOOK, (all: string, head: string, rest: string) =>
      isTemplate(rest) ? all : `${head}[redacted:webhook-url]`,
    );
  }
  return redactOptions(redactNamed(out));
}

function redactNamed(text: string): string {
  let out = text;
  if (out.includes("</")) {
    out = out.replace(ELEMENT, (all: string, tag: string, name: string, value: string) =>
      isNamedSecret(name, value) ? `${tag}[redacted:${judgeName(name).kind}]` : all,
    );
  }
  if (/value\\*["']?[ \t]{0,4}[:=]/i.test(out)) {
    out = out.replace(PAIR, (all: string, head: string, name: string, middle: string, value: string) =>
      isNamedSecret(name, value) ? `${head}${name}${middle}[redacted:${judgeName(name).kind}]` : all,
    );
  }
  if (!/pass|pin/i.test(out)) return out;
  return out.replace(SAID, (all: string, head: string, value: string) =>
    /\d/.test(value) && /[A-Za-z]/.test(value) && !NAMED_METHOD.test(value) && !isTemplate(value)
      ? `${head}[redacted:password]`
      : all,
  );
}

/** As if the value stood in quotes right behind the name. */
function isNamedSecret(name: string, value: string): boolean {
  const { level } = judgeName(name);
  return level > 1 && isSecretValue(level, value, { quoted: true, tight: false, alone: true, inCall: false });
}

function redactHeaders(text: string): string {
  return text
    .replace(AUTHORIZATION, (all: string, head: string, scheme: string | undefined, value: string) =>
      isCredential(scheme, value) ? `${head}${scheme ?? ""}[redacted:authorization]` : all,
    )
    .replace(COOKIE, (all: string, head: string, value: string) =>
      /^[\w.$-]+=[^;]*(?:\d|[^\s\w;]).{6,}/.test(value) && !isTemplate(value.slice(value.indexOf("=") + 1))
        ? `${head}[redacted:cookie]`
        : all,
    )
    .replace(BEARER, (all: string, _scheme: string, value: string) =>
      /\d/.test(value) && (looksRandom(value) || /^eyJ/.test(value))
        ? `${all.slice(0, all.length - value.length)}[redacted:authorization]`
        : all,
    );
}

function isCredential(scheme: string | undefined, value: string): boolean {
  const first = value.split(/[\s,;)]/, 1)[0] ?? "";
  if (TEMPLATE.test(value) || PROSE.test(value) || /\$\{|\{\{|\$[A-Za-z_(]/.test(first)) return false;
  if (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*\(/.test(value)) return false;
  if (scheme !== undefined) {
    if (/^[xX*.]+$/.test(first) || /^(?:your|my|some)[-_]/i.test(first)) return false;
    return first.length >= 6 && (/\d/.test(value) || /^\S+$/.test(value.trim()) || /[=+/]/.test(first));
  }
  return (
    first.length >= 8 && /\d/.test(first) && /^[A-Za-z0-9._~+/:=-]+$/.test(first) && !/^\d+$/.test(first)
  );
}

function redactOptions(text: string): string {
  let out = text;
  if (/\s-[pPauU]|--(?:proxy-)?user/.test(out)) {
    out = out.replace(OPTION, (all: string, head: string, quote: string, value: string) =>
      isTemplate(value) ? all : `${head}${quote}[redacted:password]`,
    );
  }
  if (!out.includes("machine")) return out;
  return out.replace(NETRC, (all: string, head: string, value: string) =>
    isTemplate(value) ? all : `${head}[redacted:password]`,
  );
}

function isTemplate(value: string): boolean {
  return TEMPLATE.test(value) || /^(?:[xX*.]+|\$\{?\w+\}?|%\w+%?)$/.test(value);
}
