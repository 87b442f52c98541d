import { uptimeMs } from '../base/time.ts';
import { EMPTY_RECORDING } from '../process/recording.ts';
import type { CommandEnd, RunCommand } from '../process/run-command.ts';
import { isSecretName } from '../process/secrets/environment.ts';
import { gateSecrets, withoutSecrets } from './plan.ts';
import type {
  CommandGate,
  Gate,
  GateEvent,
  GateOutcome,
  GateResult,
  MarkerGate,
  RunResult,
  Verdict,
} from './types.ts';

/** When the answer must be out, whatever the gates do. */
export interface Deadline {
  /** As the person set it, for the message. */
  readonly seconds: number;
  /** On the clock of `uptimeMs()`. */
  readonly atMs: number;
}

export interface RunGatesOptions {
  readonly runCommand: RunCommand;
  /** Skip the later blocking gates once a blocking one has failed. */
  readonly failFast: boolean;
  /** The environment that gates inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** The agent's last message: where markers are looked for. */
  readonly message?: string;
  readonly deadline?: Deadline | undefined;
  /** Where a gate's full output goes, absolute. */
  readonly logPathOf?: (gate: Gate) => string | undefined;
  /** Aborting ends the running gate's process tree; the summary is then incomplete. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: GateEvent) => void;
}

/** From SIGTERM to SIGKILL for a gate that ran into its own limit. */
const GRACE_MS = 2000;
/** What is left of it when the hook's deadline is near. */
const DEADLINE_GRACE_MS = 250;
/** Kept back from the deadline: ending the process tree and writing the answer. */
const DEADLINE_RESERVE_MS = 1000;
/** The longest time that setTimeout can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Evaluates the gates in the given order, one after another. Never throws for what a gate does. Results and events tell
 * of gates, and of what they print, without their secrets.
 */
export async function runGates(gates: readonly Gate[], options: RunGatesOptions): Promise<RunResult> {
  const startedAt = uptimeMs();
  const results: GateResult[] = [];
  const secrets = gateSecrets(gates, options.env);
  for (const gate of gates) {
    const shown = withoutSecrets(gate, secrets);
    const result = mustSkip(gate, results, options.failFast)
      ? resultOf(shown, { reason: 'skipped' })
      : { ...(await evaluate(gate, shown, options)), gate: shown };
    results.push(result);
    options.onEvent?.({ type: 'ended', result });
  }
  return { verdict: verdictOf(results), results, durationMs: uptimeMs() - startedAt };
}

function mustSkip(gate: Gate, earlier: readonly GateResult[], failFast: boolean): boolean {
  if (gate.kind === 'marker') return false;
  if (earlier.some(({ outcome }) => outcome.reason === 'out-of-time' || outcome.reason === 'interrupted'))
    return true;
  return failFast && gate.blocking && verdictOf(earlier) === 'failed';
}

/** @param shown the gate as it may be told of */
function evaluate(gate: Gate, shown: Gate, options: RunGatesOptions): GateResult | Promise<GateResult> {
  options.onEvent?.({ type: 'started', gate: shown });
  return gate.kind === 'marker'
    ? evaluateMarker(gate, options.message ?? '')
    : evaluateShell(gate, shown, options);
}

function evaluateMarker(gate: MarkerGate, message: string): GateResult {
  return resultOf(gate, { reason: message.includes(gate.marker) ? 'passed' : 'marker-missing' });
}

async function evaluateShell(gate: CommandGate, shown: Gate, options: RunGatesOptions): Promise<GateResult> {
  const env = gateEnvironment(options.env, gate);
  const shell = gate.inUserShell ? await userShell(env, options.runCommand) : undefined;
  if (shell && 'problem' in shell) return resultOf(gate, { reason: 'not-started', message: shell.problem });
  const { deadline } = options;
  const timeLeftMs = deadline ? deadline.atMs - reserveOf(deadline) - uptimeMs() : Number.POSITIVE_INFINITY;
  const limitMs = Math.min(gate.timeoutSeconds * 1000, MAX_TIMER_MS);
  const deadlineFirst = timeLeftMs < limitMs;
  if (deadline && timeLeftMs <= 0)
    return resultOf(gate, { reason: 'out-of-time', deadlineSeconds: deadline.seconds });
  const logPath = options.logPathOf?.(gate);
  const { end, durationMs, output } = await options.runCommand(
    {
      command: gate.command,
      cwd: gate.cwd,
      env,
      ...(shell && { shell: shell.path }),
      timeoutMs: Math.min(limitMs, timeLeftMs),
      graceMs: Math.min(GRACE_MS, Math.max(0, timeLeftMs - limitMs) + DEADLINE_GRACE_MS),
      ...(logPath !== undefined && { logPath }),
    },
    {
      ...(options.signal && { signal: options.signal }),
      onOutput: (stream, bytes) => options.onEvent?.({ type: 'output', gate: shown, stream, bytes }),
    },
  );
  const outcome =
    end.how === 'timed-out' && deadlineFirst && deadline
      ? { reason: 'out-of-time' as const, deadlineSeconds: deadline.seconds }
      : outcomeOf(end, gate.timeoutSeconds);
  return { gate, outcome, durationMs, output };
}

function resultOf(gate: Gate, outcome: GateOutcome): GateResult {
  return { gate, outcome, durationMs: 0, output: EMPTY_RECORDING };
}

/** A deadline of a second or two is all reserve: half of it is then left to the gates. */
function reserveOf(deadline: Deadline): number {
  return Math.min(DEADLINE_RESERVE_MS, (deadline.seconds * 1000) / 2);
}

/** What programs need in order to be found, to keep their files, and to know whom they talk to: no secret is in these. */
const BASICS = ['PATH', 'HOME', 'SHELL', 'USER', 'LANG', 'TMPDIR', 'TERM', 'NODE_ENV', 'CI'];

/** The whole environment of a gate's command. */
export function gateEnvironment(
  inherited: NodeJS.ProcessEnv,
  { env, passEnv, secretsPassed }: CommandGate,
): NodeJS.ProcessEnv {
  const passed = passEnv === undefined ? inherited : only([...BASICS, ...passEnv], inherited);
  const safe = secretsPassed === undefined ? passed : withoutSecretNames(passed, secretsPassed);
  return { ...safe, ...env, RALPH_LOOP: '1' };
}

function withoutSecretNames(env: NodeJS.ProcessEnv, except: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !isSecretName(name) || except.includes(name)),
  );
}

function only(names: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)));
}

/** @param limitSeconds the gate's own limit */
export function outcomeOf(end: CommandEnd, limitSeconds: number): GateOutcome {
  switch (end.how) {
    case 'exited':
      return outcomeOfExit(end.exitCode);
    case 'killed':
      return { reason: 'killed', signal: end.signal };
    case 'timed-out':
      return { reason: 'timed-out', limitSeconds };
    case 'aborted':
      return { reason: 'interrupted' };
    case 'not-started':
      return { reason: 'not-started', message: end.message };
  }
}

/** 126 and 127 are the shell's own words (POSIX, "Exit Status for Commands"). */
function outcomeOfExit(exitCode: number): GateOutcome {
  if (exitCode === 0) return { reason: 'passed' };
  if (exitCode === 126) return { reason: 'not-executable' };
  if (exitCode === 127) return { reason: 'not-found' };
  return { reason: 'failed', exitCode };
}

/** POSIX's shell, where Python's subprocess looks for it too. */
export const PLAIN_SHELL = '/bin/sh';
/** Programs of these names run what `-c` gives them; any other has to show it. */
const SHELLS = /^(?:sh|ash|dash|bash|zsh|m?ksh|ksh93|yash|fish|t?csh|pwsh|nu|elvish|xonsh|osh)$/;
/** Enough for a shell that reads long start-up files. */
const PROBE_TIMEOUT_MS = 10_000;
/** An exit code that nothing gives by chance. */
const PROBE_CODE = 42;

/** The person's shell, or why it is none. */
export type UserShell = { readonly path: string } | { readonly problem: string };

/**
 * The shell of the person's environment, `/bin/sh` where none is set. Accounts that nobody logs in to have `nologin`
 * or `false` there, and `true` would let every gate pass: what is not known for a shell must run a command first.
 *
 * @param env the environment that gates inherit
 */
export async function userShell(env: NodeJS.ProcessEnv, runCommand: RunCommand): Promise<UserShell> {
  const path = env.SHELL || PLAIN_SHELL;
  if (SHELLS.test(path.slice(path.lastIndexOf('/') + 1))) return { path };
  const probe = {
    command: `exit ${PROBE_CODE}`,
    shell: path,
    cwd: '/',
    env,
    timeoutMs: PROBE_TIMEOUT_MS,
    graceMs: 0,
  };
  const { end } = await runCommand(probe, {});
  if (end.how === 'exited' && end.exitCode === PROBE_CODE) return { path };
  return {
    problem: `$SHELL is ${path}, which does not run commands: set it to a shell, as /bin/bash, or unset it`,
  };
}

/** What the results say together. Gates that do not block have no say. */
export function verdictOf(results: readonly GateResult[]): Verdict {
  const reasons = results.filter(({ gate }) => gate.blocking).map(({ outcome }) => outcome.reason);
  const unfinished = ['skipped', 'out-of-time', 'interrupted'];
  if (reasons.some((reason) => reason !== 'passed' && !unfinished.includes(reason))) return 'failed';
  return reasons.every((reason) => reason === 'passed') ? 'passed' : 'incomplete';
}
