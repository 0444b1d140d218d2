/** Files whose content is never kept, and commands that show it. */

const NAMES = new Set(
  (
    ".npmrc .pypirc .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials kubeconfig .dockercfg .s3cfg .boto " +
    ".envrc credentials terraform.tfvars .vault-token .yarnrc.yml secring.gpg master.key .terraformrc terraform.rc " +
    ".credentials.json auth.json .rclone.conf rclone.conf wallet.dat shadow gshadow .pgpass.conf"
  ).split(" "),
);

const NAME_PATTERNS = [
  /^\.env(?:$|[._-](?!(?:[\w.-]*[._-])?(?:example|sample|template|dist|defaults|schema|md|ts|js|d\.ts)$))/,
  /(?:^|[\w-])\.env$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)(?!.*\.pub$)/,
  /\.(?:pem|key|p12|pfx|pkcs12|keystore|jks|jceks|bks|kdbx?|ppk|p8|ovpn|agekey|keytab|tfstate|mobileprovision)$/,
  /\.tfstate\.backup$/,
  /\.auto\.tfvars(?:\.json)?$/,
  /^credentials\.(?!go$|ts$|tsx$|js$|jsx$|py$|rb$|rs$|java$|kt$|cs$|php$|md$|swift$|test\.|spec\.)[\w.-]+$/,
  /^(?:app|application|prod|production|dev|local|k8s)?[._-]?secrets?\.(?:ya?ml|json|toml|env|ini|properties|txt|enc)$/,
  /^(?:client[_-]secret|service[_-]?account|gcp[_-]key|google[_-]credentials|firebase-adminsdk).*\.json$/,
  /^[\w-]*firebase-adminsdk[\w-]*\.json$/,
  /^application_default_credentials\.json$/,
];

const PLACES = [
  /\/\.kube\/(?:config|cache\/oidc-login\/.*)$/,
  /\/\.aws\/(?:credentials|sso\/cache\/.*|cli\/cache\/.*)$/,
  /\/\.docker\/config\.json$/,
  /\/\.ssh\/(?!known_hosts|config$|authorized_keys)[^/]*(?<!\.pub)$/,
  /\/\.gnupg\/(?:private-keys.*|secring.*)$/,
  /\/\.config\/(?:gh\/hosts\.yml|gcloud\/.*(?:credentials|tokens).*|hub|op\/.*)$/,
  /\/\.azure\/(?:accesstokens|msal_token_cache|azureprofile).*$/,
  /\/proc\/(?:self|\d+)\/environ$/,
  /\/\.cargo\/credentials(?:\.toml)?$/,
  /\/\.gem\/credentials$/,
  /\/run\/secrets\/.+$/,
];

/** Spares ordinary paths the two dozen rules above: every one of those needs one of these words. */
const MAY_BE_SECRET =
  /env|id_|pem|key|p12|pfx|jks|jceks|bks|kdb|ppk|p8|ovpn|tfstate|tfvars|mobileprov|credential|secret|service|gcp|google|firebase|kube|aws|docker|ssh|gnupg|config|azure/;

/** Whether a file by this name holds secrets. Either slash, any case; the file need not exist. */
export function isSecretPath(path: string): boolean {
  if (path.length === 0 || path.length > 4096) return false;
  const lower = path.trim().toLowerCase().replace(/\\/g, "/");
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  if (NAMES.has(name))
    return name !== "auth.json" || /\/\.(?:codex|composer|local)\b|\/\.config\//.test(lower);
  if (!MAY_BE_SECRET.test(lower)) return false;
  if (NAME_PATTERNS.some((pattern) => pattern.test(name))) return true;
  return PLACES.some((pattern) => pattern.test(`/${lower}`));
}

/** Programs that show or copy what is in the files they are given. */
const READERS = new Set(
  (
    "cat bat batcat head tail less more most nl tac rev od xxd hexdump strings grep egrep fgrep rg ag ack sed awk gawk " +
    "mawk cut sort uniq tr fold fmt column jq yq diff sdiff colordiff comm cmp paste join tee cp scp rsync source . " +
    "vi vim nvim nano emacs base64 base32 openssl gpg age sops curl wget http python python3 node bun ruby perl php " +
    "type gc get-content select-string findstr xargs dotenv dd install pbcopy clip xclip tar zip gzip zcat gunzip git " +
    "ansible-vault"
  ).split(" "),
);
/** Their first argument is what they look for or do, not a file. */
const LOOKERS = /^(?:e?grep|fgrep|rg|ag|ack|sed|g?awk|mawk|jq|yq|select-string|findstr)$/;
const GIT_SHOWS = /^(?:show|diff|log|blame|cat-file|grep|annotate)$/;
/** Commands that print secrets kept elsewhere than in a file. */
const SECRET_STORES =
  /\b(?:kubectl|oc)\s(?:.{0,80}\s)?get\s+secrets?\b.{0,200}-o|\bsecretsmanager\s+get-secret-value|\bssm\s+get-parameters?\b.{0,200}--with-decryption|\bvault\s+(?:kv\s+get|read)\b|\bgh\s+auth\s+token|\bop\s+(?:read|item\s+get)\b|\bpass\s+show\b|\bheroku\s+config\b|\bgcloud\s+auth\s+print-\w+-token|\bsecrets\s+versions\s+access|\bkeyvault\s+secret\s+show|\bsecurity\s+find-\w+-password/;
/** Alone, these print every variable of the environment. */
const DUMPS = /^(?:env|printenv|set|export|declare|typeset)$/;
const WRAPPERS =
  /^(?:sudo|doas|command|builtin|exec|nohup|time|nice|xargs|stdbuf|timeout|\\?then|do|else|if|while|!|\{|\()$/;
const WORD = /"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s;&|<>()"'`\\]+|&&|\|\||[;&|()`\n]|\d?<<?<?|\d?>>?|["'\\]/g;
const MAX_COMMAND = 65_536;

/**
 * Whether a shell command shows, copies or writes the content of a secret file, or prints the whole
 * environment. Listing, deleting and testing such files does not count.
 */
export function secretPathsInCommand(command: string): boolean {
  if (SECRET_STORES.test(command)) return true;
  const words = command.slice(0, MAX_COMMAND).match(WORD) ?? [];
  let program = "";
  let args: string[] = [];
  let redirect = false;
  for (const raw of [...words, ";"]) {
    if (/^(?:&&|\|\||[;&|()`\n])$/.test(raw)) {
      if (showsEnvironment(program, args)) return true;
      program = "";
      args = [];
      redirect = false;
    } else if (/^\d?(?:<{1,3}|>{1,2})$/.test(raw)) {
      redirect = true;
    } else {
      const word = raw.replace(/["']/g, "");
      if (redirect && namesSecret(word)) return true;
      if (!redirect && program === "") program = programOf(word);
      else if (!redirect) {
        if (readsArgument(program, args, word) && namesSecret(word)) return true;
        if (raw !== word && secretPathsInQuoted(program, word)) return true;
        args.push(word);
      }
      redirect = false;
    }
  }
  return false;
}

function readsArgument(program: string, args: readonly string[], word: string): boolean {
  if (/^(?:docker|podman|kubectl|oc|ssh|nerdctl)$/.test(program)) return args.some((arg) => READERS.has(arg));
  if (!READERS.has(program)) return false;
  const first = args.find((arg) => !arg.startsWith("-"));
  if (program === "git") return GIT_SHOWS.test(first ?? "");
  return !LOOKERS.test(program) || word.startsWith("-") || first !== undefined;
}

/** `bash -c "cat .env"`, `ssh host 'cat .env'`, `"$(cat .env)"`. */
function secretPathsInQuoted(program: string, word: string): boolean {
  if (/^(?:python3?|node|bun|ruby|perl|php|deno)$/.test(program))
    return word.split(/[()\s,;`[\]]+/).some(isSecretPath);
  const shell = /^(?:bash|sh|zsh|dash|ksh|fish|ssh|su|docker|podman|kubectl|eval|watch)$/.test(program);
  if (!shell && !/\$\(|`/.test(word)) return false;
  return secretPathsInCommand(shell ? word : word.replace(/^[^$`]*(?:\$\(|`)/, ""));
}

function programOf(word: string): string {
  if (WRAPPERS.test(word) || /^[A-Za-z_]\w*=/.test(word)) return "";
  return word.slice(word.lastIndexOf("/") + 1).toLowerCase() || word;
}

function showsEnvironment(program: string, args: readonly string[]): boolean {
  if (!DUMPS.test(program)) return false;
  if (program === "printenv") return true;
  return args.every((arg) => /^-(?:[0p]|-null)$/.test(arg));
}

function namesSecret(word: string): boolean {
  if (isSecretPath(word)) return true;
  // `HEAD:.env`, `user@host:.ssh/id_rsa`, `--file=.env`, `@.env`, `-f.env`.
  const parts = word.split(/[=:@,]|^-\w/);
  return parts.length > 1 && parts.some((part) => part !== "" && isSecretPath(part));
}
