import { hostPlaces } from '../config/discover.ts';
import { onlyGates, type ProjectConfig, settingsAround } from '../config/load.ts';
import { environmentOfGates, isStartedByGateOf } from '../gates/nesting.ts';
import { gateSecrets, planGates } from '../gates/plan.ts';
import type { RunResult } from '../gates/types.ts';
import { defaultDeadlineSeconds } from '../hosts/registry.ts';
import type { Answer, StopEvent } from '../hosts/types.ts';
import type { Finding } from '../integrity/types.ts';
import {
  cancelledMessage,
  chainFaultMessage,
  forgedCancellationMessage,
  ignoredStateMessage,
  internalErrorMessage,
  joinMessages,
  joinOnLine,
  lostMessage,
} from '../messages/person.ts';
import { testNotes } from '../messages/tests.ts';
import type { RunCommand } from '../process/run-command.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { recordGuard } from '../state/guarded-session.ts';
import { recordRun } from '../state/last-run.ts';
import { takeNotices } from '../state/notices.ts';
import {
  hasEditsOfOthers,
  hasEscalations,
  ignoredState,
  locateStopLoop,
  outputDirectory,
} from '../state/paths.ts';
import { countAttempt, readStopLoop } from '../state/stop-loop.ts';
import { baselineMessages } from '../verification/baseline-messages.ts';
import { recordNothingRun, runAndRecord } from '../verification/run-and-record.ts';
import type { StopContext } from '../verification/types.ts';
import { blockToWait, decide, mayWait } from './decide.ts';
import type { DecidedStop } from './escalation.ts';
import type { ChainStop } from './handle-chain.ts';
import { readLastMessage } from './io.ts';
import { answerUnguarded } from './lost-guard.ts';
import type { withoutOthersFailures } from './other-sessions.ts';
import { type ProtectedConfig, type ProtectedStop, protectGates, protectStop } from './protect-gates.ts';
import { type GuardedStop, type TriagedStop, unguardedReason } from './triage.ts';
import { compareTurn, readFiles, recordStop, waitForBackground } from './turn.ts';
import type { ConfiguredStop, HookProcess, StopResult } from './types.ts';
import { findWeakenedAtStop } from './weakened.ts';

/** Hosts end a hook with SIGTERM; a person does with Ctrl-C, or by closing the terminal. */
export type EndSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** Longer than an aborted run takes to end its process group. */
const ABORTED_RUN_MS = 400;

/** Loaded on demand: most stops run no command. */
const runCommand: RunCommand = async (spec, hooks) =>
  (await import('../process/run-command.ts')).runCommand(spec, hooks);

export interface SupervisedStop {
  readonly result: StopResult;
  /** The signal that ended the hook before it had an answer. */
  readonly endedBy: EndSignal | undefined;
  /** Removes secrets from everything that is written about the stop. */
  readonly mask: <T>(value: T) => T;
}

/**
 * Handles a stop, ends its gates when the host ends the hook, and allows the stop after an internal error. The gates'
 * processes are gone before the hook is.
 *
 * @param wantedSeconds the deadline; undefined for a little less than the host's default timeout
 */
export async function superviseStop(
  event: StopEvent,
  stop: TriagedStop,
  wantedSeconds: number | undefined,
  {
    env,
    events,
    startedAtMs,
    loadRunner,
  }: Pick<HookProcess, 'env' | 'events' | 'startedAtMs' | 'loadRunner'>,
): Promise<SupervisedStop> {
  const deadlineSeconds = wantedSeconds ?? defaultDeadlineSeconds(event.host);
  const abort = new AbortController();
  const endedBy = listenForEnd(events, abort);
  const fault = listenForFault(events, abort);
  const handled = handleStop(event, stop, {
    runCommand,
    now: () => new Date(),
    env,
    deadline: { seconds: deadlineSeconds, atMs: startedAtMs + deadlineSeconds * 1000 },
    signal: abort.signal,
    loadRunner,
  });
  try {
    const result = await Promise.race([handled, fault]);
    return { result, endedBy: endedBy(), mask: maskFor(result.summary, env) };
  } catch (error) {
    await settled(handled);
    const result: StopResult = {
      answer: { decision: 'allow', why: 'internal-error', toPerson: internalErrorMessage(error) },
      root: stop.root,
      notes: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
    };
    return { result, endedBy: endedBy(), mask: maskFor(undefined, env) };
  }
}

function maskFor(summary: RunResult | undefined, env: NodeJS.ProcessEnv): SupervisedStop['mask'] {
  const gates = summary?.results.map(({ gate }) => gate) ?? [];
  const secrets = gateSecrets(gates, env);
  return (value) => maskTexts(value, secrets);
}

/** The exit code that a shell reports for this signal: 128 + its number, which POSIX defines for these. */
export function exitCodeAfter(signal: EndSignal): number {
  return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}

/** Returns a function that returns the signal that has arrived, if any. */
function listenForEnd(events: HookProcess['events'], abort: AbortController): () => EndSignal | undefined {
  let endedBy: EndSignal | undefined;
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    events.on(name, () => {
      endedBy ??= name;
      abort.abort(name);
    });
  return () => endedBy;
}

/** Rejects at an error in a stream's listener, which rejects no other promise, and ends the gates. */
function listenForFault(events: HookProcess['events'], abort: AbortController): Promise<never> {
  return new Promise((_, reject) => {
    events.on('uncaughtException', (error: Error) => {
      // Rejected first, so that the answer of the aborted run is not taken.
      reject(error);
      abort.abort();
    });
  });
}

/** Waits for an aborted run, within a limit: the run itself may be what failed. */
async function settled(run: Promise<unknown>): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, ABORTED_RUN_MS));
  await Promise.race([run.catch(() => {}), limit]);
}

/** How long a stop waits for its turn to be counted. A thousand hooks at once need a fraction of it each. */
const MAX_WAIT_MS = 60_000;

/** Evaluates a stop, and reports to the person what was done to the loops since the last one. */
export async function handleStop(
  event: StopEvent,
  given: TriagedStop,
  context: StopContext,
): Promise<StopResult> {
  const { triage, chainRoots } = given;
  // Typed gates run before those of the project, and may change files.
  const files = triage.guarded && chainRoots.length === 0 ? readFiles(triage.project, context) : undefined;
  // Git is started before anything else is read.
  if (files) await new Promise((resolve) => setImmediate(resolve));
  let result: StopResult;
  let stop: TriagedStop;
  try {
    const protection = await protectStop(event, given, context.env, context.now());
    ({ stop } = protection);
    const isSame = stop.root === given.root;
    result = await evaluateStop(event, protection, isSame ? files : undefined, context);
  } finally {
    await files;
  }
  if (context.signal.aborted) return result;
  // Nothing was judged here, so that nothing is reported either.
  if (!stop.triage.guarded && stop.chainRoots.length === 0 && result.answer.decision === 'ignore')
    return result;
  await recordStop(event, stop.root, result, context.now());
  const notices = [...new Set([stop.root, ...stop.chainRoots])].flatMap(takeNotices);
  return notices.length > 0 ? withNotices(result, notices) : result;
}

/** A stop that is not guarded may be so because of what is reported. */
function withNotices(result: StopResult, notices: readonly string[]): StopResult {
  const { answer } = result;
  if (answer.decision === 'ignore')
    return {
      ...result,
      answer: { decision: 'allow', why: 'unverified', toPerson: joinOnLine(notices) },
      notes: [...(result.notes ?? []), answer.why],
    };
  return { ...result, answer: withMessages(answer, notices) };
}

/** Evaluates a stop: first the chain of its session, if it has one, then the gates of the project. */
async function evaluateStop(
  event: StopEvent,
  protection: ProtectedStop,
  files: ConfiguredStop['files'],
  context: StopContext,
): Promise<StopResult> {
  const { triage, root, chainRoots } = protection.stop;
  const { messages } = protection;
  if (!triage.guarded) {
    const result = await judge(event, { triage, root, chainRoots }, context, messages);
    // A chain blocks stops that the config does not guard.
    return result.answer.decision === 'block'
      ? { ...result, blockAs: (await settingsAround(root)).answer }
      : result;
  }
  const base = protection.record?.base ?? undefined;
  const judged = await loadConfig(triage, protection);
  const stop: ConfiguredStop = { ...triage, ...judged, base, files, messages };
  const result = await judge(event, { triage: stop, root, chainRoots }, context);
  const { answer: blockAs, notify } = judged.config.settings;
  return { ...result, blockAs, notify };
}

/** Evaluates a stop whose config is read. */
async function judge(
  event: StopEvent,
  { triage: stop, root, chainRoots }: ChainStop,
  context: StopContext,
  messages: readonly string[] = [],
): Promise<StopResult> {
  const waiting = await waitForBackground(event, { triage: stop, root, chainRoots }, context.now());
  if (waiting) return waiting;
  const chain =
    chainRoots.length > 0
      ? await verifyChains(event, { triage: stop, root, chainRoots }, context)
      : undefined;
  if (chain?.answer.decision === 'block') return chain;
  if (!stop.guarded) {
    if (chain) return chain;
    const answer = withMessages(await answerUnguarded(event, stop.why), messages);
    return { answer, root: stop.root, ...(answer.decision !== 'ignore' && { notes: [stop.why] }) };
  }
  const own = await verifyProject(event, stop, context);
  return chain ? withChain(own, chain) : own;
}

async function loadConfig(stop: GuardedStop, protection: ProtectedStop): Promise<ProtectedConfig> {
  const judged = await protectGates(stop, protection);
  return stop.only === undefined ? judged : { ...judged, config: onlyGates(judged.config, [stop.only]) };
}

/** Evaluates a stop by the gates of the project: counts the attempt, runs the gates, decides. */
async function verifyProject(
  event: StopEvent,
  stop: ConfiguredStop,
  context: StopContext,
): Promise<StopResult> {
  const { project, task, anyAgent = false, config } = stop;
  const { root, gateConfig } = project;
  const { settings, gates, problems } = config;
  if (isStartedByGateOf(root, context.env))
    return { answer: await answerUnguarded(event, 'a gate of this project started the agent'), root };
  const why = anyAgent ? undefined : unguardedReason(event, settings.agents);
  if (why !== undefined)
    return {
      answer: event.finishPhase ? { decision: 'ignore', why } : await answerUnguarded(event, why),
      root,
    };
  if (gates.length === 0 && problems.length === 0) {
    const answer = await answerUnguarded(event, 'no gates are configured');
    return {
      answer: answer.decision === 'ignore' ? { decision: 'allow', why: 'no-gates' } : answer,
      root,
      notes: [...config.notes, ...recordNothingRun(config.resultsPath, context.now())],
    };
  }

  // Ralph Gate has no tasks: its loops are those of sessions.
  const loop = await locateStopLoop(root, gateConfig ? undefined : task, event);
  const { now, env, signal, deadline } = context;
  const { tree, isUnchanged } = await compareTurn(event, stop, context);
  // A config with errors has fewer gates than it should.
  if (problems.length === 0)
    await recordGuard(event.sessionId, {
      root,
      agents: [event.agent],
      gates: gates.map(({ name }) => name),
      places: hostPlaces(event.projectDirectories),
    }).catch(() => {});
  const ignored = ignoredState(root);
  const messages = [...stop.messages, ...(ignored.length > 0 ? [ignoredStateMessage(ignored)] : [])];
  // A cancellation and an escalation are for the next stop, and are not left for a later one.
  const isAsBefore = isUnchanged && stop.findings.every(({ severity }) => severity === 'low');
  if (isAsBefore && readStopLoop(loop.path)?.cancelled === undefined && !hasEscalations(root))
    return { answer: withMessages({ decision: 'allow', why: 'unchanged' }, messages), root, tree };
  const wait = { signal, waitMs: Math.min(deadline.seconds * 500, MAX_WAIT_MS) };
  const attempt = await countAttempt(loop, event, settings, { now: now(), env }, wait);
  if (attempt.cancelled) {
    await attempt.reset();
    const { by } = attempt.cancelled;
    const dropped = hasEscalations(root)
      ? await (await import('./escalation.ts')).droppedEscalation(event, root, { env, now: now() })
      : [];
    const toPerson = joinOnLine([cancelledMessage(by), ...dropped]);
    const answer: Answer = { decision: 'allow', why: 'cancelled', toPerson };
    return { answer, root, task: loop.key, attempt, tree, ...(by && { notes: [`cancelled ${by}`] }) };
  }

  const hasOthers = await hasEditsOfOthers(root, event.sessionId);
  const run =
    problems.length > 0 && !stop.isKnown
      ? undefined
      : await runAndRecord(
          {
            root,
            gates: planGates(gates),
            // What another session has broken must not hide what this one has.
            failFast: settings.failFast && !hasOthers,
            jobs: settings.jobs,
            reuse: settings.reuse,
            message: lastMessage(event, config),
            outputDirectory: outputDirectory(root),
            receipt: stop.only === undefined ? 'all' : 'some',
            failures: { path: loop.failuresPath, loop: { key: loop.key, attempt }, covers: 'all' },
            resultsPath: config.resultsPath,
            mayGoOn: mayWait(attempt),
            knownTree: await stop.files,
          },
          { ...context, env: environmentOfGates(root, env) },
        );
  if (run?.running && !signal.aborted) {
    await attempt.wait?.();
    const answer = await blockToWait(run.running, root);
    const notes = [...attempt.notes, ...config.notes, ...run.notes];
    return { answer, root, task: loop.key, notes };
  }
  const weakened = await findWeakenedAtStop(stop, context);
  const findings = await withoutEscalated(weakened.findings, root, event);
  const outcome = { config, attempt, root, run, findings, now: now(), isGateHook: anyAgent, env };
  const answerOfAttempt = await decide(outcome);
  const decided = await escalated(
    hasOthers
      ? await ofOthers(
          answerOfAttempt,
          { root, session: event.sessionId, run, findings, base: stop.base },
          context,
        )
      : answerOfAttempt,
    {
      event,
      root,
      attempt,
      run,
      failuresPath: loop.failuresPath,
      findings: weakened.findings,
      env,
      now: now(),
    },
    signal,
  );
  if (run?.recorded)
    await recordRun(root, { ...run.recorded, findings, escalated: decided.escalated ?? null });
  const answer = withMessages(decided.answer, [
    ...(attempt.isForged ? [forgedCancellationMessage()] : []),
    ...(attempt.isAfterLost ? [lostMessage()] : []),
    ...weakened.messages.map((message) => `ralph-loop: ${message}`),
    // The line about a pass has them.
    ...(run && run.result.verdict !== 'passed'
      ? testNotes(run.result).map((note) => `ralph-loop: ${note}`)
      : []),
    ...messages,
    ...(run ? await baselineMessages(run.result, root, context) : []),
  ]);
  if (answer.decision === 'allow' && !signal.aborted) await attempt.reset();
  else await attempt.keep(!signal.aborted);
  const recorded = run?.notes ?? recordNothingRun(config.resultsPath, now());
  const notes = [...attempt.notes, ...problems, ...config.notes, ...recorded, ...(decided.notes ?? [])];
  const about = { root, task: loop.key, attempt, summary: run?.result, findings: weakened.findings, tree };
  return { ...decided, ...about, answer, notes };
}

/** What was there when the session escalated is reported, and does not block it again. */
async function withoutEscalated(
  findings: readonly Finding[],
  root: string,
  { sessionId }: StopEvent,
): Promise<readonly Finding[]> {
  if (findings.length === 0 || !hasEscalations(root)) return findings;
  const { escalatedFindings } = await import('../state/escalations.ts');
  const isEscalated = await escalatedFindings(root, sessionId);
  return findings.map((finding) =>
    finding.severity === 'high' && isEscalated(finding) ? { ...finding, severity: 'medium' } : finding,
  );
}

/** Looks for another session that is the cause of a block, if there is any. */
async function ofOthers(
  answer: Answer,
  stop: Parameters<typeof withoutOthersFailures>[1],
  context: StopContext,
): Promise<Answer> {
  if (answer.decision !== 'block' || context.signal.aborted) return answer;
  const { withoutOthersFailures } = await import('./other-sessions.ts');
  return withoutOthersFailures(answer, stop, context);
}

/** Applies the escalation of the agent, if there is one. */
async function escalated(
  answer: Answer,
  stop: DecidedStop,
  signal: AbortSignal,
): Promise<Pick<StopResult, 'answer' | 'escalated' | 'notes'>> {
  if (signal.aborted || !hasEscalations(stop.root)) return { answer };
  const { withEscalation } = await import('./escalation.ts');
  return withEscalation(answer, stop);
}

/** What the person reads besides the result of the gates. */
function withMessages(answer: Answer, messages: readonly string[]): Answer {
  if (messages.length === 0 || answer.decision === 'ignore') return answer;
  return {
    ...answer,
    toPerson: joinOnLine([...(answer.toPerson === undefined ? [] : [answer.toPerson]), ...messages]),
  };
}

/** Returns what the agent wrote last, if a gate asks for it. */
function lastMessage(event: StopEvent, { gates }: ProjectConfig): string {
  const hasMarker = gates.some(({ kind }) => kind === 'marker');
  return hasMarker ? readLastMessage(event) : event.message;
}

/** An error in what was typed, or in its file, must not keep the project's gates from running. */
async function verifyChains(
  event: StopEvent,
  stop: ChainStop,
  context: StopContext,
): Promise<StopResult | undefined> {
  try {
    const { handleChain } = await import('./handle-chain.ts');
    return await handleChain(event, stop, context);
  } catch (error) {
    const toPerson = chainFaultMessage(error);
    const notes = [(error as Error).stack ?? String(error)];
    return { answer: { decision: 'allow', why: 'internal-error', toPerson }, root: stop.root, notes };
  }
}

/** Combines the result of the project's gates with that of the chain before them: the person reads both messages. */
function withChain(own: StopResult, chain: StopResult): StopResult {
  if (own.answer.decision === 'ignore') return chain;
  const messages = [chain.answer, own.answer].flatMap((answer) =>
    answer.decision === 'ignore' ? [] : (answer.toPerson ?? []),
  );
  const answer = messages.length === 0 ? own.answer : { ...own.answer, toPerson: joinMessages(messages) };
  // A chain is a loop of its own, with its own line in the log. What happened without one is noted in the project's.
  if (chain.task !== undefined) return { ...own, answer, chain };
  return { ...own, answer, notes: [...(chain.notes ?? []), ...(own.notes ?? [])] };
}
