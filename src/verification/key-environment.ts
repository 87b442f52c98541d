import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isInside } from '../base/files.ts';
import { gateEnvironment } from '../gates/environment.ts';
import { PROJECTS_VARIABLE } from '../gates/nesting.ts';
import type { CommandGate } from '../gates/types.ts';
import { TREE_VARIABLE } from '../process/process-group.ts';

// A hook, the agent's shell and a person's terminal have different variables for the same work. What differs between them
// is left out by name, and everything else counts: a pass with SKIP_SLOW=1, or with another PATH, is not a pass without.

/** Variables of shells, terminals and desktop sessions. */
const OF_SESSIONS =
  /^(?:_|(?:OLD)?PWD|SHLVL|COLUMNS|LINES|TERM|COLORTERM|TERM_\w+|TERMINFO\w*|PS[124]|HIST\w+|(?:\w+_)?PAGER|LESS\w*|(?:GIT_)?EDITOR|VISUAL|LS_COLORS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|WINDOWID|TMUX\w*|STY|SSH_(?:CLIENT|CONNECTION|TTY|AUTH_SOCK|AGENT_PID)|GPG_TTY|DBUS_SESSION_BUS_ADDRESS|XDG_(?:SESSION\w*|SEAT\w*|VTNR|CURRENT_DESKTOP|ACTIVATION_TOKEN)|INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MANAGERPID|MEMORY_PRESSURE_\w+|(?:ITERM|KITTY|ALACRITTY|WEZTERM|GHOSTTY|KONSOLE|GNOME_TERMINAL|WT|VSCODE|ZED|JEDITERM)_\w+|VTE_VERSION|__CF\w+|COMMAND_MODE|SECURITYSESSIONID)$/;

/** Variables of agents' hosts. Names that tests may read, such as GEMINI_API_KEY, are not among them. */
const OF_HOSTS =
  /^(?:CLAUDECODE|CLAUDE_(?:CODE_\w+|PROJECT_DIR|PLUGIN_\w+|ENV_FILE|SESSION_ID)|AI_AGENT|AGENT|NoDefaultCurrentDirectoryInExePath|COREPACK_ENABLE_AUTO_PIN|OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE|CODEX_(?!HOME$|API_KEY$)\w+|GEMINI_CLI\w*|QWEN_CODE\w*|COPILOT_(?:CLI|AGENT)\w*|DROID_\w+|CURSOR_(?:AGENT|TRACE_ID|VERSION|USER_EMAIL)|OPENCODE(?:_\w+)?|KILO(?:CODE_\w+|_(?:PROCESS_ROLE|PID|RUN_ID))?|PI_CODING_AGENT|(?:GEMINI|QWEN|COPILOT|FACTORY|CURSOR|CODEX)_(?:PROJECT_DIR|SESSION_ID|CWD|PLANS_DIR))$/;

/** What npm and its kin set for the programs that they start, and set again for those that a gate starts with them. */
const OF_NPM =
  /^(?:npm_(?:command|execpath|node_execpath|lifecycle_\w+|package_\w+|config_(?:user_agent|cache|init_module|node_gyp|noproxy|npm_version|yes|call|package))|INIT_CWD|PROJECT_CWD|BERRY_BIN_FOLDER|PNPM_SCRIPT_SRC_DIR|NODE|COLOR)$/;

type Variables = readonly (readonly [name: string, value: string | undefined])[];

/**
 * A function that returns the variables that the result of a gate depends on, in the order of their names.
 *
 * @param root absolute directory of the project
 * @param env the environment that gates inherit
 */
export function keyEnvironments(root: string, env: NodeJS.ProcessEnv): (gate: CommandGate) => Variables {
  const known = new Map<string, Variables>();
  return (gate) => {
    // Most gates of a project have the same.
    const id = JSON.stringify([
      gate.env,
      gate.passEnv,
      gate.secretsPassed,
      gate.cwd,
      BY_NPM.test(gate.command),
    ]);
    const variables = known.get(id) ?? variablesOf(gate, root, env);
    known.set(id, variables);
    return variables;
  };
}

function variablesOf(gate: CommandGate, root: string, env: NodeJS.ProcessEnv): Variables {
  const isNpm = env.npm_execpath !== undefined;
  return Object.entries(gateEnvironment(env, gate))
    .filter(
      ([name, value = '']) =>
        gate.env[name] !== undefined ||
        !(
          OF_SESSIONS.test(name) ||
          OF_HOSTS.test(name) ||
          name === TREE_VARIABLE ||
          name === PROJECTS_VARIABLE ||
          (isNpm && (OF_NPM.test(name) || isDefaultOfNpm(name, value, root, env)))
        ),
    )
    .map(([name, value]): [string, string | undefined] =>
      name === 'PATH' ? [name, keyPath(value ?? '', gate)] : [name, value],
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A file of settings can name another shell for scripts. */
function isDefaultOfNpm(name: string, value: string, root: string, env: NodeJS.ProcessEnv): boolean {
  switch (name) {
    case 'npm_config_userconfig':
      return value === join(env.HOME ?? '', '.npmrc');
    case 'npm_config_globalconfig':
      return !existsSync(value);
    case 'npm_config_prefix':
    case 'npm_config_global_prefix':
      return !existsSync(join(value, 'etc/npmrc'));
    case 'npm_config_local_prefix':
      return isInside(value, root);
    default:
      return false;
  }
}

/** A command of programs that search the `node_modules/.bin` of the directories above themselves, and of nothing else. */
const BY_NPM = /^(?:npm|npx|pnpm|yarn)(?: [\w@.,/:=-]+)*(?: && (?:npm|npx|pnpm|yarn)(?: [\w@.,/:=-]+)*)*$/;
/** Programs that no gate calls by these names. */
const HARMLESS = /^(?:ralph-loop(?:-cli)?|ralph-gate|node-gyp)(?:\.\w+)?$/;

/** A search path without what is there twice, and without what `npx` adds, if that makes no difference to the gate. */
function keyPath(path: string, { command, cwd }: CommandGate): string {
  const directories = [...new Set(path.split(delimiter))];
  const isFoundAnyway = (directory: string) =>
    BY_NPM.test(command) && isInside(dirname(dirname(directory)), cwd);
  return directories
    .filter((directory) => {
      const isOfNpm = directory.startsWith('/') && /\/(?:node_modules\/\.bin|node-gyp-bin)$/.test(directory);
      return (
        !isOfNpm || !(isFoundAnyway(directory) || namesIn(directory).every((name) => HARMLESS.test(name)))
      );
    })
    .join(delimiter);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
