import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { chainPath } from '../../../src/state/chain-location.ts';
import { readChains } from '../../../src/state/chain-store.ts';
import { stateDirectory } from '../../../src/state/paths.ts';
import { type McpClient, testInProcess as test } from '../../helpers/mcp-client.ts';
import type { Project } from '../../helpers/project.ts';
import { logOf } from '../../helpers/stops.ts';

const STATE = '.trellis/.ralph';
const RAN = 'echo x >> ran';
const runsOf = (project: Project) => (project.has('ran') ? project.read('ran').length / 2 : 0);
const chainsOf = async (mcp: McpClient) => (await mcp.call('status')).structured.chains;

describe('prompt_engine with a command', () => {
  test('returns the task and its verification, and runs nothing', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const { text, structured } = await mcp.engine({
      command: `Fix the cart :: verify:"${RAN}" max:3 timeout:60`,
    });
    expect(structured).toEqual({
      chain_id: expect.stringMatching(/^[\w-]+$/),
      status: 'awaiting',
      success: false,
      verification: { command: RAN, attempts: 0, passed: false, lastResult: null },
      content: text,
    });
    expect(text).toMatch(/^Fix the cart\n/);
    expect(text).toContain(`- \`${RAN}\` exits with 0 (3 attempts, 60 s each)`);
    expect(text).toContain(`chain_id "${structured.chain_id}"`);
    expect(runsOf(project)).toBe(0);
  });

  test('renders a template, with gates and without', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject({ '.trellis/prompts/fix.md': 'Fix $ARGUMENTS with care.\n' }));
    const plain = await mcp.engine({ command: '>>fix the cart' });
    expect(plain.text).toBe('Fix the cart with care.');
    expect(plain.structured).toEqual({
      chain_id: null,
      status: 'passed',
      success: true,
      verification: null,
      content: plain.text,
    });
    const gated = await mcp.engine({ command: '>>fix the cart :: verify:"true"' });
    expect(gated.text).toMatch(/^Fix the cart with care\.\n/);
    expect(gated.structured).toMatchObject({ status: 'awaiting' });
  });
});

test('prompt_engine takes the call of an unknown template as text', async ({ makeProject, connect }) => {
  const mcp = await connect(makeProject({ '.trellis/prompts/fix.md': 'Fix it.\n' }));
  expect((await mcp.engine({ command: '>>fxi it' })).text).toBe('>>fxi it');
  const { text, structured } = await mcp.engine({ command: '>>fxi it :: verify:"true"' });
  expect(text).toMatch(/^>>fxi it\n/);
  expect(structured).toMatchObject({ status: 'awaiting' });
});

describe('prompt_engine starts a chain', () => {
  test.for([
    { options: 'loop:true', atStop: 'block' },
    { options: 'loop:false', atStop: 'nothing' },
    { options: '', atStop: 'nothing' },
  ])(
    'with "$options" that stops answer with $atStop',
    async ({ options, atStop }, { makeProject, connect }) => {
      const project = makeProject();
      await (await connect(project)).start(`Do it :: verify:"exit 1" ${options}`);
      expect(readChains(project.root)).toMatchObject([{ atStop }]);
    },
  );

  test.for([
    { env: { CLAUDE_CODE_SESSION_ID: 'session-1' }, session: 'session-1' },
    { env: {}, session: null },
  ])('of the session $session', async ({ env, session }, { makeProject, connect }) => {
    const project = makeProject();
    await (await connect(project, env)).start('Do it :: verify:"exit 1"');
    expect(readChains(project.root)).toMatchObject([{ session }]);
  });
});

describe('prompt_engine with a user_response', () => {
  test('fails until the work is done, and then passes', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"test -e done || { echo not yet >&2; exit 3; }"');
    await mcp.engine({ chain_id, user_response: 'I tried' });
    const failed = await mcp.engine({ chain_id, user_response: 'I tried again' });
    expect(failed.text).toMatch(
      /^## Shell Verification FAILED \(Attempt 2\/5\)\n\n\*\*Command\*\*: `test -e done .*`\n\*\*Exit Code\*\*: 3\n\n### Error Output\n\n```\nnot yet\n```\n/,
    );
    expect(failed).toMatchObject({
      isError: false,
      structured: {
        chain_id,
        status: 'failed',
        success: false,
        verification: {
          attempts: 2,
          passed: false,
          lastResult: { exitCode: 3, stdout: '', stderr: 'not yet\n', timedOut: false },
        },
      },
    });
    project.write({ done: '' });
    const passed = await mcp.engine({ chain_id, user_response: 'Done' });
    expect(passed.text).toMatch(/^## Verification PASSED\n/);
    expect(passed.structured).toMatchObject({
      chain_id,
      status: 'passed',
      success: true,
      verification: { attempts: 3, passed: true, lastResult: { exitCode: 0 } },
    });
    expect(await chainsOf(mcp)).toEqual([]);
  });

  test('shows the relevant part of a long output', async ({ makeProject, connect }) => {
    const noise = Array.from({ length: 2000 }, (_, i) => `step ${i} is fine`).join('\n');
    const project = makeProject({
      'log.txt': `${noise}\nerror TS2304: Cannot find name 'cart'.\n${noise}\n`,
    });
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"cat log.txt; false"');
    const { text, structured } = await mcp.engine({ chain_id, user_response: 'x' });
    expect(text).toContain("error TS2304: Cannot find name 'cart'.");
    expect(text.length).toBeLessThan(6001);
    expect(text).toMatch(/^Full output: \.trellis\/\.ralph\/output\/.*\.log$/m);
    const { stdout } = (structured.verification as { lastResult: { stdout: string } }).lastResult;
    expect(stdout).toMatch(/^\[\.\.\.truncated, showing last 5000 chars\.\.\.\]\n/);
  });

  test('escalates at the last attempt, and then runs nothing', async ({ makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start(`Do it :: verify:"${RAN}; echo broken; exit 1" max:2`);
    await mcp.engine({ chain_id, user_response: 'x' });
    const escalated = await mcp.engine({ chain_id, user_response: 'x' });
    expect(escalated.text).toMatch(/^## Shell Verification FAILED - Maximum Attempts Reached\n/);
    expect(escalated.text).toMatch(/\*\*Attempts\*\*: 2\/2\n[\s\S]*### Recent Output\n\n```\nbroken\n```\n/);
    expect(escalated.text).toMatch(/- `retry`: .*\n- `skip`: .*\n- `abort`: .*$/);
    expect(escalated.structured).toMatchObject({ status: 'escalated', success: false });
    expect(await mcp.engine({ chain_id, user_response: 'x' })).toEqual(escalated);
    expect(runsOf(project)).toBe(2);
  });

  test('continues a chain of another server', async ({ makeProject, connect }) => {
    const project = makeProject();
    const first = await connect(project);
    const chain_id = await first.start('Do it :: verify:"exit 1"');
    await first.engine({ chain_id, user_response: 'x' });
    await first.close();
    const { text } = await (await connect(project)).engine({ chain_id, user_response: 'x' });
    expect(text).toContain('(Attempt 2/5)');
  });

  test('goes through the steps of a chain', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    const started = await mcp.engine({
      command: 'Write it :: verify:"true" --> Test it :: verify:"exit 1" max:1',
    });
    const { chain_id } = started.structured;
    expect(started.text).toMatch(/^## Step 1 of 2\n\nWrite it\n/);
    const second = await mcp.engine({ chain_id, user_response: 'x' });
    expect(second.text).toMatch(/^Step 1 of 2 passed\.\n\n## Step 2 of 2\n\nTest it\n/);
    expect(second.structured).toMatchObject({
      status: 'awaiting',
      verification: { command: 'true', passed: true },
    });
    await mcp.engine({ chain_id, user_response: 'x' });
    const skipped = await mcp.engine({ chain_id, gate_action: 'skip' });
    expect(skipped.structured).toMatchObject({ status: 'skipped', success: false });
  });
});

describe('prompt_engine with a gate_action', () => {
  test.for([
    { gate_action: 'retry', status: 'awaiting', success: false, text: /^Do it\n/ },
    { gate_action: 'skip', status: 'skipped', success: false, text: /^## Verification SKIPPED\n/ },
    { gate_action: 'abort', status: 'aborted', success: false, text: /^## Verification ABORTED\n/ },
  ])(
    '$gate_action answers $status for an escalated chain',
    async ({ gate_action, text, ...state }, { makeProject, connect }) => {
      const mcp = await connect(makeProject());
      const chain_id = await mcp.start('Do it :: verify:"exit 1" max:1');
      await mcp.engine({ chain_id, user_response: 'x' });
      const answer = await mcp.engine({ chain_id, gate_action });
      expect(answer.text).toMatch(text);
      expect(answer.structured).toMatchObject({ chain_id, ...state });
      expect(await chainsOf(mcp)).toHaveLength(gate_action === 'retry' ? 1 : 0);
    },
  );

  test('retry counts the attempts from 1 again', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    const chain_id = await mcp.start('Do it :: verify:"exit 1" max:2');
    await mcp.engine({ chain_id, user_response: 'x' });
    await mcp.engine({ chain_id, user_response: 'x' });
    await mcp.engine({ chain_id, gate_action: 'retry' });
    const { text } = await mcp.engine({ chain_id, user_response: 'x' });
    expect(text).toMatch(/^## Shell Verification FAILED \(Attempt 1\/2\)\n/);
  });

  test('retry shows the failure again', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    const chain_id = await mcp.start('Do it :: verify:"echo broken; exit 1" max:1');
    await mcp.engine({ chain_id, user_response: 'x' });
    const { text } = await mcp.engine({ chain_id, gate_action: 'retry' });
    expect(text).toContain('`echo broken; exit 1` exited with code 1.');
    expect(text).toContain('\nbroken\n');
    expect(text).toMatch(/\nFull output: \.trellis\/\.ralph\/output\/chain-.*\.log\n/);
  });

  test('needs no chain_id where one chain waits for a decision', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    await mcp.start('Do that :: verify:"true"');
    const chain_id = await mcp.start('Do it :: verify:"exit 1" max:1');
    await mcp.engine({ chain_id, user_response: 'x' });
    const { structured } = await mcp.engine({ gate_action: 'retry' });
    expect(structured).toMatchObject({ chain_id, status: 'awaiting' });
  });

  test('abort needs no chain_id where there is one chain', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    const chain_id = await mcp.start('Do it :: verify:"true"');
    expect((await mcp.engine({ gate_action: 'abort' })).structured).toMatchObject({
      chain_id,
      status: 'aborted',
    });
  });

  test('skip leads to the next step, and the chain ends as skipped', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    const chain_id = await mcp.start('Write it :: verify:"exit 1" max:1 --> Test it :: verify:"true"');
    await mcp.engine({ chain_id, user_response: 'x' });
    const skipped = await mcp.engine({ chain_id, gate_action: 'skip' });
    expect(skipped.text).toMatch(/^Step 1 of 2 was skipped\. [\s\S]*## Step 2 of 2\n\nTest it\n/);
    expect(skipped.structured).toMatchObject({ status: 'awaiting' });
    expect((await mcp.engine({ chain_id, user_response: 'x' })).structured).toMatchObject({
      status: 'skipped',
    });
  });

  test('abort ends a chain at any time', async ({ makeProject, connect }) => {
    const mcp = await connect(makeProject());
    const chain_id = await mcp.start('Do it :: verify:"true"');
    expect((await mcp.engine({ chain_id, gate_action: 'abort' })).structured).toMatchObject({
      status: 'aborted',
    });
  });
});

test('prompt_engine requests a review once the commands pass, and needs both to pass', async ({
  makeProject,
  connect,
}) => {
  const project = makeProject();
  const mcp = await connect(project);
  const chain_id = await mcp.start(
    `Do it :: verify:"${RAN}" :: tests:"each bug has a test" :: docs:"are right"`,
  );
  const requested = await mcp.engine({ chain_id, user_response: 'x' });
  expect(requested.text).toMatch(/^## Gate Review\n[\s\S]*\*\*tests\*\*: each bug has a test\n/);
  expect(requested.structured).toMatchObject({
    status: 'review',
    success: false,
    verification: { passed: true },
  });

  const missing = await mcp.engine({ chain_id, gate_verdicts: 'GATE tests: PASS - I wrote two' });
  expect(missing.text).toMatch(/^## Gate Review INCOMPLETE\n[\s\S]*\*\*docs\*\*: no verdict/);
  expect(missing.structured).toMatchObject({ status: 'review' });

  const unfounded = await mcp.engine({
    chain_id,
    gate_verdicts: { tests: 'PASS - I wrote two', docs: 'PASS' },
  });
  expect(unfounded.structured).toMatchObject({ status: 'review' });

  const failed = await mcp.engine({ chain_id, gate_verdicts: { tests: 'PASS - two', docs: 'FAIL - old' } });
  expect(failed.text).toMatch(/^## Gate Review FAILED\n[\s\S]*\*\*docs\*\*: FAIL - old/);
  expect(failed.structured).toMatchObject({ status: 'failed', success: false });
  expect(runsOf(project)).toBe(1);

  expect((await mcp.engine({ chain_id, user_response: 'x' })).structured).toMatchObject({
    status: 'review',
  });
  const passed = await mcp.engine({
    chain_id,
    gate_verdicts: 'GATE tests: PASS - two\nGATE docs: PASS - new',
  });
  expect(passed.structured).toMatchObject({
    status: 'passed',
    success: true,
    self_reviewed: ['tests', 'docs'],
  });
  expect(passed.text).toContain(`\`${RAN}\` passed; self-reviewed: tests, docs.`);
  expect(logOf(project).at(-1)).toMatchObject({ why: 'verified', self_reviewed: ['tests', 'docs'] });
  expect(runsOf(project)).toBe(2);
});

test.for(['passes', 'is skipped', 'is aborted', 'expires'])(
  'a chain that %s leaves no files',
  async (end, { makeProject, connect }) => {
    const project = makeProject();
    const mcp = await connect(project);
    const chain_id = await mcp.start('Do it :: verify:"echo hi; test -e done" max:1');
    const left = () =>
      [project.path(STATE), stateDirectory(project.root)].flatMap((directory) =>
        readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
          path.includes(chain_id),
        ),
      );
    await mcp.engine({ chain_id, user_response: 'x' });
    expect(left().length).toBeGreaterThan(2);
    if (end === 'passes') {
      await mcp.engine({ chain_id, gate_action: 'retry' });
      project.write({ done: '' });
      await mcp.engine({ chain_id, user_response: 'x' });
    } else if (end === 'expires') {
      const file = chainPath(project.root, chain_id);
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"updated_at": "\d+/, '"updated_at": "2001'));
      await mcp.engine({ command: 'Do that' });
    } else await mcp.engine({ chain_id, gate_action: end === 'is skipped' ? 'skip' : 'abort' });
    expect(left()).toEqual([]);
  },
);

test('prompt_engine masks secrets in every answer', async ({ makeProject, connect }) => {
  const token = 'abcd1234efgh';
  const mcp = await connect(makeProject(), { API_TOKEN: token });
  const answers: unknown[] = [];
  const engine = async (args: Record<string, unknown>) => {
    const answer = await mcp.engine(args);
    answers.push(answer);
    return String(answer.structured.chain_id);
  };
  const failed = await engine({ command: `Log in with ${token} :: verify:"echo ${token}; exit 1" max:1` });
  await engine({ chain_id: failed, user_response: 'x' });
  await engine({ chain_id: failed, gate_action: 'retry' });
  await engine({ chain_id: 'unknown', user_response: token });
  await engine({ chain_id: failed, gate_action: 'abort' });
  await engine({ command: `Log in :: verify:"echo ${token}" mx:3` });
  const passes = await engine({ command: `Log in :: verify:"true ${token}"` });
  await engine({ chain_id: passes, user_response: 'x' });
  expect(answers).toHaveLength(8);
  for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(token);
  expect(answers[0]).toMatchObject({ structured: { verification: { command: 'echo ***; exit 1' } } });
});

describe('a command of prompt_engine', () => {
  const SECRETS = { API_TOKEN: 'abcd1234efgh', DB_PASSWORD: 'efgh5678ijkl', PLAIN: 'plain' };
  const SHOW = '"echo [$API_TOKEN] [$DB_PASSWORD] [$PLAIN]; false"';
  const lastResult = (answer: Awaited<ReturnType<McpClient['engine']>>) =>
    (answer.structured.verification as { lastResult: Record<string, unknown> }).lastResult;

  test.for([
    { what: 'no secrets', files: {}, shows: '[] [] [plain]\n' },
    // Its output is still masked.
    {
      what: 'the secrets that the config passes',
      files: { 'worktree.yaml': 'verify: [ "true" ]\nralph:\n  env: { pass: [API_TOKEN] }\n' },
      shows: '[***] [] [plain]\n',
    },
  ])('inherits $what', async ({ files, shows }, { makeProject, connect }) => {
    const mcp = await connect(makeProject(files), SECRETS);
    const chain_id = await mcp.start(`Do it :: verify:${SHOW}`);
    expect(lastResult(await mcp.engine({ chain_id, user_response: 'x' }))).toMatchObject({ stdout: shows });
  });

  test.for([
    {
      command: 'ralph-no-such-program',
      says: /^\*\*Exit Code\*\*: 127: a program it calls was not found$/m,
      exitCode: 127,
    },
    { command: 'kill -9 $$', says: /^\*\*Exit Code\*\*: none, it was killed by SIGKILL$/m, exitCode: null },
    { command: 'cat; exit 9', says: /^\*\*Exit Code\*\*: 9$/m, exitCode: 9 },
  ])(
    'that is $command is reported with its end',
    async ({ command, says, exitCode }, { makeProject, connect }) => {
      const mcp = await connect(makeProject());
      const chain_id = await mcp.start(`Do it :: verify:"${command}"`);
      const answer = await mcp.engine({ chain_id, user_response: 'x' });
      expect(answer.text).toMatch(says);
      expect(lastResult(answer)).toMatchObject({ exitCode, timedOut: false });
    },
  );
});
