import { count, listed, oneLine } from '../../base/text.ts';
import { RULES, type RuleName, type Severity } from '../rules.ts';
import type { Finding } from '../types.ts';
import { type Assertion, type ComparedFile, STRENGTHS, type TableRow, type Test } from './model.ts';
import { assertingHelpers } from './shared-helpers.ts';

// Compares the tests of a change, whatever their language: which test became which, and what became weaker.

export interface Surroundings {
  /** Names that the change removed from the code: a test of one of them may go too. */
  readonly removedNames: ReadonlySet<string>;
  /** Members and parameters that the change removed from the code: a test that passes one may go too. */
  readonly removedKeys: ReadonlySet<string>;
}

interface Placed {
  readonly test: Test;
  readonly file: ComparedFile;
}

interface Match {
  readonly before: Placed;
  readonly after: Placed;
}

/** Returns what became weaker in the tests of a change. */
export function compareTests(files: readonly ComparedFile[], surroundings: Surroundings): Finding[] {
  const before = files.flatMap((file) => (file.before?.tests ?? []).map((test) => ({ test, file })));
  const after = files.flatMap((file) => (file.after?.tests ?? []).map((test) => ({ test, file })));
  const { matches, gone, added } = match(before, after);
  // A part of a test may have become a test of its own.
  const moved = new Set(
    added.flatMap(({ test, file }) =>
      runs(test) && file.uncollected === undefined ? test.assertions.filter(counts).map(identity) : [],
    ),
  );
  const { removedNames } = surroundings;
  const others: Others = { added, moved, helpers: assertingHelpers(files), removedNames };
  return [
    ...goneTests(gone, added, matches, files, surroundings),
    ...matches.flatMap((each) => changedTest(each, others)),
    ...focusedTests(matches, added),
    ...added.flatMap(emptyTest),
  ];
}

/** What else the change has, where a part of a test may have gone. */
interface Others {
  readonly added: readonly Placed[];
  /** The identities of the assertions of new tests. */
  readonly moved: ReadonlySet<string>;
  /** The names of functions that assert something. */
  readonly helpers: ReadonlySet<string>;
  readonly removedNames: ReadonlySet<string>;
}

function finding(
  rule: RuleName,
  { file, test }: Placed,
  message: string,
  { line = test.line, severity = RULES[rule].severity }: { line?: number; severity?: Severity } = {},
): Finding {
  return { rule, severity, path: file.path, line, message };
}

function titled({ test }: Placed): string {
  return `\`${oneLine(test.name, 100)}\``;
}

interface Matched {
  readonly matches: readonly Match[];
  /** The tests that are in no file any more. */
  readonly gone: readonly Placed[];
  readonly added: readonly Placed[];
}

/** Finds for each test what it became: by its name, its body, and what both have in common. */
function match(before: readonly Placed[], after: readonly Placed[]): Matched {
  const matches: Match[] = [];
  const left = new Set(before);
  const right = new Set(after);
  const pair = (one: Placed, other: Placed) => {
    matches.push({ before: one, after: other });
    left.delete(one);
    right.delete(other);
  };
  const byKey = (key: (placed: Placed) => string | undefined) => {
    const waiting = new Map<string, Placed[]>();
    for (const placed of right) {
      const text = key(placed);
      if (text === undefined) continue;
      const others = waiting.get(text);
      if (others) others.push(placed);
      else waiting.set(text, [placed]);
    }
    for (const placed of [...left]) {
      const text = key(placed);
      const found = text === undefined ? undefined : waiting.get(text)?.shift();
      if (found) pair(placed, found);
    }
  };
  byKey(({ file, test }) => `${file.path}\n${test.name}`);
  byKey(({ file, test }) => (test.body === '' ? undefined : `${file.path}\n${test.body}`));
  byKey(({ test }) => (test.body === '' ? undefined : test.body));
  byKey(({ file, test }) => `${file.path}\n${lastPart(test.name)}`);
  byKey(({ test }) => test.name);
  byKey(({ test }) => (lastPart(test.name).length > 8 ? lastPart(test.name) : undefined));
  for (const one of [...left]) {
    const best = [...right]
      .filter(({ file }) => file.path === one.file.path)
      .map((other) => ({ other, likeness: likeness(one.test, other.test) }))
      .toSorted((a, b) => b.likeness - a.likeness)[0];
    if (best && best.likeness >= ALIKE) pair(one, best.other);
  }
  return { matches, gone: [...left], added: [...right] };
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(' > ') + 1).replace(/^> /, '');
}

/** Tests that have this part of their words in common are the same test. */
const ALIKE = 0.6;

function likeness(one: Test, other: Test): number {
  const a = new Set([...one.names, ...one.literals]);
  const b = new Set([...other.names, ...other.literals]);
  const common = [...a].filter((word) => b.has(word)).length;
  return common / Math.max(1, a.size + b.size - common);
}

/** The findings about tests that are in no file any more. */
function goneTests(
  gone: readonly Placed[],
  added: readonly Placed[],
  matches: readonly Match[],
  files: readonly ComparedFile[],
  { removedNames, removedKeys }: Surroundings,
): Finding[] {
  const grown = matches
    .filter(({ before, after }) => after.test.cases > before.test.cases)
    .map(({ after }) => after);
  const takers = [...added, ...grown].filter(
    ({ test, file }) => runs(test) && file.uncollected === undefined,
  );
  const literals = new Set(takers.flatMap(({ test }) => [...test.literals]));
  const left = files.flatMap(({ after }) =>
    (after?.tests ?? []).filter(runs).map((other) => ({ literals: other.literals, claims: claimsOf(other) })),
  );
  const claims = new Set(left.flatMap((other) => [...other.claims]));
  // What is passed to a helper is in no claim: one test must have it all.
  const isMerged = (test: Test) => {
    const own = [...claimsOf(test)];
    const text = own.join('\n');
    const passed = [...test.literals].filter(
      (literal) => literal !== lastPart(test.name) && !text.includes(literal),
    );
    if (!own.every((each) => claims.has(each))) return false;
    return (
      passed.length === 0 ||
      // The rows of a table may have become tests.
      test.cases > 1 ||
      left.some(
        (other) =>
          own.every((each) => other.claims.has(each)) && passed.every((each) => other.literals.has(each)),
      )
    );
  };
  const lost: Placed[] = [];
  const findings: Finding[] = [];
  for (const placed of gone) {
    const { test } = placed;
    if (!runs(test) || !test.assertions.some(counts)) continue;
    const function_ = files.find(({ after }) =>
      [...(after?.functions.values() ?? [])].some((body) => body !== '' && body === test.body),
    );
    if (function_)
      findings.push(
        finding(
          'test-not-collected',
          { test, file: function_ },
          `${titled(placed)} is no test any more: its function is not collected`,
        ),
      );
    else if (
      [...test.names].some((name) => removedNames.has(name) || (removedKeys.has(name) && passes(test, name)))
    )
      continue;
    else if (isTakenOver(test, takers, literals) || isMerged(test)) continue;
    else lost.push(placed);
  }
  for (const file of new Set(lost.map((placed) => placed.file))) {
    const tests = lost.filter((placed) => placed.file === file);
    const [first] = tests;
    if (!first) continue;
    const names = listed(tests.map(titled), 200);
    findings.push(
      finding(
        'test-deleted',
        first,
        tests.length === 1 ? `${names} is deleted` : `${count(tests.length, 'test')} are deleted: ${names}`,
      ),
    );
  }
  return findings;
}

/** `slugify(text, { limit: 7 })`, `slugify(text, limit=7)` */
function passes({ body }: Test, key: string): boolean {
  return (
    body.includes(`{ ${key} :`) ||
    [',', '('].some((before) => body.includes(`${before} ${key} =`) || body.includes(`${before} ${key} :`))
  );
}

/** Whether new tests or rows check the same values: a table instead of single tests, or tests that were merged. */
function isTakenOver(test: Test, takers: readonly Placed[], literals: ReadonlySet<string>): boolean {
  if (takers.length === 0) return false;
  const own = [...test.literals].filter((literal) => literal !== '' && literal !== lastPart(test.name));
  const kept = own.filter((literal) => literals.has(literal)).length;
  const strongest = Math.max(...test.assertions.filter(counts).map(strength));
  const isStrong = takers.some(({ test: taker }) =>
    taker.assertions.filter(counts).some((each) => strength(each) >= strongest),
  );
  return (
    isStrong &&
    (own.length === 0 ? takers.some((taker) => likeness(test, taker.test) > 0.4) : kept / own.length >= 0.7)
  );
}

function runs({ state }: Test): boolean {
  return state === 'runs' || state === 'conditional';
}

/** Whether an assertion can fail. */
function counts({ vacuous, swallowed, dead, floating }: Assertion): boolean {
  return vacuous === undefined && !swallowed && !dead && floating !== true;
}

function strength({ kind, negated }: Assertion): number {
  // That something is not so says little, except that it does not exist or did not happen.
  return negated && kind !== 'truthy' && kind !== 'happens' && kind !== 'exists'
    ? Math.min(STRENGTHS.bounded, STRENGTHS[kind])
    : STRENGTHS[kind];
}

function identity({ kind, negated, subject, expected, tolerance = 0 }: Assertion): string {
  return [kind, negated, subject, expected, tolerance].join('\n');
}

/** The identities of the assertions of a test that can fail. */
function claimsOf({ assertions }: Test): Set<string> {
  return new Set(assertions.filter(counts).map(identity));
}

/** What became weaker in a test that is still there. */
function changedTest(match: Match, others: Others): Finding[] {
  const { before, after } = match;
  const name = titled(after);
  const { uncollected } = after.file;
  const wasUncollected = before.file.wasUncollected || before.file.before?.uncollected !== undefined;
  if (uncollected !== undefined && !wasUncollected && runs(before.test))
    return [finding('test-not-collected', after, `${name} does not run any more: ${uncollected}`)];
  const state = changedState(match);
  if (state) return [state];
  if (!runs(after.test)) return [];
  if (before.test.statements > 0 && after.test.statements === 0 && before.test.assertions.length > 0)
    return [finding('test-emptied', after, `${name} is empty`)];
  const rows = rowsBecameTests(match, others.moved) ? [] : changedRows(match, others);
  const found = [...rows, ...bentRows(match), ...changedAssertions(match, rows.length > 0, others)];
  if (found.length > 0 || !isReplaced(match)) return found;
  return [
    finding('test-not-collected', after, `another test has the name of ${name}, which is not collected`),
  ];
}

/** Whether a function of the same name as a test has its body now, and is not collected. */
function isReplaced({ before, after }: Match): boolean {
  const { body, name } = before.test;
  if (body === '' || body === after.test.body) return false;
  // A reader that keeps functions of one name apart adds where they are.
  return [...(after.file.after?.functions ?? [])].some(
    ([key, other]) => other === body && key.split(' ')[0] === lastPart(name),
  );
}

function changedState({ before, after }: Match): Finding | undefined {
  const { state, condition = '' } = after.test;
  const was = before.test.state;
  const name = titled(after);
  if (state === was && (state !== 'conditional' || condition === before.test.condition)) return undefined;
  if (was !== 'runs' && was !== 'conditional') return undefined;
  if (state === 'skipped') return finding('test-skipped', after, `${name} is skipped`);
  if (state === 'todo') return finding('test-skipped', after, `${name} is only to do`);
  if (state === 'expected-to-fail')
    return finding('test-expected-to-fail', after, `${name} is expected to fail`);
  if (state !== 'conditional') return undefined;
  const severity = severityOfCondition(condition);
  return finding('test-skipped', after, `${name} runs only on a condition: ${oneLine(condition, 100)}`, {
    severity,
  });
}

/** Conditions that are about the machine rather than about the code: an operating system, a tool, an older version. */
const MACHINE =
  /\b(?:win32|windows|linux|darwin|macos|platform|os \. name|GOOS|GOARCH|PHP_OS\w*|extension_loaded|RUBY_ENGINE|win_platform|arch|miri|Short|PyPy|pypy|which|importorskip|LookPath|OS(?! \. (?:\w*env\w*|Args)\b)|NOT_WINDOWS|target_os|unix|tarpaulin|coverage)\b/i;
/** Operating systems that no one tests on. */
const NOWHERE = /^(?!.*(?:Disabled|not |! )).*\b(?:SOLARIS|AIX|OTHER|plan9|solaris|aix|haiku|os390)\b/;
const OLDER = /version(?:_info)?\b[^&|]*<(?!=?\s*\(?\s*(?:9|[4-8]\d))/i;

/** How much it matters that a test has a condition now. */
function severityOfCondition(condition: string): Severity {
  return (MACHINE.test(condition) && !NOWHERE.test(condition)) || OLDER.test(condition) ? 'low' : 'high';
}

/** Whether tests of their own assert what the rows that are gone did. */
function rowsBecameTests({ before, after }: Match, moved: ReadonlySet<string>): boolean {
  const still = new Set(after.test.assertions.filter(counts).map(identity));
  const gone = before.test.assertions.filter((each) => counts(each) && !still.has(identity(each)));
  return gone.length > 0 && gone.every((each) => moved.has(identity(each)));
}

function changedRows({ before, after }: Match, { added }: Others): Finding[] {
  const lost = before.test.cases - after.test.cases;
  if (isRepeated(before.test, after.test, lost)) return [];
  if (lost <= 0 || after.test.dynamic || areKept(before.test, [after.test, ...added.map(({ test }) => test)]))
    return [];
  // The rows of a loop inside of the test became assertions of their own.
  const asserts = ({ test }: Placed) => test.assertions.filter(counts).length;
  if (asserts(after) - asserts(before) >= lost) return [];
  // Rows that another test has now.
  const gone = [...before.test.literals].filter(
    (literal) => !after.test.literals.has(literal) && !isTitle(literal, before.test),
  );
  const known = new Set(added.flatMap(({ test }) => (runs(test) ? [...test.literals] : [])));
  if (gone.length > 0 && gone.every((literal) => known.has(literal))) return [];
  const message = `${titled(after)} has ${count(after.test.cases, 'row')} of ${before.test.cases}`;
  return [finding('test-cases-removed', after, message)];
}

/** Whether a literal is in no column of a table that holds an input or a result. */
function isTitle(literal: string, { rows = [], cases }: Test): boolean {
  if (rows.length < cases) return false;
  return rows.every(({ input, expected }) => !`${input} ${expected}`.includes(literal));
}

/** Whether the rows that are gone were there twice. */
function isRepeated(before: Test, after: Test, lost: number): boolean {
  const key = ({ input, column, expected }: TableRow) => `${input}\n${column}\n${expected}`;
  const rows = before.rows?.map(key) ?? [];
  const left = new Set(after.rows?.map(key));
  return rows.length > 0 && rows.length - new Set(rows).size >= lost && rows.every((row) => left.has(row));
}

/** Whether the rows of a table became assertions or tests of their own: as many checks of the same values. */
function areKept(before: Test, now: readonly Test[]): boolean {
  const known = new Set(now.flatMap(({ literals }) => [...literals]));
  const takers = now.filter(runs).filter((test, index) => index === 0 || isLike(before, test));
  const checks = (test: Test) => test.cases * test.assertions.filter(counts).length;
  const total = takers.reduce((sum, test) => sum + checks(test), 0);
  return total >= checks(before) && [...before.literals].every((literal) => known.has(literal));
}

/** Whether a test is about one of the things that another is about. */
function isLike(one: Test, other: Test): boolean {
  return [...other.literals].some((literal) => literal !== '' && one.literals.has(literal));
}

/** A row that expects something else of the same input, while the code did not change. */
function bentRows({ before, after }: Match): Finding[] {
  if (after.file.codeChanged) return [];
  const key = ({ input, column }: TableRow) => `${input}\n${column}`;
  const expected = new Map(after.test.rows?.map((row) => [key(row), row.expected]));
  return (before.test.rows ?? []).flatMap((row) => {
    const now = expected.get(key(row));
    if (now === undefined || now === row.expected) return [];
    const message = `${titled(after)}: the row of ${short(row.input)} expects ${short(now)} instead of ${short(row.expected)}, and the code did not change`;
    return [finding('expectation-changed', after, message)];
  });
}

function changedAssertions(
  { before, after }: Match,
  rowsAreGone: boolean,
  { moved, helpers, removedNames }: Others,
): Finding[] {
  // What a new helper of another file asserts is not known: it may be what the test asserted itself.
  const isElsewhere = (name: string) => after.file.after?.functions.has(name) !== true;
  const isNew = (name: string) => after.test.names.has(name) && !before.test.names.has(name);
  if ([...helpers].some((name) => isNew(name) && isElsewhere(name))) return [];
  const was = before.test.assertions.filter(counts);
  const now = [...after.test.assertions];
  const left: Assertion[] = [];
  const findings: Finding[] = [];
  const report = (rule: RuleName, each: Assertion | undefined, message: string, severity?: Severity) =>
    findings.push(
      finding(rule, after, `${titled(after)}: ${message}`, {
        ...(each && { line: each.line }),
        ...(severity && { severity }),
      }),
    );
  const take = (fits: (each: Assertion) => boolean): Assertion | undefined => {
    const index = now.findIndex(fits);
    return index === -1 ? undefined : now.splice(index, 1)[0];
  };
  for (const one of was) {
    const same =
      take((each) => identity(each) === identity(one) && counts(each) && each.condition === one.condition) ??
      take((each) => identity(each) === identity(one));
    if (!same) {
      if (!moved.has(identity(one)) && !isOf(removedNames, one, after.test)) left.push(one);
    } else if (!counts(same) || same.condition !== one.condition) hindered(one, same, after, report);
    else if (same.looserThan !== undefined && same.looserThan === one.matcher)
      report(
        'assertion-weakened',
        same,
        `\`${one.matcher}\` of ${described(one)} became \`${same.matcher}\``,
        'medium',
      );
  }
  const fresh = new Set(now);
  // The strongest first: a guard takes none of the assertions that another one became.
  const order = (a: Assertion, b: Assertion) =>
    Number(isGuard(a)) - Number(isGuard(b)) || strength(b) - strength(a);
  for (const one of left.toSorted(order)) {
    if (isInRow(one, before.test, after.test)) continue;
    const next =
      take(
        (each) =>
          each.subject === one.subject &&
          each.kind === one.kind &&
          each.negated === one.negated &&
          counts(each),
      ) ??
      best(now, take, (each) => each.subject === one.subject && each.subject !== '' && counts(each)) ??
      take(
        (each) =>
          each.expected === one.expected &&
          one.expected !== '' &&
          strength(each) >= strength(one) &&
          counts(each),
      ) ??
      take((each) => isAbout(each, one) && strength(each) >= strength(one) && counts(each)) ??
      take((each) => strength(each) >= strength(one) && counts(each)) ??
      take(counts);
    compared(one, next, { before, after, now: after.test.assertions, fresh, report, rowsAreGone });
  }
  return [...removedOnes(findings)];
}

/** Whether an assertion is about code that is gone, and that the test does not use any more. */
function isOf(removedNames: ReadonlySet<string>, { subject }: Assertion, { names }: Test): boolean {
  return (subject.match(/\w+/g) ?? []).some((word) => removedNames.has(word) && !names.has(word));
}

/** Whether assertions of single values became rows of a table, and an assertion of each row. */
function isInRow(one: Assertion, before: Test, after: Test): boolean {
  if (
    after.cases <= before.cases ||
    !after.assertions.some((each) => counts(each) && strength(each) >= strength(one))
  )
    return false;
  const values = literalsOf(`${one.subject} ${one.expected}`);
  return values.length > 0 && values.every((value) => after.literals.has(value.replace(/^"|"$/g, '')));
}

function literalsOf(text: string): readonly string[] {
  return text.match(/"[^"]*"|\b\d[\w.]*/g) ?? [];
}

/**
 * Whether a list or an object that was expected as a whole is asserted in parts that leave out some of its values: its
 * keys, its length, one of its members.
 */
function isPartOnly(one: Assertion, next: Assertion, now: readonly Assertion[]): boolean {
  const isWhole = one.kind === 'equal' && !one.negated && /[[{]/.test(one.expected) && one.subject !== '';
  if (
    !isWhole ||
    (next.subject === one.subject && next.kind === 'equal') ||
    !isPart(one.subject, next.subject)
  )
    return false;
  const kept = new Set(
    now.filter(counts).flatMap(({ subject, expected }) => literalsOf(`${subject} ${expected}`)),
  );
  return !literalsOf(one.expected).every((value) => kept.has(value));
}

/** Functions that give the same for different values: their case, their blanks, all but a part is lost. */
const LOSSY =
  /(?<=^|[ .])(?:[Ss]et|HashSet|toSet|uniq|distinct|[Kk]eys|getKeys|lower|upper|(?:to_?)?(?:lower|upper)(?:case)?|ToLower|ToUpper|downcase|upcase|casefold|trim|TrimSpace|strip|len|length|Length|size|count|Count|sizeof|typeof|gettype|type|slice|substr(?:ing)?|first|head|abs|Abs|round|Round|floor|Floor|ceil|toFixed|parseInt|Number|Boolean|bool|int|hashCode|startsWith|includes|!= (?:nil|null|None|undefined))(?= |$)/gi;
const SORTING = /(?<=^|[ .])(?:(?:to_?)?sort(?:ed|_by|By)?|OrderBy|Order)(?= |$)/gi;

/**
 * Whether the same is expected of a view of a value, in which fewer values differ. A list that is expected in its order may
 * be sorted: another one is expected of a list whose order was wrong.
 */
function isView(one: Assertion, next: Assertion): boolean {
  const lost = one.expected === next.expected ? [LOSSY] : [LOSSY, SORTING];
  const views = (text: string) => lost.reduce((sum, each) => sum + (text.match(each)?.length ?? 0), 0);
  return (
    /^(?:equal|exact)$/.test(one.kind) &&
    !one.negated &&
    next.subject !== one.subject &&
    isPart(one.subject, next.subject) &&
    views(next.subject) > views(one.subject)
  );
}

/** Whether the subject has what is expected of it in it, and takes that if there is nothing else: a default, a spread object. */
function hasAnswer(one: Assertion, next: Assertion): boolean {
  return (
    next.expected === one.expected &&
    next.kind === one.kind &&
    !next.negated &&
    (isPart(one.subject, next.subject) ||
      /\.\.\. \w|\b(?:get\w*|fetch|or\w*|unwrap_or|dig|default\w*) \(/.test(next.subject)) &&
    literalsOf(one.expected).some(
      (value) => value.length > 1 && next.subject.includes(value) && !one.subject.includes(value),
    )
  );
}

/** Whether a block that is expected to fail fails by itself. */
function failsByItself(one: Assertion, next: Assertion): boolean {
  const own = / (?:raise|throw|panic !?|Promise \. reject) /;
  return (
    /^(?:exact|happens|part)$/.test(next.kind) &&
    own.test(` ${next.subject} `) &&
    !own.test(` ${one.subject} `)
  );
}

function best(
  now: readonly Assertion[],
  take: (fits: (each: Assertion) => boolean) => Assertion | undefined,
  fits: (each: Assertion) => boolean,
): Assertion | undefined {
  const strongest = now.filter(fits).toSorted((a, b) => strength(b) - strength(a))[0];
  return strongest && take((each) => each === strongest);
}

/** Whether an assertion is about the same thing, a part of it, or the whole of it. */
function isAbout(each: Assertion, one: Assertion): boolean {
  if (each.subject === '' || one.subject === '') return false;
  return isPart(each.subject, one.subject) || ` ${each.subject} `.startsWith(` ${one.subject} `);
}

/** Whether canonical text contains another as whole words. */
function isPart(part: string, whole: string): boolean {
  return ` ${whole} `.includes(` ${part} `);
}

type Report = (rule: RuleName, each: Assertion | undefined, message: string, severity?: Severity) => void;

/** The same assertion, which does not run or does not count any more. */
function hindered(one: Assertion, same: Assertion, after: Placed, report: Report): void {
  const text = described(one);
  if (same.vacuous !== undefined) report('assertion-vacuous', same, `${text}: ${same.vacuous}`);
  else if (same.swallowed)
    report('assertion-swallowed', same, `the failure of ${text} is caught and dropped`);
  else if (same.dead) report('assertion-unreachable', same, `${text} never runs`);
  else if (same.floating) report('assertion-unreachable', same, `${text} is not awaited`);
  else if (same.condition !== undefined) {
    const words = new Set(same.condition.split(' '));
    const isChecked = after.test.assertions.some(
      (each) =>
        each !== same &&
        each.condition === undefined &&
        counts(each) &&
        each.subject !== '' &&
        each.subject.split(' ').some((word) => /^\w{2,}$/.test(word) && words.has(word)),
    );
    if (isChecked) return;
    const severity = /\b(?:env|environ|getenv|process|CI|platform)\b/.test(same.condition)
      ? 'high'
      : 'medium';
    report(
      'assertion-unreachable',
      same,
      `${text} runs only on a condition: ${oneLine(same.condition, 100)}`,
      severity,
    );
  }
}

interface Comparison {
  readonly before: Placed;
  readonly after: Placed;
  /** All assertions of the test as it is now. */
  readonly now: readonly Assertion[];
  /** Those of them that were not there before. */
  readonly fresh: ReadonlySet<Assertion>;
  readonly report: Report;
  readonly rowsAreGone: boolean;
}

/** What became of an assertion that is not there in the same form. */
function compared(
  one: Assertion,
  next: Assertion | undefined,
  { after, now, fresh, report, rowsAreGone }: Comparison,
): void {
  const text = described(one);
  const strong = now.filter(
    (each) =>
      counts(each) &&
      strength(each) >= strength(one) &&
      (each.condition === undefined || each.condition === one.condition),
  );
  // What was asserted beside it before says no more now, unless it implied it.
  const isSubsumed = strong.some((each) => isAbout(each, one) && (fresh.has(each) || implies(each, one)));
  if (!next) {
    // A guard against nothing or an error is implied by what is asserted of the value.
    if (
      isSubsumed ||
      (isGuard(one) && now.some(counts)) ||
      strong.some((each) => fresh.has(each) && hasText(each, one))
    )
      return;
    const vacuous = now.find((each) => each.vacuous !== undefined);
    const swallowed = now.find((each) => each.swallowed);
    const hidden = now.find((each) => each.dead || each.floating);
    if (vacuous) report('assertion-vacuous', vacuous, `in place of ${text}, ${vacuous.vacuous}`);
    else if (swallowed)
      report('assertion-swallowed', swallowed, `the failure of ${text} is caught and dropped`);
    else if (hidden) report('assertion-unreachable', hidden, `${text} never runs`);
    else report('assertion-removed', undefined, text);
    return;
  }
  // What was asserted in any case is asserted in another form on a condition.
  if (next.condition !== undefined && one.condition === undefined && !isSubsumed) {
    hindered(one, next, after, report);
    return;
  }
  const isSame = next.subject === one.subject;
  const isNegation = next.kind === one.kind && next.negated !== one.negated && next.expected === one.expected;
  // Success became failure.
  const fails = one.kind === 'exists' && next.kind === 'happens' && next.expected === 'error';
  if (isSame && (isNegation || fails)) report('assertion-inverted', next, `${text} asserts the opposite now`);
  else if (
    next.kind === 'near' &&
    one.kind === 'near' &&
    (next.tolerance ?? 0) > (one.tolerance ?? 0) &&
    isSame
  )
    report(
      'assertion-weakened',
      next,
      `the tolerance of ${text} grew from ${one.tolerance} to ${next.tolerance}`,
    );
  else if (strength(next) < strength(one) && !isSubsumed && !isExactEnough(one, next))
    report(
      'assertion-weakened',
      next,
      `${text} became ${described(next)}`,
      after.file.codeChanged && isRespecified(one, next) ? 'low' : undefined,
    );
  else if (hasAnswer(one, next))
    report('assertion-weakened', next, `${text} became ${described(next)}, which has what is expected in it`);
  else if (failsByItself(one, next))
    report('assertion-vacuous', next, `in place of ${text}, the test itself throws what it expects`);
  else if (isView(one, next))
    report(
      'assertion-weakened',
      next,
      `${text} became ${described(next)}, in which fewer values differ`,
      'medium',
    );
  else if (isPartOnly(one, next, now))
    report('assertion-weakened', next, `${text} became ${described(next)}, which is a part of it`);
  else if (
    isSame &&
    next.kind === one.kind &&
    !isSameValue(one.expected, next.expected) &&
    !rowsAreGone &&
    !after.file.codeChanged
  )
    report(
      'expectation-changed',
      next,
      `the expected value changed from ${short(one.expected)} to ${short(next.expected)}, and the code did not`,
    );
}

/** Whether an assertion expects a text that contains the part which another one asked for. */
function hasText(each: Assertion, { kind, expected }: Assertion): boolean {
  return kind === 'part' && /^"[^"]{3,}"$/.test(expected) && each.expected.includes(expected.slice(1, -1));
}

/** Whether an assertion about the same thing says more: a value has one size, one type, its parts. */
function implies(each: Assertion, one: Assertion): boolean {
  return (
    strength(each) > strength(one) ||
    (each.subject === one.subject && each.kind === 'equal' && one.kind !== 'equal')
  );
}

/** Whether another value is expected, which the changed code may have: a part of it that was not expected before. */
function isRespecified(one: Assertion, next: Assertion): boolean {
  if (next.kind !== 'part' || next.negated || /^(?:\/|re \.|[rR]")/.test(next.expected)) return false;
  const words = next.expected.match(/"[^"]*"|[\w.]+/g) ?? [];
  return words.some((word) => !one.expected.includes(word.replaceAll('"', '')));
}

function isGuard(one: Assertion): boolean {
  return strength(one) <= STRENGTHS.exists || isNoError(one);
}

const VARIABLE = /^(?!(?:true|false|null|undefined|nil)$)[a-z_]\w*$/;
const CLASS = /^[A-Z][\w. ]*$/;
const CONSTANT = /^(?:\w+ (?:\.|::) )*[A-Z]\w*$/;
const LITERAL = /^(?:-? ?\d[\w.]*|"[^"]*")$/;

/**
 * Whether an expected value is the same, as far as its text shows: a variable was renamed, an error lost its message, or a
 * literal became a constant with a name (`200`, `http.StatusOK`).
 */
function isSameValue(before: string, after: string): boolean {
  return (
    plainValue(before) === plainValue(after) ||
    // A class of errors with its message, a message in place of a part of it.
    (CLASS.test(before) && after.startsWith(`${before} , `)) ||
    (/^\/(\w[\w ]+)\/$/.test(before) && /^[^/]/.test(after) && after.includes(before.slice(1, -1))) ||
    (VARIABLE.test(before) && VARIABLE.test(after)) ||
    (CLASS.test(after) && before.startsWith(`${after} , `)) ||
    // An error of the class, or with the message, that was expected.
    after.startsWith(`new ${before} (`) ||
    after.includes(`message : ${before}`) ||
    (CONSTANT.test(before) && LITERAL.test(after)) ||
    (LITERAL.test(before) && CONSTANT.test(after))
  );
}

/** A value without what only says its type: `225L`, `(string[])["a"]`, `Ok(3)` for what was unwrapped. */
function plainValue(text: string): string {
  return text
    .replace(/\b(\d[\d_]*(?:\.\d+)?)(?:[lfdum]|[iu]\d+|f\d+)\b/gi, '$1')
    .replace(/^\( [\w<>]+(?: \[ \])* \) (?=\S)/, '')
    .replace(/^(?:Ok|Some|Just|Right) \( (.*) \)$/, '$1')
    .replace(/^(?:new )?\[ (.*) \]$/, '$1')
    .replace(/^[a-z]\w* \. (?=[A-Z]\w*$)/, '');
}

/** `expect(error).toBeNull()`: a guard, which a promise that may reject needs no more. */
function isNoError({ subject, expected }: Assertion): boolean {
  return /(?:^|\W)err(?:or)?s?$/i.test(subject) && /^(?:null|undefined|nil|None|false)$/.test(expected);
}

/** A value that is equal within rounding, or the same value of the same member, is as good as equal. */
function isExactEnough(one: Assertion, next: Assertion): boolean {
  // A linter replaces a comparison with an empty list by `not`.
  const isEmpty = /^(?:\[ \]|\{ \}|\( \)|""|0|set \( \))$/.test(one.expected) && one.subject === next.subject;
  if (
    isEmpty &&
    ((next.kind === 'truthy' && next.negated) || (next.kind === 'size' && next.expected === '0'))
  )
    return true;
  // The query of an element fails if there is none.
  if (/\b(?:get|find)(?:All)?By\w+ \(/.test(next.subject) && one.expected === next.expected) return true;
  const member = /\. (\w+)$/.exec(one.subject)?.[1];
  if (
    member !== undefined &&
    next.expected.includes(one.expected) &&
    next.expected.split(' ').includes(member)
  )
    return true;
  // A number with decimals is rarely equal: it is compared within the digits that it is written with.
  const tolerance = /\. ?\d|\d\.\d/.test(one.expected) ? 0.005 : 1e-3;
  return one.kind === 'equal' && next.kind === 'near' && (next.tolerance ?? 1) <= tolerance;
}

function described({ subject, kind, negated, expected }: Assertion): string {
  const words = {
    equal: 'equals',
    exact: 'is',
    near: 'is near',
    alike: 'equals in some order or case',
    bounded: 'is compared with',
    part: 'has',
    snapshot: 'matches its snapshot',
    size: 'has the size',
    happens: 'happens',
    truthy: 'is true',
    exists: 'is there',
  }[kind];
  if (kind === 'bounded' && expected === '')
    return `\`${readable(subject)}\` is ${negated ? 'false' : 'true'}`;
  const about = subject === '' ? 'the assertion' : `\`${readable(subject)}\``;
  return `${about} ${negated ? 'not ' : ''}${words}${expected === '' ? '' : ` ${short(expected)}`}`;
}

function short(text: string): string {
  return `\`${readable(text)}\``;
}

/** Canonical text without the blanks that nobody would write. */
function readable(text: string): string {
  return oneLine(
    text
      .replace(/ ?([.()[\],!]) ?/g, '$1')
      .replaceAll(',', ', ')
      .replace(/^$/, 'nothing'),
    80,
  );
}

/** Several removed assertions of one test are one finding. */
function removedOnes(findings: readonly Finding[]): Finding[] {
  const removed = findings.filter(({ rule }) => rule === 'assertion-removed');
  const [first] = removed;
  const others = findings.filter(({ rule }) => rule !== 'assertion-removed');
  if (!first) return [...others];
  const message =
    removed.length === 1
      ? `${first.message} is no longer asserted`
      : `${first.message} and ${count(removed.length - 1, 'other assertion')} are no longer asserted`;
  return [...others, { ...first, message }];
}

function focusedTests(matches: readonly Match[], added: readonly Placed[]): Finding[] {
  const focused = [
    ...matches
      .filter(({ before, after }) => after.test.focused && !before.test.focused)
      .map(({ after }) => after),
    ...added.filter(({ test }) => test.focused),
  ];
  // One test that is focused hides all others of its file.
  return [...new Map(focused.map((placed) => [placed.file, placed])).values()].map((placed) =>
    finding('test-focused', placed, `only ${titled(placed)} runs: it is focused`),
  );
}

/** A new test that can never fail is no test. */
function emptyTest(placed: Placed): Finding[] {
  const { test } = placed;
  if (
    !runs(test) ||
    test.assertions.length === 0 ||
    test.assertions.some((each) => each.vacuous === undefined && !each.dead && !each.swallowed)
  )
    return [];
  return [
    finding('assertion-vacuous', placed, `the new test ${titled(placed)} cannot fail`, {
      severity: 'medium',
    }),
  ];
}
