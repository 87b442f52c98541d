import { failure, type Result, success } from '../base/result.ts';
import { uptimeMs } from '../base/time.ts';
import { type CommandEnd, DEFAULT_SHELL, type RunCommand } from '../process/run-command.ts';
import { gateEnvironment } from './environment.ts';
import { markerResult, type Settled, settledResult, verdictOf, withoutOutput } from './known-results.ts';
import { gateSecrets, logPathsIn, maskGate } from './plan.ts';
import { runWithRetries } from './retries.ts';
import { type LastRun, scheduleOf } from './schedule.ts';
import { withTests } from './tests-of-gate.ts';
import type { CommandGate, Gate, GateEvent, GateOutcome, GateResult, RunResult } from './types.ts';

/** When the answer must be out, regardless of the gates. */
export interface Deadline {
  /** As configured, for messages. */
  readonly seconds: number;
  /** On the clock of `uptimeMs()`. */
  readonly atMs: number;
}

export interface RunGatesOptions {
  readonly runCommand: RunCommand;
  /** Once a blocking gate has failed, end the other blocking gates that run, and skip the later ones. */
  readonly failFast: boolean;
  /** How many gates run at the same time; 1 by default. */
  readonly jobs?: number | undefined;
  /** How the gates ended the last time, by name: what failed starts first, then the shortest. For several jobs. */
  readonly history?: ReadonlyMap<string, LastRun> | undefined;
  /** The environment that gates inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** The agent's last message, which is searched for markers. */
  readonly message?: string;
  /** The results that are known without running the gate. */
  readonly settled?: ReadonlyMap<Gate, Settled> | undefined;
  /** Called with the result of each command that ran; returns the one that counts. */
  readonly review?: ((result: GateResult) => GateResult | Promise<GateResult>) | undefined;
  /** The fingerprint of the working tree, for gates with retries. */
  readonly treeNow?: (() => Promise<string | undefined>) | undefined;
  readonly deadline?: Deadline | undefined;
  /** Absolute path of the directory for the full output of each gate; without it, none is written. */
  readonly logDirectory?: string;
  /** Aborting ends the process trees of the running gates; the verdict is then `incomplete`, if no gate has failed. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: GateEvent) => void;
}

/** What all gates of one run share. */
interface Run extends RunGatesOptions {
  /** Values to mask in everything that is printed, stored or reported. */
  readonly secrets: readonly string[];
  readonly logPathOf: (gate: Gate) => string | undefined;
}

/** From SIGTERM to SIGKILL for a gate that reached its own time limit. */
const GRACE_MS = 2000;
/** The shortest grace, for a gate whose limit is close to the hook's deadline. */
const DEADLINE_GRACE_MS = 250;
/** Reserved before the deadline for ending the process tree and writing the answer. */
const DEADLINE_RESERVE_MS = 1000;
/** The longest delay of setTimeout. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Evaluates the gates: one after another, or several at the same time. A failing gate is a result, not an exception. The
 * results are in the given order. Results and events contain gates and output with their secrets masked.
 */
export async function runGates(gates: readonly Gate[], options: RunGatesOptions): Promise<RunResult> {
  const { logDirectory } = options;
  const secrets = gateSecrets(gates, options.env);
  const logPathOf = logDirectory === undefined ? () => undefined : logPathsIn(logDirectory, gates, secrets);
  return new GateRun(gates, { ...options, secrets, logPathOf }).untilEnd();
}

/** A gate that runs. */
interface StartedGate {
  readonly gate: Gate;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** Ends it. */
  readonly stop: AbortController;
}

class GateRun {
  readonly #startedAt = uptimeMs();
  readonly #run: Run;
  readonly #gates: readonly { readonly gate: Gate; readonly shown: Gate }[];
  readonly #nextStep: ReturnType<typeof scheduleOf>;
  readonly #results: (GateResult | undefined)[];
  /** By index. */
  readonly #running = new Map<number, StartedGate>();

  constructor(gates: readonly Gate[], run: Run) {
    const { jobs = 1, failFast, settled, history, secrets } = run;
    this.#run = run;
    this.#gates = gates.map((gate) => ({ gate, shown: maskGate(gate, secrets) }));
    this.#results = gates.map(() => undefined);
    this.#nextStep = scheduleOf(
      this.#gates.map(({ gate, shown }) => ({
        gate,
        isKnown: settled?.has(gate) ?? false,
        last: history?.get(shown.name),
      })),
      { jobs, mustSkip: (gate, ended) => mustSkip(gate, ended, failFast) },
    );
  }

  async untilEnd(): Promise<RunResult> {
    try {
      for (;;) {
        while (this.#takeStep());
        if (this.#running.size === 0) break;
        await Promise.race(this.#ends());
      }
    } catch (error) {
      // No gate outlives the run.
      this.#stopWhere(() => true);
      await Promise.allSettled(this.#ends());
      throw error;
    }
    // Nothing could start a gate that needs itself, which is a problem of a config.
    const results = this.#gates.map(({ shown }, index) => this.#results[index] ?? skipped(shown));
    return { verdict: verdictOf(results), results, durationMs: uptimeMs() - this.#startedAt };
  }

  /** Returns whether there may be another step. */
  #takeStep(): boolean {
    const step = this.#nextStep({ results: this.#results, running: [...this.#running.keys()] });
    const next = step && this.#gates[step.index];
    if (!next) return false;
    const { gate, shown } = next;
    const known = step.what === 'skip' ? skipped(shown) : evaluateAtOnce(gate, shown, this.#run);
    if (known) this.#end(step.index, known);
    else if (gate.kind === 'command') this.#start(step.index, gate, shown);
    return true;
  }

  #start(index: number, gate: CommandGate, shown: Gate): void {
    const { signal } = this.#run;
    const stop = new AbortController();
    const run = { ...this.#run, signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal };
    const ended = evaluate(gate, shown, run).then((result) => {
      this.#running.delete(index);
      const isStopped = result.outcome.reason === 'interrupted' && stop.signal.aborted && !signal?.aborted;
      this.#end(index, { ...result, gate: shown, ...(isStopped && { outcome: { reason: 'skipped' } }) });
    });
    this.#running.set(index, { gate, ended, stop });
  }

  #end(index: number, ended: GateResult): void {
    const result = { ...ended, endedAfterMs: uptimeMs() - this.#startedAt };
    this.#results[index] = result;
    this.#run.onEvent?.({ type: 'ended', result });
    const results = this.#results.filter((each) => each !== undefined);
    if (this.#run.failFast && verdictOf(results) === 'failed') this.#stopWhere(({ blocking }) => blocking);
  }

  #stopWhere(isStopped: (gate: Gate) => boolean): void {
    for (const { gate, stop } of this.#running.values()) if (isStopped(gate)) stop.abort();
  }

  #ends(): Promise<void>[] {
    return [...this.#running.values()].map(({ ended }) => ended);
  }
}

function mustSkip(gate: Gate, earlier: readonly GateResult[], failFast: boolean): boolean {
  if (gate.kind === 'marker') return false;
  if (earlier.some(({ outcome }) => outcome.reason === 'out-of-time' || outcome.reason === 'interrupted'))
    return true;
  return failFast && gate.blocking && verdictOf(earlier) === 'failed';
}

/**
 * The result of a gate that runs no command; undefined for the others.
 *
 * @param shown the gate with its secrets masked
 */
function evaluateAtOnce(gate: Gate, shown: Gate, run: Run): GateResult | undefined {
  const settled = run.settled?.get(gate);
  if (settled) return settledResult(shown, settled);
  if (gate.kind === 'command') return undefined;
  run.onEvent?.({ type: 'started', gate });
  return markerResult(gate, run.message ?? '');
}

/** @param shown the gate with its secrets masked */
async function evaluate(gate: CommandGate, shown: Gate, run: Run): Promise<GateResult> {
  run.onEvent?.({ type: 'started', gate: shown });
  const attempt = async (heading?: string) => {
    if (heading !== undefined) run.onEvent?.({ type: 'started', gate: shown });
    const result = await evaluateCommand(gate, shown, run, heading);
    return run.review ? run.review({ ...result, gate: shown }) : result;
  };
  return runWithRetries(gate, attempt, run.treeNow);
}

/** @param heading of a further attempt, for the log */
async function evaluateCommand(
  gate: CommandGate,
  shown: Gate,
  run: Run,
  heading: string | undefined,
): Promise<GateResult> {
  const { deadline, secrets } = run;
  const env = gateEnvironment(run.env, gate);
  const shell = gate.inUserShell ? await userShell(env, run.runCommand) : undefined;
  if (shell?.ok === false)
    return withoutOutput(gate, { reason: 'not-started', message: shell.failure.message });
  const timeLeftMs = deadline ? deadline.atMs - reserveOf(deadline) - uptimeMs() : Number.POSITIVE_INFINITY;
  const limitMs = Math.min(gate.timeoutSeconds * 1000, MAX_TIMER_MS);
  const deadlineFirst = timeLeftMs < limitMs;
  if (deadline && timeLeftMs <= 0)
    return withoutOutput(gate, { reason: 'out-of-time', deadlineSeconds: deadline.seconds });
  const logPath = run.logPathOf(gate);
  const [command = gate.command, ...next] = gate.batches ?? [];
  const { end, durationMs, output } = await run.runCommand(
    {
      command,
      ...(next.length > 0 && { next }),
      cwd: gate.cwd,
      env,
      secrets,
      ...(shell && { shell: shell.value }),
      timeoutMs: Math.min(limitMs, timeLeftMs),
      graceMs: Math.min(GRACE_MS, Math.max(0, timeLeftMs - limitMs) + DEADLINE_GRACE_MS),
      ...(logPath !== undefined && { logPath }),
      ...(heading !== undefined && { logHeading: heading }),
    },
    {
      ...(run.signal && { signal: run.signal }),
      onOutput: (stream, bytes) => run.onEvent?.({ type: 'output', gate: shown, stream, bytes }),
    },
  );
  const outcome =
    end.how === 'timed-out' && deadlineFirst && deadline
      ? { reason: 'out-of-time' as const, deadlineSeconds: deadline.seconds }
      : outcomeOf(end, gate.timeoutSeconds);
  return withTests({ gate, outcome, durationMs, output });
}

function skipped(gate: Gate): GateResult {
  return withoutOutput(gate, { reason: 'skipped' });
}

/** A deadline of two seconds or less is not all reserve: half of it is left to the gates. */
function reserveOf(deadline: Deadline): number {
  return Math.min(DEADLINE_RESERVE_MS, (deadline.seconds * 1000) / 2);
}

/** @param limitSeconds the gate's own time limit */
function outcomeOf(end: CommandEnd, limitSeconds: number): GateOutcome {
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

/** Shells exit with 126 and 127 for commands that they cannot run (POSIX, "Exit Status for Commands"). */
function outcomeOfExit(exitCode: number): GateOutcome {
  if (exitCode === 0) return { reason: 'passed' };
  if (exitCode === 126) return { reason: 'not-executable' };
  if (exitCode === 127) return { reason: 'not-found' };
  return { reason: 'failed', exitCode };
}

/** Programs of these names are known to run the argument of `-c`; any other is tested. */
const SHELLS = /^(?:sh|ash|dash|bash|zsh|m?ksh|ksh93|yash|fish|t?csh|pwsh|nu|elvish|xonsh|osh)$/;
/** Enough for a shell with long start-up files. */
const PROBE_TIMEOUT_MS = 10_000;
/** An unlikely exit code. */
const PROBE_CODE = 42;

/**
 * The path of the shell that `$SHELL` names; DEFAULT_SHELL if it is not set. Accounts without a login have `nologin` or
 * `false` there, and with `true` every gate would pass, so an unknown program must run a command first.
 *
 * @param env the environment that gates inherit
 */
export async function userShell(env: NodeJS.ProcessEnv, runCommand: RunCommand): Promise<Result<string>> {
  const path = env.SHELL || DEFAULT_SHELL;
  if (SHELLS.test(path.slice(path.lastIndexOf('/') + 1))) return success(path);
  const probe = {
    command: `exit ${PROBE_CODE}`,
    shell: path,
    cwd: '/',
    env,
    secrets: [],
    timeoutMs: PROBE_TIMEOUT_MS,
    graceMs: 0,
  };
  const { end } = await runCommand(probe, {});
  if (end.how === 'exited' && end.exitCode === PROBE_CODE) return success(path);
  return failure(
    `$SHELL is ${path}, which does not run commands: set it to a shell, such as /bin/bash, or unset it`,
  );
}
