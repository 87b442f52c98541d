import { escapeRegExp } from '../../base/text.ts';
import { type PathMatcher, pathMatcher } from '../../config/glob.ts';
import { LANGUAGES } from '../languages.ts';
import { lex } from '../lexer.ts';
import { surefireReason } from './surefire.ts';
import { inside, is, type Span, split, stringValue, type Tokens } from './tokens.ts';

/** What a runner of JavaScript collects, by its configuration or by default. */
interface Collection {
  /** Where that is said, as a clause: `vitest.config.ts does not include`. */
  readonly why: string;
  readonly includes: PathMatcher;
  readonly excludes: PathMatcher;
}

const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const files = (...names: readonly string[]) =>
  names.flatMap((name) => EXTENSIONS.map((extension) => `${name}.${extension}`));

const VITEST = {
  files: files('vitest.config', 'vite.config'),
  default: /\.(?:test|spec)(?:-d)?\.[cm]?[jt]sx?$/,
};
const JEST = {
  files: files('jest.config'),
  default: /(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$|(?:^|[./])(?:test|spec)\.[cm]?[jt]sx?$/,
};
/** Runners of other files, whose configuration is not read. */
const OTHER_RUNNERS =
  /"(?:mocha|ava|tap|tape|uvu|jasmine|@playwright\/test|cypress|qunit|@web\/test-runner)"|node --test|bun test|deno test/;
const never: PathMatcher = () => false;

/**
 * Returns a function that says why no runner of the project collects a test file of JavaScript or Java; undefined if one does, or
 * nothing says which files they collect.
 *
 * @param read the text of a file of the project
 */
export function collectedPaths(
  read: (path: string) => string | undefined,
): (path: string) => string | undefined {
  const manifest = read('package.json') ?? '';
  const configured = [...configuredVitest(read), ...configuredJest(read, manifest)];
  const lists = configured.length > 0 ? configured : defaults(manifest);
  const mayBeOthers = OTHER_RUNNERS.test(manifest);
  return (path) => {
    if (path.endsWith('.java')) return surefireReason(path, read);
    if (lists.length === 0 || !/\.[cm]?[jt]sx?$/.test(path)) return undefined;
    if (mayBeOthers && /(?:^|[/.])(?:e2e|cy|cypress|playwright|integration)[/.]/.test(path)) return undefined;
    const excluding = lists.find(({ includes, excludes }) => includes(path) && excludes(path));
    if (lists.some(({ includes, excludes }) => includes(path) && !excludes(path))) return undefined;
    return excluding ? `${excluding.why} excludes ${path}` : `${lists[0]?.why} does not include ${path}`;
  };
}

/** What a runner collects without a configuration, if it is the only one that the project depends on. */
function defaults(manifest: string): Collection[] {
  if (OTHER_RUNNERS.test(manifest)) return [];
  return [
    { name: 'vitest', title: 'Vitest', pattern: VITEST.default },
    { name: 'jest', title: 'Jest', pattern: JEST.default },
  ]
    .filter(({ name }) => manifest.includes(`"${name}"`))
    .map(({ title, pattern }) => ({ why: title, includes: matcherOf(pattern), excludes: never }));
}

function configuredVitest(read: (path: string) => string | undefined): Collection[] {
  return VITEST.files.flatMap((file) => {
    const tokens = tokensOf(read(file));
    if (!tokens) return [];
    const whole = { from: 0, end: tokens.length };
    const include = patternsAt(tokens, whole, ['test', 'include']);
    const exclude = patternsAt(tokens, whole, ['test', 'exclude']);
    return include.length + exclude.length === 0
      ? []
      : collection(file, include, VITEST.default, globs(exclude));
  });
}

function configuredJest(read: (path: string) => string | undefined, manifest: string): Collection[] {
  const own = JEST.files.map((file) => ({ file, tokens: tokensOf(read(file)), keys: [] as string[] }));
  // A manifest is an object literal too.
  const sources = [...own, { file: 'package.json', tokens: tokensOf(manifest), keys: ['jest'] }];
  return sources.flatMap(({ file, tokens, keys }) => {
    if (!tokens) return [];
    const at = (key: string) => patternsAt(tokens, { from: 0, end: tokens.length }, [...keys, key]);
    const [match, regexes, ignored] = [at('testMatch'), at('testRegex'), at('testPathIgnorePatterns')];
    if (match.length + regexes.length + ignored.length === 0) return [];
    const default_ = regexes.length > 0 ? anyOf(regexes) : JEST.default;
    return collection(
      file,
      match,
      default_,
      matcherOf(anyOf(ignored.filter((each) => !each.includes('node_modules')))),
    );
  });
}

function collection(
  why: string,
  include: readonly string[],
  otherwise: RegExp,
  excludes: PathMatcher,
): Collection[] {
  return [{ why, includes: include.length > 0 ? globs(include) : matcherOf(otherwise), excludes }];
}

function matcherOf(pattern: RegExp): PathMatcher {
  return (path) => pattern.test(`/${path}`);
}

function globs(patterns: readonly string[]): PathMatcher {
  return patterns.length === 0 ? never : pathMatcher(patterns.map(withBraces));
}

/** `?(c|m)` and `@(a|b)` as braces, which mean the same here. */
function withBraces(pattern: string): string {
  return pattern
    .replace('<rootDir>/', '')
    .replace(/([?@+*])\(([^()]*)\)/g, (_, sign: string, inner: string) => {
      const parts = inner.split('|').join(',');
      return sign === '?' || sign === '*' ? `{,${parts}}` : `{${parts}}`;
    });
}

/** A pattern that matches what one of the texts does; a text that is no expression matches nothing. */
function anyOf(patterns: readonly string[]): RegExp {
  const valid = patterns
    .map((pattern) => pattern.replace('<rootDir>/', '').replaceAll('\\\\', '\\'))
    .filter((pattern) => {
      try {
        return new RegExp(pattern) !== undefined;
      } catch {
        return false;
      }
    });
  return valid.length === 0 ? /(?!)/ : new RegExp(valid.map((pattern) => `(?:${pattern})`).join('|'));
}

function tokensOf(text: string | undefined): Tokens | undefined {
  return text === undefined || text === '' ? undefined : lex(text, LANGUAGES.javascript).tokens;
}

/** The texts of the list, or the text, that the keys lead to. */
function patternsAt(tokens: Tokens, { from, end }: Span, [key = '', ...rest]: readonly string[]): string[] {
  for (let at = from; at < end; at++) {
    if ((tokens[at]?.text !== key && stringValue(tokens[at]) !== key) || !is(tokens, at + 1, ':')) continue;
    if (rest.length > 0 && is(tokens, at + 2, '{')) return patternsAt(tokens, inside(tokens, at + 2), rest);
    if (rest.length > 0) continue;
    if (is(tokens, at + 2, '['))
      return split(tokens, inside(tokens, at + 2)).flatMap((part) => stringValue(tokens[part.from]) ?? []);
    return [stringValue(tokens[at + 2]) ?? []].flat();
  }
  return [];
}

/**
 * Why cargo does not build a file of Rust; undefined if it does, or that cannot be seen.
 *
 * @param read the text of a file of the project
 */
export function undeclaredModule(
  path: string,
  read: (path: string) => string | undefined,
): string | undefined {
  const [, folder = '', file = ''] = /^(?:(.*)\/)?([^/]+)\.rs$/.exec(path) ?? [];
  // Each file of these folders is a program of its own.
  const isRoot =
    /(?:^|\/)(?:tests|benches|examples|bin)$/.test(folder) && !/(?:^|\/)src\/.*tests$/.test(folder);
  if (isRoot || /^(?:lib|main|build)$/.test(file)) return undefined;
  const name = file === 'mod' ? folder.slice(folder.lastIndexOf('/') + 1) : file;
  const around = file === 'mod' ? folder.slice(0, Math.max(0, folder.lastIndexOf('/'))) : folder;
  const parents = ['mod.rs', 'lib.rs', 'main.rs']
    .map((each) => (around === '' ? each : `${around}/${each}`))
    .concat(`${around}.rs`);
  const texts = parents.flatMap((each) => read(each) ?? []);
  const isDeclared = texts.some(
    (text) =>
      new RegExp(`\\bmod\\s+(?:r#)?${escapeRegExp(name)}\\s*;`).test(text) ||
      /#\[path|include!|automod/.test(text),
  );
  if (isDeclared || (texts.length === 0 && !/(?:^|\/)tests\//.test(path))) return undefined;
  return `no \`mod ${name};\` declares ${path}`;
}

/** Where the tests of a file may be, by the conventions of its language. */
export function testPathsOf(path: string): string[] {
  const [, folder = '', name = '', extension = ''] = /^(.*?)([^/]+)\.(\w+)$/.exec(path) ?? [];
  const inner = folder.replace(/^(?:src|lib|app)\//, '');
  const places: Readonly<Record<string, readonly string[]>> = {
    py: [`test_${name}.py`, `${name}_test.py`],
    go: [`${name}_test.go`],
    rs: [`${name}.rs`],
    rb: [`${name}_spec.rb`, `${name}_test.rb`],
    php: [`${name}Test.php`],
    java: [`${name}Test.java`],
    kt: [`${name}Test.kt`],
    cs: [`${name}Tests.cs`, `${name}Test.cs`],
  };
  const names = places[extension] ?? ['test', 'spec'].map((kind) => `${name}.${kind}.${extension}`);
  return names.flatMap((each) => [
    `${folder}${each}`,
    `${folder}__tests__/${each}`,
    `${folder}tests/${each}`,
    ...['test', 'tests', 'spec'].flatMap((root) => [
      `${root}/${inner}${each}`,
      `${root}/${each}`,
      `${root}/unit/${each}`,
    ]),
    path.replace('/main/', '/test/').replace(`${name}.${extension}`, each),
  ]);
}
