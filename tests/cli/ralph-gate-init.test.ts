import { existsSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphGate, ralphLoop } from '../helpers/bin.ts';
import { type Files, type Project, test } from '../helpers/project.ts';
import { packageJson } from '../helpers/project-directory.ts';

const LOCAL = '.claude/settings.local.json';
const CONFIG = 'gate.config.json';
const NODE: Files = {
  'package.json': packageJson({ lint: 'node -e 0', typecheck: 'tsc', test: 'node --test', build: 'tsup' }),
  'package-lock.json': '{}',
};

async function init(project: Project, args: readonly string[] = [], exitCode = 0): Promise<string> {
  const run = await ralphGate(project, ['init', ...args]);
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode });
  return run.stdout + run.stderr;
}

const stopHooks = (project: Project, path = LOCAL) => JSON.parse(project.read(path)).hooks.Stop;

describe.concurrent('ralph-gate init', () => {
  test('writes the proposed gates, the hook and a .gitignore', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.gitignore': 'node_modules/' });
    expect(await init(project)).toContain(`created  ${CONFIG}`);
    expect(JSON.parse(project.read(CONFIG))).toEqual({
      gates: [
        { name: 'lint', command: 'npm run lint', order: 10 },
        { name: 'typecheck', command: 'npm run typecheck', order: 20 },
        { name: 'test', command: 'npm test', order: 30, timeout: 300 },
        { name: 'build', command: 'npm run build', order: 40, timeout: 300 },
      ],
      failFast: true,
    });
    expect(stopHooks(project)).toMatchObject([
      {
        hooks: [{ type: 'command', command: expect.stringMatching(/ralph-hook\.cjs" hook /), timeout: 600 }],
      },
    ]);
    expect(project.read('.gitignore')).toBe('node_modules/\n.trellis/.ralph*\ngate-results-*.json\n');
    const dryRun = await ralphGate(project, ['--dry-run']);
    expect(dryRun.stdout).toMatch(/lint[\s\S]*typecheck[\s\S]*test[\s\S]*build/);
  });

  test('needs no repository, and runs gates of subprojects there', async ({ makeProject }) => {
    const project = makeProject({ 'web/package.json': packageJson({ test: 'node -e 0' }) }, { git: false });
    await init(project, ['--skip-hook']);
    expect(JSON.parse(project.read(CONFIG)).gates).toMatchObject([{ name: 'web/test', cwd: 'web' }]);
    expect(project.has('.gitignore')).toBe(false);
    expect(project.has(LOCAL)).toBe(false);
    expect((await ralphGate(project, [])).exitCode).toBe(0);
  });

  test.for([CONFIG, '.gaterc.json'])('replaces %s only with --force', async (path, { makeProject }) => {
    const mine = '{"gates":[]}';
    const project = makeProject({ ...NODE, [path]: mine });
    expect(await init(project, [], 1)).toBe(
      `${path} already exists. Use --force to replace it.\nNothing was written.\n`,
    );
    expect(project.read(path)).toBe(mine);
    expect(project.has(LOCAL)).toBe(false);
    await init(project, ['--force']);
    expect(project.read(CONFIG)).toContain('npm test');
  });

  test('prints the config, and writes nothing, with --print', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, [CONFIG]: '{}' });
    expect(JSON.parse(await init(project, ['--print'])).gates).toHaveLength(4);
    expect([project.read(CONFIG), project.has(LOCAL)]).toEqual(['{}', false]);
  });

  test("replaces Ralph Gate's own hook, and keeps the other settings", async ({ makeProject }) => {
    const own = { type: 'command', command: 'npx ralph-gate --hook' };
    const other = { hooks: [{ type: 'command', command: 'echo done' }] };
    const settings = { permissions: { allow: ['a'] }, hooks: { Stop: [other, own] } };
    const project = makeProject({ ...NODE, [LOCAL]: JSON.stringify(settings) });
    expect(await init(project)).toContain("ralph-loop replaces Ralph Gate's own hook at Stop");
    expect(JSON.parse(project.read(LOCAL)).permissions).toEqual(settings.permissions);
    expect(stopHooks(project)).toMatchObject([
      other,
      { hooks: [{ command: expect.stringContaining(' hook ') }] },
    ]);
  });

  test('adds no second hook beside that of ralph-loop, nor ralph-loop beside that one', async ({
    makeProject,
  }) => {
    const project = makeProject({ ...NODE });
    await init(project);
    await ralphLoop(project, ['init', '--yes', '--host', 'claude']);
    expect([project.has(LOCAL), project.has('worktree.yaml')]).toEqual([false, false]);
    expect(stopHooks(project, '.claude/settings.json')).toHaveLength(1);
    expect(await init(project, ['--force'])).toContain('.claude/settings.json calls ralph-loop already.');
    expect(project.has(LOCAL)).toBe(false);
  });

  test('is undone by ralph-loop init --uninstall', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.gitignore': 'a' });
    await init(project);
    await ralphLoop(project, ['init', '--uninstall', '--yes']);
    expect([CONFIG, '.claude', '.trellis'].filter((path) => existsSync(project.path(path)))).toEqual([]);
    expect(project.read('.gitignore')).toBe('a');
  });

  test.for([
    ['settings that are malformed', { ...NODE, [LOCAL]: '{' }, `${LOCAL}:1:`],
    ['a worktree.yaml with gates', { ...NODE, 'worktree.yaml': 'verify: [make]\n' }, 'would not be read'],
    [
      'a worktree.yaml that lists gates',
      { ...NODE, 'worktree.yaml': 'verify:\n  - make\n' },
      'would not be read',
    ],
    ['no gates to propose', {}, 'No gates found in this project. Write gate.config.json by hand'],
  ] as const)('fails and changes nothing for %s', async ([, files, says], { makeProject }) => {
    const project = makeProject(files);
    expect(await init(project, [], 1)).toContain(says);
    expect(project.has(CONFIG)).toBe(false);
    expect(project.has('.gitignore')).toBe(false);
  });
});
