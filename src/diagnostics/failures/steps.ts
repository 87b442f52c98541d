/** Steps: what was done on the way to a failure, and ended well. */

import { classificationOf, severityOf } from '../lines/classify.ts';
import { shapeOf } from '../lines/likeness.ts';
import { withoutPrefix } from '../lines/prefix.ts';
import { COMMAND_END, SEVERITY } from '../lines/rules.ts';
import { isFrame } from '../lines/stack-frames.ts';
import {
  hasWords,
  isCode,
  isDetail,
  isMember,
  isValue,
  namesLine,
  startsCommand,
} from '../lines/structure.ts';
import { detached, type Line, PRIORITY, placesOf, positionsOf, type StoredFailure } from './failure.ts';
import { saysFault } from './lists.ts';
import { NAMELESS, SCRIPT } from './script-chains.ts';
import { stepTitlesIn } from './step-titles.ts';
import { Vocabulary } from './vocabulary.ts';

/** Fewer lines may be those that a diff adds. */
const MIN_TRACED = 10;
/** Commands right before a failure, or the end, may have caused it. */
const NEAR_LINES = 2;
/** What a shell prints before it runs a command: `+ make`, `++ cat VERSION`. */
const TRACED = /^\++ \S/;
/** What most scripts do at some point, and no text. */
const OF_SHELL =
  /^\++ (?:\S+:\d+: )?(?:\[\[? |\w+=|(?:test|cd|echo|printf|export|set|local|case|for|eval|exec|return|shift|mkdir|rm|cp|mv|tee|trap|source|\.|true|false|:|'\[\[?')(?: |$)|\w+\+?=)/;
/** With the place of the command in a script, it is no line that a diff adds. */
const PLACED = /^\++ \S+\.[a-z]*sh:\d+: /;
const REMOVED = /^-+ \S/;

/**
 * Without the commands that a shell has traced (`set -x`), except for programs right before a failure, and the last ones.
 * Where lines were removed among them, it is a diff.
 */
export function withoutTrace(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const ofDiffs = diffsIn(lines);
  const traced = lines.filter((line) => TRACED.test(line.text) && !ofDiffs.has(line));
  const mayBeAdded = traced.length < MIN_TRACED || !traced.some(({ text }) => OF_SHELL.test(text));
  if (mayBeAdded && !traced.some(({ text }) => PLACED.test(text))) return [...lines];
  const wrong = new Set(
    failures.filter(({ severity }) => severity > SEVERITY.warning).map(({ block }) => block.headline.at),
  );
  const isNear = (index: number) =>
    lines.slice(index, index + NEAR_LINES + 1).some(({ at }) => wrong.has(at));
  return lines.filter((line, index) => {
    if (!traced.includes(line) || index >= lines.length - NEAR_LINES) return true;
    return isNear(index) && isTracedProgram(line.text);
  });
}

/** Whether a line is a program that a shell runs, as it has traced it. */
export function isTracedProgram(text: string): boolean {
  return TRACED.test(text) && !OF_SHELL.test(text);
}

/** What a diff has between the lines that were added or removed: nothing, and lines that are the same. */
const BETWEEN = /^(?: |$)/;

/** The lines in rows of those that were added or removed, if some were removed. */
function diffsIn(lines: readonly Line[]): ReadonlySet<Line> {
  const diffs = new Set<Line>();
  let row: Line[] = [];
  for (const line of [...lines, undefined]) {
    const isChange = line && (TRACED.test(line.text) || REMOVED.test(line.text));
    if (isChange) row.push(line);
    else if (!line || !BETWEEN.test(line.text)) {
      if (row.some(({ text }) => REMOVED.test(text))) for (const change of row) diffs.add(change);
      row = [];
    }
  }
  return diffs;
}

/** A command that builds a program, with the file that it writes. */
const BUILDS = /^[\w./+-]+ (?:.* )?-o (\S+)(?: |$)/;

/** Without the commands that have built what was run, or linked, later: they ended well. */
export function withoutBuilds(lines: readonly Line[]): Line[] {
  const said = lines.map(({ text }) => withoutPrefix(text));
  const isUsed = (file: string, text: string) =>
    text.split(' ').some((word) => pathOf(word) === file) &&
    builtBy(text) !== file &&
    severityOf(classificationOf(text)) === 0;
  return lines.filter((_, index) => {
    const file = builtBy(said[index] ?? '');
    return file === undefined || !said.slice(index + 1).some((text) => isUsed(file, text));
  });
}

function builtBy(command: string): string | undefined {
  const [, file] = BUILDS.exec(command) ?? [];
  return file === undefined ? undefined : pathOf(file);
}

function pathOf(word: string): string {
  return word.replace(/^\.\//, '');
}

/** How far apart the lines of one step may be: package managers print the name of a script, a blank line, and its command. */
const STEP_REACH = 2;
/** The title of a step of a script, or of a runner. */
const ANNOUNCED = /^(?:==+>|⧗|\$|▶|🏃) +\S/u;
/** The marks of lines that announce a step; the rest of the line says which. */
const MARKS: readonly RegExp[] = [
  /^> (?:Task :|nx run |@?[\w./-]+:[\w:-]+$|@?[\w./-]+@\d\S* [\w:.-]+$)/,
  ANNOUNCED,
  // A task of Gradle's plain console, also if there was nothing to do.
  /^:[a-z][\w-]*(?::[a-z][\w-]*)*(?: [A-Z]+-[A-Z-]+| SKIPPED)?$/,
  // A compiler or a linker, with its output.
  /^([\w./+-]+) (?:.* )?-[co] \S/,
];
/** What a package manager prints before the output of a script: its command, below its name. */
const COMMAND = /^> (?!\d|Task )\S/;

/**
 * Without the names of the scripts of a package where no other package has one: their commands are shown. A failure has the
 * name above it if several packages have scripts.
 */
export function withoutScriptNames(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const packageOf = ({ text }: Line) => SCRIPT.exec(withoutPrefix(text))?.[1];
  const packages = new Set(lines.flatMap((line) => packageOf(line) ?? []));
  if (packages.size !== 1) return [...lines];
  const announced = new Set(
    failures.flatMap(({ block: { lines: own } }) =>
      own.filter(({ priority }) => priority >= PRIORITY.detail).map(({ at }) => at),
    ),
  );
  const isAboveCommand = (line: Line, next: Line | undefined) =>
    packageOf(line) !== undefined && next?.at === line.at + 1 && COMMAND.test(withoutPrefix(next.text));
  return lines.filter((line, index) => announced.has(line.at) || !isAboveCommand(line, lines[index + 1]));
}

/** npm names each workspace in which a script has failed. */
const FAILED_WORKSPACE = /^npm (?:error|ERR!) workspace (\S+)$/;
const OF_NPM = /^npm (?:error|ERR!) /;

/**
 * The positions of what the scripts of other workspaces have printed below their names, where npm says in which ones a
 * script has failed; none if something is sure to be wrong there.
 */
export function passedWorkspacesIn(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
): ReadonlySet<number> {
  const failed = new Set(lines.flatMap(({ text }) => FAILED_WORKSPACE.exec(text)?.[1] ?? []));
  const passed = new Set<number>();
  let workspace: string | undefined;
  for (const { at, text } of failed.size > 0 ? lines : []) {
    const named = SCRIPT.exec(text)?.[1];
    workspace = OF_NPM.test(text) ? undefined : (named ?? workspace);
    if (workspace !== undefined && named === undefined && !failed.has(workspace)) passed.add(at);
  }
  const isWrong = failures.some(
    ({ severity, block }) => severity >= SEVERITY.thrown && passed.has(block.headline.at),
  );
  return isWrong ? new Set() : passed;
}

/** Where npm names workspaces in which a script has failed, unless the name of that script is shown. */
export function unnamedWorkspacesIn(lines: readonly Line[], shown: readonly Line[]): Line[] {
  const named = new Set(shown.flatMap(({ text }) => SCRIPT.exec(withoutPrefix(text))?.[1] ?? []));
  return lines.filter(({ text }) => {
    const workspace = FAILED_WORKSPACE.exec(text)?.[1];
    return workspace !== undefined && !named.has(workspace);
  });
}

/** How a runner of several scripts (npm-run-all) names the last one that has failed. */
const FAILED_SCRIPT = /^ERROR: "([\w.:-]+)" exited with /;

/** The name of the script that a line says has failed, if any. */
export function failedScriptIn(text: string): string | undefined {
  return FAILED_SCRIPT.exec(text)?.[1];
}

/** What a tool says at the end that has found nothing wrong. */
const NOTHING_WRONG =
  /^\W*(?:Success: no issues found\b|All done!|All checks passed!|All matched files use\b|Summary: 0 error|Your code has been rated at 10\.00\/10|OK \(\d+ tests?\b|(?:Tests +)?\d+ passed\b(?!.*\b(?:failed|error)))/;

export function saysNothingWrong(said: string): boolean {
  return NOTHING_WRONG.test(said);
}

/**
 * The positions of what scripts have printed that have ended well, where another one has failed, and of their names. One
 * has ended well if it has found nothing wrong, if it ran after the last one that failed, or if another one that failed
 * was run after it: without an option for that, no runner goes on after a failure.
 */
export function passedScriptsIn(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
): ReadonlySet<number> {
  const wrong = failures.filter(({ severity }) => severity > SEVERITY.warning);
  const isSure = wrong.some(({ severity }) => severity >= SEVERITY.thrown);
  const ends = new Set(
    wrong.flatMap(({ block: { headline } }) => (COMMAND_END.test(headline.text) ? headline.at : [])),
  );
  const faults = placesOf(wrong);
  const scripts = scriptsIn(lines).map((script) => {
    const end = script.findIndex(({ at }) => ends.has(at));
    return end === -1 ? script : script.slice(0, end);
  });
  const end = lines.findLast(({ text }) => FAILED_SCRIPT.test(text))?.text ?? '';
  const failed = scripts.findLastIndex((script) => hasFailed(script, end));
  const isAfterFailed = (index: number) => failed !== -1 && index > failed;
  // What runs others has not ended when they begin.
  const runsOthers = (script: readonly Line[]) => script.some(({ text }) => RUNS_OTHERS.test(text));
  const hasFault = (script: readonly Line[]) => script.some(({ at }) => faults.has(at));
  const lastWrong = goesOn(lines) ? -1 : scripts.findLastIndex(hasFault);
  const passed = scripts.filter(
    (script, index) =>
      ((index < lastWrong && !runsOthers(script)) ||
        (isSure && (isAfterFailed(index) || script.some(({ text }) => saysNothingWrong(text))))) &&
      !hasFault(script),
  );
  // Beside the name of another package, that of the one that failed is shown.
  const packages = new Set(scripts.map(([title]) => SCRIPT.exec(title?.text ?? '')?.[1]));
  const isSpare = ({ text }: Line) => !ANNOUNCED.test(text) && (packages.size === 1 || !COMMAND.test(text));
  return new Set(passed.flat().flatMap((line) => (isSpare(line) ? line.at : [])));
}

/**
 * The positions of the steps in which nothing is wrong, with their titles, above the last one in which something is sure to
 * be: one that had failed would have ended the script, or have said why. What has a name of the failure stays, unless it is
 * a command.
 */
export function passedStepsIn(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
): ReadonlySet<number> {
  const titles = stepTitlesIn(lines);
  const isScript = ({ text }: Line, next: Line | undefined) =>
    NAMELESS.test(text) && announcesCommand(next?.text ?? '') && !SEVERAL.test(next?.text ?? '');
  const starts = lines.flatMap((line, index) =>
    titles.has(line) || isScript(line, lines[index + 1]) ? index : [],
  );
  const steps = starts.map((start, index) => lines.slice(start, starts[index + 1]));
  const sure = failures.filter(({ severity }) => severity >= SEVERITY.thrown);
  const [places, vocabulary] = [placesOf(sure), new Vocabulary(sure.map(({ block }) => block))];
  const faults = placesOf(failures.filter(({ severity }) => severity > SEVERITY.warning));
  const last = steps.findLastIndex((step) => step.some(({ at }) => places.has(at)));
  const passed = steps.slice(0, Math.max(last, 0)).filter((step) => !step.some(({ at }) => faults.has(at)));
  const mayExplain = (line: Line) => !announcesCommand(line.text) && vocabulary.hasNameOf(line);
  return new Set(passed.flat().flatMap((line) => (mayExplain(line) ? [] : line.at)));
}

/** A command that may run scripts of packages. */
const RUNS_OTHERS =
  /^> (?:.*[\s/])?(?:npm|pnpm|yarn|bun|turbo|nx|lerna|lage|wireit|make|concurrently|start-server-and-test|npm-run-all2?|run-[ps]|(?:ba|z)?sh|[\w.-]+\.sh)(?: |$)/;

/** The command of a runner of scripts (npm-run-all) that goes on after a script that has failed. */
const GOES_ON = /^> (?:run-[sp]|npm-run-all2?) (?:.* )?(?:-c|--continue-on-error)(?: |$)/;

function goesOn(lines: readonly Line[]): boolean {
  return lines.some(({ text }) => GOES_ON.test(text));
}

/**
 * The positions of scripts that may have failed because of their warnings: the runner goes on after a script that has
 * failed, and names only the last one.
 */
export function warnedScriptsIn(
  lines: readonly Line[],
  failures: readonly StoredFailure[],
): ReadonlySet<number> {
  if (!goesOn(lines)) return new Set();
  const faults = positionsOf(failures.filter(({ severity }) => severity > SEVERITY.warning));
  const warned = scriptsIn(lines).filter(
    (script) => !script.some(({ at, text }) => faults.has(at) || saysNothingWrong(text)),
  );
  return new Set(warned.flat().map(({ at }) => at));
}

/** The lines of the script that has failed, below its name; all lines if it is not named, or not among them. */
export function ofFailedScript(lines: readonly Line[], end: string): readonly Line[] {
  return (
    scriptsIn(lines)
      .findLast((script) => hasFailed(script, end))
      ?.slice(1) ?? lines
  );
}

/** The lines of each script, from its name on. */
function scriptsIn(lines: readonly Line[]): Line[][] {
  const starts = lines.flatMap(({ text }, index) => (startsCommand(text) ? index : []));
  return starts.map((start, index) => lines.slice(start, starts[index + 1]));
}

/** Whether a script is the one that the line of a runner names. */
function hasFailed([title]: readonly Line[], end: string): boolean {
  const failed = FAILED_SCRIPT.exec(end)?.[1];
  return failed !== undefined && (title?.text.endsWith(` ${failed}`) ?? false);
}

/** The title of a step of a script. */
const TITLE = /^==+> +\S/;

/** Lines of one form may differ in what announces a step, but not in this. */
export function mayAnnounceStep(text: string): boolean {
  return text.startsWith('> ') || text.startsWith('==');
}

/** Of several commands, the last ones are still to be run. */
const SEVERAL = / (?:&&|\|\|) |; /;

/** The command that runs, on either stream: of several, the reader does not know which one failed. */
export class RunningCommand {
  #count = 0;
  /** Its title, the name of the script, and the command. */
  #lines: Line[] = [];
  /** Those whose scripts have begun, up to two. */
  readonly #packages = new Set<string>();

  take(line: Line): void {
    const last = this.#lines.at(-1);
    const isBelow = last && line.at - last.at <= STEP_REACH;
    const isName = TITLE.test(line.text) || startsCommand(line.text);
    const owner = SCRIPT.exec(line.text)?.[1] ?? (!isBelow && NAMELESS.test(line.text) ? '' : undefined);
    if (owner !== undefined && this.#packages.size < 2) this.#packages.add(owner);
    if (isName && !isBelow) {
      this.#count++;
      this.#lines = [detached(line)];
    } else if (isBelow && (isName || COMMAND.test(line.text))) this.#lines.push(detached(line));
  }

  /**
   * How it was announced, once: the first failure in it needs that.
   *
   * @param headline of the failure: a runner may name the script that has failed, which may be an earlier one
   */
  announced(headline: string): readonly Line[] {
    if (FAILED_SCRIPT.test(headline) && !hasFailed(this.#lines, headline)) return [];
    // Below other lines, it is not the first one.
    const isFurther = ({ at, text }: Line) => at >= START && startsCommand(text);
    const areSeveral =
      this.#count > 1 || this.#lines.some((line) => isFurther(line) || SEVERAL.test(line.text));
    if (!areSeveral) return [];
    return this.#lines.splice(0).filter(({ text }) => this.#packages.size > 1 || !SCRIPT.test(text));
  }
}

/** The first lines of an output: the name of a script, a blank line, and its command. */
const START = 4;
/** A command without options says no more than what was called. */
const PLAIN_COMMAND = /^> [\w@./-]+(?: \w[\w@./:-]*)?$/;

/**
 * Without the commands of scripts that another one follows at once, and without the only one at the start where something
 * is sure to have failed: the reader knows what was called.
 */
export function withoutEchoes(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const full = lines.filter(({ text }) => text !== '');
  const commands = new Set(full.filter(({ text }) => isCommand(withoutPrefix(text))));
  const isSure = failures.some(({ severity }) => severity >= SEVERITY.thrown);
  const isOnly = ({ at, text }: Line) =>
    isSure && at < START && commands.size === 1 && PLAIN_COMMAND.test(text);
  const echoes = new Set(
    full.filter((line, index) => {
      const next = full[index + 1];
      const isDone = next && next.at > line.at + 1 && commands.has(next) && !SEVERAL.test(line.text);
      return commands.has(line) && (isOnly(line) || isDone);
    }),
  );
  return lines.filter((line) => !echoes.has(line));
}

/** What is printed before the output of a command: itself, or the name of its script. */
export function announcesCommand(text: string): boolean {
  return COMMAND.test(text);
}

/** What a package manager prints before the output of a script, but for the name of its package. */
export function isCommand(text: string): boolean {
  return COMMAND.test(text) && !MARKS.some((mark) => mark.test(text));
}

/**
 * Without the steps that another step of their kind follows, with nothing shown in between: they ended well. Where nothing
 * is sure to have failed, they may say where it did.
 */
export function withoutSilentSteps(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const sure = failures.filter(({ severity }) => severity >= SEVERITY.thrown);
  if (sure.length === 0) return [...lines];
  const wrong = new Set(sure.map(({ block }) => block.headline.at));
  const silent = new Set<Line>();
  let step: { readonly kind: string; readonly lines: Line[] } | undefined;
  for (const line of lines) {
    if (line.text === '') continue;
    const kind = wrong.has(line.at) ? undefined : kindOf(line.text);
    if (step && kind === undefined && isCommandOf(step.lines, line)) {
      step.lines.push(line);
      continue;
    }
    if (step && step.kind === kind) for (const announced of step.lines) silent.add(announced);
    step = kind === undefined ? undefined : { kind, lines: [line] };
  }
  return lines.filter((line) => !silent.has(line));
}

function isCommandOf(step: readonly Line[], { at, text }: Line): boolean {
  const above = step.at(-1);
  return above !== undefined && at - above.at <= STEP_REACH && COMMAND.test(withoutPrefix(text));
}

/** What a step has in common with those of its kind: the mark, and the name of a program. */
function kindOf(text: string): string | undefined {
  const said = withoutPrefix(text);
  for (const mark of MARKS) {
    const match = mark.exec(said);
    if (match) return `${mark.source} ${match[1] ?? ''}`;
  }
  return undefined;
}

/** A mark in the place of fewer lines would say less. */
const MIN_ALIKE = 3;
/** Among so many, also a result says nothing beside an error that is sure. */
export const MANY_ALIKE = 10;
/** Steps of a loop print up to so many lines each. */
const PERIODS = [1, 2] as const;

const HASH = /\b(?=[a-f]*\d)[\da-f]{6,}\b/gi;
const NUMBER = /\d+/g;
const TIME = /\d+:\d\d:\d\d[.,\d]*/g;
const WORDS = /^(?=.*\s).*\p{L}{2}/u;
/** A number behind its name, a share, or the size of a file: a result, which may be what is wrong. */
const MEASURED = /[:=]\s*["'(]?[-+]?\d|\d\s?%|\w\.\w+\s.*\b\d[\d.,]*\s?[kKMGT]i?B\b/;
/** A record of a log. */
const RECORD = /^\s*\{.*\}$/;

/**
 * Without the lines between the first and the last of those that differ in numbers only, such as the steps of a loop:
 * they repeat themselves. What is wrong, its details, code and values stay, and so do names without words around them.
 */
export function withoutAlike(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const details = new Set(
    failures.flatMap(({ block }) =>
      block.lines.filter(({ priority }) => priority >= PRIORITY.detail).map(({ at }) => at),
    ),
  );
  const isSure = failures.some(({ block }) => block.severity >= SEVERITY.thrown);
  const steps = lines.map(({ at, text }) => (details.has(at) ? undefined : stepOf(text, isSure)));
  const isBetween = (index: number) =>
    steps[index] !== undefined &&
    PERIODS.some((n) => steps[index - n] === steps[index] && steps[index + n] === steps[index]);
  const kept: Line[] = [];
  let between: Line[] = [];
  const endRun = () => {
    const isResult = between.some(({ text }) => isMeasured(text));
    if (between.length < (isResult ? MANY_ALIKE : MIN_ALIKE)) kept.push(...between);
    between = [];
  };
  for (const [index, line] of lines.entries()) {
    if (isBetween(index)) between.push(line);
    else {
      endRun();
      kept.push(line);
    }
  }
  endRun();
  return isSure ? lastOfRuns(kept, failures) : kept;
}

/** Fewer equal lines may be rows of a table, or arguments. */
const MIN_EQUAL = 5;

/** Before an item of a numbered list. */
const ORDINAL = /^\s*\d+[.)] /;

/** Without the same line again, right below itself, or the same item: the mark of the gap says how often it was printed. */
export function withoutSameBelow(lines: readonly Line[]): Line[] {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const above = run?.at(-1);
    if (
      run &&
      above &&
      above.text.replace(ORDINAL, '') === line.text.replace(ORDINAL, '') &&
      above.at === line.at - 1
    )
      run.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((run) => {
    const [{ text } = { text: '' }] = run;
    return run.length < MIN_EQUAL || !hasWords(text) || isDetail(text) ? run : run.slice(0, 1);
  });
}

/** Without the first of each run of steps: where it is sure what is wrong, only the last says how far the run was. */
function lastOfRuns(lines: readonly Line[], failures: readonly StoredFailure[]): Line[] {
  const ofFailures = positionsOf(failures);
  const steps = lines.map(({ at, text }) => (ofFailures.has(at) ? undefined : stepOf(text, true)));
  const isFollowed = (index: number) => {
    const step = steps[index];
    if (step === undefined || steps[index + 1] !== step) return false;
    const { at = 0, text = '' } = lines[index] ?? {};
    const left = (lines[index + 1]?.at ?? at) - at - 1;
    if (isMeasured(text)) return left >= MANY_ALIKE;
    return left >= MIN_ALIKE || steps[index + 2] === step || steps[index - 1] === step;
  };
  return lines.filter((_, index) => !isFollowed(index));
}

/** A line without its numbers; undefined if it may say what is wrong. @param mayBeResult whether a result is a step */
export function stepOf(text: string, mayBeResult: boolean): string | undefined {
  if (!/\d/.test(text) || !WORDS.test(text) || !(mayBeResult ? mayBeNumbered(text) : mayBeStep(text)))
    return undefined;
  return text.replace(HASH, '0').replace(NUMBER, '0');
}

/** A name alone: what the line below is about. */
const NAME = /^\s*\S+$/;

/** Of the steps that look alike, the last, and the name above it. */
export function lastAlike<L extends Line>(lines: readonly L[]): L[] {
  const last = new Map(lines.map((line) => [shapeOf(line.text), line]));
  const isKept = (line: L | undefined) =>
    line !== undefined && (last.get(shapeOf(line.text)) === line || !mayBeStep(line.text));
  return lines.filter((line, index) => isKept(line) || (NAME.test(line.text) && isKept(lines[index + 1])));
}

/** Whether a line among others like it may be left out: it names no place, no result and no fault. */
export function mayBeStep(text: string): boolean {
  return mayBeNumbered(text) && (RECORD.test(withoutPrefix(text)) || !isMeasured(text));
}

/** Whether a line names no place and no fault. */
function mayBeNumbered(text: string): boolean {
  const said = withoutPrefix(text);
  const mayBeDetail = [isCode, isDetail, isFrame, isMember, isValue, saysFault];
  return (
    severityOf(classificationOf(text)) === 0 &&
    !mayBeDetail.some((question) => question(said)) &&
    (RECORD.test(said) || !namesLine(said))
  );
}

function isMeasured(text: string): boolean {
  return MEASURED.test(withoutPrefix(text).replace(TIME, ''));
}
