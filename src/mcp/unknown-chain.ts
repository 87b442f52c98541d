import { oneLine } from '../base/text.ts';
import { chainLine } from '../messages/chain.ts';
import type { Chain } from '../state/chain.ts';
import { reportChain } from '../state/chain-report.ts';
import type { Problem } from './tool-answer.ts';

/** @param chains those that there are */
export function unknownChain(id: string, chains: readonly Chain[]): Problem {
  const list = chains.map((chain) => `\n  ${chainLine(reportChain(chain))}`).join('');
  const others =
    list === '' ? 'There is none in this project; give command to begin one.' : `There are:${list}`;
  return {
    problem: `There is no chain ${oneLine(id, 60)}: it has ended, has expired, or never was. ${others}`,
  };
}
