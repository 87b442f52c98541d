import { parseJson } from '../config/parse-json.ts';
import type { EventFields } from '../hosts/host.ts';
import { isCurrentLauncher } from '../hosts/own-files.ts';
import { isSamePage } from '../hosts/plugin-page.ts';
import { HOSTS } from '../hosts/registry.ts';
import type { Finding } from '../integrity/types.ts';
import {
  hookRemovedText,
  hooksDisabledText,
  hostVariablesText,
  launcherChangedText,
  pageChangedText,
} from '../messages/protected-gates.ts';
import { LAUNCHER } from '../process/own-command.ts';
import { type FoundHook, type FoundHooks, findHooks } from './hook-files.ts';

/** The texts of files by path, relative to the project or beginning with `~/`; null for a file that is not there. */
type Texts = Readonly<Record<string, string | null>>;

/** Compares the hooks of ralph-loop in the hosts' settings, and what decides whether and how they run. */
export function compareHooks(before: Texts, after: Texts): Finding[] {
  const readIn = (texts: Texts) => (file: string) => texts[file] ?? undefined;
  const found = HOSTS.flatMap((host) => {
    const [old, now] = [findHooks(host, readIn(before)), findHooks(host, readIn(after))];
    const { events, path, otherPaths } = host.hookFile;
    // Some hosts also run the hooks of another one, which are reported there.
    const isOwn = (file: string) => [path, ...otherPaths].includes(file);
    const removed = [...old.hooks, ...old.prompts].filter((hook) => isOwn(hook.file) && !hasHook(now, hook));
    return [
      ...removed.map((hook) => {
        const isChanged = [...now.hooks, ...now.prompts].some(({ event }) => event === hook.event);
        const name = hook.event === events.prompt ? 'prompt' : hook.event;
        return removedFinding(hook.file, hookRemovedText(host.title, name, isChanged));
      }),
      ...now.disabled
        .filter((file) => isOwn(file) && old.hooks.length > 0 && !old.disabled.includes(file))
        .map((file) => removedFinding(file, hooksDisabledText(host.title))),
      ...old.plugins
        .filter((file) => isOwn(file) && now.plugins.length === 0)
        .map((file) => removedFinding(file, hookRemovedText(host.title, 'plugin', false))),
      ...now.changedPages
        .filter((file) => isOwn(file) && isOtherCode(before[file], after[file]))
        .map((file) => removedFinding(file, pageChangedText(host.title))),
    ];
  });
  return [
    ...found,
    ...launcherFindings(before[LAUNCHER], after[LAUNCHER]),
    ...variableFindings(before, after),
  ];
}

function hasHook({ hooks, prompts }: FoundHooks, hook: FoundHook): boolean {
  return [...hooks, ...prompts].some(
    ({ event, matcher, command, timeout }) =>
      event === hook.event &&
      matcher === hook.matcher &&
      command === hook.command &&
      // Without a number, that of the host counts.
      (timeout === hook.timeout || (timeout ?? 0) > (hook.timeout ?? Number.POSITIVE_INFINITY)),
  );
}

/** @param before null if there was no file */
function isOtherCode(before: string | null | undefined, after: string | null | undefined): boolean {
  return before != null && after != null && !isSamePage(before, after);
}

function removedFinding(path: string, message: string): Finding {
  return { rule: 'hook-removed', severity: 'high', path, message };
}

function launcherFindings(before: string | null | undefined, after: string | null | undefined): Finding[] {
  if (before == null || before === after || (after != null && isCurrentLauncher(after))) return [];
  return [removedFinding(LAUNCHER, launcherChangedText(after == null))];
}

/** Variables by which gates and hooks do something else, or nothing. */
const DECISIVE =
  /^(?:RALPH_LOOP\w*|PATH|HOME|SHELL|ENV|BASH_ENV|NODE_(?:OPTIONS|PATH)|LD_(?:PRELOAD|LIBRARY_PATH)|DYLD_\w+|PYTHON(?:PATH|STARTUP|OPTIMIZE)|PYTEST_\w+|RUBY(?:OPT|LIB)|PERL5(?:OPT|LIB)|JAVA_TOOL_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|GOFLAGS|RUSTFLAGS|RUSTC_WRAPPER|CARGO_\w+|MAKEFLAGS|MAKEFILES|GIT_(?:DIR|WORK_TREE|CONFIG\w*)|XDG_STATE_HOME|npm_config_\w+)$/i;

/** The variables that the settings of a host set for its processes. */
function variableFindings(before: Texts, after: Texts): Finding[] {
  return Object.keys(after).flatMap((file) => {
    if (!file.endsWith('.json') || before[file] === after[file]) return [];
    const [old, now] = [variablesIn(before[file]), variablesIn(after[file])];
    const names = Object.keys(now).filter((name) => DECISIVE.test(name) && now[name] !== old[name]);
    if (names.length === 0) return [];
    return [{ rule: 'gate-changed', severity: 'high', path: file, message: hostVariablesText(names) }];
  });
}

function variablesIn(text: string | null | undefined): EventFields {
  if (text == null) return {};
  const { env } = (parseJson(text.replace(/^\uFEFF/, '')).root?.value ?? {}) as { env?: unknown };
  return typeof env === 'object' && env !== null ? (env as EventFields) : {};
}
