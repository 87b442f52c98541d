import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Project, test } from '../helpers/project.ts';
import { piecesOf, runShell, textOf } from '../helpers/run-shell.ts';
import { waitFor } from '../helpers/shell-commands.ts';

/** Runs a command that waits for the file `seen-n` after its nth line; each is created when the line has arrived. */
function runInSteps(project: Project, command: string) {
  let [text, seen] = ['', 0];
  const onOutput = (_: string, bytes: Buffer) => {
    text += bytes.toString('latin1');
    while (text.split('\n').length - 1 > seen) project.write({ [`seen-${++seen}`]: '' });
  };
  return runShell(project, command, { logPath: project.path('gate.log') }, { onOutput });
}

describe.concurrent('runCommand records the output', () => {
  test('of both streams in order of arrival', async ({ makeProject }) => {
    const project = makeProject();
    const lines = ['one', 'two >&2', 'three >&2', 'four', 'five >&2', 'six'];
    const { output } = await runInSteps(
      project,
      lines.map((line, index) => `echo ${line}; ${waitFor(`seen-${index + 1}`)}`).join('\n'),
    );
    expect(piecesOf(output)).toEqual([
      'stdout: one\n',
      'stderr: two\nthree\n',
      'stdout: four\n',
      'stderr: five\n',
      'stdout: six\n',
    ]);
    expect(project.read('gate.log')).toBe('one\ntwo\nthree\nfour\nfive\nsix\n');
  });

  test('with characters joined that were split by the other stream', async ({ makeProject }) => {
    const project = makeProject();
    // 😀 is f0 9f 98 80, é is c3 a9.
    const { output } = await runInSteps(
      project,
      [
        `printf '\\360\\237'; echo 'in between' >&2; ${waitFor('seen-1')}`,
        `printf '\\230'; echo 'once more' >&2; ${waitFor('seen-2')}`,
        "printf '\\200 \\303'; printf '\\251'",
      ].join('\n'),
    );
    const of = (stream: string) =>
      [...output.head, ...output.tail]
        .flatMap((piece) => (piece.stream === stream ? piece.text : []))
        .join('');
    expect(of('stdout')).toBe('😀 é');
    expect(of('stderr')).toBe('in between\nonce more\n');
  });

  test('below the output of the earlier attempt when there is a heading', async ({ makeProject }) => {
    const project = makeProject();
    const logPath = project.path('gate.log');
    await runShell(project, 'echo one', { logPath });
    await runShell(project, 'true', { logPath, logHeading: 'attempt 2' });
    const { output } = await runShell(project, 'echo three', { logPath, logHeading: 'attempt 3' });

    expect(project.read('gate.log')).toBe('one\n\n── attempt 2 ──\n\n── attempt 3 ──\nthree\n');
    expect(output.logPath).toBe(logPath);
    expect(textOf(output)).toBe('three\n');
  });

  test('of an attempt after a silent one', async ({ makeProject }) => {
    const project = makeProject();
    await runShell(project, 'echo two', { logPath: project.path('gate.log'), logHeading: 'attempt 2' });

    expect(project.read('gate.log')).toBe('two\n');
  });

  test.for([
    { how: 'symbolic', link: symlinkSync },
    { how: 'hard', link: linkSync },
  ])('beside a $how link that a gate has put in the place of its log', async ({ link }, { makeProject }) => {
    const project = makeProject({ 'other.txt': 'kept\n' });
    link(project.path('other.txt'), project.path('gate.log'));
    await runShell(project, 'echo two', { logPath: project.path('gate.log'), logHeading: 'attempt 2' });

    expect([project.read('other.txt'), project.read('gate.log')]).toEqual(['kept\n', 'two\n']);
  });

  test.for([
    { what: 'a byte that is not UTF-8', print: 'a\\377b', bytes: [0x61, 0xff, 0x62], kept: 'a\uFFFDb' },
    { what: 'an unfinished character', print: 'a\\303', bytes: [0x61, 0xc3], kept: 'a\uFFFD' },
    { what: 'no newline at the end', print: 'a\\nb', bytes: [0x61, 0x0a, 0x62], kept: 'a\nb' },
    { what: 'a NUL', print: 'a\\000b', bytes: [0x61, 0, 0x62], kept: 'a\0b' },
  ])('with $what, and writes the same bytes to the log', async ({ print, bytes, kept }, { makeProject }) => {
    const project = makeProject();
    const { output } = await runShell(project, `printf '${print}'`, {
      logPath: project.path('new/dir/gate.log'),
    });
    expect(textOf(output)).toBe(kept);
    expect(output.logPath).toBe(project.path('new/dir/gate.log'));
    expect([...readFileSync(project.path('new/dir/gate.log'))]).toEqual(bytes);
  });
});

describe.concurrent('the log of a command', () => {
  test('is removed if the command prints nothing', async ({ makeProject }) => {
    const project = makeProject({ 'gate.log': 'what an earlier run printed\n' });
    const { output } = await runShell(project, 'true', { logPath: project.path('gate.log') });
    expect(output).toEqual({ head: [], tail: [], omittedBytes: 0 });
    expect(project.has('gate.log')).toBe(false);
  });

  test('replaces an old, longer one', async ({ makeProject }) => {
    const project = makeProject({ 'gate.log': 'what an earlier run printed\n' });
    await runShell(project, 'echo new', { logPath: project.path('gate.log') });
    expect(project.read('gate.log')).toBe('new\n');
  });

  test('does not follow a link out of the project', async ({ makeProject }) => {
    const project = makeProject({ precious: 'not to be lost\n' });
    symlinkSync(project.path('precious'), project.path('gate.log'));
    await runShell(project, 'echo new', { logPath: project.path('gate.log') });
    expect(project.read('precious')).toBe('not to be lost\n');
    expect(() => readlinkSync(project.path('gate.log'))).toThrow();
    expect(project.read('gate.log')).toBe('new\n');
  });

  test('of a command that still runs is not truncated by another one of the same name', async ({
    makeProject,
  }) => {
    const project = makeProject();
    const logPath = project.path('gate.log');
    const onOutput = () => project.write({ 'first-printed': '' });
    const first = runShell(project, `echo early; ${waitFor('go')}; echo late`, { logPath }, { onOutput });
    await runShell(project, `${waitFor('first-printed')}; echo other`, { logPath });
    writeFileSync(project.path('go'), '');
    expect(textOf((await first).output)).toBe('early\nlate\n');
    expect(project.read('gate.log')).toBe('other\n');
  });
});

const MB = 1024 * 1024;

describe('a long output', () => {
  test('is bounded in memory and on disk, with head and tail kept', async ({ makeProject }) => {
    const project = makeProject({ 'output/other.log': '' });
    const numbers = 9_000_000;
    let [pieces, mostOnDisk] = [0, 0];
    const { end, output } = await runShell(
      project,
      `seq 1 ${numbers}`,
      { logPath: project.path('output/gate.log') },
      {
        onOutput: () => {
          if (++pieces % 20 === 0) mostOnDisk = Math.max(mostOnDisk, bytesIn(project.path('output')));
        },
      },
    );
    expect(end).toEqual({ how: 'exited', exitCode: 0 });
    const kept = textOf(output);
    expect(kept.length + output.omittedBytes).toBe(totalOf(numbers));
    expect(kept.length).toBeLessThan(400 * 1024);
    expect(kept.startsWith('1\n2\n3\n')).toBe(true);
    expect(kept.endsWith(`\n${numbers - 1}\n${numbers}\n`)).toBe(true);

    const log = project.read('output/gate.log');
    const [head = '', left, tail = ''] = log.split(/\n… (\d+) bytes left out …\n/);
    expect(head.length + Number(left) + tail.length).toBe(totalOf(numbers));
    expect(output.logOmittedBytes).toBe(Number(left));
    expect(head.startsWith('1\n2\n3\n')).toBe(true);
    expect(tail.endsWith(`\n${numbers - 1}\n${numbers}\n`)).toBe(true);
    expect(log.length).toBeLessThanOrEqual(50 * MB + 100);
    expect(log.length).toBeGreaterThan(40 * MB);
    expect(mostOnDisk).toBeLessThanOrEqual(60 * MB);
    expect(readdirSync(project.path('output')).toSorted()).toEqual(['gate.log', 'other.log']);
  });

  test('is complete in the log up to 50 MB, and cut beyond', async ({ makeProject }) => {
    const project = makeProject();
    const print = (bytes: number) =>
      runShell(project, `head -c ${bytes} /dev/zero`, { logPath: project.path('gate.log') });
    const { output } = await print(50 * MB);
    expect(output.logOmittedBytes).toBeUndefined();
    expect(statSync(project.path('gate.log')).size).toBe(50 * MB);
    await print(50 * MB + 1);
    expect(statSync(project.path('gate.log')).size).toBeLessThan(46 * MB);
  });
});

/** Bytes that `seq 1 n` prints, for n of seven digits. */
function totalOf(n: number): number {
  const shorter = [1, 2, 3, 4, 5, 6].reduce((sum, digits) => sum + 9 * 10 ** (digits - 1) * (digits + 1), 0);
  return shorter + (n - 999_999) * 8;
}

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + sizeOf(join(directory, name)), 0);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
