import { oneLine } from '../../base/text.ts';
import type { LanguageName } from '../languages.ts';
import type { Source } from '../lexer.ts';
import type { Severity } from '../rules.ts';
import { afterBracket, canonical, find, inside, is, type Tokens } from '../tests/tokens.ts';
import type { Finding } from '../types.ts';
import { added, type ChangedSource, type Occurrence } from './changed-source.ts';

// Comments and attributes that hide errors from a compiler, a linter or the measurement of coverage.

/** How much a suppression hides: a file, any error of a line or item, or errors of certain rules. */
type Reach = 'file' | 'any' | 'rules';

interface Directive {
  /** Matches the text of a comment; the group `rules` is what it names. */
  readonly pattern: RegExp;
  readonly reach: Reach;
  readonly languages?: readonly LanguageName[];
}

const JS: readonly LanguageName[] = ['javascript'];
const PY: readonly LanguageName[] = ['python'];

/** The first that matches counts. */
const DIRECTIVES: readonly Directive[] = [
  { pattern: /^\s*@ts-nocheck\b/, reach: 'file', languages: JS },
  { pattern: /^\s*(?:@ts-ignore|@ts-expect-error)\b/, reach: 'any', languages: JS },
  {
    pattern:
      /^\s*(?:eslint|oxlint|tslint)(?:-|:)disable-?(?:next-|:next-)?line\s+(?<rules>(?!-)[@\w/,\s-]*?)(?:\s--|\s*$)/,
    reach: 'rules',
    languages: JS,
  },
  {
    pattern: /^\s*(?:eslint|oxlint|tslint)(?:-|:)disable-?(?:next-|:next-)?line\b/,
    reach: 'any',
    languages: JS,
  },
  {
    pattern: /^\s*(?:eslint|oxlint|tslint)(?:-|:)disable\s+(?<rules>[@\w/][@\w/,\s-]*?)(?:\s--|\s*$)/,
    reach: 'rules',
    languages: JS,
  },
  { pattern: /^\s*(?:eslint|oxlint|tslint)(?:-|:)disable\b/, reach: 'file', languages: JS },
  { pattern: /^\s*biome-ignore-all\b/, reach: 'file', languages: JS },
  { pattern: /^\s*biome-ignore\s+(?<rules>\w+\/\w[\w/]*)/, reach: 'rules', languages: JS },
  { pattern: /^\s*biome-ignore\b/, reach: 'any', languages: JS },
  { pattern: /^\s*deno-lint-ignore-file\b/, reach: 'file', languages: JS },
  { pattern: /^\s*deno-lint-ignore\s+(?<rules>[\w-]+)/, reach: 'rules', languages: JS },
  { pattern: /^\s*\$Flow(?:FixMe|Ignore|Issue)\b/, reach: 'any', languages: JS },
  {
    pattern: /^\s*(?:istanbul|c8|v8|node:coverage)\s+(?:ignore\s+file|disable)\b/,
    reach: 'file',
    languages: JS,
  },
  { pattern: /^\s*(?:istanbul|c8|v8|node:coverage)\s+ignore\b/, reach: 'any', languages: JS },
  {
    pattern:
      /^\s*(?:mypy:\s*ignore-errors|flake8[:=]\s*noqa\s*$|ruff:\s*noqa\s*$|pylint:\s*(?:skip-file|disable\s*=\s*all)|pyright:\s*ignore-?\w*\s*=|pyre-ignore-all-errors)/i,
    reach: 'file',
    languages: PY,
  },
  {
    pattern:
      /^\s*(?:mypy:\s*disable-error-code\s*=|mypy:\s*allow-|(?:flake8|ruff):\s*noqa:|pyright:\s*(?:basic|report\w+\s*=\s*(?:false|none)))\s*(?<rules>.*)/i,
    reach: 'rules',
    languages: PY,
  },
  { pattern: /(?:^|\s)(?:type|pyright|ty):\s*ignore\[(?<rules>[^\]]*)\]/, reach: 'rules', languages: PY },
  {
    pattern: /(?:^|\s)(?:(?:type|pyright|ty):\s*ignore|pyre-(?:ignore|fixme))\b/,
    reach: 'any',
    languages: PY,
  },
  { pattern: /(?:^|\s)noqa:\s*(?<rules>[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)/i, reach: 'rules', languages: PY },
  { pattern: /(?:^|\s)noqa\b/i, reach: 'any', languages: PY },
  { pattern: /(?:^|\s)pylint:\s*disable(?:-next)?\s*=\s*(?<rules>[\w,\s-]+)/, reach: 'rules', languages: PY },
  { pattern: /(?:^|\s)pragma:\s*no\s*(?:cover|branch)\b/, reach: 'any', languages: PY },
  { pattern: /(?:^|\s)nosec\s+(?<rules>B\d+)/, reach: 'rules', languages: PY },
  { pattern: /(?:^|\s)nosec\b/, reach: 'any', languages: PY },
  { pattern: /^\s*lint:file-ignore\b/, reach: 'file', languages: ['go'] },
  { pattern: /^\s*(?:lint:ignore\s+(?<rules>\S+))/, reach: 'rules', languages: ['go'] },
  { pattern: /^\s*nolint:\s*(?<rules>(?!all\b)[\w,-]+)/, reach: 'rules', languages: ['go'] },
  { pattern: /^\s*(?:nolint|revive:disable|coverage:ignore)\b/, reach: 'any', languages: ['go'] },
  { pattern: /^\s*#nosec\s+(?<rules>G\d+)/, reach: 'rules', languages: ['go'] },
  { pattern: /^\s*#nosec\b/, reach: 'any', languages: ['go'] },
  { pattern: /^\s*noinspection\s+(?<rules>\w+)/, reach: 'rules' },
  { pattern: /^\s*(?:CHECKSTYLE[:.\s]*OFF|CPD-OFF|NOPMD|spotbugs:ignore)\b/i, reach: 'any' },
  { pattern: /^\s*ReSharper\s+disable\s+(?:once\s+)?(?<rules>(?!All\b)\w+)/, reach: 'rules' },
  { pattern: /^\s*ReSharper\s+disable\b/, reach: 'any' },
  {
    pattern: /(?:^|\s)rubocop:(?:disable|todo)\s+(?<rules>(?!all\b)[\w/]+(?:\s*,\s*[\w/]+)*)/,
    reach: 'rules',
    languages: ['ruby'],
  },
  {
    pattern: /(?:^|\s)(?:rubocop:disable\s+all|:nocov:|steep:ignore|typed:\s*(?:false|ignore))/,
    reach: 'any',
    languages: ['ruby'],
  },
  { pattern: /\bphpcs:ignoreFile\b/, reach: 'file', languages: ['php'] },
  { pattern: /@phpstan-ignore\s+(?<rules>[\w.]+(?:\s*,\s*[\w.]+)*)/, reach: 'rules', languages: ['php'] },
  { pattern: /@psalm-suppress\s+(?<rules>(?!all\b)\w+)/, reach: 'rules', languages: ['php'] },
  { pattern: /@SuppressWarnings\s*\(\s*"?(?<rules>[\w.]+)/, reach: 'rules', languages: ['php'] },
  {
    pattern:
      /@phpstan-ignore-(?:line|next-line)\b|@psalm-suppress\b|@codeCoverageIgnore\w*|\bphpcs:(?:ignore|disable)\b/,
    reach: 'any',
    languages: ['php'],
  },
  { pattern: /(?:^|\s)(?:NOSONAR|nosemgrep|codeql\[|lgtm\[|skipcq|gitleaks:allow)/, reach: 'any' },
];

interface Suppression extends Occurrence {
  readonly text: string;
  readonly reach: Reach;
  /** The rules that it names, separated by commas. */
  readonly rules: string;
  readonly hasReason: boolean;
}

const WORDS =
  /@ts-|lint|biome-|\$Flow|istanbul|c8 |v8 |coverage|mypy|noqa|pyright|pylint|pyre-|ignore|pragma|nosec|revive|noinspection|CHECKSTYLE|CPD-OFF|NOPMD|spotbugs|ReSharper|rubocop|:nocov:|typed:|phpcs|Suppress|@codeCoverage|NOSONAR|nosemgrep|codeql|lgtm|skipcq|gitleaks|#!?\[[^\]]{0,500}(?:allow|expect)|@psalm|Generated|#nullable|ExcludeFrom/;

/** Finds suppressions that a change added. */
export function findSuppressions(sources: readonly ChangedSource[]): Finding[] {
  return added(sources, WORDS, suppressionsIn).map(({ source, occurrence }) => ({
    rule: 'suppression-added',
    severity: severityOf(source, occurrence),
    path: source.path,
    line: occurrence.line,
    message: `\`${oneLine(occurrence.text.trim(), 80)}\` hides ${HIDES[occurrence.reach]}${occurrence.hasReason ? '' : ', without a reason'}`,
  }));
}

const HIDES: Readonly<Record<Reach, string>> = {
  file: 'all errors of the file',
  any: 'any error there',
  rules: 'errors of a rule',
};

/** Rules about form, and imports that a package has no types for. */
const HARMLESS =
  /^(?:[EWDNIQ]\d+|F40[13]|COM\d+|import|import-(?:untyped|not-found)|(?:@stylistic|prettier|style|format)\/.*|Layout\/.*|Style\/.*|Metrics\/.*|max-len|line-too-long|(?:missing-\w+-docstring)|lll|funlen|dupword|gochecknoglobals|clippy :: too_many_arguments|clippy :: type_complexity|deprecated|non_(?:snake|camel)_case(?:_types|_globals)?)$/;

function severityOf({ isTest, before }: ChangedSource, { reach, hasReason, rules }: Suppression): Severity {
  if (reach === 'file') return before === undefined || isTest ? 'medium' : 'high';
  if (reach === 'any') return hasReason ? 'low' : 'medium';
  const isHarmless = rules.split(/\s*,\s*/).every((rule) => HARMLESS.test(rule.trim()));
  return hasReason || isTest || isHarmless ? 'low' : 'medium';
}

function suppressionsIn(source: Source, { language, isTest }: ChangedSource): Suppression[] {
  const found: Suppression[] = [];
  const codeBegins = source.tokens[0]?.line ?? Infinity;
  const lines = source.text.split('\n');
  for (const { text, line, trailing } of source.comments) {
    // A documentation comment of Rust is no directive.
    const directive = DIRECTIVES.find(
      ({ pattern, languages }) => (languages?.includes(language) ?? true) && pattern.test(text),
    );
    if (!directive) continue;
    const match = directive.pattern.exec(text);
    const rules = (match?.groups?.rules ?? '').trim();
    const rest = text.slice((match?.index ?? 0) + (match?.[0].length ?? 0));
    // What is above all code is about the file: `# type: ignore`, `//nolint`.
    const isAbove = language !== 'javascript' && !trailing && line < codeBegins && directive.reach === 'any';
    const isTypeTest = isTest && /@ts-expect-error/.test(text);
    found.push({
      key: `${text.trim().split(/\s+/, 1)[0]} ${directive.reach} ${rules}`,
      line,
      text,
      reach: isAbove ? 'file' : directive.reach,
      rules,
      hasReason: isTypeTest || isReason(rest) || isUsualPragma(text, lines[line - 1] ?? ''),
    });
  }
  return [...found, ...attributesIn(source, language)];
}

/** Whether a text gives a reason: some words that are no rules and no placeholder. */
function isReason(text: string): boolean {
  const words =
    text
      .replace(
        /<[^>]*>|\b(?:TODO|FIXME|XXX|ignore|disable|fix later|temporary|temp|hack|wip|file|next|start|stop|line)\b/gi,
        '',
      )
      .match(/[A-Za-z]{2,}/g) ?? [];
  return words.length >= 3;
}

/** Lines that coverage tools leave out by convention. */
function isUsualPragma(text: string, line: string): boolean {
  return (
    /pragma:\s*no\s*cover/.test(text) &&
    /__main__|TYPE_CHECKING|NotImplementedError|@abstractmethod|@overload|\.\.\.|except ImportError|__repr__|AssertionError|assert_never/.test(
      line,
    )
  );
}

// Attributes and annotations

const ANNOTATIONS =
  /^@(?:SuppressWarnings|Suppress|SuppressLint|SuppressFBWarnings|Generated|ExcludeFromJacocoGeneratedReport|ExcludeFromGeneratedCoverage|file)$/;
const CSHARP = /^(?:SuppressMessage|UnconditionalSuppressMessage|ExcludeFromCodeCoverage)(?:Attribute)?$/;
/** Groups of lints that are nearly all of them. */
const BROAD =
  /^(?:warnings|unused|all|clippy :: all|clippy :: correctness|clippy :: restriction|future_incompatible|"all"|"ALL"|"unused"|"rawtypes")$/;

function attributesIn({ tokens, text, comments }: Source, language: LanguageName): Suppression[] {
  const found: Suppression[] = [];
  const commented = new Set(
    comments.filter((each) => isReason(each.text)).flatMap(({ line, endLine }) => [line, endLine + 1]),
  );
  const put = (at: number, end: number, reach: Reach, rules: readonly string[], reason: boolean) => {
    const line = tokens[at]?.line ?? 0;
    found.push({
      key: rules.length > 0 ? `${tokens[at]?.text} ${rules.join(',')}` : canonical(tokens, { from: at, end }),
      line,
      text: text.slice(tokens[at]?.start ?? 0, tokens[end - 1]?.end ?? 0),
      reach,
      rules: rules.join(','),
      hasReason: reason || commented.has(line),
    });
  };
  for (let at = 0; at < tokens.length; at++) {
    if (
      language === 'rust' &&
      is(tokens, at, 'allow', 'expect') &&
      is(tokens, at + 1, '(') &&
      isAttribute(tokens, at)
    ) {
      const args = canonical(tokens, inside(tokens, at + 1)).split(' , ');
      const rules = args.filter((each) => !each.startsWith('reason'));
      const isInner = is(tokens, at - 2, '!');
      // The tests of a crate may unwrap and panic.
      const isOfTests =
        /^(?:clippy :: (?:unwrap_used|expect_used|panic|indexing_slicing|float_cmp))$/.test(rules.join()) &&
        /cfg \( test \)|mod tests/.test(canonical(tokens, { from: Math.max(0, at - 12), end: at + 12 }));
      const reach = rules.some((rule) => BROAD.test(rule)) ? (isInner ? 'file' : 'any') : 'rules';
      put(at, afterBracket(tokens, at + 1), reach, rules, args.length > rules.length || isOfTests);
    } else if (
      language === 'rust' &&
      is(tokens, at, 'coverage') &&
      is(tokens, at + 2, 'off') &&
      isAttribute(tokens, at)
    )
      put(at, at + 4, 'any', [], false);
    else if ((language === 'java' || language === 'kotlin') && ANNOTATIONS.test(tokens[at]?.text ?? '')) {
      const isFile = is(tokens, at, '@file');
      const open = isFile ? at + 3 : at + 1;
      if (isFile && !is(tokens, at + 2, 'Suppress')) continue;
      const args = is(tokens, open, '(') ? inside(tokens, open) : { from: at, end: at };
      const rules = canonical(tokens, args).match(/"[^"]*"/g) ?? [];
      const reason = /\bjustification\b/.test(canonical(tokens, args));
      const isBroad = rules.length === 0 || rules.some((rule) => BROAD.test(rule));
      put(
        at,
        is(tokens, open, '(') ? afterBracket(tokens, open) : at + 1,
        isBroad ? 'any' : 'rules',
        rules.map((rule) => rule.slice(1, -1)),
        reason,
      );
    } else if (
      language === 'csharp' &&
      CSHARP.test(tokens[at]?.text ?? '') &&
      is(tokens, at - 1, '[', ',', ':', '.')
    ) {
      const args = is(tokens, at + 1, '(') ? canonical(tokens, inside(tokens, at + 1)) : '';
      const [, why = ''] = /Justification = "([^"]*)"/.exec(args) ?? [];
      put(
        at,
        is(tokens, at + 1, '(') ? afterBracket(tokens, at + 1) : at + 1,
        args === '' ? 'any' : 'rules',
        args.match(/"[^"]*"/g)?.slice(0, 2) ?? [],
        isReason(why),
      );
    } else if (language === 'csharp' && is(tokens, at, '#') && is(tokens, at + 1, 'pragma', 'nullable'))
      pragma(tokens, at, put);
  }
  return found;
}

function isAttribute(tokens: Tokens, at: number): boolean {
  return (
    is(tokens, at - 1, '[', ',') &&
    (is(tokens, at - 2, '#', '!') || find(tokens, { from: Math.max(0, at - 12), end: at }, 'cfg_attr') !== -1)
  );
}

/** `#pragma warning disable CS0618`, `#nullable disable` */
function pragma(
  tokens: Tokens,
  at: number,
  put: (at: number, end: number, reach: Reach, rules: readonly string[], reason: boolean) => void,
): void {
  const line = tokens[at]?.line;
  let end = at;
  while (end < tokens.length && tokens[end]?.line === line) end++;
  const words = canonical(tokens, { from: at, end }).split(' ');
  if (!words.includes('disable')) return;
  const rules = words.slice(words.indexOf('disable') + 1).filter((word) => word !== ',');
  put(at, end, rules.length > 0 ? 'rules' : words.includes('nullable') ? 'any' : 'file', rules, false);
}
