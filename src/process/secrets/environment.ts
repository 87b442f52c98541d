const scanned = new WeakMap<NodeJS.ProcessEnv, readonly string[]>();

/**
 * The values in an environment that no output may show: those of variables with secret-looking names, and the
 * passwords in URLs; each as it is, as JSON escapes it and as URLs encode it. Each environment is scanned once.
 */
export function secretsIn(env: NodeJS.ProcessEnv): readonly string[] {
  const known = scanned.get(env);
  if (known) return known;
  const secrets = new Set<string>();
  for (const [name, value = ''] of Object.entries(env))
    for (const line of secretLines(name, value)) for (const form of formsOf(line)) secrets.add(form);
  const values = [...secrets];
  scanned.set(env, values);
  return values;
}

/** Words that make a name secret anywhere in it, as a whole word, and at its end. */
const SECRET_NAME =
  /SECRET|PASSWORD|PASSWD|PASSPHRASE|(?:^|_)(?:TOKEN|CREDENTIALS?|AUTH|PRIVATE)(?:_|$)|(?:^|_)(?:API|ACCESS)?KEY$/;
const PASSWORD_IN_URL = /:\/\/[^\s/:@]*:([^\s/@?#]+)@/;
/** A location, such as the value of SSH_AUTH_SOCK, is no secret: masked, it would garble half of all messages. */
const PATH = /^(?:~|\.{0,2})\/[\w./@~ -]*$/;
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d+)?\/?$/;
/** Base64 may begin with a slash; file names do not look like this. */
const RANDOM = /(?=\w*[a-z])(?=\w*[A-Z])(?=\w*\d)\w{16}/;

/** Whether a variable of this name is likely to hold a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase());
}

function secretLines(name: string, value: string): string[] {
  if (isSecretName(name))
    return value
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(isSecret);
  const password = PASSWORD_IN_URL.exec(value)?.[1] ?? '';
  return isLong(password) ? [password] : [];
}

function isSecret(line: string): boolean {
  const isLocation = ORIGIN.test(line) || (PATH.test(line) && !RANDOM.test(line));
  // The borders of a PEM block are public, and the lines between them are found by them.
  return isLong(line) && !isLocation && !line.startsWith('-----');
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
