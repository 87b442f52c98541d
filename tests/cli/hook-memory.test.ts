import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { gitProject } from '../helpers/git-project.ts';
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

const PRINTS_A_LOT = "process.stdout.write('no\\n'.repeat(300_000)); process.exitCode = 1;";

/** Writes down which of the processes sets V8's flags, and to what. */
const WATCHES_FLAGS = `
const v8 = require('node:v8');
const { appendFileSync } = require('node:fs');
const set = v8.setFlagsFromString;
v8.setFlagsFromString = (flag) => {
  appendFileSync(__dirname + '/flags', (process.argv.includes('own-run') ? 'run' : 'hook') + ' ' + flag + '\\n');
  set(flag);
};
`;

test('a hook and the process that runs its gates keep their heaps small after a long output', async ({
  makeProject,
}) => {
  const project = gitProject(makeProject, {
    ...trellisFiles([`{ name: test, run: "NODE_OPTIONS= node print.cjs" }`]),
    'print.cjs': PRINTS_A_LOT,
    'watch-flags.cjs': WATCHES_FLAGS,
  });
  const env = { NODE_OPTIONS: `--require "${join(project.root, 'watch-flags.cjs')}"` };
  await hookProcessAnswers(project, checkStops(project), { env });
  const flagsOf = (process: string) =>
    readFileSync(join(project.root, 'flags'), 'utf8').match(
      new RegExp(`^${process} --(?:semi|heap)-.*$`, 'gm'),
    ) ?? [];
  // The process that runs the gates may end after the hook.
  await eventually('the last flag is set', () => flagsOf('run').length === 4);
  // V8's code cache is written at the exit, and needs the flags of the start.
  for (const process of ['hook', 'run'])
    expect(flagsOf(process)).toEqual([
      `${process} --semi-space-growth-factor=1`,
      `${process} --heap-growing-percent=20`,
      `${process} --semi-space-growth-factor=2`,
      `${process} --heap-growing-percent=0`,
    ]);
});
