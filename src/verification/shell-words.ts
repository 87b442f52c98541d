/** A simple command of a command line, and the operator after it: `&&`, `||`, `;`, `|`, `&`, a line break or nothing. */
export interface SimpleCommand {
  /** As they are written, quotes included. */
  readonly words: readonly string[];
  readonly operator: string;
}

/** A redirection, an operator, or a word. */
const TOKEN =
  /[^\S\n]*(?:(&>>?|\d*(?:>>|[<>])(?:&\d*-?)?)|(&&|\|\||[;|&\n])|((?:\\[^\n]|"(?:[^"\\`$]|\\.|\$(?![({]))*"|'[^']*'|[^\s;|&"'\\`$(){}<>#]|\$(?![({])|(?<!^|\s)#)+))/y;

/**
 * Splits a command line into its simple commands.
 *
 * @returns undefined if it has more than words and operators: a substitution, a group, a here-document, a comment
 */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  const text = line.trim().replaceAll(/\\\r?\n/g, ' ');
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [match, redirection, operator, word] = TOKEN.exec(text) ?? [];
    if (match === undefined) return undefined;
    if (operator !== undefined) {
      commands.push({ words, operator });
      words = [];
    } else words.push(word ?? redirection ?? '');
  }
  return [...commands, { words, operator: '' }];
}

/** The command line of simple commands. */
export function commandLine(commands: readonly SimpleCommand[]): string {
  return commands
    .flatMap(({ words, operator }) => [...words, ...(operator === '' ? [] : [operator])])
    .join(' ')
    .replaceAll(/ ([\n;]) ?/g, '$1 ');
}

/** The value of a word; undefined if the shell would expand it. */
export function literal(word: string): string | undefined {
  const value = word.replaceAll(/'([^']*)'|"([^"\\$]*)"/g, (_, single = '', double = '') => single + double);
  return /["'\\$*?[\]~]/.test(value) ? undefined : value;
}

/** A word with this value. */
export function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
