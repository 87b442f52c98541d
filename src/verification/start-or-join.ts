import { uptimeMs } from '../base/time.ts';
import type { Findings } from '../diagnostics/output/condenser.ts';
import { markerResult, settledResult, verdictOf, withoutOutput } from '../gates/known-results.ts';
import { gateSecrets, maskGate } from '../gates/plan.ts';
import type { Gate, GateResult, RunningGate } from '../gates/types.ts';
import { HeapGrowth } from '../process/heap-growth.ts';
import { machineSigner, type Signer } from '../state/machine-key.ts';
import { passesIn } from '../state/passes.ts';
import { endLeftoverTrees } from '../state/running-trees.ts';
import {
  type Claim,
  claimRun,
  endRun,
  type FollowEnd,
  type Frame,
  FrameWriter,
  followRun,
  hasFollower,
  leaveRun,
  removeRun,
  type Wanted,
  writeRequest,
} from './live-runs.ts';
import { recordNewPasses, reusedResults } from './reuse.ts';
import { type Evaluated, type RunPlan, runHere } from './run-here.ts';
import type { RunContext, VerificationRequest } from './types.ts';

/** Reserved before the hook's deadline, for the answer. */
const RESERVE_MS = 500;
/** Owners can die, and be ended by a person: so often another one is found. */
const MAX_OWNERS = 5;

/** What the caller of a run shows of it. */
type FollowRequest = Pick<VerificationRequest, 'condensers' | 'onEvent' | 'isWait' | 'mayGoOn'>;

const LOST_RUN =
  'ralph-loop: the process that ran the gates ended before they did, or did not run all of them; they were started again';

export interface Joined extends Evaluated {
  readonly running?: readonly RunningGate[] | undefined;
  /** What went wrong, for the log. */
  readonly notes?: readonly string[];
}

/**
 * Evaluates the gates of a plan. Where another process already runs them for the same files, this one waits for its
 * results. A hook has its gates run by a process that the hook's end does not end.
 *
 * @param seen the keys with a pass that the plan takes into account. One that was recorded since then makes another plan.
 */
export async function startOrJoin(
  plan: RunPlan,
  request: FollowRequest,
  context: RunContext,
  seen: ReadonlySet<string> = new Set(),
): Promise<Joined> {
  const wanted = plan.gates.filter((gate) => gate.kind === 'command' && !plan.settled.has(gate));
  const { tree } = plan;
  const signer = wanted.length > 0 && tree !== undefined ? await machineSigner() : undefined;
  if (tree === undefined || signer === undefined) return runHere(plan, request, context);
  const keyed = withAllKeys(plan, wanted);
  const startRunner = await context.loadRunner?.();
  const claimed: Omit<Wanted, 'hasPassed'> = {
    tree,
    keys: wanted.flatMap((gate) => keyed.keys.get(gate) ?? []),
    failFast: plan.failFast,
    takesFinished: startRunner !== undefined,
    ...(request.isWait && { anyGates: true }),
  };
  const prepare =
    startRunner &&
    ((directory: string) => {
      writeRequest(directory, keyed, signer);
      return startRunner(directory, plan.root, context.env);
    });
  const passed = () => (plan.reuse === false ? [] : keysWithPass(claimed.keys, plan.root, signer));
  const hasPassed = () => passed().some((key) => !seen.has(key));
  const notes: string[] = [];
  for (let owners = 0; owners < MAX_OWNERS; owners += 1) {
    let claim: Claim | undefined;
    try {
      const wait = { signal: context.signal };
      claim = await claimRun(plan.root, { ...claimed, hasPassed }, signer, prepare, wait);
    } catch (error) {
      // For instance on a disk that cannot be written.
      notes.push(`ralph-loop: other processes cannot join this run: ${(error as Error).message}`);
      break;
    }
    if (!claim) {
      const now = new Set(passed());
      return startOrJoin(await withReused(plan), request, context, now);
    }
    const evaluated = claim.frames
      ? await followGates(claim, keyed, request, signer, context)
      : await ownGates(claim, keyed, request, signer, context);
    if (evaluated) return { ...evaluated, notes };
    notes.push(LOST_RUN);
    await endLeftoverTrees(plan.root);
  }
  return { ...(await runHere(plan, request, context)), notes };
}

/** The keys with a recorded pass. It need not count, as after a run on other files. */
function keysWithPass(keys: readonly string[], root: string, signer: Signer): string[] {
  const passes = passesIn(root, signer);
  return keys.filter((key) => passes.get(key));
}

async function withReused(plan: RunPlan): Promise<RunPlan> {
  return { ...plan, settled: new Map([...(await reusedResults(plan, plan)), ...plan.settled]) };
}

/** Gives a key of its own to each gate whose result depends on more than could be read. */
function withAllKeys(plan: RunPlan, wanted: readonly Gate[]): RunPlan {
  const once = `${process.pid}-${Math.random()}`;
  const keys = new Map(plan.keys);
  for (const [index, gate] of wanted.entries()) if (!keys.has(gate)) keys.set(gate, `${once}-${index}`);
  return { ...plan, keys };
}

/** Runs the gates in this process, and writes down what happens, for others that want the same. */
async function ownGates(
  claim: Claim,
  plan: RunPlan,
  request: FollowRequest,
  signer: Signer,
  context: RunContext,
): Promise<Evaluated> {
  try {
    return await runAndWrite(plan, new FrameWriter(claim.directory, claim.run.id, signer), request, context);
  } finally {
    removeRun(claim.directory);
  }
}

/** Runs the gates in this process, and writes each result when it is there. */
export async function runAndWrite(
  plan: RunPlan,
  frames: FrameWriter,
  { condensers, onEvent }: FollowRequest,
  context: RunContext,
): Promise<Evaluated> {
  const secrets = gateSecrets(plan.gates, context.env);
  const keys = new Map([...plan.keys].map(([gate, key]) => [maskGate(gate, secrets).name, key]));
  const evaluated = await runHere(
    plan,
    {
      condensers,
      onEvent: (event) => {
        const key = event.type === 'started' ? keys.get(event.gate.name) : undefined;
        if (event.type === 'started' && key !== undefined)
          frames.write({ type: 'started', key, gate: event.gate, time: Date.now() });
        onEvent?.(event);
      },
      onEnded: (result, findings) => {
        const key = keys.get(result.gate.name);
        if (key !== undefined) frames.write({ type: 'ended', key, result, findings });
      },
    },
    context,
  );
  if (!context.signal.aborted) frames.write({ type: 'finished' });
  // The results are out: who waits for them has them. Who comes now follows this run.
  await recordNewPasses(plan, plan, evaluated.result, context);
  return evaluated;
}

/**
 * Waits for the results of a run.
 *
 * @returns undefined if its owner is gone, or did not run what is wanted
 */
async function followGates(
  claim: Claim,
  plan: RunPlan,
  request: FollowRequest,
  signer: Signer,
  context: RunContext,
): Promise<Joined | undefined> {
  const startedAtMs = uptimeMs();
  const { deadline, signal } = context;
  const untilMs = deadline
    ? deadline.atMs - Math.min(RESERVE_MS, deadline.seconds * 250)
    : Number.POSITIVE_INFINITY;
  const followed = new FollowedGates(plan, claim, request, context.env);
  const heap = new HeapGrowth();
  const onFrame = (frame: Exclude<Frame, { type: 'finished' }>) => {
    if (frame.type === 'ended') heap.read(frame.result.output.omittedBytes);
    followed.take(frame);
  };
  const end = await followRun(claim, { signal, untilMs, onFrame });
  heap.end();
  const isAlone = !hasFollower(claim.directory);
  leaveRun(claim);
  const results = followed.results(end, deadline?.seconds ?? 0);
  if (end === 'aborted' && isAlone && !claim.isJoined && isByPerson(signal))
    await endRun(plan.root, claim.directory, signer);
  if (results === undefined) return undefined;
  const result = { verdict: verdictOf(results), results, durationMs: uptimeMs() - startedAtMs };
  // Passes are recorded; a failure counts for one stop.
  const isTaken = end === 'finished' && result.verdict !== 'passed' && !request.isWait;
  if (isTaken && claim.run.isDetached) removeRun(claim.directory);
  if (end === 'aborted' && (claim.isJoined || !isByPerson(signal)))
    return { result, findings: followed.findings, running: followed.running() };
  if (end !== 'time-up') return { result, findings: followed.findings };
  if (result.verdict === 'incomplete' && request.mayGoOn)
    return { result, findings: followed.findings, running: followed.running() };
  if (isAlone) await endRun(plan.root, claim.directory, signer);
  return { result, findings: followed.findings };
}

/** Whether a person ended the hook. Hosts end it with SIGTERM, and the run goes on. */
function isByPerson({ reason }: AbortSignal): boolean {
  return reason !== 'SIGTERM';
}

/** The results of the gates that another process runs. */
class FollowedGates {
  readonly findings = new Map<Gate, Findings>();
  readonly #startedAtMs = uptimeMs();
  readonly #plan: RunPlan;
  readonly #claim: Claim;
  readonly #request: FollowRequest;
  /** The gates as they are shown. */
  readonly #shown: ReadonlyMap<Gate, Gate>;
  readonly #started = new Map<string, { readonly gate: Gate; readonly time: number }>();
  readonly #ended = new Map<string, GateResult>();

  constructor(plan: RunPlan, claim: Claim, request: FollowRequest, env: NodeJS.ProcessEnv) {
    this.#plan = plan;
    this.#claim = claim;
    this.#request = request;
    const secrets = gateSecrets(plan.gates, env);
    this.#shown = new Map(plan.gates.map((gate) => [gate, maskGate(gate, secrets)]));
    for (const result of this.#known()) request.onEvent?.({ type: 'ended', result });
  }

  take(frame: Exclude<Frame, { type: 'finished' }>): void {
    const { key } = frame;
    const gate = this.#shownAs(key, frame.type === 'started' ? frame.gate : frame.result.gate);
    if (gate === undefined) return;
    if (frame.type === 'started') {
      this.#started.set(key, { gate, time: frame.time });
      this.#request.onEvent?.({ type: 'started', gate });
      return;
    }
    const result = {
      ...frame.result,
      gate,
      // The owner counts from its own start.
      endedAfterMs: uptimeMs() - this.#startedAtMs,
      ...(this.#claim.isJoined && { joined: true as const }),
    };
    this.#ended.set(key, result);
    if (frame.findings) {
      this.findings.set(gate, frame.findings);
      this.#request.condensers?.add(gate, frame.findings);
    }
    this.#request.onEvent?.({ type: 'ended', result });
  }

  /** @returns undefined if the owner has not run what is wanted */
  results(end: FollowEnd, deadlineSeconds: number): GateResult[] | undefined {
    if (end === 'owner-gone') return undefined;
    const resultOf = (key: string, gate: Gate): GateResult =>
      this.#ended.get(key) ??
      withoutOutput(
        gate,
        end === 'aborted'
          ? { reason: 'interrupted' }
          : this.#started.has(key)
            ? { reason: 'out-of-time', deadlineSeconds }
            : { reason: 'skipped' },
      );
    const results = this.#isForeign()
      ? [...this.#started].map(([key, { gate }]) => resultOf(key, gate))
      : this.#plan.gates.map((gate) => {
          const shown = this.#shown.get(gate) ?? gate;
          const key = this.#plan.keys.get(gate);
          return this.#knownOf(gate) ?? resultOf(key ?? '', shown);
        });
    const verdict = verdictOf(results);
    // What the owner has skipped because of a gate that is not wanted here has no result.
    const isWhole = verdict === 'failed' || results.every((result) => !isUnexplained(result));
    return end === 'finished' && !isWhole ? undefined : results;
  }

  running(): RunningGate[] {
    return [...this.#started]
      .filter(([key]) => !this.#ended.has(key))
      .map(([, { gate, time }]) => ({ name: gate.name, elapsedMs: Math.max(0, Date.now() - time) }));
  }

  /** `wait` takes the results of whatever gates run. */
  #isForeign(): boolean {
    const { gates, settled, keys } = this.#plan;
    return !gates.every((gate) => {
      const key = keys.get(gate);
      return gate.kind === 'marker' || settled.has(gate) || (key && this.#claim.run.keys.includes(key));
    });
  }

  #shownAs(key: string, theirs: Gate): Gate | undefined {
    for (const [gate, ownKey] of this.#plan.keys) if (ownKey === key) return this.#shown.get(gate);
    return this.#isForeign() ? theirs : undefined;
  }

  #known(): GateResult[] {
    return this.#plan.gates.flatMap((gate) => this.#knownOf(gate) ?? []);
  }

  #knownOf(gate: Gate): GateResult | undefined {
    const shown = this.#shown.get(gate) ?? gate;
    const settled = this.#plan.settled.get(gate);
    if (settled) return settledResult(shown, settled);
    return gate.kind === 'marker' ? markerResult(gate, this.#plan.message ?? '') : undefined;
  }
}

/** Gates whose needs fail are skipped without a failure of a blocking gate. */
function isUnexplained({ gate, outcome }: GateResult): boolean {
  return outcome.reason === 'skipped' && !(gate.kind === 'command' && gate.needs);
}
