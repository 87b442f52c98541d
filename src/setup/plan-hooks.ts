import { posix } from 'node:path';
import { type Result, success } from '../base/result.ts';
import { escapeRegExp } from '../base/text.ts';
import { DEFAULT_AGENTS, MAIN_AGENT } from '../config/discover.ts';
import { type ConfigProblem, formatProblem } from '../config/validate.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import {
  type HookFile,
  type HookTimeout,
  type KnownHost,
  timeoutInUnit,
  timeoutSeconds,
} from '../hosts/host.ts';
import { settingsIn } from '../hosts/plugin-page.ts';
import { HOSTS } from '../hosts/registry.ts';
import { tomlHook } from '../hosts/toml-hooks.ts';
import {
  editHookFile,
  type HookEntry,
  type HookFileContent,
  hasPlugin,
  isForeign,
  type RequiredHook,
  readHookFile,
  restoreHooks,
} from './hook-files.ts';
import {
  type EditedFile,
  EMPTY_PLAN,
  type FileChange,
  joinPlans,
  type Plan,
  planEdit,
  type ReadFile,
} from './plan.ts';
import { hookCommand, isGateHook, isPythonHook, parseHookCommand } from './program.ts';

/** What the hooks of a project depend on. */
interface HookNeeds {
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
  const hookPlans = [...hosts, ...redundant].map((host) => {
    const { path } = claudeCode.hookFile;
    if (host.runsClaudeHooks && hasClaudeHooks)
      return planNoHooks(
        host,
        read,
        `${host.title} also runs the hooks of ${path}: it needs no file of its own.${host.runsClaudeHooksIf === undefined ? '' : ` ${host.runsClaudeHooksIf}`}`,
      );
    if (host === claudeCode && hasPluginEnabled(read))
      return planNoHooks(host, read, `${path} enables the plugin: Claude Code needs no hooks there.`);
    const required = requiredHooks(host, needs);
    if (required.length > 0 && host.hookFile.isOfUser)
      return { ...EMPTY_PLAN, remarks: [toAddByHand(host, required)] };
    if (required.length > 0) return planHookFile(host, required, read);
    const remark = `${host.title} has no event for stops of ${needs.agents.join(', ')}, so they are not guarded. Add "${MAIN_AGENT}" to the agents in worktree.yaml to guard its main agent.`;
    return planNoHooks(host, read, remark);
  });
  return joinPlans([...hookPlans, ...hosts.map((host) => planNoSecondHook(host, read))]);
}

/** A file outside of the project is for the person to change. */
function toAddByHand(
  { title, hookFile: { path, userDirectory } }: KnownHost,
  required: readonly RequiredHook[],
): string {
  const tables = required.map(({ event, form }) => {
    const { command, timeout } = form(undefined);
    return tomlHook(event, command, timeout);
  });
  const moved =
    userDirectory === undefined
      ? ''
      : ` (${path.replace(userDirectory.path, () => `$${userDirectory.variable}`)} if that variable is set)`;
  return `${title} reads no hooks in a project. Add these to ${path}${moved}, once for all projects:\n\n${tables.join('\n')}`;
}

/**
 * Plans Claude Code's hooks in the settings of one person, which git ignores; none if the shared settings have hooks of
 * ralph-loop.
 */
export function planLocalHooks(needs: HookNeeds, read: ReadFile): Plan {
  const isThere = hasOwnHook(claudeCode.hookFile, read) || hasPluginEnabled(read);
  const remarks = isThere ? [`${claudeCode.hookFile.path} calls ralph-loop already.`] : [];
  const host = withHookFile(claudeCode, LOCAL_SETTINGS);
  const plan = planHookFile(host, isThere ? [] : requiredHooks(host, needs), read);
  return joinPlans([plan, { ...EMPTY_PLAN, remarks }]);
}

const LOCAL_SETTINGS = '.claude/settings.local.json';

function withHookFile(host: KnownHost, path: string): KnownHost {
  return { ...host, hookFile: { ...host.hookFile, path } };
}

/** The host once for each of the project's files that it reads, its own file first. */
function perFile(host: KnownHost): KnownHost[] {
  const inProject = host.hookFile.otherPaths.filter((path) => !path.startsWith('~'));
  return [host, ...inProject.map((path) => withHookFile(host, path))];
}

/** A hook of Trellis or Ralph Gate that `init` replaced. */
export interface ReplacedHook extends Pick<HookEntry, 'event' | 'item'> {
  readonly file: string;
}

/** The hooks of Trellis and Ralph Gate that the changes remove. */
export function replacedHooks(changes: readonly FileChange[]): ReplacedHook[] {
  return changes.flatMap(({ path, before, after }) =>
    newForeignHooks(path, after, before).map(({ event, item }) => ({ file: path, event, item })),
  );
}

/** A sentence for each hook of Trellis or Ralph Gate that the changes restore. */
export function restoredHookRemarks(changes: readonly FileChange[]): string[] {
  return changes.flatMap(({ path, before, after }) =>
    newForeignHooks(path, before, after).map(({ command, timeout, host }) => {
      const owner = isPythonHook(command) ? 'Trellis' : 'Ralph Gate';
      return `${owner}'s own hook (${timeoutSeconds(host.timeout, timeout)} s) is back in ${path}.`;
    }),
  );
}

function newForeignHooks(
  path: string,
  before: string | undefined,
  after: string | undefined,
): (HookEntry & { readonly host: KnownHost })[] {
  const host = HOSTS.flatMap(perFile).find(({ hookFile }) => hookFile.path === path);
  if (!host) return [];
  const foreignIn = (text = '') => {
    const content = readHookFile(text, host.hookFile);
    return content.ok ? content.value.entries.filter(isForeign) : [];
  };
  const known = foreignIn(before);
  return foreignIn(after)
    .filter((hook) => !known.some(({ event, command }) => event === hook.event && command === hook.command))
    .map((hook) => ({ ...hook, host }));
}

/**
 * Plans that these files have no hook of ralph-loop, and the hooks again that it replaced.
 *
 * @param isRestored whether a file has its earlier content already
 * @param replaced undefined if it is not known: Trellis's hook is then restored where its program is in the project
 */
export function planHookRemoval(
  isRestored: (path: string) => boolean,
  replaced: readonly ReplacedHook[] | undefined,
  read: ReadFile,
): Plan {
  const ofProjects = HOSTS.filter(({ hookFile }) => !hookFile.isOfUser);
  const files = ofProjects.flatMap(perFile).filter(({ hookFile }) => !isRestored(hookFile.path));
  return joinPlans(
    files.map(({ hookFile, ...host }) =>
      planEdit(hookFile.path, read, (text) => {
        const recorded = replaced?.filter(({ file }) => file === hookFile.path) ?? [];
        // A file that does not mention ralph-loop or ralph-gate can be broken.
        if (!text || (recorded.length === 0 && !/ralph-/.test(text))) return success({ text });
        const edited = editHookFile(text, hookFile, []);
        if (!edited.ok) return problemsOf(hookFile, edited.failure);
        const isSetUp = edited.value.text !== text;
        const hooks = replaced || !isSetUp ? recorded : trellisHooks({ ...host, hookFile }, text, read);
        const restored = restoreHooks(edited.value.text, hookFile, hooks);
        if (!restored.ok) return problemsOf(hookFile, restored.failure);
        const isUnused = isSetUp && isBlank(restored.value, hookFile);
        return success({ text: isUnused ? undefined : restored.value });
      }),
    ),
  );
}

const TRELLIS_TIMEOUT_SECONDS = 10;

/** Trellis's hook as Trellis installs it, if its program is there: its other hooks show how Python is called. */
function trellisHooks(host: KnownHost, text: string, read: ReadFile): ReplacedHook[] {
  const { path, events, entry, commandKey, timeoutKey, form, hasMatcher } = host.hookFile;
  const directory = `${posix.dirname(path)}/hooks/`;
  const program = read(`${directory}ralph-loop.py`);
  const content = readHookFile(text, host.hookFile);
  const isShared = HOSTS.some(({ hookFile }) => hookFile.path === path);
  if (!program.ok || program.value === undefined || !content.ok || !isShared || !events.subagent) return [];
  const others = content.value.entries.map(({ command }) => command);
  const like = others.find((command) => command.includes(directory) && /[\w-]+\.py\b/.test(command));
  const command = like?.replace(/[\w-]+\.py\b(["']?).*$/s, 'ralph-loop.py$1');
  const hook = {
    ...('type' in entry && { type: entry.type }),
    [commandKey]: command ?? `python3 ${directory}ralph-loop.py`,
    [timeoutKey]: timeoutInUnit(host.timeout, TRELLIS_TIMEOUT_SECONDS),
  };
  const matcher = hasMatcher ? { matcher: DEFAULT_AGENTS.trellis[0] } : {};
  const item = form === 'flat' ? { ...hook, ...matcher } : { ...matcher, hooks: [hook] };
  return [{ file: path, event: events.subagent, item }];
}

function problemsOf({ path }: HookFile, problems: readonly ConfigProblem[]): EditedFile {
  return { ok: false, failure: problems.map((problem) => formatProblem(path, problem)) };
}

function planNoHooks(host: KnownHost, read: ReadFile, remark: string): Plan {
  return joinPlans([planHookFile(host, [], read), { ...EMPTY_PLAN, remarks: [remark] }]);
}

function planHookFile(host: KnownHost, required: readonly RequiredHook[], read: ReadFile): Plan {
  const { hookFile } = host;
  return planEdit(hookFile.path, read, (text) => {
    if (!text?.trim() && required.length === 0) return success({ text });
    const edited = editHookFile(text ?? '', hookFile, required);
    if (!edited.ok) return problemsOf(hookFile, edited.failure);
    const isUnused = required.length === 0 && isBlank(edited.value.text, hookFile);
    const remarks = edited.value.replaced.map((hook) => replacementRemark(host, hook));
    return success({ text: isUnused && edited.value.text !== text ? undefined : edited.value.text, remarks });
  });
}

function replacementRemark(
  { timeout, hookFile: { path } }: KnownHost,
  { command, event, timeout: value }: HookEntry,
): string {
  if (isGateHook(command)) return `${path}: ralph-loop replaces Ralph Gate's own hook at ${event}.`;
  const seconds = timeoutSeconds(timeout, value);
  const tooShort = seconds < timeout.defaultSeconds ? `, whose timeout of ${seconds} s was too short` : '';
  return `${path}: ralph-loop replaces Trellis's ralph-loop.py at ${event}${tooShort}.`;
}

/** Plans that a host has no second hook in a further file of the project, where each stop would be judged twice. */
function planNoSecondHook(host: KnownHost, read: ReadFile): Plan {
  const [, ...others] = perFile(host);
  return joinPlans(
    others.map((other) => {
      const { path } = other.hookFile;
      const file = read(path);
      if (!file.ok || !file.value || !/ralph-/.test(file.value)) return EMPTY_PLAN;
      const plan = planHookFile(other, [], read);
      const isNamed = plan.changes.length === 0 || plan.remarks.length > 0;
      const remark = `${path}: the hook of ralph-loop is removed, because each stop would be judged twice.`;
      return isNamed ? plan : { ...plan, remarks: [remark] };
    }),
  );
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
function isBlank(text: string, hookFile: HookFile): boolean {
  const { head = {} } = hookFile;
  return [JSON.stringify(head), '{}'].includes(settingsIn(text, hookFile).replace(/\s+/g, ''));
}

/** The shortest deadline: most hosts wait 600 s by default. */
const MIN_DEADLINE_SECONDS = 570;
/** From the answer to the host's timeout: for Node's start, the end of a stubborn process tree, and a slow disk. */
const MARGIN_SECONDS = 30;
/** The same for a host with a short limit, where the gates need the time. */
const SHORT_MARGIN_SECONDS = 5;
/** A prompt event runs no gates, but may create a checkpoint, which takes seconds in a large repository. */
const SHORT_SECONDS = 30;

/** The hooks that a host's settings must have; none if the host has no event for these agents. */
export function requiredHooks(host: KnownHost, needs: HookNeeds): RequiredHook[] {
  const { events, hasMatcher, editTools } = host.hookFile;
  const subagents = needs.agents.filter((agent) => agent !== MAIN_AGENT);
  const form: RequiredHook['form'] = (earlier) => stopHookForm(host, needs, earlier);
  const hooks: RequiredHook[] = [];
  if (needs.agents.includes(MAIN_AGENT))
    hooks.push(
      {
        event: events.prompt,
        matcher: undefined,
        form: (earlier) => shortHookForm(host, earlier),
      },
      { event: events.main, matcher: undefined, form },
    );
  if (subagents.length > 0 && events.subagent !== undefined)
    hooks.push({
      event: events.subagent,
      matcher: hasMatcher ? subagents.map(escapeRegExp).join('|') : undefined,
      form,
    });
  if (hooks.length > 0 && events.edit !== undefined)
    hooks.push({
      event: events.edit,
      matcher: editTools,
      form: (earlier) => shortHookForm(host, earlier),
    });
  return hooks;
}

/** Keeps the flags of an earlier entry, and its deadline if it is longer and below the earlier timeout. */
function stopHookForm(
  host: KnownHost,
  { gateSeconds }: HookNeeds,
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
    command: hookCommand(host.hookFile, { host: hostFlag(host), deadlineSeconds, flags }),
    timeout: (isKept ? earlier?.timeout : undefined) ?? timeoutInUnit(host.timeout, limitSeconds),
  };
}

/** A hook that runs no gate. */
function shortHookForm(host: KnownHost, earlier: HookEntry | undefined): ReturnType<RequiredHook['form']> {
  const { flags = '' } = (earlier && parseHookCommand(earlier.command)) ?? {};
  return {
    command: hookCommand(host.hookFile, { host: hostFlag(host), deadlineSeconds: undefined, flags }),
    timeout: timeoutInUnit(host.timeout, SHORT_SECONDS),
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
