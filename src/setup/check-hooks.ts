import { createHash } from 'node:crypto';
import { isInside } from '../base/files.ts';
import { MAIN_AGENT } from '../config/discover.ts';
import type { Settings } from '../config/settings.ts';
import { type HookFile, type HookTimeout, type KnownHost, timeoutSeconds } from '../hosts/host.ts';
import { defaultDeadlineSeconds } from '../hosts/registry.ts';
import type { Finding } from './check-project.ts';
import { type FoundHook, type FoundHooks, isAt } from './hook-files.ts';
import { parseData, valueAt } from './parse-data.ts';
import { parseHookCommand } from './program.ts';

/** What a project requires of its hooks. */
interface HookDemands {
  readonly agents: readonly string[];
  /** As in the settings: `changed` compares the tree with that at the prompt. */
  readonly when: Settings['when'];
  readonly maxIterations: number;
  /** As in the settings: how a block is answered. */
  readonly answer: Settings['answer'];
  /** Seconds that all gates together may take; infinite if one has no limit. */
  readonly gateSeconds: number;
  /** Whether the program that a command starts exists, as far as that is known. */
  canStart(command: string): boolean;
  /** The linked git worktrees that have the hook, but not its program. */
  worktreesWithoutProgram(hook: FoundHook): readonly string[];
}

type Report = (level: Finding['level'], what: string, fix?: string) => Finding;

/** Checks that a host calls ralph-loop's hooks, for all guarded agents, and reads the answers in time. */
export function checkHooks(host: KnownHost, found: FoundHooks, demands: HookDemands): Finding[] {
  const { title, hookFile } = host;
  const { hooks, prompts, edits, pythonHooks, problems, misplaced, disabled, plugins, changedPages } = found;
  const init = `ralph-loop init --host ${host.name}`;
  const report: Report = (level, what, fix) => ({
    about: title,
    level,
    what,
    ...(fix !== undefined && { fix }),
  });
  const needsPromptHook = hooks.length > 0 && prompts.length === 0 && demands.agents.includes(MAIN_AGENT);
  return [
    ...problems.map((problem) => report('error', problem, 'Fix the file: its hooks are not run.')),
    ...disabled.map((file) => report('error', `${file} disables all hooks.`, 'Enable them again.')),
    ...misplaced.map((file) =>
      report('error', `${file} has the hook in a place where ${title} does not read it.`, init),
    ),
    ...plugins.map((file) =>
      hooks.length > 0
        ? report(
            'error',
            `Every stop is checked twice: by the plugin (${file}) and by the hooks.`,
            'ralph-loop init --uninstall',
          )
        : report('ok', `${file} enables the plugin.`),
    ),
    ...changedPages.map((file) =>
      report('warning', `${file} has other code than this version writes.`, init),
    ),
    ...(plugins.length > 0 ? [] : missingHooks(host, hooks, demands, report)),
    ...(needsPromptHook
      ? [
          report(
            'warning',
            `There is no hook at ${hookFile.events.prompt}: gates typed into a prompt are ignored${demands.when === 'changed' ? ', and the first question of a session runs the gates' : ''}.`,
            init,
          ),
        ]
      : []),
    ...(hooks.length > 0 && edits.length === 0 && hookFile.events.edit !== undefined
      ? [
          report(
            'warning',
            `There is no hook at ${hookFile.events.edit}: the agent reads only at its stop that a test became weaker.`,
            init,
          ),
        ]
      : []),
    ...duplicates(host, hooks, pythonHooks, demands, report),
    ...duplicatePrompts(host, prompts, report),
    ...hooks.flatMap((hook) => checkTiming(host, hook, demands.gateSeconds, report)),
    ...hooks
      .filter(({ command }) => !demands.canStart(command))
      .map(({ file, event, command }) =>
        report(
          'error',
          `${file}, ${event}: program not found: ${command}`,
          `Install it (npm ci), or run ${init}.`,
        ),
      ),
    ...withoutProgram(hooks, demands, report),
    ...hooks.flatMap((hook) => checkMatcher(host, hook, demands, report)),
    ...checkBlockCap(host, demands, report),
    ...(hooks.length > 0 ? checkAnswer(host, demands, report) : []),
  ];
}

function missingHooks(
  { name, title, hookFile }: KnownHost,
  hooks: readonly FoundHook[],
  { agents }: HookDemands,
  report: Report,
): Finding[] {
  const { main, subagent } = hookFile.events;
  const subagents = agents.filter((agent) => agent !== MAIN_AGENT).join(', ');
  const required = [
    ...(agents.includes(MAIN_AGENT) ? [{ event: main, agent: 'the main agent' }] : []),
    ...(subagent !== undefined && subagents !== '' ? [{ event: subagent, agent: subagents }] : []),
  ];
  if (required.length === 0)
    return [
      report(
        'error',
        `${title} has no event for stops of ${subagents}.`,
        `Add "${MAIN_AGENT}" to the agents in worktree.yaml.`,
      ),
    ];
  return required
    .filter(({ event }) => !hooks.some((hook) => isAt(hook, event)))
    .map(({ event, agent }) =>
      report(
        'error',
        `There is no hook at ${event}: ${agent} can stop without verification.`,
        `ralph-loop init --host ${name}`,
      ),
    );
}

/** Each of several hooks at one event judges, and counts, the same stop. */
function duplicates(
  { name, hookFile }: KnownHost,
  hooks: readonly FoundHook[],
  pythonHooks: readonly FoundHook[],
  { agents }: HookDemands,
  report: Report,
): Finding[] {
  const { main, subagent } = hookFile.events;
  const judges = (agent: string) => (hook: FoundHook) =>
    agent === MAIN_AGENT
      ? isAt(hook, main)
      : subagent !== undefined && isAt(hook, subagent) && isMatched(hook, agent, hookFile);
  const findings = agents.flatMap((agent) => {
    const own = hooks.filter(judges(agent));
    const python = pythonHooks.filter(judges(agent));
    const all = [...own, ...python];
    if (own.length === 0 || all.length < 2) return [];
    const event = agent === MAIN_AGENT ? main : subagent;
    const what = `Every stop is checked ${all.length} times: ${event} in ${all.map(({ file }) => file).join(' and ')}.`;
    return python.length > 0
      ? [
          report(
            'error',
            `${what} One of the hooks is Trellis's ralph-loop.py.`,
            `ralph-loop init --host ${name}, which replaces it in ${hookFile.path}.`,
          ),
        ]
      : [report('error', what, 'Keep one of them.')];
  });
  return findings.filter(({ what }, index) => findings.findIndex((other) => other.what === what) === index);
}

/** Each of several hooks at the prompt event starts the gates typed into a prompt. */
function duplicatePrompts({ hookFile }: KnownHost, prompts: readonly FoundHook[], report: Report): Finding[] {
  if (prompts.length < 2) return [];
  const files = prompts.map(({ file }) => file).join(' and ');
  const what = `Every prompt is read ${prompts.length} times: ${hookFile.events.prompt} in ${files}.`;
  return [report('error', what, 'Keep one of them.')];
}

/** Stops in a worktree are not verified if the hook's program is missing there. */
function withoutProgram(
  hooks: readonly FoundHook[],
  { worktreesWithoutProgram }: HookDemands,
  report: Report,
): Finding[] {
  const worktrees = [...new Set(hooks.flatMap((hook) => worktreesWithoutProgram(hook)))];
  return worktrees.map((worktree) =>
    report(
      'error',
      `The git worktree ${worktree} has the hook, but not its program: stops there are not verified.`,
      'Install the dependencies there (npm ci), or remove it (git worktree remove).',
    ),
  );
}

/** Checks that a hook answers before the host's timeout, and that the gates can finish before that. */
function checkTiming(
  { name, title, timeout: hostTimeout }: KnownHost,
  { file, event, command, timeout }: FoundHook,
  gateSeconds: number,
  report: Report,
): Finding[] {
  const place = `${file}, ${event}`;
  const init = `ralph-loop init --host ${name}`;
  const waits = timeoutSeconds(hostTimeout, timeout);
  const answers = parseHookCommand(command)?.deadlineSeconds ?? defaultDeadlineSeconds(name);
  if (answers >= waits) {
    const source =
      timeout === undefined
        ? 'its default'
        : `timeout ${timeout} in ${hostTimeout.unit === 'ms' ? 'milliseconds' : 'seconds'}`;
    const what = `${place}: the host waits ${waits} s (${source}), but the answer may take ${answers} s. The host would allow the stop.`;
    return [report('error', what, init)];
  }
  const findings = [report('ok', `${place}: answers within ${answers} s; the host waits ${waits} s.`)];
  const doubt = timeout === undefined ? undefined : unitDoubt(hostTimeout, timeout, answers);
  if (doubt !== undefined)
    findings.push(report('warning', `${place}: a timeout of ${timeout} ${doubt}.`, init));
  if (Number.isFinite(gateSeconds) && gateSeconds > answers)
    findings.push(
      report(
        'warning',
        `${place}: all gates together may take ${gateSeconds} s; gates that have not run after ${answers} s count as not passed.`,
        hostTimeout.limitSeconds === undefined
          ? init
          : `${title} does not wait longer, whatever its settings say. Give slow gates a shorter timeout.`,
      ),
    );
  return findings;
}

/** Why a timeout may not be in the unit that was meant. */
function unitDoubt(
  { unit, secondsBelow = 0 }: HookTimeout,
  timeout: number,
  answers: number,
): string | undefined {
  if (timeout < secondsBelow) return 'is read as seconds by some versions and as milliseconds by others';
  // A long deadline for slow gates explains a long timeout.
  const isTooLong = timeout >= 10_000 && timeout > 2 * answers;
  return unit === 's' && isTooLong ? 'is in seconds; milliseconds were probably meant' : undefined;
}

function checkMatcher(
  { hookFile }: KnownHost,
  hook: FoundHook,
  { agents }: HookDemands,
  report: Report,
): Finding[] {
  const { file, event, matcher } = hook;
  const { subagent } = hookFile.events;
  if (subagent === undefined || !isAt(hook, subagent)) return [];
  const missed = agents.filter((agent) => agent !== MAIN_AGENT && !isMatched(hook, agent, hookFile));
  if (missed.length === 0) return [];
  return [
    report(
      'warning',
      `${file}, ${event}: the matcher "${matcher}" does not include ${missed.join(', ')}.`,
      'Add it to the matcher, or run ralph-loop init again.',
    ),
  ];
}

/** Whether the hook is called for this type of subagent. */
function isMatched({ matcher }: FoundHook, agent: string, { hasMatcher }: HookFile): boolean {
  if (!hasMatcher || matcher === undefined || matcher === '' || matcher === '*') return true;
  // Claude Code compares plain words as they are (measured on 2.1.197): `check` does not match `trellis-check`.
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').includes(agent);
  try {
    return new RegExp(matcher).test(agent);
  } catch {
    return matcher === agent;
  }
}

function checkBlockCap(
  { title, blockCap }: KnownHost,
  { maxIterations }: HookDemands,
  report: Report,
): Finding[] {
  // A host that asks once a turn is asked again in the next turn, and the count goes on.
  if (blockCap === undefined || blockCap === 1 || maxIterations <= blockCap) return [];
  const what = `${title} allows a stop after ${blockCap} consecutive blocks: max_iterations ${maxIterations} is never reached.`;
  return [report('warning', what, `Set max_iterations to ${blockCap} or less.`)];
}

/** The version of the host is in the environment of its hooks alone. */
function checkAnswer({ title, stopContext }: KnownHost, { answer }: HookDemands, report: Report): Finding[] {
  if (answer === 'block') return [];
  const who = stopContext
    ? `${title} gets context from version ${stopContext.since} on; an older or unknown one gets a block.`
    : `${title} gets a block all the same.`;
  return [report('ok', `answer: context: ${who}`)];
}

/** What `doctor` reads outside the project. */
interface Home {
  readonly env: NodeJS.ProcessEnv;
  /** The text of a file that is absolute or begins with `~/`; undefined if there is none. */
  read(file: string): string | undefined;
}

/** Checks that a host runs the hooks without asking. Only a person can give trust, so nothing is written. */
export function checkTrust(
  { title: about, trust }: KnownHost,
  root: string,
  hooks: readonly FoundHook[],
  { env, read }: Home,
): Finding[] {
  if (trust === undefined || hooks.length === 0) return [];
  const problem = trust.findProblem({
    root,
    hooks,
    env,
    lookUp(file, ...keys) {
      const content = parseData(file, read(file) ?? '');
      return valueAt(content.ok ? content.value : {}, ...keys);
    },
    isProjectIn: (directory) => isInside(directory, root),
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  });
  if (problem === undefined) return [{ about, level: 'ok', what: 'The project is trusted.' }];
  return [{ about, level: problem.level, what: problem.message, fix: trust.instructions }];
}
