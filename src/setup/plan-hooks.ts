import { type Result, success } from '../base/result.ts';
import { MAIN_AGENT } from '../config/discover.ts';
import { formatProblem } from '../config/validate.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import {
  type HookFile,
  type HookTimeout,
  type KnownHost,
  timeoutInUnit,
  timeoutSeconds,
} from '../hosts/host.ts';
import { HOSTS } from '../hosts/registry.ts';
import {
  editHookFile,
  type HookEntry,
  type HookFileContent,
  hasPlugin,
  type RequiredHook,
  readHookFile,
} from './hook-files.ts';
import { EMPTY_PLAN, joinPlans, type Plan, planEdit, type ReadFile } from './plan.ts';
import { hookCommand, type Program, parseHookCommand } from './program.ts';

/** What the hooks of a project depend on. */
interface HookNeeds {
  readonly program: Program;
  /** Agents to guard: `main`, and types of subagents. */
  readonly agents: readonly string[];
  /** Seconds that all gates together may take; infinite if one has no limit. */
  readonly gateSeconds: number;
}

/** Plans the hooks of these hosts. */
export function planHooks(hosts: readonly KnownHost[], needs: HookNeeds, read: ReadFile): Plan {
  const hasClaudeHooks = hosts.includes(claudeCode) || hasOwnHook(claudeCode.hookFile, read);
  // Hosts that run Claude Code's hooks, and got hooks of their own before Claude Code had some.
  const redundant = HOSTS.filter(
    (host) =>
      host.runsClaudeHooks && hasClaudeHooks && !hosts.includes(host) && hasOwnHook(host.hookFile, read),
  );
  return joinPlans(
    [...hosts, ...redundant].map((host) => {
      const { path } = claudeCode.hookFile;
      if (host.runsClaudeHooks && hasClaudeHooks)
        return planNoHooks(
          host,
          read,
          `${host.title} also runs the hooks of ${path}: it needs no file of its own.`,
        );
      if (host === claudeCode && hasPluginEnabled(read))
        return planNoHooks(host, read, `${path} enables the plugin: Claude Code needs no hooks there.`);
      const required = requiredHooks(host, needs);
      if (required.length > 0) return planHookFile(host, required, read);
      const remark = `${host.title} has no event for stops of ${needs.agents.join(', ')}, so they are not guarded. Add "${MAIN_AGENT}" to the agents in worktree.yaml to guard its main agent.`;
      return planNoHooks(host, read, remark);
    }),
  );
}

/** Plans that the files of these hosts have no hook of ralph-loop. */
export function planHookRemoval(hosts: readonly KnownHost[], read: ReadFile): Plan {
  return joinPlans(hosts.map((host) => planHookFile(host, [], read)));
}

function planNoHooks(host: KnownHost, read: ReadFile, remark: string): Plan {
  return joinPlans([planHookFile(host, [], read), { ...EMPTY_PLAN, remarks: [remark] }]);
}

function planHookFile(host: KnownHost, required: readonly RequiredHook[], read: ReadFile): Plan {
  const { hookFile, timeout } = host;
  const { path } = hookFile;
  return planEdit(path, read, (text) => {
    if (!text?.trim() && required.length === 0) return success({ text });
    const edited = editHookFile(text ?? '', hookFile, required);
    if (!edited.ok)
      return { ok: false, failure: edited.failure.map((problem) => formatProblem(path, problem)) };
    const isUnused = required.length === 0 && isBlank(edited.value.text, hookFile);
    const remarks = edited.value.replacedPythonHooks.map((hook) => {
      const seconds = timeoutSeconds(timeout, hook.timeout);
      const tooShort =
        seconds < timeout.defaultSeconds ? `, whose timeout of ${seconds} s was too short` : '';
      return `${path}: ralph-loop replaces Trellis's ralph-loop.py at ${hook.event}${tooShort}.`;
    });
    return success({ text: isUnused && edited.value.text !== text ? undefined : edited.value.text, remarks });
  });
}

function hasPluginEnabled(read: ReadFile): boolean {
  const content = readHooks(claudeCode.hookFile, read);
  return content?.ok === true && hasPlugin(content.value.settings);
}

function hasOwnHook(hookFile: HookFile, read: ReadFile): boolean {
  const content = readHooks(hookFile, read);
  return (
    content?.ok === true &&
    content.value.entries.some(({ command }) => parseHookCommand(command) !== undefined)
  );
}

function readHooks(hookFile: HookFile, read: ReadFile): Result<HookFileContent, unknown> | undefined {
  const file = read(hookFile.path);
  return file.ok && file.value !== undefined ? readHookFile(file.value, hookFile) : undefined;
}

/** Whether settings have nothing but the content of a new file. */
function isBlank(text: string, { head = {} }: HookFile): boolean {
  return [JSON.stringify(head), '{}'].includes(text.replace(/\s+/g, ''));
}

/** The shortest deadline: most hosts wait 600 s by default. */
const MIN_DEADLINE_SECONDS = 570;
/** From the answer to the host's timeout: for Node's start, the end of a stubborn process tree, and a slow disk. */
const MARGIN_SECONDS = 30;
/** The same for a host with a short limit, where the gates need the time. */
const SHORT_MARGIN_SECONDS = 5;
/** A prompt event runs no gates, but may create a checkpoint, which takes seconds in a large repository. */
const PROMPT_SECONDS = 30;

/** The hooks that a host's settings must have; none if the host has no event for these agents. */
export function requiredHooks(host: KnownHost, needs: HookNeeds): RequiredHook[] {
  const { events, hasMatcher } = host.hookFile;
  const subagents = needs.agents.filter((agent) => agent !== MAIN_AGENT);
  const form: RequiredHook['form'] = (earlier) => stopHookForm(host, needs, earlier);
  const hooks: RequiredHook[] = [];
  if (needs.agents.includes(MAIN_AGENT))
    hooks.push(
      {
        event: events.prompt,
        matcher: undefined,
        form: (earlier) => promptHookForm(host, needs.program, earlier),
      },
      { event: events.main, matcher: undefined, form },
    );
  if (subagents.length > 0 && events.subagent !== undefined)
    hooks.push({
      event: events.subagent,
      matcher: hasMatcher ? subagents.map(escapeRegExp).join('|') : undefined,
      form,
    });
  return hooks;
}

/** Keeps the flags of an earlier entry, and its deadline if it is longer and below the earlier timeout. */
function stopHookForm(
  host: KnownHost,
  { program, gateSeconds }: HookNeeds,
  earlier: HookEntry | undefined,
): ReturnType<RequiredHook['form']> {
  const { flags = '', deadlineSeconds: earlierDeadline = 0 } =
    (earlier && parseHookCommand(earlier.command)) ?? {};
  const deadline = deadlineFor(host.timeout, gateSeconds);
  const isKept =
    earlierDeadline > deadline &&
    earlierDeadline + MARGIN_SECONDS <= timeoutSeconds(host.timeout, earlier?.timeout);
  const deadlineSeconds = isKept ? earlierDeadline : deadline;
  const { limitSeconds = deadlineSeconds + MARGIN_SECONDS } = host.timeout;
  return {
    command: hookCommand(host.hookFile, program, { host: hostFlag(host), deadlineSeconds, flags }),
    timeout: (isKept ? earlier?.timeout : undefined) ?? timeoutInUnit(host.timeout, limitSeconds),
  };
}

function promptHookForm(
  host: KnownHost,
  program: Program,
  earlier: HookEntry | undefined,
): ReturnType<RequiredHook['form']> {
  const { flags = '' } = (earlier && parseHookCommand(earlier.command)) ?? {};
  return {
    command: hookCommand(host.hookFile, program, { host: hostFlag(host), deadlineSeconds: undefined, flags }),
    timeout: timeoutInUnit(host.timeout, PROMPT_SECONDS),
  };
}

/** The deadline, in seconds, in which all gates can finish if they have limits and the host has none. */
function deadlineFor({ limitSeconds }: HookTimeout, gateSeconds: number): number {
  if (limitSeconds !== undefined) return limitSeconds - SHORT_MARGIN_SECONDS;
  if (!Number.isFinite(gateSeconds)) return MIN_DEADLINE_SECONDS;
  return Math.max(MIN_DEADLINE_SECONDS, Math.ceil(gateSeconds / MARGIN_SECONDS) * MARGIN_SECONDS);
}

/** Other hosts run Claude Code's hooks too: there the event identifies the host. */
function hostFlag(host: KnownHost): string | undefined {
  return host.name === claudeCode.name ? undefined : host.name;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
