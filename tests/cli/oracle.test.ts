import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect } from 'vitest';
import { BIN } from '../helpers/bin.ts';
import { test } from '../helpers/project.ts';

/** What Trellis's Python hook did in recorded situations; it lies beside this repository where it is developed. */
const ORACLE = fileURLToPath(new URL('../../../shared/oracle/run.mjs', import.meta.url));

if (!existsSync(ORACLE)) console.log(`skipped: there are no recorded cases at ${ORACLE}`);

test.skipIf(!existsSync(ORACLE))(
  'the hook decides as the Python hook did, in every recorded case',
  async ({ makeProject }) => {
    const { environment } = makeProject();
    const hook = `"${process.execPath}" "${BIN}" hook`;
    const { exitCode, stdout } = await execa(process.execPath, [ORACLE, '--semantic', '--jobs', '2', hook], {
      env: environment,
      extendEnv: false,
      reject: false,
    });
    expect(stdout.split('\n').filter((line) => line.startsWith('DIFF'))).toEqual([]);
    expect(stdout).toMatch(/^(\d+)\/\1 cases equal/m);
    expect(exitCode).toBe(0);
  },
);
