import { formatProblem } from '../config/validate.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import { type HookFile, type KnownHost, timeoutSeconds } from '../hosts/host.ts';
import { HOSTS } from '../hosts/hosts.ts';
import { editHookFile, type WantedHook } from './edit-hook-file.ts';
import { hasPlugin } from './find-hooks.ts';
import { parseHookCommand } from './hook-command.ts';
import { joined, NOTHING, type Plan, type ReadFile } from './plan.ts';
import { readHookFile } from './read-hook-file.ts';
import { type HookNeeds, wantedHooks } from './wanted-hooks.ts';

/**
 * Plans the hooks of hosts.
 *
 * @param read reads a file of the project
 */
export function planHooks(hosts: readonly KnownHost[], needs: HookNeeds, read: ReadFile): Plan {
  const hasClaudes = hosts.includes(claudeCode) || hasOurs(claudeCode.hookFile, read);
  // Set up before Claude Code was, they have hooks of their own beside its.
  const doubled = HOSTS.filter(
    (host) => host.runsClaudeHooks && hasClaudes && !hosts.includes(host) && hasOurs(host.hookFile, read),
  );
  return joined(
    [...hosts, ...doubled].map((host) => {
      if (host.runsClaudeHooks && hasClaudes) return planWithClaudes(host, read);
      if (host === claudeCode && isPlugin(read)) return planPlugin(read);
      const wanted = wantedHooks(host, needs);
      return wanted.length > 0 ? planFile(host, wanted, read) : planNone(host, needs, read);
    }),
  );
}

/** Plans that there are no hooks of ours in the files of these hosts. */
export function planNoHooks(hosts: readonly KnownHost[], read: ReadFile): Plan {
  return joined(hosts.map((host) => planFile(host, [], read)));
}

function planFile(host: KnownHost, wanted: readonly WantedHook[], read: ReadFile): Plan {
  const { path } = host.hookFile;
  const file = read(path);
  if ('why' in file) return { ...NOTHING, problems: [file.why] };
  const { text: before } = file;
  if (!before?.trim() && wanted.length === 0) return NOTHING;
  const edited = editHookFile(before ?? '', host.hookFile, wanted);
  if ('problems' in edited)
    return { ...NOTHING, problems: edited.problems.map((problem) => formatProblem(path, problem)) };
  if (edited.text === before) return NOTHING;
  const after = wanted.length === 0 && isBlank(edited.text, host.hookFile) ? undefined : edited.text;
  const remarks = edited.replacedPythonHooks.map(({ event, timeout }) => {
    const seconds = timeoutSeconds(host.timeout, timeout);
    const tooShort =
      seconds < host.timeout.defaultSeconds ? `, whose timeout of ${seconds} s was too short` : '';
    return `${path}: ralph-loop takes the place of Trellis's ralph-loop.py at ${event}${tooShort}.`;
  });
  return { ...NOTHING, remarks, changes: [{ path, before, after }] };
}

/** A hook that stands in its own file as well would be called twice at every stop. */
function planWithClaudes(host: KnownHost, read: ReadFile): Plan {
  const remark = `${host.title} runs the hooks of ${claudeCode.hookFile.path} too: it needs no file of its own.`;
  return joined([planFile(host, [], read), { ...NOTHING, remarks: [remark] }]);
}

/** The plugin's hooks are called at every stop already. */
function planPlugin(read: ReadFile): Plan {
  const remark = `The plugin is switched on in ${claudeCode.hookFile.path}: Claude Code needs no hooks there.`;
  return joined([planFile(claudeCode, [], read), { ...NOTHING, remarks: [remark] }]);
}

function isPlugin(read: ReadFile): boolean {
  const file = read(claudeCode.hookFile.path);
  if ('why' in file || file.text === undefined) return false;
  const found = readHookFile(file.text, claudeCode.hookFile);
  return 'entries' in found && hasPlugin(found.root?.value);
}

function planNone(host: KnownHost, { agents }: HookNeeds, read: ReadFile): Plan {
  const remark = `${host.title} has no event that tells the stops of ${agents.join(', ')}: nothing is guarded there. "main" in the agents of worktree.yaml would guard its main agent.`;
  return joined([planFile(host, [], read), { ...NOTHING, remarks: [remark] }]);
}

function hasOurs(hookFile: HookFile, read: ReadFile): boolean {
  const file = read(hookFile.path);
  if ('why' in file || file.text === undefined) return false;
  const hooks = readHookFile(file.text.replace(/^\uFEFF/, ''), hookFile);
  return 'entries' in hooks && hooks.entries.some(({ command }) => parseHookCommand(command) !== undefined);
}

/** Whether nothing is left but what a file begins with. */
function isBlank(text: string, { head = {} }: HookFile): boolean {
  return [JSON.stringify(head), '{}'].includes(text.replace(/\s+/g, ''));
}
