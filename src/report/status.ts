import { relative } from 'node:path';
import { findProject, readCurrentTask, rootAround } from '../config/discover.ts';
import { readProject } from '../config/load.ts';
import { agentRunLines } from '../messages/agent-run.ts';
import { chainLine } from '../messages/chain.ts';
import type { Paint } from '../messages/paint.ts';
import { loopLines } from '../messages/status.ts';
import { secretsIn } from '../process/secrets/environment.ts';
import { maskTexts } from '../process/secrets/masker.ts';
import { type AgentRunReport, isActive, readAgentRuns, reportAgentRun } from '../state/agent-run.ts';
import { type ChainReport, isChainExpired, reportChain } from '../state/chain.ts';
import { readChains } from '../state/chain-store.ts';
import { type LogRecord, readLog } from '../state/execution-log.ts';
import { ignoredState, ralphDirectory } from '../state/paths.ts';
import { readStopLoop, type StopLoopStatus, stopLoopFiles, stopLoopStatus } from '../state/stop-loop.ts';

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
  readonly loops: readonly StopLoopStatus[];
  readonly chains: readonly ChainReport[];
  readonly promise_loops: readonly AgentRunReport[];
  readonly last_call: LogRecord | null;
}

/** Reads the status from files only, so it also works while a hook runs. */
export async function readProjectStatus(cwd: string, now: Date): Promise<ProjectStatus> {
  const secrets = secretsIn(process.env);
  const around = rootAround(cwd) ?? cwd;
  const chains = readChains(around)
    .filter((chain) => !isChainExpired(chain, now))
    .map((chain) => maskTexts(reportChain(chain), secrets));
  const promise_loops = await Promise.all(
    readAgentRuns(around).map(async (loop) => {
      return maskTexts(reportAgentRun(loop, await isActive(loop), now), secrets);
    }),
  );
  const found = findProject(cwd, { needsRepository: false });
  if (!found.ok) return { project: null, loops: [], chains, promise_loops, last_call: null };
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
    loops: stopLoopFiles(root).flatMap((path) => {
      const state = readStopLoop(path);
      return state ? [stopLoopStatus(state, log, settings, now)] : [];
    }),
    chains,
    promise_loops,
    last_call: log.findLast(({ host }) => host !== 'mcp' && host !== 'terminal') ?? null,
  };
}

/** @param from absolute directory that the printed paths are relative to */
export function statusText(status: ProjectStatus, from: string, now: Date, paint: Paint): string {
  const { project, loops, last_call } = status;
  const chains = status.chains.map((chain) => `Chain     ${chainLine(chain)}`);
  const agentRuns = agentRunLines(status.promise_loops, paint);
  if (!project) {
    const effect = chains.length > 0 ? 'checks typed gates only:' : 'allows every stop.';
    const none = `No worktree.yaml or gate.config.json was found here or in the directories above: the hook ${effect}`;
    return [none, ...agentRuns, ...chains].join('\n');
  }
  const { config, gate_config = config, problems } = project;
  const files = [...new Set([config, gate_config])].flatMap((path) => path ?? []);
  return [
    `Config    ${files.map((path) => relative(from, path)).join(', ') || 'none; the current task is guarded by markers'}`,
    ...ignoredState(project.root).map(
      (path) => `          ${paint('red', `ignored ${path}: state in the repository decides nothing`)}`,
    ),
    ...problems.map((problem) => `          ${paint('red', problem)}`),
    ...agentRuns,
    ...chains,
    ...loopLines(loops, last_call ?? undefined, now, paint),
  ].join('\n');
}
