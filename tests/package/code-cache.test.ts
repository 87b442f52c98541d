import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { LAUNCHER } from '../../src/process/own-command.ts';
import { launcherText } from '../../src/setup/launcher.ts';
import { type PackedPackage, test } from '../helpers/packed-package.ts';
import type { MakeProject, Project } from '../helpers/project.ts';
import { checkStops } from '../helpers/stops.ts';

/** A project whose check agent runs the gate, and a copy of the package in it. */
function install(packed: PackedPackage, makeProject: MakeProject, gate: string) {
  const project = makeProject({
    '.trellis/.current-task': 'tasks/demo\n',
    '.trellis/worktree.yaml': `verify:\n  - ${gate}\n`,
  });
  const dist = project.path('package/dist');
  const cache = join(dist, '.cache');
  cpSync(join(packed.home, 'node_modules/ralph-loop-cli'), project.path('package'), { recursive: true });
  rmSync(cache, { recursive: true, force: true });
  const cacheFile = (chunk: string) => join(cache, `${chunk}.cjs-${process.version}-${process.arch}`);
  return { project, dist, cache, cacheFile };
}

/** Runs the hook of the package in the project, or the file that starts it. @returns its stdout */
async function hook(project: Project, agent = 'check', file = 'package/bin/ralph-loop.js'): Promise<string> {
  const { root: cwd } = project;
  // A session that another test's project guarded would load more.
  const env = { ...project.environment, XDG_STATE_HOME: '' };
  const input = JSON.stringify(checkStops(project, { agent_type: agent }));
  const args = [project.path(file), 'hook'];
  const { stdout } = await execa(process.execPath, args, { cwd, env, extendEnv: false, input });
  return stdout;
}

describe('the code cache', () => {
  test.for([
    { stop: 'an ignored stop', gate: 'exit 3', agent: 'implement', chunks: ['main'] },
    {
      stop: 'a stop with a passing gate',
      gate: 'true',
      agent: 'check',
      chunks: ['main', 'run', 'stop'],
    },
    {
      stop: 'a blocked stop',
      gate: 'exit 3',
      agent: 'check',
      chunks: ['failure', 'main', 'run', 'stop'],
    },
    {
      stop: 'a blocked stop with YAML',
      gate: '"exit 3"',
      agent: 'check',
      chunks: ['failure', 'main', 'run', 'stop', 'yaml'],
    },
  ])('of $stop has the chunks $chunks', async ({ gate, agent, chunks }, { packed, makeProject }) => {
    const { project, cache } = install(packed, makeProject, gate);
    await hook(project, agent);
    expect(readdirSync(cache).map((name) => name.replace(/\.cjs-.*/, ''))).toEqual(chunks);
  });

  test.for([
    ['passes', 'true'],
    ['prints so much that the heap is kept small', 'seq 20000; exit 3'],
  ] as const)('is written once by a gate that %s', async ([, gate], { packed, makeProject }) => {
    const { project, cache } = install(packed, makeProject, gate);
    const times = () => readdirSync(cache).map((name) => [name, statSync(join(cache, name)).mtimeMs]);
    await hook(project);
    const written = times();
    await hook(project);
    expect(times()).toEqual(written);
  });

  test('is the same for the launcher', async ({ packed, makeProject }) => {
    const { project, cache, cacheFile } = install(packed, makeProject, 'exit 3');
    project.write({ [LAUNCHER]: launcherText(), 'node_modules/x': '' });
    symlinkSync('../package', project.path('node_modules/ralph-loop-cli'));
    expect(await hook(project, 'check', LAUNCHER)).toContain('"decision":"block"');
    const files = readdirSync(cache);
    expect(files).toHaveLength(4);
    const { mtimeMs } = statSync(cacheFile('stop'));
    await hook(project);
    await hook(project, 'check', LAUNCHER);
    expect(statSync(cacheFile('stop')).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(cache)).toEqual(files);
  });

  test.for<[string, (bytes: Buffer) => Buffer]>([
    ['is cut', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['is empty', () => Buffer.alloc(0)],
    ['has zeros at its end', (bytes) => bytes.fill(0, bytes.length - 4096)],
  ])('is replaced if a file %s', async ([, damage], { packed, makeProject }) => {
    const { project, cacheFile } = install(packed, makeProject, 'exit 3');
    await hook(project);
    const whole = readFileSync(cacheFile('stop'));
    writeFileSync(cacheFile('stop'), damage(Buffer.from(whole)));
    expect(await hook(project)).toContain('"decision":"block"');
    expect(readFileSync(cacheFile('stop')).length).toBeGreaterThan(whole.length / 2);
  });

  test('is not used after the program has changed', async ({ packed, makeProject }) => {
    const { project, dist } = install(packed, makeProject, 'exit 3');
    expect(await hook(project)).toContain('Verification failed');
    const chunk = join(dist, 'program/failure.cjs');
    writeFileSync(chunk, readFileSync(chunk, 'utf8').replace('Verification failed', 'Verification FAILED'));
    expect(await hook(project)).toContain('Verification FAILED');
  });

  test('is optional', async ({ packed, makeProject }) => {
    const { project, cache } = install(packed, makeProject, 'exit 3');
    writeFileSync(cache, 'a file with the name of the directory');
    expect(await hook(project)).toContain('"decision":"block"');
  });
});
