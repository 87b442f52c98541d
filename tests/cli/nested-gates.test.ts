import { describe, expect } from 'vitest';
import { BIN, GATE_BIN, ralphLoop } from '../helpers/bin.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { mainStops } from '../helpers/stops.ts';

const STARTED = 'echo x >> started';
const program = (args: string, bin = BIN) => `"${process.execPath}" "${bin}" ${args}`;
/** A config of both programs, so that each finds gates. */
const files = (command: string, more = '') => ({
  'worktree.yaml': worktreeYaml([`{ name: again, run: ${JSON.stringify(`${STARTED}; ${command}`)}${more} }`]),
});

describe.concurrent('a gate that runs the gates of its own project again fails, and names the cause:', () => {
  test.for([
    { by: 'verify', command: program('verify') },
    { by: 'verify in a subdirectory', command: `mkdir -p a; cd a; ${program('verify')}` },
    { by: 'verify by a link', command: `ln -s . link; cd link; ${program('verify')}` },
    { by: 'verify without the variables of a gate', command: program('verify'), more: ', env: { pass: [] }' },
    { by: 'verify by a script', command: 'npm run --silent check', more: '' },
    { by: 'run', command: program('run --task T --prompt-file worktree.yaml -- true') },
  ])('$by', async ({ command, more }, { makeProject }) => {
    const project = makeProject({
      ...files(command, more),
      'package.json': JSON.stringify({ scripts: { check: program('verify') } }),
    });
    const { exitCode, stdout } = await ralphLoop(project, ['verify']);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/exit(?:ed with)?(?: code)? 2/);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /ralph-loop (?:verify|run) was started by a gate of this project, and would start that gate again: remove it from (?:worktree\.yaml|the gates)/,
    );
    expect(project.read('started')).toBe('x\n');
  });

  test('ralph-gate', async ({ makeProject }) => {
    const gates = [{ name: 'again', command: `${STARTED}; ${program('', GATE_BIN)}` }];
    const project = makeProject({ 'gate.config.json': JSON.stringify({ gates }) });
    const { exitCode, stdout } = await ralphLoop(project, ['verify']);
    expect(exitCode).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'ralph-gate was started by a gate of this project, and would start that gate again: remove it from gate.config.json',
    );
    expect(project.read('started')).toBe('x\n');
  });
});

test('a gate that sends a stop of its own project to the hook runs no gates again', async ({
  makeProject,
}) => {
  const project = makeProject(files(`unset RALPH_LOOP; ${program('hook')} < stop.json`));
  project.write({ 'stop.json': JSON.stringify(mainStops(project)) });
  expect((await ralphLoop(project, ['verify'])).exitCode).toBe(0);
  expect(project.read('started')).toBe('x\n');
});

test('a gate may run the gates of another project, which may not run those of the first again', async ({
  makeProject,
}) => {
  const other = makeProject();
  const project = makeProject(files(`cd "${other.root}" && ${program('verify')}`));
  other.write({ 'worktree.yaml': worktreeYaml([STARTED]) });
  expect((await ralphLoop(project, ['verify'])).exitCode).toBe(0);
  other.write(files(`cd "${project.root}" && ${program('verify')}`));
  const { exitCode, stdout } = await ralphLoop(project, ['verify']);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('was started by a gate of this project');
  expect(other.read('started')).toBe('x\nx\n');
});
