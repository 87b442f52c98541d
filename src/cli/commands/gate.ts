import { failure, type Result, success } from '../../base/result.ts';
import { decidedWhy } from '../../chain/chain-log.ts';
import { decideChain } from '../../chain/engine.ts';
import { decidableChains } from '../../chain/find-chain.ts';
import { rootAround } from '../../config/discover.ts';
import { chainLine } from '../../messages/chain.ts';
import { readCaller } from '../../process/caller.ts';
import { type Chain, type ChainEnd, chainTask, type GateAction, reportChain } from '../../state/chain.ts';
import { readChains } from '../../state/chain-store.ts';
import { logCommand, reportCommand } from '../record-command.ts';
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
  const root = rootAround(process.cwd(), { orAround: true }) ?? process.cwd();
  const chosen = chooseChain(readChains(root), id);
  if (!chosen.ok) return fail(chosen.failure.message);
  const context = { now: new Date(), env: process.env };
  const decided = await decideChain(root, chosen.value.id, action, 'terminal', context);
  if (!decided.ok) return fail(`Cannot ${action} chain ${chosen.value.id}: ${decided.failure.message}.`);
  const { chain, ended, checkpointNote = [] } = decided.value;
  const { session } = chain;
  const caller = readCaller(process.env);
  const entry = { session, task: chainTask(chain), why: decidedWhy(action, caller.by) };
  const command = `gate ${action} ${chain.id}`;
  await logCommand(root, command, caller, entry);
  reportCommand(root, command, caller);
  print([resultOf(action, chain, ended), checkpointNote].flat());
  return EXIT.ok;
}

function chooseChain(chains: readonly Chain[], id: string | undefined): Result<Chain> {
  const list = ['Chains:', ...chains.map((chain) => `  ${chainLine(reportChain(chain))}`)];
  if (chains.length === 0)
    return failure(id === undefined ? 'No typed gates in this project.' : `No chain ${id} in this project.`);
  const candidates = id !== undefined ? chains.filter((chain) => chain.id === id) : decidableChains(chains);
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
