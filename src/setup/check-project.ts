import { relative } from 'node:path';
import type { Result } from '../base/result.ts';
import type { ProjectFiles } from '../config/discover.ts';
import { pathMatcher } from '../config/glob.ts';
import type { ProjectConfig } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { CHANGED_FILES } from '../gates/plan.ts';
import { type CommandGate, type Gate, type GateOutcome, type GateResult, holds } from '../gates/types.ts';
import { knownFailures } from '../messages/known-failures.ts';
import { afterText, describeOutcome } from '../messages/outcome.ts';
import { scheduleWords } from '../messages/results.ts';

/** A result of `doctor`. */
export interface Finding {
  /** The subject: the config, the gates, the state, or the title of a host. */
  readonly about: string;
  /** `error`: the hook cannot work. */
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
  /** A command, or what the person has to do. */
  readonly fix?: string;
}

/** Checks that a project's config guards something. */
export function checkConfig(
  { root, layout, config, gateConfig }: ProjectFiles,
  { settings, gates, problems }: ProjectConfig,
  task: string | undefined,
): Finding[] {
  const about = 'Config';
  if (problems.length > 0)
    return problems.map((what) => ({
      about,
      level: 'error',
      what,
      fix: 'Fix the config. Until then, every stop is blocked with this error, up to the limit.',
    }));
  const files = [config, gateConfig].flatMap((file) => (file ? relative(root, file.path) : []));
  const name = files.join(', ') || "no config; the current task's markers are the gates";
  const agents = gateConfig ? 'every agent that calls the hook' : settings.agents.join(', ');
  const isTrellis = layout === 'trellis' && gateConfig === undefined;
  const hasCommand = gates.some(({ kind }) => kind === 'command');
  const findings: Finding[] = [
    gates.length > 0 || isTrellis
      ? { about, level: 'ok', what: `${name}: guards ${agents}${jobsText(settings.jobs)}` }
      : {
          about,
          level: 'error',
          what: `${name} has no gates: every stop is allowed.`,
          fix: 'Add commands to "verify", or run ralph-loop init.',
        },
  ];
  if (isTrellis && !hasCommand)
    findings.push({
      about,
      level: 'warning',
      what: "Markers only: no gate is set. A stop is allowed when the agent's message has the words of check.jsonl.",
      fix: 'Add commands to "verify" in .trellis/worktree.yaml.',
    });
  if (isTrellis && task === undefined)
    findings.push({
      about,
      level: 'warning',
      what: 'There is no current task: every stop is allowed.',
      fix: 'Trellis up to 0.4 writes .trellis/.current-task when a task starts. Later versions do not: move this file to worktree.yaml in the root.',
    });
  return findings;
}

function jobsText(jobs: Settings['jobs']): string {
  if (jobs === 1) return '';
  return `; gates of the same order run at the same time, ${jobs === 'auto' ? 'one for each core' : `up to ${jobs}`}`;
}

/** What a gate's command can start. */
interface GateEnvironment {
  /** Whether the gate's shell finds a program, or has a builtin of that name. */
  isFound(program: string, gate: CommandGate): boolean;
  /** The names of the scripts of the package.json in the gate's directory; undefined if there is none. */
  scriptsOf(gate: CommandGate): readonly string[] | undefined;
}

/**
 * Checks that a command gate can start, as far as possible without running it.
 *
 * @param gates all gates of the project
 */
export function checkGate(
  gate: CommandGate,
  { isFound, scriptsOf }: GateEnvironment,
  gates: readonly Gate[],
): Finding {
  const about = 'Gates';
  const program = programIn(gate.command);
  if (program !== undefined && !isFound(program, gate))
    return {
      about,
      level: 'error',
      what: `${gate.name}: program "${program}" was not found on PATH.`,
      fix: 'Install it, or fix the command: this gate cannot pass.',
    };
  const script = scriptIn(gate.command);
  const scripts = script === undefined ? undefined : scriptsOf(gate);
  if (script !== undefined && scripts && !scripts.includes(script))
    return {
      about,
      level: 'error',
      what: `${gate.name}: package.json has no script "${script}".`,
      fix: 'Add the script, or fix the command: this gate cannot pass.',
    };
  const state = program === undefined ? 'not checked: only --fire runs it' : 'found';
  return { about, level: 'ok', what: `${gate.name}: ${[state, ...scheduleWords(gate, gates)].join(', ')}` };
}

/** The files of a project, and where its config has a text. */
interface PathsEnvironment {
  /** Relative to the project, those that git ignores left out; a failure outside of a repository. */
  readonly files: Result<readonly string[]>;
  /** `worktree.yaml:3: `, for the start of a message; empty if the text was not found. */
  placeOf(text: string): string;
}

/** Checks that files can match the `paths` of a gate: a pattern with a mistake would keep it from running for ever. */
export function checkPaths(gate: CommandGate, { files, placeOf }: PathsEnvironment): Finding[] {
  const { name, command, paths = [] } = gate;
  const warning = (what: string, fix: string): Finding => ({ about: 'Gates', level: 'warning', what, fix });
  if (!files.ok) {
    const why = `the changed files are not known: ${files.failure.message}.`;
    if (command.includes(CHANGED_FILES))
      return [
        {
          ...warning(`${name}: cannot run: ${why}`, `Remove ${CHANGED_FILES} from the command.`),
          level: 'error',
        },
      ];
    return paths.length === 0
      ? []
      : [warning(`${name}: "paths" has no effect, ${why}`, 'The gate runs at every stop.')];
  }
  const included = paths.filter((pattern) => !pattern.startsWith('!'));
  const [first = ''] = paths;
  if (paths.length > 0 && included.length === 0)
    return [
      warning(
        `${placeOf(first)}${name}: "paths" only excludes, so all other files count. In GitHub Actions no file would.`,
        'Put "**" first in "paths".',
      ),
    ];
  const { value } = files;
  if (paths.length > 0 && !value.some(pathMatcher(paths)))
    return [
      warning(
        `${placeOf(first)}${name}: no file matches "paths" (${paths.join(', ')}): the gate never runs.`,
        'Fix the patterns: they are relative to the project, and the whole path must match.',
      ),
    ];
  return included
    .filter((pattern) => !value.some(pathMatcher([pattern])))
    .map((pattern) =>
      warning(`${placeOf(pattern)}${name}: no file matches "${pattern}".`, 'Fix or remove the pattern.'),
    );
}

/** The result of a gate that `doctor --fire` has run. A gate that fails now does its work; the hook can still work. */
export function gateFinding(result: GateResult): Finding {
  const { gate, outcome, known } = result;
  const about = 'Gates';
  const despite = known === undefined ? '' : ` with ${knownFailures(known)}`;
  const what = `${gate.name}: ${describeOutcome(outcome)}${despite}${afterText(result)}`;
  if (holds(outcome)) return { about, level: 'ok', what };
  if (CANNOT_PASS.has(outcome.reason))
    return { about, level: 'error', what, fix: 'Install it, or fix the command: this gate cannot pass.' };
  if (outcome.reason === 'empty') return { about, level: 'warning', what, fix: NO_TEST_YET };
  return {
    about,
    level: 'warning',
    what,
    fix: `ralph-loop verify ${JSON.stringify(gate.name)} shows its output. To let agents work on other things: ralph-loop baseline.`,
  };
}

const NO_TEST_YET =
  'Correct what selects its tests. If the project has none yet, set `allow_empty: true` (`allowEmpty` in a gate.config.json).';

const CANNOT_PASS: ReadonlySet<GateOutcome['reason']> = new Set([
  'not-found',
  'not-executable',
  'not-started',
]);

/** The first word of a simple command, after assignments of variables; undefined if it has other shell syntax. */
function programIn(command: string): string | undefined {
  return /^(?:\w+=[^\s"'$`]*\s+)*([\w./@+-]+)(?=[\s;&|]|$)/.exec(command.trim())?.[1];
}

/**
 * The script that a command runs from the package.json in the gate's directory; undefined if that is not certain. Options
 * such as `--workspaces` select other packages, and yarn and bun also run programs.
 */
function scriptIn(command: string): string | undefined {
  return /^(?:npm (?=test(?![\w:.-]))|p?npm run )([\w:.][\w:.-]*)(?=$|[;&|]|\s+(?:-- |[^-\s]))/.exec(
    command.trim(),
  )?.[1];
}
