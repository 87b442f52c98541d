import { count, oneLine } from '../base/text.ts';
import type { Chain, ChainReport } from '../state/chain.ts';

// What people read of chains; what agents do is in chain-texts.ts.

/** What the person reads when no attempt is left. */
export function escalatedText(chain: Chain): string {
  const { id, attempts } = chain;
  return `ralph-loop gave up after ${count(attempts, 'attempt')}: ${failureIn(chain)}. Type ":: gate_action:retry", ":: gate_action:skip" or ":: gate_action:abort", or run "ralph-loop gate retry ${id}".`;
}

/** What the person reads of commands that are run once, and fail. */
export function chainFailedText(chain: Chain): string {
  return `ralph-loop: ${failureIn(chain)}.`;
}

function failureIn({ results, step, steps }: Chain): string {
  const failed = results.find(({ passed }) => !passed);
  const where = steps.length > 1 ? ` at step ${step + 1} of ${steps.length}` : '';
  if (!failed) return `the review does not pass${where}`;
  const { command, exitCode, timedOut } = failed;
  const how = timedOut ? 'timed out' : exitCode === null ? 'failed' : `failed with exit code ${exitCode}`;
  return `\`${oneLine(command, 100)}\` ${how}${where}`;
}

/** What the person reads of a chain that nobody has touched for a day. */
export function chainExpiredText({ steps, updated_at, checkpoint }: Chain): string {
  const commands = steps.flatMap(({ verify }) => verify.map(({ command }) => `\`${oneLine(command, 60)}\``));
  const what = commands.join(', ') || 'what was typed';
  const kept = checkpoint === null ? '' : ` ${keptText(checkpoint)}`;
  return `ralph-loop: ${what} is verified no longer: nothing has happened to it since ${updated_at}.${kept}`;
}

/** What there is to know of the checkpoint of a chain that nobody goes on with. */
export function keptText(checkpoint: string): string {
  return `The work before it is kept: ralph-loop checkpoint restore ${checkpoint}.`;
}

/** What the person reads when a chain has ended. */
export function chainEndedText(chain: Chain, ended: 'passed' | 'skipped' | 'aborted'): string {
  if (ended === 'aborted') return 'ralph-loop: the typed gates were called off.';
  if (ended === 'skipped')
    return `ralph-loop: ${count(chain.unverified.length, 'step')} went unverified, the rest holds.`;
  const commands = chain.steps.flatMap(({ verify }) => verify);
  return commands.length === 1
    ? `ralph-loop: \`${oneLine(commands[0]?.command ?? '', 100)}\` passes.`
    : 'ralph-loop: all that was asked for holds.';
}

/** A chain among others: `k3x9-7f2a  npm test, attempt 5, escalated`. */
export function chainLine(chain: ChainReport): string {
  const { id, commands, step, steps, attempts, max_attempts: most, status, verifying } = chain;
  const skipped = chain.unverified_steps > 0 ? `, ${count(chain.unverified_steps, 'step')} unverified` : '';
  const shown = commands.map((command) => oneLine(command, 60)).join(', ') || 'review';
  const where = steps > 1 ? `, step ${step}/${steps}` : '';
  return `${id}  ${shown}${where}, attempt ${attempts}/${most}, ${verifying ? 'being verified' : status}${skipped}`;
}
