import { describe, expect, test } from 'vitest';
import { parsed, verifyGate } from '../../../helpers/typed-prompt.ts';

describe('an answer to a failed gate', () => {
  test.for(['retry', 'skip', 'abort'] as const)('%s', (action) => {
    const answer = { steps: [], gateAction: action };
    expect(parsed(`:: gate_action:${action}`)).toEqual(answer);
    expect(parsed(`\n ::gate_action: ${action} \n`)).toEqual(answer);
    expect(parsed(`:: gate_action : ${action}`)).toEqual(answer);
  });

  test('stands beside what is to be done', () => {
    expect(parsed('use the other library :: gate_action:retry. Be quick :: verify:"a"')).toEqual({
      steps: [{ text: 'use the other library. Be quick', verify: [verifyGate('a')], criteria: [] }],
      gateAction: 'retry',
    });
  });

  test('holds for all steps, whichever it was typed in', () => {
    expect(parsed('>>a --> >>b :: gate_action:skip')).toEqual({
      steps: [
        { text: '>>a', verify: [], criteria: [] },
        { text: '>>b', verify: [], criteria: [] },
      ],
      gateAction: 'skip',
    });
  });
});
