const scanned = new WeakMap<NodeJS.ProcessEnv, readonly string[]>();

/**
 * The values in an environment that no output may show: those of variables with secret-looking names, what is after
 * such a name in another value (`…;AccountKey=…`), and the passwords in URLs; each as it is, as JSON escapes it and as
 * URLs encode it. Each environment is scanned once.
 */
export function secretsIn(env: NodeJS.ProcessEnv): readonly string[] {
  const known = scanned.get(env);
  if (known) return known;
  const secrets = new Set<string>();
  for (const [name, value = ''] of Object.entries(env))
    for (const secret of secretsOf(name, value)) for (const form of formsOf(secret)) secrets.add(form);
  const values = [...secrets];
  scanned.set(env, values);
  return values;
}

/** What holds a secret whatever is around it. */
const CERTAIN = /SECRET|PASSWORD|PASSWD|PASSPHRASE|ACCESS_?KEY/;
/** What holds a secret anywhere, at the end of a word (DBPASS, ACCESSTOKEN), and as a word of its own. */
const LIKELY = new RegExp(
  [
    'COOKIE|CREDENTIAL|PASSCODE|WEBHOOK',
    '(?:(?<!MAX_)TOKENS?|(?<!ASK|BY|COM|OVER|SUR|TRES|UNDER)PASS|PWD|JWT)(?![A-Z])',
    '(?:API|ACCOUNT|AUTH|CLIENT|DEPLOY|ENCRYPTION|LICENSE|MASTER|PRIVATE|SERVICE|SHARED|SIGNING|SSH|STORAGE)KEYS?(?![A-Z])',
    '(?<![A-Z])(?:O?AUTH|AUTHORIZATION|BEARER|CREDS?|JWT[A-Z]*|KEYS?|MNEMONIC|PAT|PRIVATE|PSK|PSWD|PW|SIG)(?![A-Z])',
  ].join('|'),
);
/** What is public, or is about a secret: KEY_ID, TOKEN_URL, COOKIE_DOMAIN. */
const HARMLESS = new RegExp(
  [
    '^(?:OLD)?PWD$|PUB(?:LIC)?_?KEYS?$|PUBLISHABLE_KEY$',
    '_(?:ALGORITHM|AUDIENCE|COUNT|DIR|DOMAIN|ENABLED|ENDPOINT|EXPIRES|EXPIRES_IN|EXPIRY|FILE|FORMAT|HELPER|HOST|ID|ISSUER|LENGTH|LIMIT|METHOD|MODE|NAME|PATH|POLICY|PORT|PREFIX|PROVIDER|REGION|SCOPES?|SIZE|SOCK|SUFFIX|TIMEOUT|TTL|TYPE|USER|USERNAME|VERSION|(?<!WEBHOOKS?_)UR[IL])$',
  ].join('|'),
);

/** Whether a variable of this name is likely to hold a secret. */
export function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();
  return CERTAIN.test(words) || (LIKELY.test(words) && !HARMLESS.test(words));
}

function secretsOf(name: string, value: string): string[] {
  const inside = [...passwordsInUrls(value), ...namedIn(value)].filter(isSecret);
  return isSecretName(name) ? [...wholeLines(value), ...inside] : inside;
}

/** The lines of a value, the words of lists, and what is after the name in `name=value` and `user:password`. */
function wholeLines(value: string): string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  // The texts of a JSON document are no secrets as such.
  const words = lines.filter((line) => !/^[{[]/.test(line)).flatMap((line) => line.split(/[\s,;]+/));
  const values = words.map((word) => /^[\w.-]+[=:](?!\/\/)(.+)$/.exec(word)?.[1] ?? '');
  return [...lines, ...words, ...values].filter(isSecret);
}

const PASSWORD_IN_URL = /:\/\/[^\s/:@]*:([^\s/@?#]+)@/g;
/** A password with characters that a URL must encode; a number is a port. */
const LOOSE_PASSWORD_IN_URL = /:\/\/[^\s/:@]*:(?!\d+(?:[/?#]|$))((?:(?!:\/\/)\S)+)@/g;
/** A token in place of a user, as in `https://TOKEN@github.com`. */
const TOKEN_IN_URL = /:\/\/(?=[^\s/:@?#]*\d)([^\s/:@?#]{16,})@/g;

function passwordsInUrls(value: string): string[] {
  if (!value.includes('://')) return [];
  return [PASSWORD_IN_URL, LOOSE_PASSWORD_IN_URL, TOKEN_IN_URL].flatMap((pattern) =>
    [...value.matchAll(pattern)].map(([, password = '']) => password),
  );
}

/** In connection strings, queries of URLs, JSON. The values may contain further pairs. */
const PAIR = /(?<![\w.-])([\w.-]+)["']?\s*[=:]\s*["']?(?=([^\s"',;&]{1,4096}))/g;
/** Without one of these there is no name of a secret: most values are read only once. */
const MAY_HAVE_NAME = /AUTH|COOKIE|CRED|JWT|KEY|PASS|PSK|PW|SECRET|SIG|TOKEN/i;

/** Connection strings are shorter. The time for pairs within pairs grows with the square of the length. */
const MAX_PAIRS_CHARACTERS = 16 * 1024;

function namedIn(value: string): string[] {
  if (!MAY_HAVE_NAME.test(value)) return [];
  return [...value.slice(0, MAX_PAIRS_CHARACTERS).matchAll(PAIR)].flatMap(([, name = '', named = '']) =>
    // With the underscore, PWD is not the working directory.
    isSecretName(`_${name}`) ? [named] : [],
  );
}

/** A location, such as the value of SSH_AUTH_SOCK, is no secret: masked, it would garble half of all messages. */
const PATH = /^(?:~|\.{0,2})\/[\w./@~ -]*$/;
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d+)?\/?$/;
/** What a template or a CI system has in place of a secret. */
const PLACEHOLDER = /^(?:\$\{.*\}|\$\w+|<.*>|\{\{.*\}\}|%\w+%|[*xX]+)$/;
/** Base64 may begin with a slash; file names do not look like this. */
const RANDOM = /(?=\w*[a-z])(?=\w*[A-Z])(?=\w*\d)\w{16}/;

function isSecret(text: string): boolean {
  const isLocation = ORIGIN.test(text) || (PATH.test(text) && !RANDOM.test(text));
  // The borders of a PEM block are public, and the lines between them are found by them.
  return isLong(text) && !isLocation && !PLACEHOLDER.test(text) && !text.startsWith('-----');
}

/** Long enough to occur nowhere by chance: POSTGRES_PASSWORD=postgres must not mask half of every message. */
function isLong(value: string): boolean {
  return value.length >= 12 || (value.length >= 8 && /[^a-z]/.test(value));
}

function formsOf(secret: string): string[] {
  // encodeURIComponent throws on half of a surrogate pair.
  const whole = secret.toWellFormed();
  return [whole, JSON.stringify(whole).slice(1, -1), encodeURIComponent(whole)];
}
