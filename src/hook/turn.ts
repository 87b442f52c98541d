import { count } from '../base/text.ts';
import { uptimeMs } from '../base/time.ts';
import { commitOf, fingerprintTree } from '../checkpoint/fingerprint-tree.ts';
import { hostPlaces, type ProjectFiles, repositoryAround } from '../config/discover.ts';
import { isStartedByGateOf } from '../gates/nesting.ts';
import { hostNamed } from '../hosts/registry.ts';
import type { BackgroundTask, BackgroundWork, PromptEvent, StopEvent } from '../hosts/types.ts';
import { postponedMessage } from '../messages/person.ts';
import {
  begunTurn,
  changeTurn,
  effectOfPrompt,
  judgedTurn,
  readTurn,
  waitingTurn,
  waitsForTasks,
} from '../state/turn.ts';
import type { RunContext, StopContext } from '../verification/types.ts';
import type { ChainStop } from './handle-chain.ts';
import { startSession } from './session-start.ts';
import { type PromptedProject, unguardedReason } from './triage.ts';
import type { ConfiguredStop, StopResult } from './types.ts';

// The turn of a session's main agent: whether it has changed anything, and whether it waits for something.

/** A prompt must not wait longer for git. Without a fingerprint, the next stop runs the gates. */
const PROMPT_GIT_MS = 2000;
const STOP_GIT_MS = 5000;

/** Records what a prompt finds: at the first one of a session what judges it, at each that begins a turn the tree. */
export async function beginPrompt(
  event: PromptEvent,
  { project, task, comparesTurns }: PromptedProject,
  context: Pick<RunContext, 'env' | 'now'>,
): Promise<void> {
  const { sessionId: session } = event;
  if (session === undefined || isStartedByGateOf(project.root, context.env)) return;
  await Promise.all([
    startSession(
      { session, project, task, isGate: false, places: hostPlaces(event.projectDirectories) },
      context.env,
      context.now(),
    ),
    comparesTurns ? beginTurn(event, { root: project.root, ...context }) : undefined,
  ]);
}

/** Records the working tree as a prompt finds it. */
async function beginTurn(
  event: PromptEvent,
  { root, env, now }: Pick<RunContext, 'env' | 'now'> & { readonly root: string },
): Promise<void> {
  const { sessionId } = event;
  const effect = effectOfPrompt(
    await readTurn(root, sessionId),
    event,
    now(),
    hostNamed(event.host).blockCap,
  );
  if (effect === 'nothing') return;
  const { signal } = new AbortController();
  const git = { env, signal, timeoutMs: PROMPT_GIT_MS };
  const tree =
    effect === 'begin'
      ? ((await fingerprint(root, event, fingerprintTree(root, git), git)) ?? null)
      : undefined;
  await changeTurn(root, sessionId, (turn) => begunTurn(turn, tree, now()));
}

/**
 * Starts to compute the fingerprint of a project's files at a stop: git lists them while the config is read.
 *
 * @returns undefined where no gate will need it, or the config names a file that is left out
 */
export function readFiles(
  { root, config, gateConfig }: ProjectFiles,
  { env, signal, deadline }: StopContext,
): Promise<string | undefined> | undefined {
  if (gateConfig || !config?.text.includes('verify')) return undefined;
  const timeoutMs = Math.min(STOP_GIT_MS, (deadline.atMs - uptimeMs()) / 4);
  return fingerprintTree(root, { env, signal, timeoutMs });
}

interface ComparedTurn {
  /** Fingerprint of the working tree, before any gate runs; undefined if it is not known, or not compared. */
  readonly tree: string | undefined;
  /** Whether it is as the last prompt, or the last stop that was allowed, has left it. */
  readonly isUnchanged: boolean;
}

/** Compares the working tree at a stop with that at the beginning of the turn. */
export async function compareTurn(
  event: StopEvent,
  { project: { root }, config, anyAgent = false, files }: ConfiguredStop,
  { env, signal, deadline }: StopContext,
): Promise<ComparedTurn> {
  // Ralph Gate reports results to whatever calls its hook, with or without an event.
  if (!event.isMain || anyAgent || event.sessionId === undefined || config.settings.when === 'always')
    return { tree: undefined, isUnchanged: false };
  const timeoutMs = Math.min(STOP_GIT_MS, (deadline.atMs - uptimeMs()) / 4);
  const git = { env, signal, timeoutMs };
  const tree = await fingerprint(root, event, files ?? fingerprintTree(root, git), git);
  const turn = await readTurn(root, event.sessionId);
  return { tree, isUnchanged: tree !== undefined && tree === turn?.tree };
}

/**
 * A fingerprint of the whole repositories of the project, of the agent's directory and of those that the host reports:
 * gates may depend on files outside of the project, and the agent may have gone to a repository inside of it.
 */
async function fingerprint(
  root: string,
  { cwd, projectDirectories }: Pick<StopEvent, 'cwd' | 'projectDirectories'>,
  own: Promise<string | undefined>,
  git: Parameters<typeof commitOf>[1],
): Promise<string | undefined> {
  const endAt = uptimeMs() + git.timeoutMs;
  const around = repositoryAround(root);
  const places = [...(cwd === undefined ? [] : [cwd]), ...projectDirectories];
  const others = new Set(
    places.flatMap((place) => repositoryAround(place) ?? []).filter((found) => found !== around),
  );
  const [files, commit] = await Promise.all([own, commitOf(root, git)]);
  if (files === undefined) return undefined;
  const trees = [files, commit];
  for (const repository of others) {
    const options = { ...git, timeoutMs: endAt - uptimeMs(), withCommit: true };
    const tree = await fingerprintTree(repository, options);
    if (tree === undefined) return undefined;
    trees.push(tree);
  }
  return trees.join(' ');
}

/** Records a stop that was judged. */
export async function recordStop(
  event: StopEvent,
  root: string,
  { answer, attempt, tree }: StopResult,
  now: Date,
): Promise<void> {
  const { isMain, sessionId, background } = event;
  if (!isMain || answer.decision === 'ignore') return;
  if (answer.decision === 'allow' && !attempt && tree === undefined) return;
  const stop = answer.decision === 'allow' ? { decision: answer.decision, tree } : answer;
  const tasks = background?.others ?? [];
  await changeTurn(root, sessionId, (turn) => judgedTurn(turn, { ...stop, tasks }, now));
}

/**
 * The result of a stop at which the main agent waits for work in the background: it is woken, and stops again. For agents
 * it may wait as long as they run; for anything else see `waitsForTasks`.
 *
 * @returns undefined if the stop is to be judged
 */
export async function waitForBackground(
  event: StopEvent,
  { triage, root, chainRoots }: ChainStop,
  now: Date,
): Promise<StopResult | undefined> {
  const { background, sessionId } = event;
  if (!background || (chainRoots.length === 0 && !isVerified(event, triage))) return undefined;
  const { agents, others } = background;
  if (agents > 0) {
    await changeTurn(root, sessionId, (turn) => waitingTurn(turn, others, false, now));
    return { answer: { decision: 'ignore', why: waitingReason(background) }, root };
  }
  if (triage.guarded && triage.anyAgent) return undefined;
  if (!waitsForTasks(await readTurn(root, sessionId), others)) return undefined;
  // What cannot be recorded could be waited for at every stop.
  if (!(await changeTurn(root, sessionId, (turn) => waitingTurn(turn, others, true, now)))) return undefined;
  const why = waitingReason(background);
  return {
    answer: { decision: 'allow', why: 'postponed', toPerson: postponedMessage(why) },
    root,
    notes: [why],
  };
}

/** Whether the project has gates for this stop. */
function isVerified(event: StopEvent, triage: ChainStop['triage']): boolean {
  if (!triage.guarded) return false;
  const { settings, gates, problems } = triage.config;
  if (gates.length === 0 && problems.length === 0) return false;
  return triage.anyAgent === true || unguardedReason(event, settings.agents) === undefined;
}

const NOUNS = { shell: 'background shell', task: 'background task', 'wake-up': 'scheduled wake-up' } as const;

function waitingReason({ agents, others }: BackgroundWork): string {
  const numbers = (['shell', 'task', 'wake-up'] satisfies BackgroundTask['kind'][]).map(
    (kind) => [others.filter((task) => task.kind === kind).length, NOUNS[kind]] as const,
  );
  const parts = [[agents, 'background agent'] as const, ...numbers]
    .filter(([number]) => number > 0)
    .map(([number, noun]) => count(number, noun));
  return `the agent waits for ${parts.join(', ')}`;
}
