import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { type PackedPackage, test } from '../helpers/packed-package.ts';
import type { Project } from '../helpers/project.ts';

/** A copy of the package, whose code cache no other test fills. */
function installed(packed: PackedPackage, project: Project) {
  const directory = project.path('package');
  cpSync(join(packed.home, 'node_modules/ralph-loop'), directory, { recursive: true });
  const cache = join(directory, 'dist/.cache');
  const version = async () => {
    const options = { env: project.environment, extendEnv: false, reject: false } as const;
    const run = await execa(process.execPath, [join(directory, 'bin/ralph-loop.js'), '--version'], options);
    return { exitCode: run.exitCode, stdout: run.stdout, stderr: run.stderr };
  };
  return { directory, cache, version };
}

describe.concurrent('the code cache of the program', () => {
  test('is written at the first run', async ({ packed, makeProject }) => {
    const { cache, version } = installed(packed, makeProject({}));
    expect(await version()).toMatchObject({ exitCode: 0, stderr: '' });

    expect(readdirSync(cache)).toContain(`main.cjs-${process.version}-${process.arch}`);
  });

  test.for([
    { damage: 'truncated', harm: (path: string) => truncateSync(path, 50_000) },
    { damage: 'empty', harm: (path: string) => truncateSync(path, 0) },
    {
      damage: 'changed in one byte',
      harm: (path: string) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1;
        writeFileSync(path, bytes);
      },
    },
  ])('is ignored and written again when a file is $damage', async ({ harm }, { packed, makeProject }) => {
    const { cache, version } = installed(packed, makeProject({}));
    const first = await version();
    const path = join(cache, `main.cjs-${process.version}-${process.arch}`);
    const intact = readFileSync(path).length;
    harm(path);

    expect(await version()).toEqual(first);
    expect(readFileSync(path).length).toBeGreaterThan(intact / 2);
  });

  test('is not needed when it cannot be written', async ({ packed, makeProject }) => {
    const { directory, cache, version } = installed(packed, makeProject({}));
    writeFileSync(cache, 'a file in the place of the directory');

    expect(await version()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(join(directory, 'dist')).toSorted()).toContain('program');
  });

  test('does not outlive a change of the program', async ({ packed, makeProject }) => {
    const { directory, version } = installed(packed, makeProject({}));
    const { stdout } = await version();
    const main = join(directory, 'dist/program/main.cjs');
    writeFileSync(main, readFileSync(main, 'utf8').replace(/^/, 'process.stdout.write("changed ");'));

    expect(await version()).toMatchObject({ exitCode: 0, stdout: `changed ${stdout}` });
  });
});
