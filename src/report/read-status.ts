import { readCurrentTask } from '../config/current-task.ts';
import { findProject } from '../config/find-project.ts';
import { readProject } from '../config/read-project.ts';
import { rootAround } from '../config/root-around.ts';
import { isSameProcess } from '../process/identity.ts';
import { maskTexts } from '../process/mask-text.ts';
import { secretsIn } from '../process/secrets.ts';
import { type AgentRunReport, readAgentRuns, reportAgentRun } from '../state/agent-run.ts';
import { hasExpired } from '../state/chain.ts';
import { readChains } from '../state/chain-file.ts';
import { type ChainReport, reportChain } from '../state/chain-report.ts';
import { type LogRecord, readLog } from '../state/execution-log.ts';
import { ralphDirectory } from '../state/paths.ts';
import { readStopLoop, type StopLoopStatus, stopLoopFiles, stopLoopStatus } from '../state/stop-loop.ts';

/** What `status` tells of a project, as `--json` has it. */
export interface Status {
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

/** Reads it from files alone, so also while a hook runs. */
export async function readStatus(cwd: string, now: Date): Promise<Status> {
  const secrets = secretsIn(process.env);
  const around = rootAround(cwd) ?? cwd;
  const chains = readChains(around)
    .filter((chain) => !hasExpired(chain, now))
    .map((chain) => maskTexts(reportChain(chain), secrets));
  const promise_loops = await Promise.all(
    readAgentRuns(around).map(async (loop) => {
      const driven = loop.driver !== null && (await isSameProcess(loop.driver));
      return maskTexts(reportAgentRun(loop, driven, now), secrets);
    }),
  );
  const found = findProject(cwd, { needsRepository: false });
  if (!found.found) return { project: null, loops: [], chains, promise_loops, last_call: null };
  const { root, layout, config, gateConfig } = found.project;
  const { settings, problems } = await readProject(found.project, readCurrentTask(root));
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
