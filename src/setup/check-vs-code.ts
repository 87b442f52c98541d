import { claudeCode } from '../hosts/claude-code.ts';
import type { Finding } from './check-project.ts';
import type { FoundHook } from './hook-files.ts';
import { parseData, valueAt } from './parse-data.ts';

/** What decides whether Copilot chat in VS Code runs Claude Code's hooks. */
interface VsCodeUse {
  /** Absolute directory that has the hooks. */
  readonly directory: string;
  /** Absolute directories that may be the root of a workspace. */
  readonly workspaces: readonly string[];
  /** Whether Copilot is used in the project, as far as its files show. */
  readonly hasCopilot: boolean;
  /** The text of a workspace's file; undefined if there is none. */
  read(file: string, workspace: string): string | undefined;
  canStart(command: string, workspace: string): boolean;
}

const about = 'Copilot chat in VS Code';
const SETTING = 'chat.useClaudeHooks';
const SETTINGS_FILE = '.vscode/settings.json';

/**
 * Checks that VS Code runs Claude Code's hooks of a project: it does so with a setting alone, which is off by default, and
 * starts them in the root of its workspace (both are in its source).
 */
export function checkVsCode(
  hooks: readonly FoundHook[],
  { directory, workspaces, hasCopilot, read, canStart }: VsCodeUse,
): Finding[] {
  const { path } = claudeCode.hookFile;
  const commands = hooks.flatMap(({ file, command }) => (file === path ? [command] : []));
  const used = workspaces.flatMap((workspace) => {
    const text = read(SETTINGS_FILE, workspace);
    return text === undefined ? [] : [{ workspace, runsHooks: hasSetting(text) }];
  });
  if (commands.length === 0 || used.length === 0) return [];
  const running = used.filter(({ runsHooks }) => runsHooks);
  if (running.length === 0 && hasCopilot)
    return [
      {
        about,
        level: 'warning',
        what: `It does not run the hooks of ${path}: ${SETTING} is off by default, and ${SETTINGS_FILE} does not set it.`,
        fix: `Set "${SETTING}": true there or in your own settings.`,
      },
    ];
  return running
    .filter(({ workspace }) => !commands.every((command) => canStart(command, workspace)))
    .map(({ workspace }) => ({
      about,
      level: 'error',
      what: `It starts the hooks of ${path} in the root of its workspace. In ${workspace} they cannot start, and every stop is allowed.`,
      fix: `Open ${directory} in VS Code, with "${SETTING}": true in its ${SETTINGS_FILE} instead.`,
    }));
}

function hasSetting(text: string): boolean {
  const settings = parseData(SETTINGS_FILE, text);
  return settings.ok && valueAt(settings.value, SETTING) === true;
}
