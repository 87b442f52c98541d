import { readCurrentTask } from '../config/current-task.ts';
import { findProject, type ProjectFiles } from '../config/find-project.ts';
import { onlyGates } from '../config/only-gates.ts';
import { type ProjectConfig, readProject } from '../config/read-project.ts';
import { GateCondensers } from '../feedback/gate-condensers.ts';
import { coloured, plain } from '../feedback/paint.ts';
import { gateName, summaryLine } from '../feedback/report.ts';
import type { Gate } from '../gates/gate.ts';
import { gateSecrets, withoutSecrets } from '../gates/gate-secrets.ts';
import { logPathsIn } from '../gates/log-paths.ts';
import { planGates } from '../gates/plan-gates.ts';
import { runGates } from '../gates/run-gates.ts';
import { makeSelfIgnored } from '../loop/execution-log.ts';
import { outputDirectory, ralphDirectory } from '../loop/loop-location.ts';
import { maskTexts } from '../process/mask-text.ts';
import { runCommand } from '../process/run-command.ts';
import { secretsIn } from '../process/secrets.ts';
import { reportRun } from '../report-run.ts';
import { runAsJson } from './verify-json.ts';
import { rememberRun } from './verify-memory.ts';
import { NO_CONFIG, NO_GATES, nothingToRun } from './verify-nothing.ts';
import { planText } from './verify-plan.ts';
import { showProgress } from './verify-progress.ts';

export interface VerifyOptions {
  /** Names of the gates to run; all where there are none. */
  readonly only: readonly string[];
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly failFast: boolean;
  readonly json: boolean;
  /** A gate config that is named. */
  readonly config?: string | undefined;
  /** Of `ralph-gate`: only a gate config will do, and where there is none, there is nothing to run. */
  readonly gatesOnly?: boolean;
}

const EXIT = { passed: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * `ralph-loop verify`: runs the project's gates now, for a person. It never touches a loop's state.
 *
 * @returns the exit code: 0 passed, 1 failed, 2 usage or config error, 130 interrupted
 */
export async function verify(options: VerifyOptions): Promise<number> {
  const { gatesOnly = false, config: named } = options;
  const found = findProject(process.cwd(), { needsRepository: false, named, gatesOnly });
  if (!found.found) {
    const exitCode = refuse([gatesOnly ? NO_GATES : NO_CONFIG], options);
    // No gates at all are no failure, unless one is asked for by its name.
    return gatesOnly && options.only.length === 0 ? EXIT.passed : exitCode;
  }
  const { project } = found;
  const read = await readProject(project, readCurrentTask(project.root));
  if (read.problems.length > 0) return refuse(read.problems, options);
  const runnable = { ...read, gates: read.gates.filter(({ kind }) => kind === 'shell') };
  const config = options.only.length > 0 ? onlyGates(runnable, options.only) : runnable;
  if (config.problems.length > 0) return refuse(config.problems, options);
  const plan = planGates(config.gates);
  if (options.dryRun) {
    print(await planText(plan, project.root, options.json));
    return EXIT.passed;
  }
  if (plan.length === 0) {
    print(nothingToRun(project, read, options.json));
    return EXIT.passed;
  }
  return run(plan, project, config, options);
}

async function run(
  plan: readonly Gate[],
  { root }: ProjectFiles,
  { settings, resultsPath }: ProjectConfig,
  options: VerifyOptions,
): Promise<number> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupted.abort());
  // Whoever reads our output may leave before the gates are done, as `head` does.
  process.stdout.on('error', () => interrupted.abort());
  ignoreInGit(root);
  const paint = process.stdout.hasColors?.() ? coloured : plain;
  const secrets = gateSecrets(plan, process.env);
  const nameWidth = Math.max(...plan.map((gate) => gateName(withoutSecrets(gate, secrets)).length));
  const condensers = new GateCondensers();
  const show = options.json
    ? undefined
    : showProgress(process.stdout, {
        from: process.cwd(),
        nameWidth,
        paint,
        condensers,
        verbose: options.verbose,
      });
  const summary = await runGates(plan, {
    runCommand,
    env: process.env,
    failFast: options.failFast && settings.failFast,
    logPathOf: logPathsIn(outputDirectory(root), plan, secrets),
    signal: interrupted.signal,
    onEvent: (event) => {
      condensers.take(event);
      show?.(event);
    },
  });
  if (resultsPath !== undefined) {
    const world = { now: () => new Date(), signal: interrupted.signal };
    for (const note of reportRun(summary, resultsPath, world).notes) process.stderr.write(`${note}\n`);
  }
  if (!interrupted.signal.aborted)
    rememberRun(summary, condensers.findings(), root, { ofSome: options.only.length > 0 });
  if (options.json) print(JSON.stringify(runAsJson(summary, root), null, 2));
  else
    print(
      `\n${interrupted.signal.aborted ? paint('red', 'Interrupted; nothing is left running.') : summaryLine(summary, paint)}`,
    );
  if (interrupted.signal.aborted) return EXIT.interrupted;
  return summary.verdict === 'passed' ? EXIT.passed : EXIT.failed;
}

/** The gates' output lies in a directory that git is told to pass over; on a read-only disk there is none. */
function ignoreInGit(root: string): void {
  try {
    makeSelfIgnored(ralphDirectory(root));
  } catch {
    // The gates run all the same, without logs.
  }
}

/** What cannot be run is said to people on stderr, and to programs where they look for the result. */
function refuse(problems: readonly string[], { json }: VerifyOptions): number {
  const shown = maskTexts(problems, secretsIn(process.env));
  if (json) print(JSON.stringify({ verdict: 'refused', problems: shown }, null, 2));
  else process.stderr.write(`${shown.join('\n')}\n`);
  return EXIT.usage;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
