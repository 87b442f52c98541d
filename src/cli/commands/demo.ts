import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { reasonOf } from '../../base/files.ts';
import type { Paint } from '../../messages/paint.ts';
import { wrapped } from '../../messages/wrapped.ts';
import { forgetProject } from '../../state/forget-project.ts';
import { EXIT, fail, onInterrupt, print, stdoutColumns, stdoutPaint } from '../terminal.ts';

const CONFIG = `verify:
  - node --check cart.mjs
  - node cart.test.mjs
`;

const TEST = `import { total } from './cart.mjs';

check('adds the prices', total([20, 30], 0), 50);
check('adds the shipping costs', total([20, 30], 4.9), 54.9);

function check(name, actual, expected) {
  if (actual === expected) return console.log('✓ ' + name);
  console.error('✗ ' + name + ': expected ' + expected + ', got ' + actual);
  process.exitCode = 1;
}
`;

const ADD = 'const add = (a, b) => a + b;';
const UNFINISHED = 'const total = (prices, shipping) => prices.reduce(add, 0);';
const FIXED = 'const total = (prices, shipping) => prices.reduce(add, shipping);';

/** After each step in a terminal, so that a person can read along: at least, and for each line. */
const PAUSE_MS = 400;
const LINE_MS = 200;
const DEFAULT_COLUMNS = 80;

/**
 * `ralph-loop demo`: a scripted agent stops with a failing test in a temporary project, and the real hook blocks the
 * stop; the agent fixes the failure, and the hook allows the stop.
 *
 * @returns the exit code
 */
export async function demo(): Promise<number> {
  const interrupted = new AbortController();
  onInterrupt(() => interrupted.abort());
  let project: string;
  try {
    project = mkdtempSync(join(tmpdir(), 'ralph-loop-demo-'));
  } catch (error) {
    return fail(`Cannot create a temporary project in ${tmpdir()}: ${reasonOf(error)}`);
  }
  try {
    const isAsExpected = await play(project, stdoutPaint(), interrupted.signal);
    return isAsExpected ? EXIT.ok : fail('The hook did not answer as expected.');
  } catch (error) {
    if (interrupted.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    rmSync(project, { recursive: true, force: true });
    await forgetProject(project, basename(project));
  }
}

/** Returns whether the hook blocked the first stop and allowed the second. */
async function play(project: string, paint: Paint, signal: AbortSignal): Promise<boolean> {
  const write = (name: string, text: string) => writeFileSync(join(project, name), `${text}\n`);
  const show = async (lines: readonly string[]) => {
    print([...lines, '']);
    if (process.stdout.isTTY) await pause(PAUSE_MS + LINE_MS * lines.length, signal);
  };
  // The hook searches for a project up to the root of the repository.
  mkdirSync(join(project, '.git'));
  write('worktree.yaml', CONFIG);
  write('cart.test.mjs', TEST);
  write('cart.mjs', `${ADD}\nexport ${UNFINISHED}`);
  await show([
    'A scripted agent works in a temporary project.',
    `Its ${paint('bold', 'worktree.yaml')} has two gates:`,
    ...quote(CONFIG.trimEnd(), paint),
  ]);

  const claim = 'The cart adds the shipping costs now. Done!';
  await show([`${paint('bold', 'Agent')}  ${claim}`]);
  const first = await hookAnswer(project, claim, signal);
  if (first.reason === undefined) return false;
  await show([`${paint('red', 'Hook')}   Blocks the stop. The agent reads:`, ...quote(first.reason, paint)]);

  write('cart.mjs', `${ADD}\nexport ${FIXED}`);
  const fix = [paint('red', `- ${UNFINISHED}`), paint('green', `+ ${FIXED}`)];
  await show([
    `${paint('bold', 'Agent')}  The sum has to start with the shipping costs. Fixed:`,
    ...quote(fix.join('\n'), paint),
  ]);
  const second = await hookAnswer(project, 'Fixed.', signal);
  if (second.reason !== undefined) return false;
  await show([
    `${paint('green', 'Hook')}   Allows the stop. You read:`,
    ...quote(second.systemMessage ?? '', paint),
  ]);
  print(`Set up your own project: ${paint('bold', 'npx ralph-loop-cli init')}`);
  return true;
}

/** The answer of the hook in the form of Claude Code: `reason` is for the agent, `systemMessage` for the person. */
interface HookAnswer {
  readonly reason?: string;
  readonly systemMessage?: string;
}

/** Calls the installed program as Claude Code does when its main agent wants to stop. */
async function hookAnswer(project: string, message: string, signal: AbortSignal): Promise<HookAnswer> {
  const event = {
    hook_event_name: 'Stop',
    // A session of its own: one that was interrupted, or runs at the same time, has recorded its gates.
    session_id: basename(project),
    cwd: project,
    stop_hook_active: false,
    last_assistant_message: message,
  };
  const [, program = ''] = process.argv;
  // Set when the demo runs in a gate; the hook would then ignore the stop.
  const { RALPH_LOOP: _, ...env } = process.env;
  const output = await new Promise<string>((resolve, reject) => {
    const hook = spawn(process.execPath, [program, 'hook', '--host', 'claude-code'], {
      cwd: project,
      env,
      signal,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let answer = '';
    hook.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    // An interrupted hook writes into the project until it is closed.
    let failure: Error | undefined;
    hook.on('error', (error) => {
      failure = error;
    });
    hook.on('close', () => (failure ? reject(failure) : resolve(answer)));
    // A hook that is killed does not read its event.
    hook.stdin.on('error', () => {}).end(JSON.stringify(event));
  });
  return JSON.parse(output || '{}');
}

function quote(text: string, paint: Paint): string[] {
  const bar = `${paint('dim', '│')} `;
  const columns = (stdoutColumns() ?? DEFAULT_COLUMNS) - 2;
  return wrapped(text, columns).map((line) => `${bar}${line}`.trimEnd());
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
