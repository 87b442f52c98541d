import type { ProjectConfig } from '../config/load.ts';
import type { RunResult } from '../gates/types.ts';
import type { Answer } from '../hosts/stop-event.ts';
import type { FailedRun } from '../messages/block-reason.ts';
import type { LimitReached } from '../messages/limit-reached.ts';
import { passedMessage, warningsMessage } from '../messages/person-message.ts';
import type { CountedAttempt } from '../state/count-attempt.ts';
import type { WrittenReport } from '../verification/report-run.ts';
import { whyFailed } from './why-failed.ts';

/** What is known of a run when it is decided upon. */
export interface RunToJudge {
  /** Undefined: the config is broken. */
  readonly summary: RunResult | undefined;
  /** Of a gate config's gates: the run in Ralph Gate's form. */
  readonly report: WrittenReport | undefined;
  readonly config: ProjectConfig;
  readonly attempt: CountedAttempt;
  /** Absolute directory of the project. */
  readonly root: string;
  /** Remembers a failed run, and puts together what there is to say of it. */
  remember(failed: RunResult): Promise<FailedRun>;
}

/** The table of what an attempt's outcome means for the agent. */
export async function decideStop(run: RunToJudge): Promise<Answer> {
  const { summary, report, config, attempt, root } = run;
  if (summary?.verdict === 'passed') return report ? passNamed(report) : pass(summary, config);
  const failedRun = summary && (await run.remember(summary));
  if (attempt.mayBlock) {
    if (!summary || !failedRun) {
      const { brokenConfigReason } = await import('../messages/broken-config-reason.ts');
      return {
        decision: 'block',
        why: 'config-broken',
        reason: brokenConfigReason(config.problems, attempt),
      };
    }
    const { blockReason, namedGateReason } = await import('../messages/block-reason.ts');
    const why = whyFailed(summary);
    if (!report) return { decision: 'block', why, reason: blockReason(summary, failedRun) };
    const { warnings, notes } = report;
    const reason = namedGateReason(summary, failedRun);
    return { decision: 'block', why, reason, warnings, ...toPersonOf(notes) };
  }
  const letGo: LimitReached =
    attempt.iteration >= config.settings.maxIterations
      ? { why: 'cap-reached', iterations: attempt.iteration }
      : { why: 'cannot-count' };
  const { limitReachedMessage: letGoMessage, limitReachedOnConfigMessage: letGoOnConfigMessage } =
    await import('../messages/limit-reached.ts');
  const toPerson = summary
    ? letGoMessage(summary, letGo, root)
    : letGoOnConfigMessage(config.problems, letGo);
  const { warnings = [], notes = [] } = report ?? {};
  return { decision: 'allow', why: letGo.why, warnings, toPerson: [toPerson, ...notes].join('; ') };
}

function pass(summary: RunResult, { gates }: ProjectConfig): Answer {
  const why = gates.some(({ kind }) => kind === 'marker') ? 'markers-found' : 'commands-passed';
  return { decision: 'allow', why, toPerson: passedMessage(summary) };
}

/** Nothing is said of a pass, unless there are warnings. */
function passNamed({ warnings, notes }: WrittenReport): Answer {
  const said = warnings.length > 0 ? [warningsMessage(warnings), ...notes] : notes;
  return { decision: 'allow', why: 'commands-passed', warnings, ...toPersonOf(said) };
}

function toPersonOf(said: readonly string[]): { toPerson?: string } {
  return said.length > 0 ? { toPerson: said.join('; ') } : {};
}
