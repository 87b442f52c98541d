/** Returns whether a path is meant by a list of patterns. The path has no leading slash. */
export type PathMatcher = (path: string) => boolean;

interface Rule {
  readonly excludes: boolean;
  readonly expression: RegExp;
}

/**
 * Compiles patterns of paths. The last pattern that matches decides, and one with `!` excludes. A list with exclusions only
 * means all other files: in GitHub Actions it means none, and a gate would never run.
 *
 * - `*`: any characters but `/`, also a leading dot; `**`: any characters; `**` before a slash: any directories, or none
 * - `?`: one character but `/`; `[a-z]`, `[!a-z]`: one of these, one of the others; `{a,b}`: one of these patterns
 * - `\`: the next character has no special meaning
 *
 * A slash at the start is ignored, as is `./`. A slash at the end means everything in the directory.
 */
export function pathMatcher(patterns: readonly string[]): PathMatcher {
  const rules = patterns.map(ruleOf);
  const otherwise = rules.every(({ excludes }) => excludes);
  return (path) => {
    // macOS decomposes the letters of file names.
    const name = path.normalize('NFC');
    const rule = rules.findLast(({ expression }) => expression.test(name));
    return rule ? !rule.excludes : otherwise;
  };
}

function ruleOf(pattern: string): Rule {
  const excludes = pattern.startsWith('!');
  const path = pattern
    .slice(excludes ? 1 : 0)
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/$/, '/**');
  return { excludes, expression: new RegExp(`^${sourceOf(path.normalize('NFC'))}$`, 'su') };
}

/** The directories, or files, that a search for what patterns mean has to begin with. */
export function basesOf(patterns: readonly string[]): string[] {
  const included = patterns.filter((pattern) => !pattern.startsWith('!'));
  const bases = included.map((pattern) => {
    const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
    const wild = parts.findIndex((part) => /[*?[{\\]/.test(part));
    return (wild === -1 ? parts : parts.slice(0, wild)).join('/');
  });
  return included.length === 0 ? [''] : [...new Set(bases)].toSorted();
}

/** An escaped character, a wildcard, a class of characters, or any other character. */
const TOKEN = /\\(.)|(\*\*\/)|(\*\*+)|\*|\?|\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]|./gsu;

function sourceOf(pattern: string): string {
  const braces = bracesOf(pattern);
  let source = '';
  for (const match of pattern.matchAll(TOKEN)) {
    const [token, escaped, directories, anything, negation, characters] = match;
    const brace = braces.get(match.index);
    if (escaped !== undefined) source += literal(escaped);
    else if (directories) source += /(?:^|[/{,])$/.test(pattern.slice(0, match.index)) ? '(?:.*/)?' : '.*/';
    else if (anything) source += '.*';
    else if (token === '*') source += '[^/]*';
    else if (token === '?') source += '[^/]';
    else if (characters !== undefined) source += classOf(negation, characters) ?? literal(token);
    else source += brace ?? literal(token);
  }
  return source;
}

/** The braces and commas of alternatives by their positions. Braces without a comma, or without a partner, are text. */
function bracesOf(pattern: string): Map<number, string> {
  const found = new Map<number, string>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    if (token === '{') open.push({ at: index, commas: [] });
    else if (token === ',') open.at(-1)?.commas.push(index);
    else if (token === '}') {
      const { at, commas } = open.pop() ?? { at: 0, commas: [] };
      if (commas.length === 0) continue;
      found.set(at, '(?:').set(index, ')');
      for (const comma of commas) found.set(comma, '|');
    }
  }
  return found;
}

/** @returns undefined for what is no class, such as `[]` and `[z-a]` */
function classOf(negation: string | undefined, characters: string): string | undefined {
  if (characters === '') return undefined;
  const inner = characters.replaceAll(/\\(.)|([\]^[])/gsu, (_, escaped, special) =>
    literal(escaped ?? special),
  );
  const source = negation ? `[^/${inner}]` : `(?!/)[${inner}]`;
  try {
    new RegExp(source, 'u');
    return source;
  } catch {
    return undefined;
  }
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
