import { decidedWhy, logChain } from '../../chain/chain-log.ts';
import { decideChain } from '../../chain/engine.ts';
import { rootAround } from '../../config/root-around.ts';
import { chainLine } from '../../messages/chain-person-texts.ts';
import { type Chain, type ChainEnd, chainTask, type GateAction, reportChain } from '../../state/chain.ts';
import { readChains } from '../../state/chain-store.ts';

const ACTIONS: readonly GateAction[] = ['retry', 'skip', 'abort'];
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/**
 * `ralph-loop gate <action> [chain]`: what is to be done about typed gates that have used up their attempts.
 *
 * @param named id of a chain; undefined: the only chain that there is, or the only one that waits for this
 * @returns the exit code: 0 done, 1 it could not be, 2 usage
 */
export async function gate(word: string, named: string | undefined): Promise<number> {
  const action = ACTIONS.find((known) => known === word);
  if (action === undefined)
    return refuse(`Unknown action "${word}", expected ${ACTIONS.join(', ')}.`, EXIT.usage);
  const root = rootAround(process.cwd()) ?? process.cwd();
  const chosen = choose(readChains(root), named);
  if ('problem' in chosen) return refuse(chosen.problem, EXIT.failed);
  const context = { now: new Date(), env: process.env };
  const decided = await decideChain(root, chosen.chain.id, action, 'terminal', context);
  if (!decided.ok) return refuse(`Nothing was done: ${decided.failure.message}.`, EXIT.failed);
  const { chain, ended, checkpointNote = [] } = decided.value;
  const { session } = chain;
  await logChain(
    root,
    { host: 'terminal', session, task: chainTask(chain), why: decidedWhy(action) },
    context,
  );
  process.stdout.write(`${[told(action, chain, ended), checkpointNote].flat().join('\n')}\n`);
  return EXIT.done;
}

function choose(
  chains: readonly Chain[],
  id: string | undefined,
): { readonly chain: Chain } | { readonly problem: string } {
  const list = chains.map((chain) => `\n  ${chainLine(reportChain(chain))}`).join('');
  if (id !== undefined) {
    const chain = chains.find((each) => each.id === id);
    return chain ? { chain } : { problem: `There is no chain ${id}.${list && ` There are:${list}`}` };
  }
  const waiting = chains.filter(({ status }) => status === 'escalated');
  const [chain, another] = waiting.length > 0 ? waiting : chains;
  if (!chain) return { problem: 'There are no typed gates in this project.' };
  return another ? { problem: `Which one? Name its id:${list}` } : { chain };
}

function told(action: GateAction, { id, step, steps }: Chain, ended: ChainEnd | undefined): string {
  if (action === 'abort') return `Chain ${id} is called off.`;
  if (action === 'retry') return `Chain ${id} is verified again at the next stop: its attempts begin at 1.`;
  const next = ended === undefined ? `step ${step + 1} of ${steps.length} is next` : 'it has ended';
  return `The step is skipped and counts as unverified; ${next}.`;
}

function refuse(problem: string, exitCode: number): number {
  process.stderr.write(`${problem}\n`);
  return exitCode;
}
