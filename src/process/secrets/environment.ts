/**
 * The values in an environment that nobody is to read in an output: those of variables whose names look secret, and
 * the passwords in URLs, each as it stands and as JSON and URLs write it.
 */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const secrets = new Set<string>();
  for (const [name, value = ''] of Object.entries(env))
    for (const line of secretLines(name, value)) for (const form of formsOf(line)) secrets.add(form);
  return [...secrets];
}

/** Words that a secret's name has anywhere, words that it has as a whole, and the one that it ends with. */
const SECRET_NAME =
  /SECRET|PASSWORD|PASSWD|PASSPHRASE|(?:^|_)(?:TOKEN|CREDENTIALS?|AUTH|PRIVATE)(?:_|$)|(?:^|_)(?:API|ACCESS)?KEY$/;
const PASSWORD_IN_URL = /:\/\/[^\s/:@]*:([^\s/@?#]+)@/;
/** A value that only says where something is, such as SSH_AUTH_SOCK's: it stands in half of all messages. */
const PATH = /^(?:~|\.{0,2})\/[\w./@~ -]*$/;
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d+)?\/?$/;
/** Base64 may begin with a slash; no name of a file looks like this. */
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
  const isPlace = ORIGIN.test(line) || (PATH.test(line) && !RANDOM.test(line));
  // The borders of a PEM block are no secret, and what is between them is known by them.
  return isLong(line) && !isPlace && !line.startsWith('-----');
}

/** So long that it stands for nothing else: POSTGRES_PASSWORD=postgres must not mask half of every message. */
function isLong(value: string): boolean {
  return value.length >= 12 || (value.length >= 8 && /[^a-z]/.test(value));
}

function formsOf(secret: string): string[] {
  // Half a surrogate pair cannot be written in a URL.
  const whole = secret.toWellFormed();
  return [whole, JSON.stringify(whole).slice(1, -1), encodeURIComponent(whole)];
}
