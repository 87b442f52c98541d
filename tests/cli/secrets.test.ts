import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isRecordFile } from '../../src/state/paths.ts';
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

/** A gate that prints secrets in every place from which an excerpt, a hint, a name or a report takes its words. */
const SHAPES = `import { writeFileSync } from 'node:fs';
const secrets = [process.env.DEPLOY_TOKEN, process.env.OWN_KEY, process.argv[2]];
const attempt = process.env.ATTEMPT ?? '1';
const notes = (count) => Array.from({ length: count }, (_, i) => 'note ' + i + ' of ' + 'x'.repeat(i % 30) + ' ' + secrets[i % 3]);
const lines = secrets.flatMap((secret, i) => [
  '✗ logs in as ' + secret,
  '  AssertionError: expected "' + secret + '" to be "b' + attempt + '"',
  '  - Expected',
  '  + Received',
  '  - b',
  '  + ' + secret,
  '    at login (src/' + secret + '.js:' + (i + 1) + ':3)',
  ...notes(3),
  'src/a.ts(' + i + ',1): error TS2322: Type "' + secret + '" is not assignable to type "b".',
  ...notes(120),
  'Error: ' + 'y '.repeat(140 + i) + secret + ' z'.repeat(450) + ' ' + secret,
  '{"level":50,"msg":"failed for ' + secret + '","stack":"Error: x\\n    at ' + secret + ' (a.js:1:1)","token":"' + secret + '"}',
  '\\u001b[31mError: coloured ' + secret + '\\u001b[0m',
  '10 %\\r90 % ' + secret + '\\rError: redrawn ' + secret,
]);
const list = [...secrets, 'a', 'b', 'c'].map((name) => 'would reformat src/' + name + '.py');
process.stdout.write([...lines, ...list, 'npm error missing: ' + secrets[0] + '@1.0.0', 'ENOENT: /bin/' + secrets[1] + ': not found', ...notes(200), 'Tests: 3 failed, ' + secrets[2]].join('\\n') + '\\n');
const cases = secrets.map((secret) => '<testcase name="reads ' + secret + '" file="src/' + secret + '.js"><failure message="no ' + secret + '">' + notes(3).join('\\n') + '</failure></testcase>');
writeFileSync('junit.xml', '<testsuite name="' + secrets[0] + '">' + cases.join('') + '</testsuite>');
process.exit(1);
`;

describe.concurrent('secrets are masked, in whatever form a gate prints them,', () => {
  const gate = (more: string) =>
    `{ name: test, run: "node shapes.mjs ${TOKEN} # black --check", env: { OWN_KEY: ${OWN} }${more} }`;

  test.for([
    { what: 'of the output', more: '' },
    { what: 'of the output and of a report', more: ', report: junit.xml' },
  ])(
    'in the facts $what, at the first block, the second, and a changed one',
    async ({ more }, { makeProject }) => {
      const project = makeProject({ ...trellisFiles([gate(more)]), 'shapes.mjs': SHAPES });
      const stop = async (attempt: string) => {
        const options = { env: { ...env, ATTEMPT: attempt } };
        return (await hookAnswers(project, checkStops(project), options)).reason ?? '';
      };
      const [first, second, changed] = [await stop('1'), await stop('1'), await stop('2')];
      expect(first).toContain('logs in as ***');
      if (more !== '') expect(first).toMatch(/^✗ .*reads \*{3}/m);
      expect(second).toContain('Unchanged since iteration 1');
      expect(changed).not.toContain('Unchanged');
      for (const reason of [first, second, changed]) expectNoSecret(reason);
      expectNoSecret(everythingIn(project));
      for (const args of [
        ['verify'],
        ['verify', '--json'],
        ['verify', '--verbose'],
        ['why'],
        ['why', '--json'],
        ['why', '--full'],
      ]) {
        const { stdout, stderr } = await ralphLoop(project, args, { env });
        expectNoSecret(stdout + stderr);
      }
      expectNoSecret(everythingIn(project));
    },
  );
});

/** All state: that in the project, and that in the user's directory. The record of a session has the config as it was. */
function everythingIn(project: Project): string {
  return ['.trellis/.ralph', '@']
    .flatMap((directory) =>
      readdirSync(project.path(directory), { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((entry) => entry.isFile() && !isRecordFile(entry.name))
        .flatMap(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
    )
    .join('\n');
}
