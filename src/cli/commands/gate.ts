import { failure, type Result, success } from '../../base/result.ts';
import { actedWhy, chainTask } from '../../chain/chain-record.ts';
import { takeAction } from '../../chain/chain-steps.ts';
import { logChain } from '../../chain/log-chain.ts';
import { settleCheckpoint } from '../../chain/settle-checkpoint.ts';
import { rootAround } from '../../config/discover.ts';
import { chainLine } from '../../messages/chain.ts';
import type { Chain, ChainEnd } from '../../state/chain.ts';
import { moveChainIfPossible, readChains } from '../../state/chain-file.ts';
import { reportChain } from '../../state/chain-report.ts';
import type { GateAction } from '../../state/prompt-step.ts';
import { EXIT, fail, print } from '../terminal.ts';

const ACTIONS: readonly GateAction[] = ['retry', 'skip', 'abort'];

/**
 * `ralph-loop gate <action> [chain]`: retries, skips or aborts typed gates that have used up their attempts.
 *
 * @param id of a chain; undefined: the only chain of the project, or the only one without attempts left
 * @returns the exit code: 0 done, 1 not possible, 2 usage
 */
export async function actOnGates(typed: string, id: string | undefined): Promise<number> {
  const action = ACTIONS.find((known) => known === typed);
  if (action === undefined)
    return fail(`Unknown action "${typed}", expected ${ACTIONS.join(', ')}.`, EXIT.usage);
  const root = rootAround(process.cwd()) ?? process.cwd();
  const chosen = chooseChain(readChains(root), id);
  if (!chosen.ok) return fail(chosen.failure.message);
  const moved = await moveChainIfPossible(root, chosen.value.id, (present) => {
    const taken = takeAction(present, action, new Date());
    // The agent does not read the output of this command: its next stop announces the next step.
    return action === 'skip' ? { ...taken, chain: { ...taken.chain, untold: true } } : taken;
  });
  if ('refused' in moved) return fail(`Cannot ${action} chain ${chosen.value.id}: ${moved.refused}.`);
  const { session } = moved.chain;
  const context = { now: new Date(), env: process.env };
  await logChain(
    root,
    { host: 'terminal', session, task: chainTask(moved.chain), why: actedWhy(action) },
    context,
  );
  const note = await settleCheckpoint(root, moved, context);
  print([resultOf(action, moved.chain, moved.ended), note ?? []].flat());
  return EXIT.ok;
}

function chooseChain(chains: readonly Chain[], id: string | undefined): Result<Chain> {
  const list = ['Chains:', ...chains.map((chain) => `  ${chainLine(reportChain(chain))}`)];
  if (chains.length === 0)
    return failure(id === undefined ? 'No typed gates in this project.' : `No chain ${id} in this project.`);
  const escalated = chains.filter(({ status }) => status === 'escalated');
  const candidates =
    id !== undefined ? chains.filter((chain) => chain.id === id) : escalated.length > 0 ? escalated : chains;
  const [chain, another] = candidates;
  if (!chain) return failure([`No chain ${id} in this project.`, ...list].join('\n'));
  return another
    ? failure(['There are several chains; name one by its ID.', ...list].join('\n'))
    : success(chain);
}

function resultOf(action: GateAction, { id, step, steps }: Chain, ended: ChainEnd | undefined): string {
  if (action === 'abort') return `Aborted chain ${id}.`;
  if (action === 'retry') return `Chain ${id} will be verified at the next stop, starting at attempt 1.`;
  const next = ended === undefined ? `step ${step + 1} of ${steps.length} is next` : 'the chain has ended';
  return `Skipped; the step counts as unverified, and ${next}.`;
}
