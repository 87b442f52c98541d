import { describe, expect } from 'vitest';
import { ralphGate } from '../helpers/bin.ts';
import { test } from '../helpers/project.ts';

describe('ralph-gate reads a config', () => {
  const gate = '{"name": "test", "command": "touch test.ran"}';
  const keys = Array.from({ length: 250_000 }, (_, n) => `"${String(n).padStart(36, 'somebody')}":0`);
  test.for([
    { form: 'with 10 MB of text', text: `{"gates": [${gate}], "x": "${'x'.repeat(1e7)}"}` },
    { form: 'with 10 MB of keys', text: `{"gates": [${gate}], ${keys.join(',')}}` },
  ])('$form', async ({ text }, { makeProject }) => {
    const project = makeProject({ 'gate.config.json': text });
    const { exitCode, stderr } = await ralphGate(project, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(project.has('test.ran')).toBe(true);
  });
});
