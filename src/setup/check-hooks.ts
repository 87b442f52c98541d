import { MAIN_AGENT } from '../config/defaults.ts';
import { type KnownHost, timeoutSeconds } from '../hosts/host.ts';
import { defaultDeadlineSeconds } from '../hosts/hosts.ts';
import { type FoundHook, type FoundHooks, isAt } from './find-hooks.ts';
import type { Finding } from './finding.ts';
import { parseHookCommand } from './hook-command.ts';

/** What a project asks of its hooks. */
export interface HookDemands {
  readonly agents: readonly string[];
  readonly maxIterations: number;
  /** Seconds that all gates together may take at most; infinite where one has no limit. */
  readonly gateSeconds: number;
  /** Whether the program that a command starts is there, as far as it can be told. */
  canStart(command: string): boolean;
}

/** Whether a host's hooks will be called, for the right stops, and will be heard. */
export function checkHooks(host: KnownHost, found: FoundHooks, demands: HookDemands): Finding[] {
  const again = `ralph-loop init --host ${host.name}`;
  const finding = (level: Finding['level'], what: string, mend?: string): Finding => ({
    about: host.title,
    level,
    what,
    ...(mend !== undefined && { mend }),
  });
  const { hooks, problems, misplaced, switchedOff } = found;
  return [
    ...problems.map((problem) => finding('error', problem, 'Repair the file: its hooks are not run.')),
    ...switchedOff.map((file) => finding('error', `${file} switches all hooks off.`, 'Take that out again.')),
    ...misplaced.map((file) =>
      finding('error', `${file} names the hook where ${host.title} looks for none.`, again),
    ),
    ...missingEvents(host, hooks, demands).map((what) => finding('error', what, again)),
    ...doubled(host, hooks).map((what) => finding('warning', what, 'Take one of them out.')),
    ...hooks.flatMap((hook) => checkTiming(host, hook, demands, finding)),
    ...hooks
      .filter(({ command }) => !demands.canStart(command))
      .map(({ file, event, command }) =>
        finding(
          'error',
          `${file}, ${event}: there is no such program: ${command}`,
          `Install it, or ${again}.`,
        ),
      ),
    ...hooks.flatMap((hook) => checkMatcher(hook, demands, finding)),
    ...checkCap(host, demands, finding),
  ];
}

type MakeFinding = (level: Finding['level'], what: string, mend?: string) => Finding;

function missingEvents(
  { title, hookFile }: KnownHost,
  hooks: readonly FoundHook[],
  demands: HookDemands,
): string[] {
  const { main, subagent } = hookFile.events;
  const subagents = demands.agents.filter((agent) => agent !== MAIN_AGENT);
  const wanted = [
    ...(demands.agents.includes(MAIN_AGENT) ? [{ event: main, whose: 'the main agent' }] : []),
    ...(subagent !== undefined && subagents.length > 0
      ? [{ event: subagent, whose: subagents.join(', ') }]
      : []),
  ];
  if (wanted.length === 0) return [`${title} has no event that tells the stops of ${subagents.join(', ')}.`];
  return wanted
    .filter(({ event }) => !hooks.some((hook) => isAt(hook, event)))
    .map(({ event, whose }) => `There is no hook at ${event}: ${whose} may stop unverified.`);
}

/** Each would count the same stop. */
function doubled({ hookFile }: KnownHost, hooks: readonly FoundHook[]): string[] {
  return Object.values(hookFile.events).flatMap((event) => {
    const files = hooks.filter((hook) => isAt(hook, event)).map(({ file }) => file);
    return files.length > 1
      ? [`Each stop is judged ${files.length} times: ${event} in ${files.join(' and ')}.`]
      : [];
  });
}

function checkTiming(
  host: KnownHost,
  { file, event, command, timeout }: FoundHook,
  { gateSeconds }: HookDemands,
  finding: MakeFinding,
): Finding[] {
  const again = `ralph-loop init --host ${host.name}`;
  const { unit, secondsBelow = 0, limitSeconds } = host.timeout;
  const waits = timeoutSeconds(host.timeout, timeout);
  const answers = parseHookCommand(command)?.deadlineSeconds ?? defaultDeadlineSeconds(host.name);
  const place = `${file}, ${event}`;
  const said =
    timeout === undefined
      ? 'by default'
      : `timeout ${timeout} in ${unit === 'ms' ? 'milliseconds' : 'seconds'}`;
  if (answers >= waits)
    return [
      finding(
        'error',
        `${place}: the host waits ${waits} s (${said}), and the answer may take ${answers} s: it would let the agent stop.`,
        again,
      ),
    ];
  const isOdd = timeout !== undefined && ((unit === 's' && timeout >= 10_000) || timeout < secondsBelow);
  return [
    finding('ok', `${place}: answers within ${answers} s, the host waits ${waits} s.`),
    ...(isOdd
      ? [
          finding(
            'warning',
            `${place}: a timeout of ${timeout} is read as seconds by some versions, as milliseconds by others.`,
            again,
          ),
        ]
      : []),
    ...(Number.isFinite(gateSeconds) && gateSeconds > answers
      ? [
          finding(
            'warning',
            `${place}: all gates together may take ${gateSeconds} s; what has not run after ${answers} s counts as not passed.`,
            limitSeconds === undefined
              ? again
              : `${host.title} waits no longer, whatever its settings say: give slow gates a shorter timeout.`,
          ),
        ]
      : []),
  ];
}

function checkMatcher(
  { file, event, matcher }: FoundHook,
  { agents }: HookDemands,
  finding: MakeFinding,
): Finding[] {
  if (matcher === undefined || matcher === '' || matcher === '*') return [];
  const missed = agents.filter((agent) => agent !== MAIN_AGENT && !matches(matcher, agent));
  if (missed.length === 0) return [];
  return [
    finding(
      'warning',
      `${file}, ${event}: the matcher "${matcher}" leaves out ${missed.join(', ')}.`,
      'Add it to the matcher, or run ralph-loop init again.',
    ),
  ];
}

function matches(matcher: string, agent: string): boolean {
  try {
    return new RegExp(matcher).test(agent);
  } catch {
    return matcher === agent;
  }
}

function checkCap(
  { title, blockCap }: KnownHost,
  { maxIterations }: HookDemands,
  finding: MakeFinding,
): Finding[] {
  if (blockCap === undefined || maxIterations <= blockCap) return [];
  const what = `${title} lets an agent stop after ${blockCap} blocks in a row: max_iterations ${maxIterations} is not reached.`;
  return [finding('warning', what, `Set max_iterations to ${blockCap} or less.`)];
}
