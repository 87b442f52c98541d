import { formatProblem } from '../config/validate.ts';
import { claudeCode } from '../hosts/claude-code.ts';
import type { KnownHost } from '../hosts/host.ts';
import { parseHookCommand } from './hook-command.ts';
import { type HookEntry, readHookFile } from './read-hook-file.ts';

/** A hook of ours in a file that a host reads. */
export interface FoundHook extends HookEntry {
  /** As the person knows it: relative to the project, or below `~`. */
  readonly file: string;
}

/** Cursor writes the names of events small, and runs Claude Code's hooks under theirs. */
export function isAt({ event }: FoundHook, wanted: string): boolean {
  return event.toLowerCase() === wanted.toLowerCase();
}

/** What a host's files hold of ours. */
export interface FoundHooks {
  /** At stops. */
  readonly hooks: readonly FoundHook[];
  /** At prompts that are typed. */
  readonly prompts: readonly FoundHook[];
  /** What is wrong with the files, each with file:line:column. */
  readonly problems: readonly string[];
  /** Files that name ralph-loop's hook where the host does not look for hooks. */
  readonly misplaced: readonly string[];
  /** Files that switch all hooks off. */
  readonly switchedOff: readonly string[];
  /** Files that switch our plugin on, which has hooks of its own. */
  readonly plugins: readonly string[];
}

/**
 * Looks for our hooks in all files that a host reads.
 *
 * @param read the text of a file, relative to the project or below `~`; undefined where there is none
 */
export function findHooks(host: KnownHost, read: (file: string) => string | undefined): FoundHooks {
  const { path, otherPaths } = host.hookFile;
  const own = [path, ...otherPaths].map((file) => hooksIn(file, host, read));
  const claudes = host.runsClaudeHooks ? [hooksIn(claudeCode.hookFile.path, claudeCode, read)] : [];
  const all = [...own, ...claudes];
  return {
    hooks: all.flatMap(({ hooks }) => hooks),
    prompts: all.flatMap(({ prompts }) => prompts),
    problems: all.flatMap(({ problems }) => problems),
    misplaced: all.flatMap(({ misplaced }) => misplaced),
    switchedOff: all.flatMap(({ switchedOff }) => switchedOff),
    plugins: all.flatMap(({ plugins }) => plugins),
  };
}

function hooksIn(
  file: string,
  { hookFile }: KnownHost,
  read: (file: string) => string | undefined,
): FoundHooks {
  const none: FoundHooks = {
    hooks: [],
    prompts: [],
    problems: [],
    misplaced: [],
    switchedOff: [],
    plugins: [],
  };
  const text = read(file);
  if (text === undefined) return none;
  const found = readHookFile(text.replace(/^\uFEFF/, ''), hookFile);
  if ('problems' in found)
    return { ...none, problems: found.problems.map((problem) => formatProblem(file, problem)) };
  const { main, subagent, prompt } = hookFile.events;
  const ours = found.entries
    .filter(({ command }) => parseHookCommand(command))
    .map((entry) => ({ ...entry, file }));
  const hooks = ours.filter(({ event }) => event === main || event === subagent);
  return {
    ...none,
    hooks,
    prompts: ours.filter(({ event }) => event === prompt),
    misplaced: hooks.length === 0 && namesOurHook(text) ? [file] : [],
    switchedOff: isSwitchedOff(found.root?.value) ? [file] : [],
    plugins: hasPlugin(found.root?.value) ? [file] : [],
  };
}

function namesOurHook(text: string): boolean {
  return /ralph-loop(?:\.js)?(?:\\?["'])?\s+(?:hook|subagent-stop)\b/.test(text);
}

/** Whether settings of Claude Code switch our plugin on, from whichever marketplace it came. */
export function hasPlugin(settings: unknown): boolean {
  const { enabledPlugins } = (settings ?? {}) as { readonly enabledPlugins?: unknown };
  if (typeof enabledPlugins !== 'object' || enabledPlugins === null) return false;
  return Object.entries(enabledPlugins).some(
    ([name, isOn]) => isOn === true && name.startsWith('ralph-loop@'),
  );
}

/** Claude Code's and Qwen's word for it, and Gemini's. */
function isSwitchedOff(settings: unknown): boolean {
  const { disableAllHooks, hooksConfig } = (settings ?? {}) as {
    readonly disableAllHooks?: unknown;
    readonly hooksConfig?: { readonly enabled?: unknown };
  };
  return disableAllHooks === true || hooksConfig?.enabled === false;
}
