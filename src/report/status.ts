import { relative } from 'node:path';
import { findProject, readCurrentTask, repositoryAround, rootAround } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { agentRunLines } from '../messages/agent-run.ts';
import { chainLine } from '../messages/chain.ts';
import type { Paint } from '../messages/paint.ts';
import { escalationLines, lastCallLine, loopLines, type RunStatus, runLines } from '../messages/status.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { existingDirectory, readOnlyReason } from '../setup/write-changes.ts';
import {
  type AgentRunReport,
  isActive,
  isUnfinished,
  readAgentRuns,
  reportAgentRun,
} from '../state/agent-run.ts';
import { type ChainReport, isChainExpired, reportChain } from '../state/chain.ts';
import { readChains } from '../state/chain-store.ts';
import { type PendingEscalation, pendingEscalations } from '../state/escalations.ts';
import { type Escalation, readLog } from '../state/execution-log.ts';
import { ignoredState, ralphDirectory } from '../state/paths.ts';
import {
  isLive,
  readStopLoop,
  type StopLoopStatus,
  stopLoopFiles,
  stopLoopStatus,
} from '../state/stop-loop.ts';
import { type LastCall, lastCallAround } from './last-call.ts';
import { readRuns } from './runs.ts';

/** The status of a project, as `ralph-loop status --json` prints it. */
export interface ProjectStatus {
  readonly project: {
    readonly root: string;
    readonly layout: string;
    /** Absolute paths. */
    readonly config: string | null;
    readonly gate_config?: string;
    readonly problems: readonly string[];
  } | null;
  /** Those that go on first. */
  readonly loops: readonly StopLoopStatus[];
  readonly chains: readonly ChainReport[];
  readonly promise_loops: readonly AgentRunReport[];
  /** The verification runs that go on. */
  readonly runs: readonly RunStatus[];
  /** The escalations that no stop has used yet. */
  readonly escalations: readonly (Escalation & Pick<PendingEscalation, 'session' | 'by' | 'at'>)[];
  readonly last_call: LastCall | null;
}

/** Reads the status from files only, so it also works while a hook runs. */
export async function readProjectStatus(cwd: string, now: Date): Promise<ProjectStatus> {
  const secrets = secretsIn(process.env);
  const chains = readChains(rootAround(cwd, { orAround: true }) ?? cwd)
    .filter((chain) => !isChainExpired(chain, now))
    .map((chain) => maskTexts(reportChain(chain), secrets));
  const promise_loops = await Promise.all(
    readAgentRuns(rootAround(cwd) ?? cwd).map(async (loop) => {
      return maskTexts(reportAgentRun(loop, await isActive(loop), now), secrets);
    }),
  );
  const found = findProject(cwd, { needsRepository: false, orAround: true });
  const around = found.ok ? found.value.root : (rootAround(cwd) ?? cwd);
  const escalations = (await pendingEscalations(around, now)).map(({ run: _, ...each }) => each);
  if (!found.ok)
    return { project: null, loops: [], chains, promise_loops, runs: [], escalations, last_call: null };
  const { root, layout, config, gateConfig } = found.value;
  const { settings, problems } = await readProject(found.value, readCurrentTask(root));
  const log = readLog(ralphDirectory(root));
  return {
    project: {
      root,
      layout,
      config: config?.path ?? gateConfig?.path ?? null,
      ...(gateConfig && { gate_config: gateConfig.path }),
      problems: maskTexts(problems, secrets),
    },
    loops: stopLoopFiles(root)
      .flatMap((path) => {
        const state = readStopLoop(path);
        return state ? [stopLoopStatus(state, log, settings, now)] : [];
      })
      .toSorted((a, b) => Number(isLive(b)) - Number(isLive(a))),
    chains,
    promise_loops,
    runs: maskTexts(await readRuns(root, now), secrets),
    escalations,
    last_call: lastCallAround(root, log),
  };
}

interface StatusLayout {
  /** Absolute directory that the printed paths are relative to. */
  readonly from: string;
  readonly now: Date;
  readonly paint: Paint;
  /** Whether loops and agent runs that have ended are listed; otherwise they are counted. */
  readonly all?: boolean;
}

/** The status for people: what goes on first, then what has ended. */
export function statusText(status: ProjectStatus, { from, now, paint, all = false }: StatusLayout): string {
  const { project, loops, promise_loops, last_call } = status;
  const liveLoops = loops.filter(isLive);
  const endedLoops = loops.filter((loop) => !isLive(loop));
  const endedRuns = promise_loops.filter((run) => !isUnfinished(run));
  const live = [
    ...agentRunLines(promise_loops.filter(isUnfinished), paint),
    ...status.chains.map((chain) => `Chain     ${chainLine(chain)}`),
    ...loopLines(liveLoops, now, paint),
    ...runLines(status.runs, now, paint),
    ...escalationLines(status.escalations, paint),
  ];
  const count = endedLoops.length + endedRuns.length;
  const hidden = count > 0 ? [`Ended     ${count}: ralph-loop status --all shows them`] : [];
  const ended = all ? [...agentRunLines(endedRuns, paint), ...loopLines(endedLoops, now, paint)] : hidden;
  if (!project) {
    const effect = status.chains.length > 0 ? 'checks typed gates only:' : 'allows every stop.';
    const none = `No worktree.yaml or gate.config.json was found here or in the directories above: the hook ${effect}`;
    return [none, ...live, ...ended].join('\n');
  }
  const { config, gate_config = config, problems } = project;
  const files = [...new Set([config, gate_config])].flatMap((path) => path ?? []);
  return [
    `Config    ${files.map((path) => relative(from, path)).join(', ') || 'none; the current task is guarded by markers'}`,
    ...ignoredState(project.root).map(
      (path) => `          ${paint('red', `ignored ${path}: state in the repository decides nothing`)}`,
    ),
    ...problems.map((problem) => `          ${paint('red', problem)}`),
    ...(isOutside(project)
      ? [`          ${paint('red', 'outside of a git repository, where the hook uses no worktree.yaml')}`]
      : []),
    ...live,
    ...(liveLoops.length === 0 ? ['Loops     none'] : []),
    ...ended,
    last_call === null && !isLogged(project.root)
      ? `Last call unknown: ${relative(from, ralphDirectory(project.root))} cannot be written, so that nothing is logged`
      : lastCallLine(last_call, now, last_call?.project && (relative(from, last_call.project) || '.')),
  ].join('\n');
}

function isLogged(root: string): boolean {
  return readOnlyReason(existingDirectory(ralphDirectory(root))) === undefined;
}

/** Outside of a repository, the hook looks for a gate config alone. */
function isOutside({ root, gate_config }: NonNullable<ProjectStatus['project']>): boolean {
  return gate_config === undefined && repositoryAround(root) === undefined;
}
