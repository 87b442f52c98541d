import { EMPTY_RECORDING } from '../process/recording.ts';
import type { RunCommand } from '../process/run-command.ts';
import { uptimeMs } from '../process/uptime.ts';
import { gateEnvironment } from './gate-environment.ts';
import { gateSecrets, withoutSecrets } from './gate-secrets.ts';
import { outcomeOf } from './outcome-of.ts';
import type {
  CommandGate,
  Gate,
  GateEvent,
  GateOutcome,
  GateResult,
  MarkerGate,
  RunResult,
} from './types.ts';
import { userShell } from './user-shell.ts';
import { verdictOf } from './verdict.ts';

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
