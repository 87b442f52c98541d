import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markProblem } from '../../../../src/chain/parse/mark-problem.ts';
import { mayHaveGates } from '../../../../src/chain/parse/may-have-gates.ts';
import { parsePrompt, renderSteps } from '../../../../src/chain/parse/parse-prompt.ts';
import { arbitraryBlanks, arbitraryPrompt, arbitraryStep } from '../../../helpers/arbitrary-prompts.ts';
import { LIBRARY, parsed } from '../../../helpers/typed-prompt.ts';

const LINE_END = /\r\n?|\n/;

describe('of any prompt', () => {
  test('gates that are written down are read again', () => {
    const prompts = fc.tuple(fc.array(arbitraryStep, { minLength: 1, maxLength: 3 }), arbitraryBlanks);
    fc.assert(
      fc.property(prompts, ([steps, blank]) => {
        const prompt = steps.map(({ syntax }) => syntax).join(`${blank}-->${blank}`);
        expect(parsed(prompt)).toEqual({ steps: steps.map(({ value }) => value), gateAction: undefined });
      }),
    );
  });

  test('every problem is at a character of it, in order, and can be shown', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const found = renderSteps(prompt, LIBRARY);
        if (!('problems' in found)) return;
        const lines = prompt.split(LINE_END);
        const places = found.problems.map(({ line, column }) => ({ line, column }));
        expect(places.map(({ line, column }) => lines[line - 1]?.[column - 1])).not.toContain(undefined);
        expect(places).toEqual(places.toSorted((a, b) => a.line - b.line || a.column - b.column));
        for (const problem of found.problems) {
          expect(problem.message).toMatch(/^found [^\p{Cc}]{1,250}, expected [^\p{Cc}]{1,150}$/u);
          expect(markProblem(prompt, problem)).toMatch(/^[^\p{Cc}]{0,150}\n {0,80}\^$/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('the first look overlooks no gate', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const found = renderSteps(prompt, LIBRARY);
        const hasGates =
          'steps' in found &&
          (found.gateAction !== undefined ||
            found.steps.some(({ verify, criteria }) => verify.length + criteria.length > 0));
        if (hasGates) expect(parsePrompt(prompt, LIBRARY)).toEqual(found);
        if (!mayHaveGates(prompt)) expect(hasGates).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('what holds no colons that stand alone, nor one of the two words, has no gates', () => {
    const prompts = arbitraryPrompt.map((prompt) =>
      prompt.replaceAll(/(^|\s)::(?=\s)|verify|gate_action/g, 'x'),
    );
    fc.assert(
      fc.property(prompts, (prompt) => {
        expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('what stands in a fence has no gates', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const fence = '`'.repeat(prompt.length + 3);
        expect(parsePrompt(`${fence}\n${prompt}\n${fence}`, LIBRARY)).toBeUndefined();
      }),
    );
  });

  test('what stands in quoted lines has no gates', () => {
    fc.assert(
      fc.property(arbitraryPrompt, (prompt) => {
        const lines = prompt.replaceAll(/[`~]{3,}/g, '').split(LINE_END);
        expect(parsePrompt(lines.map((line) => `> ${line}`).join('\n'), LIBRARY)).toBeUndefined();
      }),
    );
  });
});
