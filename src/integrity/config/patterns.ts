// Lists of paths and globs: whether one covers what another covers, and which of them are no code of the project.

import { type PathMatcher, pathMatcher } from '../../config/glob.ts';

/** Names that stand for parts of a path which a glob leaves open. */
const SAMPLE_DIRECTORIES = ['', 'sample/', 'sample/deeper/'];

/** A pattern as a glob relative to the project: without `./`, `<rootDir>`, and with braces for other alternatives. */
function normalized(pattern: string): string {
  return pattern
    .replaceAll('\\', '/')
    .replace(/^<rootDir>\/?/, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/^\/(?=[^/])/, '')
    .replace(/\?\(([^()]*)\)/g, (_, list: string) => `{,${list.replaceAll('|', ',')}}`)
    .replace(/[@+*]\(([^()]*)\)/g, (_, list: string) =>
      list.includes('|') ? `{${list.replaceAll('|', ',')}}` : list,
    )
    .replace(/\/(?:\.\.\.)?$/, '')
    .replace(/^\.$/, '');
}

/** Paths that a pattern matches: one for each alternative, and for each depth. */
function samplesOf(pattern: string): string[] {
  const alternatives = expanded(normalized(pattern), 0);
  return alternatives.flatMap((alternative) => {
    const concrete = (directories: string) =>
      alternative
        .replace(/\*\*\//g, directories)
        .replace(/\*\*+/g, `${directories}sample`)
        .replace(/\[[!^]?([^\]])[^\]]*\]/g, (set, first: string) => (/^\[[!^]/.test(set) ? '_' : first))
        .replace(/\*/g, 'sample')
        .replace(/\?/g, 's');
    return alternative.includes('**') ? SAMPLE_DIRECTORIES.map(concrete) : [concrete('')];
  });
}

/** The alternatives of a pattern with braces and sets; at most some dozens. */
function expanded(pattern: string, depth: number): string[] {
  const [all, list] = /\{([^{}]*,[^{}]*)\}/.exec(pattern) ?? [];
  const set = all === undefined ? /\[([^\]!^-][^\]-]*)\](.?)/.exec(pattern) : undefined;
  if (depth > 4) return [pattern];
  if (set) {
    const [text, characters = '', after = ''] = set;
    return [...characters].slice(0, 6).flatMap((one) =>
      expanded(
        pattern.replace(text, () => one + after),
        depth + 1,
      ),
    );
  }
  if (all === undefined || list === undefined) return [pattern];
  return list
    .split(',')
    .slice(0, 8)
    .flatMap((one) =>
      expanded(
        pattern.replace(all, () => one),
        depth + 1,
      ),
    );
}

/** Returns a function that says whether a list of patterns, directories and files covers all that a pattern covers. */
export function coveredBy(list: readonly string[]): (pattern: string) => boolean {
  const others = new Set(list.map(normalized));
  const isAll = [...others].some((other) => other === '' || /^(?:\*\*(?:\/\*(?:\.\*)?)?|\*)$/.test(other));
  let matches: PathMatcher | undefined;
  return (pattern) => {
    const wanted = normalized(pattern);
    if (isAll || others.has(wanted)) return true;
    if (wanted === '' || others.size === 0) return false;
    matches ??= pathMatcher([...others].slice(0, MOST_PATTERNS).flatMap((other) => [other, `${other}/**`]));
    const isMatched = matches;
    return samplesOf(pattern).every(
      (sample) => isMatched(sample) || (!/[*?[{]/.test(wanted) && isMatched(`${sample}/sample`)),
    );
  };
}

/** Each pattern of a list is tried on each of another one. */
const MOST_PATTERNS = 500;

/** Whether any of these paths is matched by a pattern, or is below it. */
function matchesSome(pattern: string, paths: readonly string[]): boolean {
  const glob = normalized(pattern);
  const matches = pathMatcher([glob, `${glob}/**`, `**/${glob}`]);
  return paths.some(matches);
}

/**
 * The patterns of a list that the new list does not cover. What was renamed is covered: a new pattern that matches files
 * of the change.
 *
 * @param changed paths of files that are new in the change
 */
export function lostPatterns(
  before: readonly string[],
  after: readonly string[],
  changed: readonly string[],
): string[] {
  if (after.length === 0) return [];
  const isCovered = coveredBy(after);
  const lost = before.filter((pattern) => !pattern.startsWith('!') && !isCovered(pattern));
  if (lost.length === 0) return [];
  const wasCovered = coveredBy(before);
  const moved = after.some((pattern) => !wasCovered(pattern) && matchesSome(pattern, changed));
  return moved ? [] : lost;
}

const OUTPUT =
  /(?:^|[/^*])(?:\.?(?:dist|build|out|output|coverage|node_modules|bower_components|target|vendor|generated|gen|__generated__|_build|deps|obj|lib-cov|storybook-static|public|static|tmp|temp|logs?|venv|virtualenv|env|eggs|site-packages|__pycache__|third_party|third-party|htmlcov|migrations|reports?|docs?|website|playwright-report|test-results|cdk\.out)|\.(?:git|hg|svn|idea|vscode|next|nuxt|output|svelte-kit|turbo|cache|tox|nox|mypy_cache|pytest_cache|ruff_cache|parcel-cache|yarn|pnp\.\w+|angular|expo|docusaurus|vercel|netlify|serverless|terraform|gradle|direnv|history|nyc_output|wrangler|trellis|claude|ralph|aws-sam))(?=$|[/$*\\|)])/i;
const NO_CODE =
  /\.(?:d\.ts|min\.js|map|md|mdx|lock|snap|svg|png|jpe?g|json|ya?ml|log|txt|html|css|pb\.go|pyc|g\.dart)$|_pb2|\.gen\.|\.generated\.|(?:schema\.rb|package-lock|pnpm-lock|yarn\.lock|CHANGELOG|LICENSE)|(?:^|\/)(?:__)?(?:fixtures?|testdata|test-data|mocks|snapshots|examples?|templates?)(?:__)?(?:$|[/*])/i;

/** Whether a pattern names what tools write, or what is no code: no test and no source is lost by leaving it out. */
export function isOutput(pattern: string): boolean {
  const text = pattern
    .replace(/^\s*!?/, '')
    .replaceAll('<rootDir>', '')
    .replaceAll('\\', '');
  return OUTPUT.test(text) || NO_CODE.test(text);
}

/** Whether a pattern names tests, or files that set tools up: measuring their coverage says nothing. */
export function isTestOrSetup(pattern: string): boolean {
  return /(?:^|[/*._-])(?:__)?(?:tests?|specs?|e2e|stories|mocks?|conftest|setup|types?|index|main|config|cypress|bench)(?:__)?(?:$|[/*._-])|\.config\.|test_/i.test(
    pattern,
  );
}
