import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { type Project, test, trellisFiles, worktreeYaml } from '../helpers/project.ts';
import { checkStops, hookAnswers, LOG_FILE } from '../helpers/stops.ts';

const SECRET = 'hunter2-hunter2';
const OWN = 'own-secret-of-a-gate-1';
const TOKEN = `ghp_${'aB3d'.repeat(9)}`;
const env = { DEPLOY_TOKEN: SECRET };
/** Prints the secret of the environment, one of its own, and has a token in its command line. */
const GATE = `{ run: "echo $DEPLOY_TOKEN; echo $OWN_KEY >&2; : ${TOKEN}; printf $DEPLOY_TOKEN; exit 3", env: { OWN_KEY: ${OWN} } }`;

function expectNoSecret(text: string): void {
  expect(text).toContain('***');
  for (const secret of [SECRET, OWN, TOKEN]) expect(text).not.toContain(secret);
}

/** Everything that the loop has left on the disk, names of files included. */
function leftIn(project: Project): string {
  const files = readdirSync(project.path('.trellis/.ralph/output'));
  return [...files, ...files.map((file) => project.read(`.trellis/.ralph/output/${file}`))].join('\n');
}

describe.concurrent('secrets are masked', () => {
  test('in the answer to the agent, in the gate log and in the execution log', async ({ makeProject }) => {
    const project = makeProject(trellisFiles([GATE]));
    const { reason = '' } = await hookAnswers(project, checkStops(project), { env });
    expect(reason).toContain('exited with code 3');
    expectNoSecret(reason);
    expectNoSecret(leftIn(project));
    expectNoSecret(project.read(LOG_FILE));
  });

  test('in the message at the iteration limit and in the verbose record', async ({ makeProject }) => {
    const project = makeProject(trellisFiles([GATE], 'ralph:\n  max_iterations: 1\n'));
    const { stdout, stderr } = await ralphLoop(project, ['hook', '--verbose'], {
      env: { ...env, CLAUDECODE: '1' },
      input: JSON.stringify(checkStops(project, { session_id: `of ${SECRET}` })),
    });
    expect(JSON.parse(stdout).systemMessage).toContain('stop allowed after the limit of 1 iteration');
    expectNoSecret(stdout);
    expect(JSON.parse(stderr).session).toBe('of ***');
    expectNoSecret(stderr);
  });

  test('in the problems of a broken config', async ({ makeProject }) => {
    const project = makeProject(trellisFiles(['true'], `ralph:\n  fail_fast: ${TOKEN}\n`));
    const { reason = '' } = await hookAnswers(project, checkStops(project), { env });
    expect(reason).toContain('found text "***" for "fail_fast"');
    for (const args of [['verify'], ['verify', '--json'], ['status']]) {
      const { stdout, stderr } = await ralphLoop(project, args, { env });
      expectNoSecret(stdout + stderr);
    }
  });

  test('that a gate reads from a file, and that it does not inherit', async ({ makeProject }) => {
    const gate = 'cat .env; exit 1';
    const files = { '.env': `DB_PASS=${SECRET}\nURL=postgres://me:${OWN}@host/db?token=${TOKEN}\n` };
    const project = makeProject({
      ...files,
      'worktree.yaml': worktreeYaml([`{ run: "${gate}", env: { pass: [] } }`]),
    });
    const environment = { DB_PASS: SECRET, URL: `postgres://me:${OWN}@host/db` };
    const { reason = '' } = await hookAnswers(project, checkStops(project), {
      env: environment,
    });
    expectNoSecret(reason);
    const { stdout } = await ralphLoop(project, ['verify'], { env: environment });
    expectNoSecret(stdout);
    // Without the variables: what is saved is masked already.
    const shown = await ralphLoop(project, ['why', '--full']);
    const saved = readdirSync(project.path('.trellis/.ralph'))
      .filter((file) => /\.jsonl?$/.test(file))
      .map((file) => project.read(`.trellis/.ralph/${file}`));
    expectNoSecret([shown.stdout, leftIn(project), ...saved].join('\n'));
  });

  test.for([[[]], [['--verbose']], [['--json']], [['--dry-run']], [['--dry-run', '--json']]])(
    'in the output of verify with %j',
    async ([args = []], { makeProject }) => {
      const project = makeProject({ 'worktree.yaml': worktreeYaml([GATE]) });
      const { stdout, stderr } = await ralphLoop(project, ['verify', ...args], { env });
      expect(stderr).toBe('');
      expectNoSecret(stdout);
    },
  );
});

describe.concurrent('a gate inherits', () => {
  const ENV = 'env > env.txt';
  /** What the shell sets by itself. */
  const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];
  test.for([
    {
      what: 'the whole environment',
      gate: ENV,
      ralph: '',
      names: [
        'DEPLOY_TOKEN',
        'HOME',
        'LC_ALL',
        'OTHER',
        'PATH',
        'RALPH_LOOP',
        'RALPH_LOOP_PROJECTS',
        'RALPH_LOOP_TREE',
        'TMPDIR',
        'XDG_STATE_HOME',
      ],
    },
    {
      what: 'the variables that the project passes',
      gate: ENV,
      ralph: 'ralph:\n  env:\n    pass: [OTHER]\n',
      names: ['HOME', 'OTHER', 'PATH', 'RALPH_LOOP', 'RALPH_LOOP_PROJECTS', 'RALPH_LOOP_TREE', 'TMPDIR'],
    },
    {
      what: 'the variables that it names itself',
      gate: `{ run: ${ENV}, env: { pass: [LC_ALL], A: 1 } }`,
      ralph: 'ralph: {env: {pass: [OTHER]}}\n',
      names: [
        'A',
        'HOME',
        'LC_ALL',
        'PATH',
        'RALPH_LOOP',
        'RALPH_LOOP_PROJECTS',
        'RALPH_LOOP_TREE',
        'TMPDIR',
      ],
    },
  ])('$what', async ({ gate, ralph, names }, { makeProject }) => {
    const project = makeProject({ 'worktree.yaml': worktreeYaml([gate], ralph) });
    const { exitCode } = await ralphLoop(project, ['verify'], { env: { ...env, OTHER: 'x' } });
    expect(exitCode).toBe(0);
    const found = [...project.read('env.txt').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    expect(found.filter((name) => !OF_SHELL.includes(name)).toSorted()).toEqual(names);
  });
});
