// Prints docs/demo.svg: the real output of `ralph-loop demo` in a terminal. Run by `npm run docs`; needs util-linux.
import { execFileSync } from 'node:child_process';
import { terminalPicture } from './.terminal-picture.mjs';

const COLUMNS = 80;

const { NO_COLOR: _, ...env } = process.env;
// `script` provides the terminal, without which the demo prints no colours.
const output = execFileSync(
  'script',
  ['-qec', `stty cols ${COLUMNS}; exec "${process.execPath}" bin/ralph-loop.js demo`, '/dev/null'],
  { encoding: 'utf8', env: { ...env, TERM: 'xterm-256color' } },
);
const lines = ['\x1b[1m$ npx ralph-loop-cli demo\x1b[22m', '', ...output.trimEnd().split(/\r?\n/)];
process.stdout.write(
  terminalPicture(lines, {
    columns: COLUMNS,
    label: 'ralph-loop demo: the hook blocks a stop while a test fails, and allows it after the fix',
  }),
);
