import { contextIn, sourceOfFunctionsIn, unmarkedSourceIn } from '../failures/code-frames.ts';
import { isOfCoverage, saysTooLittleCovered } from '../failures/coverage.ts';
import { passedEntriesIn } from '../failures/entries.ts';
import { namesOfCTestIn } from '../failures/failed-names.ts';
import { type FailureBlock, type Line, PRIORITY, type StoredFailure } from '../failures/failure.ts';
import { passedOnHostsIn } from '../failures/host-results.ts';
import { type NameList, saysWhatIsWrong } from '../failures/lists.ts';
import { slowestIn } from '../failures/noise.ts';
import { type Outline, outlineWithout } from '../failures/outline.ts';
import { passedBlocksIn } from '../failures/passed-blocks.ts';
import { spareArgumentsIn } from '../failures/quoted-calls.ts';
import { endedRecipesIn } from '../failures/recipes.ts';
import { emptyOfPagesIn } from '../failures/rendered-page.ts';
import { type SameReasons, sameReasonsIn } from '../failures/repeats.ts';
import { awaitedIn } from '../failures/servers.ts';
import { saidFramesIn, throwingSourceIn } from '../failures/shown-frames.ts';
import { passedScriptsIn, passedStepsIn, passedWorkspacesIn, warnedScriptsIn } from '../failures/steps.ts';
import { NO_FAILURE } from '../failures/task-results.ts';
import { withTestLogs } from '../failures/test-logs.ts';
import { loggedByOtherMethods } from '../failures/test-methods.ts';
import {
  passedGroupsIn,
  passedInTreesIn,
  passedOutputsIn,
  passedSubtestsIn,
  passedTestcasesIn,
  setUpCommentsIn,
} from '../failures/test-trees.ts';
import { schemasIn } from '../fold/members.ts';
import { firstElementsIn, fullDiffIn } from '../fold/pytest.ts';
import {
  repeatedItemsIn,
  requiredAgainIn,
  saidAgainIn,
  saidDiffIn,
  secondDiffIn,
  secondValuesIn,
  stacksOfOthersIn,
} from '../fold/said-twice.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { rememberedOf } from '../lines/remembered.ts';
import { COMMAND_END, SEVERITY } from '../lines/rules.ts';
import { isExternalPlace } from '../lines/stack-frames.ts';
import {
  isPlacePointer,
  isTestTitle,
  isTraceback,
  isUnittestTitle,
  namesLine,
  namesPlace,
  treatsWarningsAsErrors,
} from '../lines/structure.ts';
import type { Findings } from '../output/condenser.ts';
import { oneOfEachSort } from './alike-errors.ts';
import { bannerIn } from './banner.ts';
import { loggedErrorsIn } from './expected-errors.ts';
import { unrelatedWarnings, warningsOfCrash } from './warnings.ts';

/** What an excerpt is made of: what was found in an output, and which of it says what is wrong. */
export interface Material extends Findings {
  /** The highest severity of a failure; 0 without one. */
  readonly highest: number;
  /** The lists that say what is wrong. */
  readonly lists: readonly NameList[];
  /** The texts of the warnings that explain no error. */
  readonly unrelated: ReadonlySet<string>;
  /** The positions of what was said above, and of the source around what is wrong: failures and outline are without it. */
  readonly saidAgain: ReadonlySet<number>;
  /** The positions of what the program says of itself at the start. */
  readonly banner: ReadonlySet<number>;
  readonly sameReasons: SameReasons;
  /** The positions of source that a runtime or a package quotes above an error that it threw. */
  readonly throwing: ReadonlySet<number>;
}

export const materialOf = rememberedOf(findMaterial);

function findMaterial(findings: Findings): Material {
  const found = withMinorEnds(
    withWarnedScripts(withoutExcuses(reportedIn(findings)), findings.outline.all ?? []),
  );
  const logged = loggedErrorsIn(found, findings.outline.all ?? []);
  const causes = new Set([...logged.causes, ...warningsOfCrash(found)]);
  const expected = new Set([
    ...logged.expected,
    ...awaitedIn(found, findings.outline.all ?? []),
    ...stacksOfOthersIn(found),
  ]);
  // Of those above, one may be shown as the heading of another failure.
  const headlines = [...logged.expected].map(({ block }) => block.headline.at);
  const { failures: sorts, others } = oneOfEachSort(
    found
      .filter((stored) => !expected.has(stored))
      .map((stored) => (causes.has(stored) ? raised(stored) : stored)),
  );
  const { failures: reported, isOfOthers } = withTestLogs(
    sorts,
    findings.testLogs,
    findings.tallies.get(SEVERITY.failedTest)?.count ?? 0,
  );
  const values = new Set(
    reported.flatMap(({ block }) => [
      ...secondValuesIn(block),
      ...saidDiffIn(block),
      ...secondDiffIn(block),
      ...requiredAgainIn(block),
      ...fullDiffIn(block),
      ...firstElementsIn(block),
    ]),
  );
  const context = reported.flatMap(({ block }) => [
    ...contextIn(block.lines),
    ...sourceOfFunctionsIn(block.lines),
    ...unmarkedSourceIn(block.lines),
    ...saidFramesIn(block),
    ...repeatedItemsIn(block),
  ]);
  const known = findings.outline.all ?? reported.flatMap(({ block }) => block.lines);
  const namedAgain = new Set([...namesOfCTestIn(known), ...slowestIn(known)]);
  const saidAgain = new Set([
    ...namedAgain,
    ...saidAgainIn(reported),
    ...context,
    ...spareArgumentsIn(reported),
    ...values,
    ...schemasIn(known),
    ...emptyOfPagesIn(known),
  ]);
  const isLogged = loggedByPassed(reported);
  const isCascade = cascadesIn(reported);
  const isLoggedBelow = loggedBelow(reported);
  const isOfOtherMethod = loggedByOtherMethods(reported);
  const isPlacedAgain = placedAgainIn(reported);
  const isRaisedAgain = raisedAgainIn(reported);
  const isCapturedAgain = capturedAgainIn(reported);
  const isOfReact = loggedByReact(reported);
  const isSuite = suitesIn(reported);
  const isMinorAgain = minorAgainIn(reported);
  const { all, head, unique, tail } = findings.outline;
  const passedInTrees = passedInTreesIn(all ?? []);
  const passedOnHosts = passedOnHostsIn(all ?? []);
  const recipes = endedRecipesIn(all ?? [], reported);
  const passedScripts = new Set([
    ...passedScriptsIn(all ?? [], reported),
    ...passedStepsIn(all ?? [], reported),
    ...recipes.passed,
    ...recipes.ignored,
  ]);
  const passedBlocks = passedBlocksIn(all ?? []);
  const passedOutputs = new Set([...passedOutputsIn(all ?? []), ...passedBlocks]);
  const passedTitles = [passedGroupsIn, passedSubtestsIn, passedTestcasesIn, setUpCommentsIn].flatMap(
    (find) => find(all ?? []),
  );
  const isSpare = (stored: StoredFailure) =>
    stored.severity === NO_FAILURE ||
    passedInTrees.has(stored.block.headline.at) ||
    passedOnHosts.has(stored.block.headline.at) ||
    passedOutputs.has(stored.block.headline.at) ||
    isPlacedAgain(stored) ||
    isRaisedAgain(stored) ||
    isCapturedAgain(stored) ||
    isOfReact(stored) ||
    isSuite(stored) ||
    isMinorAgain(stored.block.headline) ||
    isCascade(stored) ||
    isLoggedBelow(stored) ||
    isOfOtherMethod(stored);
  const failures = withoutLines(
    reported.filter((stored) => {
      const { at, text } = stored.block.headline;
      return !isLogged(text) && !isSpare(stored) && !passedScripts.has(at) && !namedAgain.has(at);
    }),
    new Set([...saidAgain, ...passedTitles, ...passedBlocks, ...passedScripts, ...headlines]),
  );
  const highest = highestOf(failures);
  const isOfTable = isOfCoverage(all ?? [...head, ...unique, ...tail]);
  const wasted = new Set([
    ...[...reported.filter(isSpare), ...expected, ...others].flatMap(({ block: { lines, dropped = [] } }) => [
      ...lines.map(({ at }) => at),
      ...dropped,
    ]),
    ...found.flatMap(({ again = [] }) => again.flat()),
    ...passedWorkspacesIn(all ?? [], failures),
    ...passedScripts,
    ...passedEntriesIn(all ?? [], failures),
    ...passedInTrees,
    ...passedOnHosts,
    ...passedOutputs,
    ...passedTitles,
  ]);
  // Runners print them again at the end. A short one may be part of something else.
  const valueTexts = new Set(
    known.flatMap(({ at, text }) => (values.has(at) && text.trim().length >= MIN_VALUE ? text.trim() : [])),
  );
  const hasPassed = (text: string) =>
    highest >= SEVERITY.thrown && findings.warningsFailedAt === -1 && NO_ERRORS.test(text);
  const isIdle = highest >= SEVERITY.thrown && !saysTooLittle(failures, findings.outline);
  const outline = outlineWithout(
    findings.outline,
    (line) =>
      saidAgain.has(line.at) ||
      isOfOthers(line) ||
      isLogged(line.text) ||
      isMinorAgain(line) ||
      wasted.has(line.at) ||
      valueTexts.has(line.text.trim()) ||
      hasPassed(line.text) ||
      (isIdle && isOfTable(line.text)),
  );
  return {
    ...findings,
    outline,
    failures,
    highest,
    lists: outline.lists.filter((list) => saysWhatIsWrong(list, failures)),
    unrelated: unrelatedWarnings(failures),
    tallies: found.some(isExcused) ? withoutThrown(findings.tallies) : findings.tallies,
    saidAgain,
    banner: bannerIn(outline, failures),
    sameReasons: sameReasonsIn(failures),
    throwing: throwingSourceIn(outline),
  };
}

/** Whether a test that has passed has thrown it. */
function isExcused({ severity, block }: StoredFailure): boolean {
  return block.severity === SEVERITY.thrown && severity < SEVERITY.thrown;
}

/** Most of what was thrown, tests have logged. */
function withoutThrown(tallies: Findings['tallies']): Findings['tallies'] {
  return new Map([...tallies].filter(([severity]) => severity !== SEVERITY.thrown));
}

/** As severe as it was before a test passed below it. */
function raised(stored: StoredFailure): StoredFailure {
  return { ...stored, severity: Math.max(stored.severity, SEVERITY.thrown) };
}

/** Counts the problems of a linter that has passed. */
const NO_ERRORS = /\b\d+ problems? \(0 errors, |\b0 errors and \d+ warnings? potentially fixable\b/;

/** Whether a run may have failed because too little is covered: then a table says of what. */
function saysTooLittle(failures: readonly StoredFailure[], { closing }: Outline): boolean {
  return [...failures.map(({ block }) => block.headline), ...closing].some(({ text }) =>
    saysTooLittleCovered(text),
  );
}

const TAG = /^\[\w+\] /;
/** Counts the warnings among the problems, also beside errors. */
const COUNTS_WARNINGS = /\b(?:aborted|finished) with (?:problems, )?\d+ warnings?\b/i;

/**
 * Where the output says that warnings made a command fail, and has no error at a place above, or counts them with the
 * errors, they are errors. The other stream may bring all of them below.
 */
function reportedIn({ failures, outline, warningsFailedAt }: Findings): readonly StoredFailure[] {
  if (warningsFailedAt === -1) return failures;
  const statement = (outline.all ?? outline.tail).find(({ at }) => at === warningsFailedAt);
  // A formatter puts a tag before its own warnings: those of other tools are none of these.
  const tag = TAG.exec(statement?.text ?? '')?.[0] ?? '';
  const areCounted = statement !== undefined && COUNTS_WARNINGS.test(statement.text);
  const above = failures.filter(({ block: { headline } }) => headline.at <= warningsFailedAt);
  const isMeant = (stored: StoredFailure) =>
    isWarning(stored) &&
    stored.block.headline.text.startsWith(tag) &&
    !treatsWarningsAsErrors(stored.block.headline.text);
  const meant = above.some(isMeant) ? above : failures;
  if (!areCounted && meant.some(({ severity }) => severity === SEVERITY.located)) return failures;
  const isRaised = (stored: StoredFailure) =>
    isWarning(stored) && stored.block.headline.text.startsWith(tag) && meant.includes(stored);
  return failures.map((stored) => (isRaised(stored) ? { ...stored, severity: SEVERITY.thrown } : stored));
}

/** What passed below an error excuses it: it was expected. Where nothing else is wrong, nothing does. */
function withoutExcuses(failures: readonly StoredFailure[]): readonly StoredFailure[] {
  if (highestOf(failures) >= SEVERITY.tagged) return failures;
  const isExcused = ({ severity, block }: StoredFailure) =>
    severity === SEVERITY.mentioned && block.severity >= SEVERITY.thrown;
  return failures.map((stored) =>
    isExcused(stored) ? { ...stored, severity: stored.block.severity } : stored,
  );
}

/** With warnings about a line as errors, where they may be why their script has failed. */
function withWarnedScripts(
  failures: readonly StoredFailure[],
  lines: readonly Line[],
): readonly StoredFailure[] {
  const warned = warnedScriptsIn(lines, failures);
  const isRaised = (stored: StoredFailure) =>
    isWarning(stored) && warned.has(stored.block.headline.at) && namesLine(stored.block.headline.text);
  return failures.map((stored) => (isRaised(stored) ? { ...stored, severity: SEVERITY.located } : stored));
}

/**
 * That a command has failed is no cause: its end is not severer than what else was found. Where that is nothing sure, all
 * that was printed may say why.
 */
function withMinorEnds(failures: readonly StoredFailure[]): readonly StoredFailure[] {
  const causes = failures.filter((stored) => !isBareEnd(stored));
  const highest = highestOf(causes);
  return failures.map((stored) =>
    stored.severity > highest && isBareEnd(stored) ? { ...stored, severity: highest } : stored,
  );
}

/** An error that a test has logged, behind the dots of those before it. */
const LOGGED = /^[\s.]*\[?error\b[\]:]/i;

/** Whether a line was logged by a test, where all that failed is that too little is covered: then it has passed. */
function loggedByPassed(failures: readonly StoredFailure[]): (text: string) => boolean {
  const causes = failures.filter((stored) => stored.severity >= SEVERITY.thrown && !isBareEnd(stored));
  const isOfCode = ({ block }: StoredFailure) => saysTooLittleCovered(block.headline.text);
  if (causes.length === 0 || !causes.every(isOfCode)) return () => false;
  return (text) => LOGGED.test(text) && !COMMAND_END.test(text) && !saysTooLittleCovered(text);
}

/** A name of a rule, or a code, and nothing that differs. */
const IS_RULE = /^[\w@/.-]+$/;

/** Whether a failure breaks the same rule at the same place as one above: a compiler has read a file twice, for its tests. */
function placedAgainIn(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const places = new Set<string>();
  const again = new Set<FailureBlock>();
  for (const { severity, kind, block } of failures) {
    const pointer = block.lines.find(({ at, text }) => at > block.headline.at && isPlacePointer(text));
    if (severity !== SEVERITY.located || !pointer || !IS_RULE.test(kind)) continue;
    const place = `${kind} ${pointer.text}`;
    if (places.has(place)) again.add(block);
    places.add(place);
  }
  return ({ block }) => again.has(block);
}

/** A suite of Node.js of which only its tests, above, have failed. */
const OF_SUBTESTS = /^\s*failureType: 'subtestsFailed'$/;

function isOfSubtests({ block }: StoredFailure): boolean {
  return block.lines.some(({ text }) => OF_SUBTESTS.test(withoutPrefix(text)));
}

/** Whether a failure is a suite, beside a test that has failed. */
function suitesIn(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const isTest = (stored: StoredFailure) => stored.severity === SEVERITY.failedTest && !isOfSubtests(stored);
  return failures.some(isTest) ? isOfSubtests : () => false;
}

/** What an exception says, in pytest. */
const RAISED = /^E\s+(\S.*)$/;

/** Whether a package has raised what is raised again, with the same words, by the last exception of the test's chain. */
function raisedAgainIn(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const lasts = new Map<string, FailureBlock>();
  const keyOf = ({ headline, lines }: FailureBlock) => {
    const test = lines.find(({ text }) => isTestTitle(text))?.at;
    const said = RAISED.exec(headline.text)?.[1];
    return test === undefined || said === undefined ? undefined : `${test} ${said}`;
  };
  for (const { block } of failures) {
    const key = keyOf(block);
    if (key !== undefined) lasts.set(key, block);
  }
  return ({ block }) => {
    const key = keyOf(block);
    const isLast = key === undefined || lasts.get(key) === block;
    return !isLast && !block.lines.some(({ text }) => namesPlace(text));
  };
}

/** Above what a test has printed or logged, in pytest. */
const CAPTURED = /^-+ Captured \w+ \w+ -+$/;

/** Whether a failure is the stack that a framework has logged of an exception that the same test has raised. */
function capturedAgainIn(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const raised = new Set<string>();
  const again = new Set<FailureBlock>();
  let test: number | undefined;
  for (const { block } of failures) {
    const errors = block.lines.filter(({ priority }) => priority === PRIORITY.error).map(({ text }) => text);
    if (block.lines.some(({ text }) => CAPTURED.test(text))) {
      if (raised.has(errors.at(-1) ?? '')) again.add(block);
      continue;
    }
    const title = block.lines.find(({ text }) => isTestTitle(text))?.at;
    if (title !== test) raised.clear();
    test = title;
    for (const text of errors.flatMap((error) => RAISED.exec(error)?.[1] ?? [])) raised.add(text);
  }
  return ({ block }) => again.has(block);
}

/** How jsdom logs what a component has thrown, and React where. */
const UNCAUGHT = /^\s*Error: Uncaught \[(?:Error: )?(.+?)\]?$/;
const ABOVE = /^\s*The above error occurred in (?:the <|one of your React components)/;

/** Whether a failure is what jsdom and React have logged of an error that a failed test names, too. */
function loggedByReact(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const messages = failures.flatMap(({ block }) =>
    block.lines.flatMap(({ text }) => UNCAUGHT.exec(text)?.[1] ?? []),
  );
  const said = failures
    .filter(({ block }) => block.severity === SEVERITY.failedTest)
    .flatMap(({ block }) => block.lines.map(({ text }) => text));
  const areSaid = messages.length > 0 && messages.every((each) => said.some((text) => text.includes(each)));
  const isLogged = ({ text }: Line) => UNCAUGHT.test(text) || ABOVE.test(text);
  return ({ block }) => areSaid && block.severity !== SEVERITY.failedTest && block.lines.some(isLogged);
}

/** Findings of one rule of a linter: so many are shown of more, beside an error that is worse. */
const SHOWN_OF_RULE = 3;
const MANY_OF_RULE = 8;

/** Whether a line is a further finding of a rule of which there are many; the linter has no word for how bad they are. */
function minorAgainIn(failures: readonly StoredFailure[]): (line: Line) => boolean {
  const minor = failures.filter(
    ({ severity, kind, block }) =>
      severity === SEVERITY.thrown && IS_RULE.test(kind) && namesLine(block.headline.text),
  );
  const byRule = new Map<string, number[]>();
  for (const { kind, block } of minor) {
    const places = byRule.get(kind);
    if (places) places.push(block.headline.at);
    else byRule.set(kind, [block.headline.at]);
  }
  const many = [...byRule].filter(([, { length }]) => length >= MANY_OF_RULE);
  if (many.length === 0 || highestOf(failures) <= SEVERITY.thrown) return () => false;
  const shown = new Set(many.flatMap(([, places]) => places.slice(0, SHOWN_OF_RULE)));
  return ({ at, text }) =>
    !shown.has(at) && many.some(([rule]) => text.includes(` ${rule} `)) && namesLine(text);
}

/** A shorter value, or message, may be another one. */
const MIN_VALUE = 10;
const MIN_MESSAGE = 16;

/** Whether a failure is the stack that a program has logged of an exception which a failed test below names, too. */
function loggedBelow(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const lastAt = new Map(
    failures
      .filter(({ block }) => isUnittestTitle(block.headline.text))
      .flatMap(({ block }) => block.lines.map(({ at, text }) => [text, at] as const)),
  );
  return ({ severity, block: { headline, lines } }) => {
    const isLogged = lines.some(({ text }) => isTraceback(text)) && !isUnittestTitle(headline.text);
    if (severity < SEVERITY.thrown || !isLogged) return false;
    return lines.some(
      ({ at, text, priority }) =>
        priority === PRIORITY.error &&
        text.length >= MIN_MESSAGE &&
        !isTraceback(text) &&
        (lastAt.get(text) ?? 0) > at,
    );
  };
}

/** Where a template is used. */
const USED_HERE = /^\S+:\d+:\d+:\s+required from here$/;
/** An error in a header of a library. */
const IN_HEADER = /^\S*\/include\/\S+:\d+:\d+: error: /;

/** Whether a failure is what a compiler finds in a header of a library for the use of it that the error above is about. */
function cascadesIn(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  const uses = new Set<string>();
  const cascades = new Set<FailureBlock>();
  let last: string | undefined;
  for (const { severity, block } of failures) {
    if (severity !== SEVERITY.located) continue;
    const isInHeader = IN_HEADER.test(block.headline.text) && isExternalPlace(block.headline.text);
    const use = block.lines.find(({ text }) => USED_HERE.test(text) && !isExternalPlace(text))?.text;
    last = use ?? (isInHeader ? last : block.headline.text);
    if (last === undefined) continue;
    if (isInHeader && uses.has(last)) cascades.add(block);
    uses.add(last);
  }
  return ({ block }) => cascades.has(block);
}

function highestOf(failures: readonly StoredFailure[]): number {
  return Math.max(0, ...failures.map(({ severity }) => severity));
}

/** Whether a failure is the end of a command, without a reason. */
function isBareEnd({ severity, block: { headline, lines } }: StoredFailure): boolean {
  return (
    severity < SEVERITY.failedTest &&
    COMMAND_END.test(headline.text) &&
    !lines.some(({ at, priority }) => at < headline.at && priority === PRIORITY.error)
  );
}

function isWarning({ severity }: StoredFailure): boolean {
  return severity === SEVERITY.warning;
}

/** Without some of their lines; each keeps its headline. */
export function withoutLines(
  failures: readonly StoredFailure[],
  isWasted: ReadonlySet<number>,
): readonly StoredFailure[] {
  return failures.map((stored) => {
    const { block } = stored;
    const lines = block.lines.filter((line) => !isWasted.has(line.at) || line.at === block.headline.at);
    return { ...stored, block: { ...block, lines } };
  });
}
