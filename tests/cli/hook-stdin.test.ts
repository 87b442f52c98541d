import { describe, expect } from 'vitest';
import { ralphLoop, shell, startRalphGate, startRalphLoop } from '../helpers/bin.ts';
import { gateFiles } from '../helpers/gate-config.ts';
import { test, trellisFiles } from '../helpers/project.ts';
import { answerOf, checkStops, hookAnswers, hookProcessAnswers, logOf } from '../helpers/stops.ts';

const FAILING = trellisFiles(['false']);

describe.concurrent('stdin without an event gives no answer, exit 0 and one line in the log:', () => {
  test.for([
    { stdin: 'nothing', input: Buffer.alloc(0) },
    { stdin: 'blanks', input: ' \n\t\r\n ' },
    { stdin: 'an array', input: '[]' },
    { stdin: 'an array with an event', input: '[{"hook_event_name":"SubagentStop","agent_type":"check"}]' },
    { stdin: 'null', input: 'null' },
    { stdin: 'a number', input: '5' },
    { stdin: 'text in quotes', input: '"SubagentStop"' },
    { stdin: 'half an object', input: '{' },
    { stdin: 'two objects', input: '{}{}' },
    { stdin: 'text', input: 'hello' },
    { stdin: 'bytes that are not UTF-8', input: Buffer.from([0xff, 0xfe, 0x80, 0xc3]) },
    { stdin: '5 MB of zeros', input: Buffer.alloc(5e6) },
    { stdin: 'unclosed nesting', input: '['.repeat(1e6) },
    { stdin: 'a byte order mark', input: Buffer.from('\uFEFF') },
    { stdin: 'an object without fields', input: '{}' },
    { stdin: 'fields of other types', input: '{"hook_event_name":7,"agent_type":[],"cwd":{}}' },
    { stdin: 'a prototype', input: '{"__proto__":{"hook_event_name":"SubagentStop","agent_type":"check"}}' },
  ])('$stdin', async ({ input }, { makeProject }) => {
    const project = makeProject(FAILING);
    // Only bytes need the process, which decodes them.
    const answer =
      typeof input === 'string'
        ? await hookAnswers(project, input)
        : answerOf(await ralphLoop(project, ['hook'], { input }));
    expect(answer).toEqual({});
    expect(logOf(project)).toMatchObject([{ answer: 'ignore', gates: [], iteration: null }]);
    expect(logOf(project)[0]?.why).not.toBe('');
  });

  test('a closed stdin', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    expect(answerOf(await shell(project, 'ralph_loop hook <&-'))).toEqual({});
    expect(logOf(project)).toMatchObject([{ answer: 'ignore' }]);
  });

  test('a stdin that is a directory', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    expect(answerOf(await shell(project, 'ralph_loop hook < .'))).toEqual({});
    expect(logOf(project)).toMatchObject([{ answer: 'ignore' }]);
  });

  test('half an object in a working directory that was removed', async ({ makeProject }) => {
    const project = makeProject({ ...FAILING, 'gone/soon': '' });
    const command = 'cd gone && rm -rf ../gone && echo "{" | ralph_loop hook';
    expect(answerOf(await shell(project, command))).toEqual({});
  });
});

describe.concurrent('a stdin that stays open does not keep the hook beyond its deadline, with', () => {
  const HALF = '{"hook_event_name": "SubagentStop", ';
  test.for([
    { what: 'nothing on a socket', command: undefined, input: '' },
    { what: 'half a document on a socket', command: undefined, input: HALF },
    { what: 'nothing on a pipe', command: 'sleep 600 &', input: '' },
    { what: 'half a document on a pipe', command: `(printf %s '${HALF}'; exec sleep 600) &`, input: '' },
  ])('$what', async ({ command, input }, { makeProject }) => {
    const project = makeProject(FAILING);
    const hook = ['hook', '--deadline', '1'];
    if (command === undefined) {
      const running = startRalphLoop(project, hook);
      running.stdin.write(input);
      expect(answerOf(await running)).toEqual({});
    } else {
      const script = `mkfifo pipe; ${command.replace('&', '> pipe & echo $! > a.pid;')} ralph_loop ${hook.join(' ')} < pipe; kill $(cat a.pid)`;
      expect(answerOf(await shell(project, script))).toEqual({});
    }
    expect(logOf(project)).toMatchObject([
      { answer: 'ignore', why: expect.stringMatching(/^stdin is not JSON: /) },
    ]);
  });

  test('words that come one by one', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const running = startRalphLoop(project, ['hook', '--deadline', '1']);
    const writing = setInterval(() => running.stdin.write(' '), 50);
    running.stdin.on('error', () => clearInterval(writing));
    expect(answerOf(await running)).toEqual({});
    clearInterval(writing);
  });

  test('ralph-gate, which runs its gates without an event', async ({ makeProject }) => {
    const project = makeProject(gateFiles([{ name: 'fails', command: 'exit 1' }]));
    const answer = answerOf(await startRalphGate(project, ['--hook', '--deadline', '3']));
    expect(answer.decision).toBe('block');
  });
});

describe.concurrent('an event is accepted', () => {
  test.for([
    { fields: 'a cwd that is null', event: { cwd: null } },
    { fields: 'a cwd that is a number', event: { cwd: 7 } },
    { fields: 'a cwd with a NUL', event: { cwd: '/a\0b' } },
    { fields: 'a message that is null', event: { last_assistant_message: null } },
    { fields: 'a session and agent that are numbers', event: { session_id: 1, agent_id: 2 } },
    { fields: 'a message of 3 MB', event: { last_assistant_message: 'ü'.repeat(1.5e6) } },
  ])('with $fields', async ({ event }, { makeProject }) => {
    const project = makeProject(FAILING);
    expect((await hookAnswers(project, checkStops(project, event))).decision).toBe('block');
  });

  test('without a cwd, from the working directory of the process', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const event = checkStops(project, { cwd: undefined });
    expect((await hookProcessAnswers(project, event)).decision).toBe('block');
  });

  test('by subagent-stop, the alias of the command', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    const input = JSON.stringify(checkStops(project));
    expect(answerOf(await ralphLoop(project, ['subagent-stop'], { input })).decision).toBe('block');
  });

  test.for([
    { length: 'short', bytes: 1000 },
    { length: 'of exactly what is read at once', bytes: 64 * 1024 },
    { length: 'of a multiple of it', bytes: 128 * 1024 },
    { length: 'long', bytes: 300_000 },
  ])('while stdin stays open, if it is $length', async ({ bytes }, { makeProject }) => {
    const project = makeProject(FAILING);
    const bare = JSON.stringify(checkStops(project, { last_assistant_message: '' })).length;
    const event = JSON.stringify(checkStops(project, { last_assistant_message: 'x'.repeat(bytes - bare) }));
    expect(event).toHaveLength(bytes);
    const hook = startRalphLoop(project, ['hook']);
    hook.stdin.write(event);
    expect(answerOf(await hook).decision).toBe('block');
  });

  test.for([
    { mark: 'a byte order mark', encode: (text: string) => Buffer.from(`\uFEFF${text}`) },
    {
      mark: 'a byte order mark in UTF-16, as PowerShell writes it',
      encode: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    },
    { mark: 'a line break', encode: (text: string) => Buffer.from(`\n${text}`) },
  ])('after $mark', async ({ encode }, { makeProject }) => {
    const project = makeProject(FAILING);
    const input = encode(JSON.stringify(checkStops(project)));
    expect(answerOf(await ralphLoop(project, ['hook'], { input })).decision).toBe('block');
  });

  test.for([
    { rest: '{}' },
    { rest: '\n{"hook_event_name":"SubagentStart"}\n' },
    { rest: ' {' },
    { rest: 'text } "' },
  ])('before a second document: $rest', async ({ rest }, { makeProject }) => {
    const project = makeProject(FAILING);
    const event = checkStops(project, { last_assistant_message: 'a brace } and a quote " and \\' });
    expect((await hookAnswers(project, `${JSON.stringify(event)}${rest}`)).decision).toBe('block');
  });

  test('from a file instead of a pipe', async ({ makeProject }) => {
    const project = makeProject(FAILING);
    project.write({ 'event.json': JSON.stringify(checkStops(project)) });
    expect(answerOf(await shell(project, 'ralph_loop hook < event.json')).decision).toBe('block');
  });
});
