import { describe, expect } from 'vitest';
import {
  GateConfigError,
  type GateProgress,
  type LoadedConfig,
  loadConfig,
  runGates,
} from '../../src/index.ts';
import { gateFiles } from '../helpers/gate-config.ts';
import { test } from '../helpers/project.ts';
import { waitFor } from '../helpers/shell-commands.ts';

describe.concurrent('the library runs gates', () => {
  test('of a config object in order, with defaults and without disabled gates', async ({ makeProject }) => {
    const cwd = makeProject().root;
    const { passed, results, firstFailure, warnings } = await runGates({
      cwd,
      gates: [
        { name: 'last', command: 'true' },
        { name: 'first', command: 'pwd; echo "$WHAT" >&2', order: 1, env: { WHAT: 5 } },
        { name: 'style', command: 'exit 3', order: 2, blocking: false },
        { name: 'off', command: 'exit 4', enabled: false },
      ],
    });
    expect({ passed, firstFailure, warnings }).toEqual({
      passed: true,
      firstFailure: null,
      warnings: ['style'],
    });
    expect(results.map(({ name, exitCode, stdout, stderr }) => [name, exitCode, stdout, stderr])).toEqual([
      ['first', 0, `${cwd}\n`, '5\n'],
      ['style', 3, '', ''],
      ['last', 0, '', ''],
    ]);
  });

  test('of a loaded config in the directory of the agent, and writes no files', async ({ makeProject }) => {
    const project = makeProject({ ...gateFiles([{ name: 'where', command: 'pwd' }]), 'a b/x': '' });
    const config = await loadConfig(project.path('a b'));
    expect(config).toMatchObject({ path: project.path('gate.config.json'), failFast: true });
    const { results } = await runGates(config);
    expect(results[0]?.stdout).toBe(`${project.path('a b')}\n`);
    expect(project.has('.trellis')).toBe(false);
  });

  test('and reports their progress', async ({ makeProject }) => {
    const events: GateProgress[] = [];
    const gates = [{ name: 'a', command: 'echo hello' }];
    await runGates({ cwd: makeProject().root, gates }, { onEvent: (event) => events.push(event) });
    expect(events).toMatchObject([
      { type: 'started', name: 'a' },
      { type: 'output', name: 'a', stream: 'stdout', bytes: Buffer.from('hello\n') },
      { type: 'ended', result: { name: 'a', passed: true } },
    ]);
  });

  test.for([
    { form: 'a list', gatesIn: (loaded: LoadedConfig) => loaded.config?.gates ?? [] },
    {
      form: 'a list that is changed',
      gatesIn: ({ gates }: LoadedConfig) => gates.map((gate) => ({ ...gate })),
    },
    { form: 'the config below a loaded one', gatesIn: ({ config }: LoadedConfig) => config ?? [] },
  ])('of $form, as Ralph Gate takes them', async ({ gatesIn }, { makeProject }) => {
    const project = makeProject(
      gateFiles([
        { name: 'where', command: 'pwd; exit 1' },
        { name: 'below', command: 'pwd', cwd: 'a b' },
        { name: 'off', command: 'exit 4', enabled: false },
      ]),
    );
    project.write({ 'a b/x': '' });
    const loaded = await loadConfig(project.root);
    expect(loaded.configPath).toBe(project.path('gate.config.json'));
    const { results } = await runGates(gatesIn(loaded), { failFast: false, cwd: project.root });
    expect(results.map(({ name, stdout }) => [name, stdout])).toEqual([
      ['where', `${project.root}\n`],
      ['below', `${project.path('a b')}\n`],
    ]);
    const skipped = await runGates(gatesIn(loaded), { cwd: project.root });
    expect(skipped.results[1]).toMatchObject({ name: 'below', skipped: true, passed: true });
  });

  test('that wait for each other, with several jobs', async ({ makeProject }) => {
    const meets = (own: string, other: string) => `touch ${own}; ${waitFor(other)}`;
    const gates = [
      { name: 'a', command: meets('a', 'b') },
      { name: 'b', command: meets('b', 'a') },
    ];
    const { passed } = await runGates({ cwd: makeProject().root, gates }, { jobs: 2 });
    expect(passed).toBe(true);
  });

  test('of a loaded config, in which a gate needs one that is disabled', async ({ makeProject }) => {
    const project = makeProject(
      gateFiles([
        { name: 'off', command: 'exit 4', enabled: false },
        { name: 'fails', command: 'exit 3' },
        { name: 'a', command: 'true', needs: ['off'], exclusive: true },
        { name: 'b', command: 'true', needs: ['off', 'fails'] },
      ]),
    );
    const { results } = await runGates(await loadConfig(project.root), { failFast: false });
    expect(results.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      'fails failed',
      'a passed',
      'b skipped',
    ]);
  });

  test('and passes without a config', async ({ makeProject }) => {
    const config = await loadConfig(makeProject().root);
    expect(config).toMatchObject({ config: null });
    expect(config.path ?? config.configPath).toBeUndefined();
    expect(await runGates(config)).toMatchObject({ passed: true, results: [] });
  });
});

describe.concurrent('the library throws all problems of a config', () => {
  test('in a file, with their positions', async ({ makeProject }) => {
    const project = makeProject({ 'gate.config.json': '{"gates": [\n  {"name": "a", "order": "1"}]}' });
    const error = await loadConfig(project.root).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GateConfigError);
    expect((error as GateConfigError).problems).toEqual([
      'gate.config.json:2:3: found the gate "a" without "command", expected a command to run',
      'gate.config.json:2:26: found text "1" for "order", expected a number',
    ]);
  });

  test('in an object, without positions', async () => {
    const gates = [
      { name: 'a', command: 'true' },
      { name: 'a', command: ' ' },
    ];
    const error = await runGates({ gates }).catch((thrown: unknown) => thrown);
    expect((error as GateConfigError).message).toBe(
      'found an empty text for "command", expected text\nfound the name "a" again, expected a unique name',
    );
  });

  test('that cannot be read', async ({ makeProject }) => {
    const project = makeProject({ 'gate.config.json/x': '' });
    await expect(loadConfig(project.root)).rejects.toThrow(
      'gate.config.json:1:1: the file cannot be read: it is a directory',
    );
  });
});
