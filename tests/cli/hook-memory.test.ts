import { expect } from 'vitest';
import { test, trellisFiles } from '../helpers/project.ts';
import { checkStops, hookProcessAnswers } from '../helpers/stops.ts';

/** 130 MB; every 64 kB another error. */
const PRINTS_ERRORS_AMONG_NOISE = `
const { writeSync } = require('node:fs');
const name = (i) => [...String(i)].map((digit) => 'abcdefghij'[digit]).join('');
const noise = ' ✓ handles one more row of the table\\n'.repeat(1650);
for (let i = 0; i < 2000; i++)
  writeSync(1, noise + 'src/' + name(i) + '.ts:3:5: error: cannot find name ' + name(i) + '\\n');
process.exitCode = 1;
`;

test('a hook with little memory reads thousands of errors in a long output', async ({ makeProject }) => {
  const project = makeProject({
    ...trellisFiles([`{ name: test, run: "NODE_OPTIONS= node print.cjs" }`]),
    'print.cjs': PRINTS_ERRORS_AMONG_NOISE,
  });
  const env = { NODE_OPTIONS: '--max-old-space-size=64' };
  const { reason } = await hookProcessAnswers(project, checkStops(project), { env });
  expect(reason).toContain('src/a.ts:3:5: error: cannot find name a\n');
  expect(reason).toContain('2,000');
});
