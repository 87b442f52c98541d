import { fstatSync } from 'node:fs';
import { readGateEvent, writeGateAnswer } from '../hosts/ralph-gate.ts';
import { answerHook } from './hook-answer.ts';
import { GATE_FLAGS, parseHookOptions } from './hook-options.ts';
import { readStdin } from './hook-stdin.ts';
import { triageGateStop } from './triage-stop.ts';

/** `ralph-gate --hook`: the same as `ralph-loop hook`, of a gate config's gates, in Ralph Gate's words. */
export function gateHook(args: readonly string[]): Promise<never> {
  const options = parseHookOptions(args, GATE_FLAGS);
  return answerHook({
    ...options,
    readEvent: () => readGateEvent(isTerminal() ? '' : readStdin(), process.env, options.host),
    triage: (_, cwd) => triageGateStop(cwd, { named: options.config, only: options.only }),
    textOf: ({ answer }, { host }) => writeGateAnswer(answer, host),
  });
}

/** A person who tries the hook by hand types no event. */
function isTerminal(): boolean {
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return true;
  }
}
