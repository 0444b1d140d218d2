/** Which names promise a secret value. */

/**
 * How much a name says: 3 a password (almost any value is one), 2 a token or key (values that could be
 * one), 1 a hint (only values that read like random characters), 0 nothing.
 */
export type Level = 0 | 1 | 2 | 3;

export type SecretName = { level: Level; kind: string };

const NOTHING: SecretName = { level: 0, kind: "" };

/** What may follow the telling word without changing what the value is. */
const SUFFIX =
  /(?:_(?:value|val|data|base|b64|base64|plain|plaintext|raw|prod|production|dev|development|test|testing|staging|live|old|new|current|default|string|str|text|env|[a-z]|\d{1,3}))+$|\d{1,3}$/;

const PASSWORD =
  /(?:password|passwd|passphrase|passcode)$|(?:^|_)(?:pass|pw|pwd|mnemonic|seed_phrase|recovery_phrase|credentials?|creds)$/;
const SECRET = /secret$|(?:^|_)secrets?$/;
const KEY =
  /(?:^|_)(?:api|apis|access|private|secret|encryption|encrypt|decryption|signing|signature|master|account|storage|shared_access|service|service_role|admin|client|consumer|app|application|auth|deploy|license|licence|webhook|hmac|aes|rsa|ssh|gpg|jwt|cookie|session|root|write|server|integration|subscription|function|host|bot|merchant|secure|crypto|cipher|wallet)_?key$|apikey$|accesskey$|secretkey$|privatekey$/;
const TOKEN =
  /token$|(?:^|_)(?:pat|jwt|bearer|sas|authorization|proxy_authorization|api_?auth|otp_secret|basic_auth)$/;
const PAGING =
  /(?:^|_)(?:next|page|paging|continuation|continue|cancel|cancellation|sync|resume|delta|cursor|start|end|first|last|prev|previous|eos|bos|pad|unk|sep|cls|mask|stop|special|max|min|num|per|cost_per|price_per|design|input|output)(?:_page)?_token$/;
const HINT =
  /(?:^|_)(?:key|auth|signature|sig|salt|nonce|cookie|session|sid|dsn|seed|pin|otp|hmac|seckey)$|key$/;
const NOT_KEY =
  /(?:^|_)(?:public|primary|foreign|partition|sort|cache|row|object|query|storage_class|react|hash|idempotency|host|map|dedup|group|routing|index|lookup|unique|composite|registry|hot|short_cut|shortcut|arrow|enter|function|monkey|turkey|hockey|donkey|jockey|key)_?key$|(?:monkey|turkey|hockey|donkey|jockey|whiskey)$/;

/** Spares names that hold none of the words the rules that cost more. */
const MAY_TELL =
  /pass|pw|secret|token|key|auth|cred|mnemonic|phrase|jwt|bearer|hmac|cookie|(?:pat|sid|pin|sas|otp|sig|signature|salt|nonce|session|dsn|seed)$/i;

const known = new Map<string, SecretName>();

/** Judges the last part of a name written in any of the usual ways (`dbPassword`, `DB_PASSWORD`, `x-api-key`). */
export function judgeName(name: string): SecretName {
  const seen = known.get(name);
  if (seen !== undefined) return seen;
  const judged = judge(name);
  // Names come from a small vocabulary; a hostile one must not grow the table without end.
  if (known.size > 2000) known.clear();
  known.set(name, judged);
  return judged;
}

function judge(name: string): SecretName {
  if (name.length > 100 || !MAY_TELL.test(name)) return NOTHING;
  const last = name.slice(name.lastIndexOf(".", name.length - 2) + 1);
  const snake = last
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[-\s$]+/g, "_")
    .replace(/^_+|_+$/g, "");
  return judgeSnake(snake) ?? judgeSnake(snake.replace(SUFFIX, "")) ?? NOTHING;
}

function judgeSnake(snake: string): SecretName | null {
  if (PASSWORD.test(snake))
    return { level: /(?:^|_)(?:pw|pwd|credentials?|creds)$/.test(snake) ? 2 : 3, kind: "password" };
  if (
    /(?:^|_)(?:no|has|is|use|with|show|hide|reset|forgot|change|update|require|requires)_\w*$/.test(snake)
  ) {
    return null;
  }
  if (SECRET.test(snake)) return { level: 3, kind: "secret" };
  if (NOT_KEY.test(snake) && !/(?:^|_)(?:host|function)_key$/.test(snake)) return null;
  if (KEY.test(snake)) return { level: 2, kind: /private_?key$/.test(snake) ? "private-key" : "api-key" };
  if (PAGING.test(snake)) return null;
  if (TOKEN.test(snake)) return { level: 2, kind: /authorization$/.test(snake) ? "authorization" : "token" };
  if (HINT.test(snake)) return { level: 1, kind: "secret" };
  return null;
}
