import { LANGUAGES, languageOf } from '../../languages.ts';
import { lex } from '../../lexer.ts';
import { RULES, type RuleName, type Severity } from '../../rules.ts';
import type { FileChange, Finding, ProjectChange } from '../../types.ts';
import type { Tokens } from '../tokens.ts';
import { javascript } from './reader.ts';
import { functionsIn, importsIn, modulePaths } from './syntax.ts';

// Finds what makes the assertions of JavaScript hold from outside of them. What ends the process of the tests or replaces
// their globals is in ../../config/outcomes.ts.

interface Outcome {
  readonly rule: RuleName;
  readonly severity?: Severity;
  readonly message: string;
  /** Matched with the tokens of a file, with one blank between them; longer strings are empty. */
  readonly pattern: RegExp;
  /** Not found where this matches too. */
  readonly unless?: RegExp;
}

const LIBRARIES =
  'vitest|chai|expect|@jest\\/globals|(?:node:)?assert(?:\\/strict)?|@playwright\\/test|node:test|should|power-assert';

const OUTCOMES: readonly Outcome[] = [
  {
    rule: 'outcome-overridden',
    severity: 'medium',
    message: 'failed tests are run again until they pass',
    pattern:
      /\bjest \. retryTimes \( [1-9]|\bthis \. retries \( [1-9]|\bretr(?:y|ies) : [1-9]\d*(?= [,}])|\bretry : \{ count : [1-9]/g,
  },
  {
    rule: 'outcome-overridden',
    message: 'errors that nobody catches are dropped',
    pattern:
      /\bprocess \. (?:on|once|prependListener) \( "(?:uncaughtException|unhandledRejection)" , (?:async )?(?:\( \w* ?\)|\w+) => (?:\{ \}|undefined|null|void 0|\( \))/g,
  },
  {
    rule: 'outcome-overridden',
    message: 'the result of a test is set by hand',
    pattern:
      /\b(?:currentTest|task|test|result|testInfo|spec) \. (?:state|status|result|err|errors|failures|failedExpectations|expectedStatus) = (?!=)/g,
  },
  {
    rule: 'equality-overridden',
    message: 'a function that assertions depend on is replaced',
    pattern:
      /\b(?:Object|Array|String|Number|Boolean|RegExp|Promise|Error|Function|Map|Set|Date) \. prototype (?:\. \w+|\[ [^\]]* \]) = (?!=)|\bdefineProperty \( (?:Object|Array|String|Number|Promise|Error) \. prototype\b|\b(?:Object \. (?:is|keys|entries)|JSON \. stringify|Array \. isArray) = (?!=)/g,
  },
  {
    rule: 'equality-overridden',
    message: 'an assertion of the library is replaced',
    pattern: /\b(?:spyOn|stub|replace|method) \( (?:assert|expect|chai) ,/g,
  },
  {
    rule: 'equality-overridden',
    message: 'an equality of the matchers is always true',
    pattern: /\badd(?:EqualityTesters \( \[|CustomEqualityTester \() [^\]]*?=> true\b/g,
  },
  {
    rule: 'equality-overridden',
    message: 'a matcher holds whatever it compares',
    pattern: /\bpass : true\b/g,
    unless: /\bpass : (?!true\b)|[{,] pass [,}]/,
  },
  {
    rule: 'subject-mocked',
    message: 'the library of assertions is mocked',
    pattern: new RegExp(
      `\\b(?:vi|jest|mock) \\. (?:mock|doMock|module|unstable_mockModule) \\( "(?:${LIBRARIES})"`,
      'g',
    ),
  },
];

/** Files that prepare the tests of a project. */
const SETUP =
  /(?:^|[/._-])(?:setup|set-up|global|globals|environment|matchers|reporter|hooks)[^/]*\.[cm]?[jt]sx?$/i;

/** What a file that changes no outcome does not have: a look at the text before it is cut into tokens. */
const MAY_OVERRIDE =
  /\bretr(?:y|ies|yTimes)\b|\bprocess\b|\bprototype\b|\bpass\b|\b(?:mock|doMock|module|unstable_mockModule|spyOn|stub|replace|method)\(|EqualityTester|\.(?:state|status|result|err|errors|failures|failedExpectations|expectedStatus) ?=|\b(?:Object|JSON|Array)\.\w+ ?=|\b(?:expect|assert|should|it|test|describe)\b[^;'"]{0,500}from ['"]\./;

/** Finds what a change adds to tests and their setup that makes them pass. */
export function findReplacedAssertions({ changes, read }: ProjectChange): Finding[] {
  return changes.flatMap((change) => {
    const { path, before, after } = change;
    if (after === undefined || languageOf(path) !== 'javascript') return [];
    if (after === before || !MAY_OVERRIDE.test(after)) return [];
    if (!javascript.isTestPath(path) && !SETUP.test(path)) return [];
    const tokens = tokensOf(after);
    const was = before === undefined ? '' : masked(tokensOf(before)).text;
    return [...outcomes(path, was, masked(tokens)), ...fakeImports(change, tokens, read)];
  });
}

function outcomes(path: string, was: string, { text, lineAt }: Masked): Finding[] {
  return OUTCOMES.flatMap(({ rule, severity = RULES[rule].severity, message, pattern, unless }) => {
    const found = [...text.matchAll(pattern)];
    const known = was === '' ? 0 : [...was.matchAll(pattern)].length;
    const last = unless?.test(text) ? undefined : found.at(-1);
    return last && found.length > known ? [{ rule, severity, path, line: lineAt(last.index), message }] : [];
  });
}

interface Masked {
  readonly text: string;
  readonly lineAt: (index: number) => number;
}

/** The tokens with one blank between them, and with double quotes; what strings of several words say is left out. */
function masked(tokens: Tokens): Masked {
  const starts: number[] = [];
  let text = '';
  for (const token of tokens) {
    starts.push(text.length);
    const isName = token.kind === 'string' && /^["'`][\w@/:.-]{1,40}["'`]$/.test(token.text);
    text += `${token.kind !== 'string' ? token.text : isName ? `"${token.text.slice(1, -1)}"` : '""'} `;
  }
  const lineAt = (index: number) =>
    tokens[
      Math.max(
        0,
        starts.findLastIndex((start) => start <= index),
      )
    ]?.line ?? 1;
  return { text, lineAt };
}

function tokensOf(text: string): Tokens {
  return lex(text, LANGUAGES.javascript).tokens;
}

const ASSERTERS = /^(?:expect|assert|should|it|test|describe)$/;

/** `import { expect } from './expect'`, where that file has no library of assertions and cannot fail. */
function fakeImports({ path, before }: FileChange, tokens: Tokens, read: ProjectChange['read']): Finding[] {
  const known = new Map(
    importsIn(before === undefined ? [] : tokensOf(before)).map(({ local, module }) => [local, module]),
  );
  return importsIn(tokens).flatMap(({ local, module, line }) => {
    if (!ASSERTERS.test(local) || !module.startsWith('.') || known.get(local) === module) return [];
    const text = modulePaths(path, module)
      .map(read)
      .find((each) => each !== undefined);
    if (text === undefined) return [];
    const inner = tokensOf(text);
    const isBuilt = importsIn(inner).length > 0 || /\bexport\b[^;]*\bfrom\b/.test(text);
    const canFail = [...functionsIn(inner, { from: 0, end: inner.length }).values()].some(({ body }) =>
      inner
        .slice(body.from, body.end)
        .some((token) => /^(?:throw|expect|assert|fail|it|test)$/.test(token.text)),
    );
    if (isBuilt || canFail) return [];
    const message = `\`${local}\` comes from ${module}, which cannot fail`;
    return [
      { rule: 'assertion-vacuous', severity: RULES['assertion-vacuous'].severity, path, line, message },
    ];
  });
}
