import { expect, test } from 'vitest';
import { gateEnvironment } from '../../../src/gates/run-gates.ts';
import { shellGate } from '../../helpers/gate-results.ts';

const BASICS = {
  PATH: '/bin',
  HOME: '/home/me',
  SHELL: '/bin/sh',
  USER: 'me',
  LANG: 'C',
  TMPDIR: '/tmp',
  TERM: 'dumb',
  NODE_ENV: 'test',
  CI: '1',
};
const INHERITED = { ...BASICS, A: 'a', B: 'b', HOMEBREW: 'x', LC_ALL: 'C' };

test.each([
  ['everything', {}, INHERITED],
  ['everything, and its own over it', { env: { A: 'own', C: 'own' } }, { ...INHERITED, A: 'own', C: 'own' }],
  ['the basics alone', { passEnv: [] }, BASICS],
  ['what it names', { passEnv: ['A'] }, { ...BASICS, A: 'a' }],
  ['what it names, and its own', { passEnv: ['A'], env: { B: 'own' } }, { ...BASICS, A: 'a', B: 'own' }],
  ['its own over what it names', { passEnv: ['A'], env: { A: 'own' } }, { ...BASICS, A: 'own' }],
  ['its own over the basics', { passEnv: [], env: { CI: '0' } }, { ...BASICS, CI: '0' }],
  ['nothing by a name that is not set', { passEnv: ['Z', 'constructor'] }, BASICS],
  ['nothing by a name in other letters', { passEnv: ['a'] }, BASICS],
])('a gate has %s', (_, fields, environment) => {
  expect(gateEnvironment(INHERITED, shellGate('g', fields))).toEqual({ ...environment, RALPH_LOOP: '1' });
});

test('RALPH_LOOP is said last', () => {
  const gate = shellGate('g', { passEnv: ['RALPH_LOOP'], env: { RALPH_LOOP: '0' } });
  expect(gateEnvironment({ RALPH_LOOP: '0' }, gate)).toEqual({ RALPH_LOOP: '1' });
});
