/** An output of several tasks, or of several steps of a script: what one of them prints says nothing about another. */

import { isConsequence, saysNothing } from '../failures/consequences.ts';
import type { Line } from '../failures/failure.ts';
import { isNoise, isOnTheWay } from '../failures/noise.ts';
import { isMixed, isRecipe, TARGET_FAILED } from '../failures/recipes.ts';
import { OF_TOX, stepTitlesIn, TOX } from '../failures/step-titles.ts';
import { announcesCommand, failedScriptIn } from '../failures/steps.ts';
import { classificationOf } from '../lines/classify.ts';
import { firstWord } from '../lines/line-text.ts';
import { taskOf } from '../lines/prefix.ts';
import { rememberedOf } from '../lines/remembered.ts';
import { COMMAND_END, SEVERITY } from '../lines/rules.ts';
import { startsCommand } from '../lines/structure.ts';
import { Condenser, type Findings } from './condenser.ts';
import { MOST_LINES } from './shown-prefixes.ts';
import { unwrapped } from './wrapper.ts';

/** A part of an output, as if it had been printed alone. */
export interface Part {
  /** What is shown before each of its lines. */
  readonly prefix: string;
  /** The title of a step, shown above its lines, and what the script says of it at its end. */
  readonly title?: string | undefined;
  readonly verdict?: string | undefined;
  readonly findings: Findings;
}

/** More do not fit into one excerpt. */
const MAX_PARTS = 16;

/**
 * The parts that failed, of an output that is known whole; none unless all others are sure to have passed. Of tasks and of
 * commands, at least two: one has the excerpt of the whole output.
 */
export const failedParts = rememberedOf(findFailedParts);

function findFailedParts({ outline: { all } }: Findings): Part[] {
  const bare = all && unwrapped(all.map(({ text }) => text));
  if (bare) return [{ prefix: '', findings: read(bare) }];
  const steps = all ? failedSteps(stepsIn(all)) : [];
  if (steps.length > 0) return steps;
  const targets = all ? failedTargetsIn(all) : [];
  if (targets.length > 0) return targets;
  const command = all && failedCommandIn(all);
  if (command) return [command];
  const parts = all ? partsOf(all) : [];
  if (parts.filter(({ isOfRunner }) => !isOfRunner).length < 2) return [];
  // Where the end of some tasks says that they failed, the others may log errors, but have no failed test.
  const listed = listedByNx(parts) ?? namedByPnpm(parts);
  if (listed)
    return listed.length > MAX_PARTS
      ? []
      : listed.map(({ title, lines }) => ({ prefix: '', title, findings: ofFailed(read(lines)) }));
  const areReported = parts.some(hasFailedEnd);
  const named = new Set(parts.flatMap(({ lines }) => lines.flatMap((text) => failedScriptIn(text) ?? [])));
  const failed: Part[] = [];
  const list: string[] = [];
  for (const part of parts) {
    const findings = read(part.lines);
    const least = areReported && !part.isOfRunner ? SEVERITY.located : SEVERITY.tagged;
    const isNamed = named.has(nameOf(part.prefix));
    const isWrong =
      isNamed ||
      (part.isOfRunner ? saysWhy(findings) : hasFailed(findings, least) || findings.warningsFailedAt !== -1);
    const { prefix, title } = part;
    if (hasFailedEnd(part) || isWrong) failed.push({ prefix, title, findings: ofFailed(findings) });
    else if (part.isOfRunner) list.push(...part.lines.filter(mentionsFailure));
    else if (!areReported && !part.isOfRunner && !part.lines.every(mayHavePassed)) return [];
  }
  if (failed.length < (areReported ? 1 : 2) || failed.length > MAX_PARTS) return [];
  return list.length > 0 ? [...failed, { prefix: '', findings: read(list) }] : failed;
}

interface PrintedPart {
  readonly prefix: string;
  readonly title?: string;
  /** Whether it is what the runner of the tasks, or of the commands, has printed. */
  readonly isOfRunner: boolean;
  readonly lines: string[];
}

function partsOf(whole: readonly Line[]): PrintedPart[] {
  const full = whole.filter(({ text }) => text !== '');
  const ofTasks = full.filter(({ prefix }) => taskOf(prefix) !== '');
  if (ofTasks.length >= MOST_LINES * full.length) return tasksIn(whole);
  // Beside tasks that print in turn, a command is that of one of them.
  return ofTasks.length <= (1 - MOST_LINES) * full.length ? commandsIn(whole) : [];
}

/** The tasks, between what their runner has printed before them, and the rest of that, which says how they have ended. */
function tasksIn(whole: readonly Line[]): PrintedPart[] {
  const tasks = new Map<string, PrintedPart>();
  const start: PrintedPart = { prefix: '', isOfRunner: true, lines: [] };
  const runner: PrintedPart = { ...start, lines: [] };
  for (const { text, prefix: own } of whole) {
    const prefix = taskOf(own);
    const ofRunner = tasks.size === 0 ? start : runner;
    const part = prefix === '' ? ofRunner : (tasks.get(prefix) ?? { prefix, isOfRunner: false, lines: [] });
    if (prefix !== '') tasks.set(prefix, part);
    const shown = [own, prefix].find((before) => before !== undefined && text.startsWith(before)) ?? '';
    part.lines.push(text.slice(shown.length));
  }
  // A blank line of a task has nothing but the prefix.
  const prefixes = new Set([...tasks.keys()].map((prefix) => prefix.trim()));
  const isOfTask = (text: string) => text !== '' && prefixes.has(text.trim());
  const withoutBlank = (part: PrintedPart) => ({
    ...part,
    lines: part.lines.filter((text) => !isOfTask(text)),
  });
  return [withoutBlank(start), ...tasks.values(), withoutBlank(runner)];
}

/** What Nx prints above a task, and above its summary. */
const NX = '> nx run ';
const OF_NX = /^> nx run [\w./@-]+:\S+$/;
const SUMMARY_OF_NX = /^ {1,2}NX {2,3}\S/;

/** The tasks that Nx lists as failed at its end; undefined if it lists none. */
function listedByNx(parts: readonly PrintedPart[]): PrintedPart[] | undefined {
  const end = parts.at(-1)?.lines ?? [];
  const start = end.indexOf('Failed tasks:');
  if (start === -1) return undefined;
  const listed = new Set(end.slice(start).flatMap((text) => /^- (\S+)$/.exec(text)?.[1] ?? []));
  const failed = parts.filter(({ title }) => title !== undefined && listed.has(title.slice(NX.length)));
  return failed.length > 0 ? failed : undefined;
}

/** How pnpm names the first script that has failed in a package: others may have run at the same time. */
const FAILED_IN_PACKAGE = /^\s*ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\s+(\S+ [\w:.-]+): /;

/** The script that pnpm names as failed; undefined if it names none, or does not print which ones it has started. */
function namedByPnpm(parts: readonly PrintedPart[]): PrintedPart[] | undefined {
  const lines = parts.flatMap((part) => part.lines);
  const named = lines.map((text) => FAILED_IN_PACKAGE.exec(text)?.[1]).find((name) => name !== undefined);
  const isNamed = ({ title }: PrintedPart) => title === `> ${named}` || title?.startsWith(`> ${named} `);
  const failed = parts.filter(isNamed);
  if (failed.length === 0) return undefined;
  // What it has printed on the other stream may be below another name.
  const isOther = (part: PrintedPart) => !isNamed(part) && saysMore(read(part.lines));
  return parts.some(isOther) ? undefined : failed;
}

/** Whether more is wrong than that a command has failed. */
function saysMore({ failures }: Findings): boolean {
  return failures.some(
    ({ severity, block }) => severity >= SEVERITY.tagged && !COMMAND_END.test(block.headline.text),
  );
}

function commandsIn(whole: readonly Line[]): PrintedPart[] {
  const isOfNx = whole.some(({ text }) => OF_NX.test(text));
  const commands: PrintedPart[] = [];
  for (const { text } of whole) {
    const task = OF_NX.test(text);
    const isStart = isOfNx ? task : startsCommand(text);
    const isEnd = isOfNx && SUMMARY_OF_NX.test(text);
    if (isStart || isEnd || commands.length === 0)
      commands.push({ prefix: '', isOfRunner: !isStart, lines: [], ...(isStart && { title: text }) });
    if (!task) commands.at(-1)?.lines.push(text);
  }
  const packages = new Set(commands.flatMap(({ title }) => title?.split(' ')[1] ?? []));
  // Those of one package are known by their commands, which are the next line.
  return isOfNx || packages.size > 1 ? commands : commands.map(({ title, ...rest }) => rest);
}

/** What a workflow of GitHub or Azure says of a group, and of an error in it. */
const GROUP_END = /^(?:::|##\[)endgroup(?:::|\])$/;
const ANNOTATED = /^(?:::error\b|##\[error\])/;
/** The last step of some scripts says how the others ended. */
const SUMMARY = /^summary\b/i;
/** What a script says of a step behind its name or before it, and of several before their names. */
const RESULT =
  '^\\W*(?:commands )?(?:(failed|failure|fail|error|broken|exit(?:ed)?(?: with)?(?: code| status)?\\W{1,2}[1-9]\\d*)|ok|pass(?:ed)?|succeeded|success|done|fine|exit\\W0)\\b';
const VERDICT = new RegExp(`${RESULT}(?: \\(.*\\))?\\W*(.*)$`, 'i');
const VERDICT_FIRST = new RegExp(`${RESULT}(?:: *| +)(\\S.*?)(?: \\(.*\\))?$`, 'i');
const FAILED_STEPS = /^\W*(?:(?:\d+ )?[\w()]+ )?(?:failed|FAILED)(?: steps?)?:? (.+)$/;
/** Before a name. */
const LEVEL = /^(?:::(?:error|warning|notice)::)?\W*(?:ERROR: +)?/;
/** What a script says of its steps is short. */
const MAX_VERDICT = 160;

interface Step {
  readonly name: string;
  /** Undefined for what was printed before the first one: it may be what the other stream brought. */
  readonly title: string | undefined;
  readonly lines: string[];
  /** Whether the script says that it failed, and the line that says only that. */
  hasFailed?: boolean;
  verdict?: string;
  /** Whether it has an error for the workflow: it failed, and others may have, too. */
  isAnnotated?: boolean;
}

interface Verdict {
  readonly step: Step;
  readonly hasFailed: boolean;
  /** Empty if the line says only whether the step has failed. */
  readonly reason: string;
}

/** The steps of a script; none if it has fewer than two with titles of one form. */
function stepsIn(whole: readonly Line[]): Step[] {
  const titles = stepTitlesIn(whole);
  if (titles.size === 0) return [];
  const steps: Step[] = [{ name: '', title: undefined, lines: [] }];
  for (const line of whole) {
    const { text } = line;
    const step = steps.at(-1);
    const title = titles.get(line);
    const verdict = verdictIn(text, steps);
    if (verdict) {
      verdict.step.hasFailed ||= verdict.hasFailed;
      if (verdict.reason !== '') step?.lines.push(text);
      else if (verdict.hasFailed) verdict.step.verdict ??= text;
      // What comes before the next title is about all steps.
      if (verdict.step === step) steps.push({ name: '', title: undefined, lines: [] });
    } else if (title && !(title.form === TOX && step?.name === title.name))
      steps.push({ ...title, title: text, lines: [] });
    else if (step && GROUP_END.test(text)) steps.push({ name: '', title: undefined, lines: [] });
    else {
      step?.lines.push(text);
      if (step?.title !== undefined && ANNOTATED.test(text)) step.isAnnotated = true;
    }
  }
  const listed = whole.flatMap(({ text }) =>
    text.length > MAX_VERDICT ? [] : (FAILED_STEPS.exec(text)?.[1] ?? []),
  );
  for (const step of steps)
    if (listed.some((names) => namesOf(step, steps).some((name) => hasName(names, name))))
      step.hasFailed = true;
  return steps;
}

/** What a script may call a step: its title, the first word of it, or the name of the file that it is. */
function namesOf({ name }: Step, steps: readonly Step[]): string[] {
  if (name === '') return [];
  const ofTitle = [firstWord, (title: string) => firstWord(title).replace(/^.*\//, '')];
  const short = ofTitle.flatMap((find) => {
    const isUnique = steps.filter((other) => find(other.name) === find(name)).length === 1;
    return isUnique ? find(name) : [];
  });
  return [...new Set([name, ...short])];
}

/** What a line says of a step that has begun, and why. */
function verdictIn(text: string, steps: readonly Step[]): Verdict | undefined {
  if (text.length > MAX_VERDICT) return undefined;
  const said = text.replace(LEVEL, '');
  const [, failed, name = ''] = VERDICT_FIRST.exec(text) ?? [];
  const ended = steps.find((step) => namesOf(step, steps).includes(name));
  if (ended) return { step: ended, hasFailed: failed !== undefined, reason: '' };
  for (const step of steps)
    for (const start of namesOf(step, steps)) {
      const verdict = said.startsWith(start) ? VERDICT.exec(said.slice(start.length)) : undefined;
      if (verdict) return { step, hasFailed: verdict[1] !== undefined, reason: verdict[2] ?? '' };
    }
  return undefined;
}

/** Whether a name is one of several, between commas or blanks. */
function hasName(names: string, name: string): boolean {
  const at = names.indexOf(name);
  return (
    at !== -1 && /^$|[\s,]$/.test(names.slice(0, at)) && /^(?:$|[\s,.])/.test(names.slice(at + name.length))
  );
}

/** How a command of tox ends that has failed. */
const TOX_FAILED = /^ERROR: InvocationError for command |^[\w.-]+: exit \d+ \(/;

/** Without the commands of an environment of tox that have passed: it goes on after one that failed. */
function withoutPassedCommands(step: Step): Step {
  if (step.title === undefined || !OF_TOX.test(step.title)) return step;
  const commands: string[][] = [];
  for (const text of [step.title, ...step.lines]) {
    if (OF_TOX.test(text)) commands.push([]);
    commands.at(-1)?.push(text);
  }
  const failed = commands.filter((lines) => lines.some((text) => TOX_FAILED.test(text)));
  const [title, ...lines] = (failed.length > 0 ? failed : commands).flat();
  return { ...step, title, lines };
}

/** What a script prints of a server below the step that has called it. */
const OF_LOG = /\blogs?$/i;

/**
 * Where the script says of some steps that they failed, the others have passed. Where it has errors for its workflow, the
 * others have if they have no error; otherwise these have to be sure to have.
 */
function failedSteps(steps: readonly Step[]): Part[] {
  const areReported = steps.some(({ hasFailed: failed }) => failed);
  const areAnnotated = steps.some(({ isAnnotated }) => isAnnotated);
  const failed: Part[] = [];
  for (const [index, step] of steps.map(withoutPassedCommands).entries()) {
    const findings = read(step.lines);
    const isLast = index === steps.length - 1 && !SUMMARY.test(step.name);
    const mayHaveFailed = !areAnnotated && (!areReported || step.title === undefined || isLast);
    const { title, verdict, isAnnotated } = step;
    if (step.hasFailed ?? isAnnotated ?? ((mayHaveFailed || OF_LOG.test(step.name)) && hasFailed(findings)))
      failed.push({ prefix: '', title, findings: ofFailed(findings), verdict });
    else if (!areReported && (areAnnotated ? hasFailed(findings) : !step.lines.every(mayHavePassed)))
      return [];
  }
  return failed.length > MAX_PARTS ? [] : failed;
}

/** What the last command of each target has printed that make could not make; the commands before it have passed. */
function failedTargetsIn(whole: readonly Line[]): Part[] {
  const ends = whole.filter(({ text }) => TARGET_FAILED.test(text));
  if (ends.length < 2 || ends.length > MAX_PARTS || isMixed(whole)) return [];
  // What make has printed came by the other stream, before what the commands have.
  const after = whole.filter(({ at }) => at > (ends.at(-1)?.at ?? 0)).map(({ text }) => text);
  if (hasFailed(read(after))) return [];
  return ends.map((end, index) => {
    const start = ends[index - 1]?.at ?? -1;
    const lines = whole.filter(({ at }) => at > start && at < end.at).map(({ text }) => text);
    const findings = ofLastFailed(lines);
    return { prefix: '', findings: ofFailed(findings), verdict: end.text };
  });
}

/** What the last command has printed that failed, or all of it where no command is sure to have. */
function ofLastFailed(lines: readonly string[]): Findings {
  const commands = lines.flatMap((text, index) => (isRecipe(text) ? index : []));
  for (const start of commands.toReversed()) {
    const findings = read(lines.slice(start));
    // A command that make prints may overtake what the one before it has printed on the other stream.
    if (hasFailed(findings) && !hasFailed(read(lines.slice(0, start)), SEVERITY.failedTest)) return findings;
  }
  const all = read(lines);
  return hasFailed(all) ? all : read(lines.slice(commands.at(-1)));
}

/** What rake says of a command that it has printed before it ran: those above have passed. */
const COMMAND_FAILED = /^(?=\S+ .*(?: -|\/))(.+) failed$/;

function failedCommandIn(whole: readonly Line[]): Part | undefined {
  const end = whole.findLast(({ text }) => COMMAND_FAILED.test(text));
  const command = COMMAND_FAILED.exec(end?.text ?? '')?.[1];
  const start = whole.findLastIndex(({ text }) => text === command);
  if (!end || start === -1) return undefined;
  const after = whole.slice(start + 1).filter((line) => line !== end);
  const findings = read(after.map(({ text }) => text));
  return hasFailed(findings) ? { prefix: '', findings, verdict: end.text } : undefined;
}

function read(lines: readonly string[]): Findings {
  const condenser = new Condenser();
  condenser.write('stdout', Buffer.from(lines.join('\n')));
  return condenser.findings();
}

/** If all that a part has are warnings, they made it fail. */
function ofFailed(findings: Findings): Findings {
  return hasFailed(findings) ? findings : { ...findings, warningsFailedAt: findings.lineCount };
}

/** What pnpm prints at the end of a task. */
const FAILED = 'Failed';

/** Whether a task has a line about its end that says that it failed. */
function hasFailedEnd({ prefix, lines }: PrintedPart): boolean {
  if (prefix === '') return false;
  return lines.some(
    (text, index) =>
      (text.length <= MAX_VERDICT && COMMAND_END.test(text)) ||
      (text === FAILED && index === lines.length - 1),
  );
}

/** Whether a line of the runner may list the tasks that failed. */
function mentionsFailure(text: string): boolean {
  return classificationOf(text) === 'mentioned';
}

/** The name of a task in its prefix: `[lint:css ] `. */
function nameOf(prefix: string): string {
  return prefix.replace(/^[\W_]+|[\W_]+$/g, '');
}

/** Whether the runner of tasks says more than that some have failed. */
function saysWhy({ failures }: Findings): boolean {
  return failures.some(
    ({ severity, block: { headline } }) =>
      severity >= SEVERITY.tagged && !isConsequence(headline) && !saysNothing(headline.text),
  );
}

function hasFailed({ failures }: Findings, least: number = SEVERITY.tagged): boolean {
  return failures.some(({ severity }) => severity >= least);
}

/** Whether a line is what a task prints that passes. */
function mayHavePassed(text: string): boolean {
  return text.trim() === '' || announcesCommand(text) || isNoise(text) || isOnTheWay(text);
}
