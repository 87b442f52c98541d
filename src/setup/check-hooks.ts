import { MAIN_AGENT } from '../config/discover.ts';
import type { KnownHost } from '../hosts/host.ts';
import { checkTiming } from './check-timing.ts';
import { type FoundHook, type FoundHooks, isAt } from './find-hooks.ts';
import type { Finding, MakeFinding } from './finding.ts';

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
  const { hooks, prompts, problems, misplaced, switchedOff, plugins } = found;
  return [
    ...problems.map((problem) => finding('error', problem, 'Repair the file: its hooks are not run.')),
    ...switchedOff.map((file) => finding('error', `${file} switches all hooks off.`, 'Take that out again.')),
    ...misplaced.map((file) =>
      finding('error', `${file} names the hook where ${host.title} looks for none.`, again),
    ),
    ...plugins.map((file) =>
      hooks.length > 0
        ? finding(
            'warning',
            `Each stop is judged twice: by the plugin (${file}) and by the hooks.`,
            'ralph-loop init --uninstall',
          )
        : finding('ok', `${file}: the plugin is switched on.`),
    ),
    ...(plugins.length > 0 ? [] : missingEvents(host, hooks, demands)).map(({ what, mend = again }) =>
      finding('error', what, mend),
    ),
    ...(hooks.length > 0 && prompts.length === 0 && demands.agents.includes(MAIN_AGENT)
      ? [
          finding(
            'warning',
            `There is no hook at ${host.hookFile.events.prompt}: gates typed into a prompt are passed over.`,
            again,
          ),
        ]
      : []),
    ...doubled(host, hooks).map((what) => finding('warning', what, 'Take one of them out.')),
    ...hooks.flatMap((hook) => checkTiming(host, hook, demands.gateSeconds, finding)),
    ...hooks
      .filter(({ command }) => !demands.canStart(command))
      .map(({ file, event, command }) =>
        finding(
          'error',
          `${file}, ${event}: there is no such program: ${command}`,
          `Install it, or ${again}.`,
        ),
      ),
    ...hooks.flatMap((hook) => checkMatcher(host, hook, demands, finding)),
    ...checkCap(host, demands, finding),
  ];
}

function missingEvents(
  { title, hookFile }: KnownHost,
  hooks: readonly FoundHook[],
  demands: HookDemands,
): { readonly what: string; readonly mend?: string }[] {
  const { main, subagent } = hookFile.events;
  const subagents = demands.agents.filter((agent) => agent !== MAIN_AGENT);
  const wanted = [
    ...(demands.agents.includes(MAIN_AGENT) ? [{ event: main, whose: 'the main agent' }] : []),
    ...(subagent !== undefined && subagents.length > 0
      ? [{ event: subagent, whose: subagents.join(', ') }]
      : []),
  ];
  if (wanted.length === 0) {
    const what = `${title} has no event that tells the stops of ${subagents.join(', ')}.`;
    return [{ what, mend: `Add "${MAIN_AGENT}" to the agents of worktree.yaml.` }];
  }
  return wanted
    .filter(({ event }) => !hooks.some((hook) => isAt(hook, event)))
    .map(({ event, whose }) => ({ what: `There is no hook at ${event}: ${whose} may stop unverified.` }));
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

function checkMatcher(
  { hookFile }: KnownHost,
  hook: FoundHook,
  { agents }: HookDemands,
  finding: MakeFinding,
): Finding[] {
  const { file, event, matcher } = hook;
  const { hasMatcher, events } = hookFile;
  const isBound = hasMatcher && events.subagent !== undefined && isAt(hook, events.subagent);
  if (!isBound || matcher === undefined || matcher === '' || matcher === '*') return [];
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
