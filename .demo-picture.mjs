// Prints docs/demo.svg: a recording of `ralph-loop demo` in a terminal. Run by `npm run docs`; needs util-linux.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { terminalPicture } from './.terminal-picture.mjs';

const COLUMNS = 80;

const { NO_COLOR: _, ...env } = process.env;
// `script` provides the terminal, without which the demo prints no colours and makes no pauses.
const demo = spawn(
  'script',
  ['-qec', `stty cols ${COLUMNS}; exec "${process.execPath}" bin/ralph-loop.js demo`, '/dev/null'],
  { env: { ...env, TERM: 'xterm-256color' }, stdio: ['ignore', 'pipe', 'inherit'] },
);
const lines = [{ text: '\x1b[1m$ npx ralph-loop-cli demo\x1b[22m' }, { text: '' }];
const closed = once(demo, 'close');
const startedAt = performance.now();
let rest = '';
demo.stdout.setEncoding('utf8');
for await (const text of demo.stdout) {
  const ms = performance.now() - startedAt;
  const parts = (rest + text).split(/\r?\n/);
  rest = parts.pop();
  for (const part of parts) lines.push({ text: part, ms });
}
const [exitCode] = await closed;
if (exitCode !== 0) throw new Error(`the demo exited with code ${exitCode}`);
process.stdout.write(
  terminalPicture(lines, {
    columns: COLUMNS,
    label: 'ralph-loop demo: the hook blocks a stop while a test fails, and allows it after the fix',
  }),
);
