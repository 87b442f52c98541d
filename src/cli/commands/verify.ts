import { GateCondensers } from '../../diagnostics/condenser.ts';
import { gateSecrets, withoutSecrets } from '../../gates/gate-secrets.ts';
import { coloured, plain } from '../../messages/paint.ts';
import { gateName, summaryLine } from '../../messages/report.ts';
import { maskTexts } from '../../process/mask-text.ts';
import { runCommand } from '../../process/run-command.ts';
import { secretsIn } from '../../process/secrets.ts';
import { planVerification, type Verification } from '../../verification/plan-verification.ts';
import { NOTHING_RUN, runAsJson } from '../../verification/run-as-json.ts';
import { runVerification } from '../../verification/run-verification.ts';

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
  const { gatesOnly = false, config: named, only } = options;
  const planned = await planVerification(process.cwd(), { only, named, gatesOnly });
  if ('problems' in planned) {
    const exitCode = refuse(planned.problems, options);
    // No gates at all are no failure, unless one is asked for by its name.
    return !planned.isProject && gatesOnly && only.length === 0 ? EXIT.passed : exitCode;
  }
  const { plan, root, nothing } = planned;
  if (options.dryRun) {
    print(await planText(plan, root, options.json));
    return EXIT.passed;
  }
  if (nothing !== undefined) {
    print(options.json ? JSON.stringify(NOTHING_RUN, null, 2) : nothing);
    return EXIT.passed;
  }
  return run(planned, options);
}

async function run(verification: Verification, options: VerifyOptions): Promise<number> {
  const { plan, root } = verification;
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupted.abort());
  // Whoever reads our output may leave before the gates are done, as `head` does.
  process.stdout.on('error', () => interrupted.abort());
  const paint = process.stdout.hasColors?.() ? coloured : plain;
  const secrets = gateSecrets(plan, process.env);
  const nameWidth = Math.max(...plan.map((gate) => gateName(withoutSecrets(gate, secrets)).length));
  const condensers = new GateCondensers();
  const { summary, notes } = await runVerification(verification, {
    runCommand,
    env: process.env,
    now: () => new Date(),
    signal: interrupted.signal,
    failFast: options.failFast,
    condensers,
    onEvent: options.json
      ? undefined
      : showProgress(process.stdout, {
          from: process.cwd(),
          nameWidth,
          paint,
          condensers,
          verbose: options.verbose,
        }),
  });
  for (const note of notes) process.stderr.write(`${note}\n`);
  if (options.json) print(JSON.stringify(runAsJson(summary, root), null, 2));
  else
    print(
      `\n${interrupted.signal.aborted ? paint('red', 'Interrupted; nothing is left running.') : summaryLine(summary, paint)}`,
    );
  if (interrupted.signal.aborted) return EXIT.interrupted;
  return summary.verdict === 'passed' ? EXIT.passed : EXIT.failed;
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
