import { describe, expect, test } from 'vitest';
import { type CallerEvidence, callerOf } from '../../../src/process/caller.ts';

const SHELL = ['/bin/bash', '-l'];
const by = (evidence: Partial<CallerEvidence>) =>
  callerOf({ env: {}, hasTerminal: true, ancestors: [SHELL], ...evidence });

describe('callerOf', () => {
  test.for<[string, Partial<CallerEvidence>]>([
    ['in a shell', {}],
    ['with the variable of a hook', { env: { AI_AGENT: 'claude-code_2-1-197_harness' } }],
    ['with other values of the variables', { env: { CLAUDECODE: '', OPENCODE: '0', AI_AGENT: 'agent' } }],
    [
      'below a program whose name begins like that of a host',
      { ancestors: [SHELL, ['claudette'], ['pip', 'install']] },
    ],
    [
      'below an editor that has the name of a host as an argument',
      {
        ancestors: [
          ['vim', 'claude'],
          ['less', 'pi'],
        ],
      },
    ],
  ])('finds a person %s', ([, evidence]) => {
    expect(by(evidence)).toEqual({ isPerson: true, by: 'in a terminal' });
  });

  test.for<[string, Partial<CallerEvidence>]>([
    ['AI_AGENT=claude-code_2-1-197_agent', { env: { AI_AGENT: 'claude-code_2-1-197_agent' } }],
    ['CLAUDECODE=1', { env: { CLAUDECODE: '1' } }],
    ['OPENCODE=1', { env: { OPENCODE: '1' } }],
    ['PI_CODING_AGENT=true', { env: { PI_CODING_AGENT: 'true' } }],
    ['started by claude', { ancestors: [SHELL, ['claude', '-p', 'go']] }],
    ['started by codex', { ancestors: [SHELL, ['/opt/codex/bin/codex'], ['node', '/usr/bin/codex']] }],
    ['started by gemini', { ancestors: [SHELL, ['node', '--no-warnings', '/usr/local/bin/gemini']] }],
    ['started by kimi', { ancestors: [['/usr/bin/python3.12', '/home/x/.local/bin/kimi']] }],
    ['started by cursor-agent', { ancestors: [['-cursor-agent'], SHELL] }],
    ['started by qwen', { ancestors: [['/usr/bin/node', '/opt/qwen.js'], SHELL] }],
  ])('finds an agent by what shows one, even in a terminal: %s', ([evidence, more]) => {
    expect(by(more)).toEqual({ isPerson: false, by: `by an agent's shell (${evidence})` });
  });

  test('finds neither without a terminal', () => {
    expect(by({ hasTerminal: false })).toEqual({ isPerson: false, by: 'by a program without a terminal' });
  });

  test('shows no control characters of a variable, and no more than fits on a line', () => {
    const AI_AGENT = `\x1b]52;c;x\x07\n${'x'.repeat(500)}_agent`;
    expect(by({ env: { AI_AGENT } }).by).toMatch(/^by an agent's shell \(AI_AGENT=\?\]52;c;x\?\?x{50,80}\)$/);
  });
});
