// Prints docs/watch.svg: the real board of a temporary repository with three working trees, in a terminal. Needs git and
// tmux. Run by `npm run docs`.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { terminalPicture } from './.terminal-picture.mjs';

const COLUMNS = 100;
const ROWS = 38;
const BIN = resolve('bin/ralph-loop.js');

const base = mkdtempSync(join(realpathSync(tmpdir()), 'ralph-watch-'));
const shop = join(base, 'shop');
const env = {
  PATH: process.env.PATH,
  HOME: join(base, 'home'),
  TMUX_TMPDIR: base,
  TERM: 'xterm-256color',
  LC_ALL: 'C.UTF-8',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};
const run = (program, args, cwd = shop) => execFileSync(program, args, { cwd, env, encoding: 'utf8' });
const SESSIONS = { shop: '7f3a', 'shop-login': 'b81c', 'shop-search': '02de' };
const event = (cwd) => JSON.stringify({ hook_event_name: 'Stop', session_id: SESSIONS[basename(cwd)], cwd });
const stop = (cwd) => execFileSync(process.execPath, [BIN, 'hook'], { cwd, env, input: event(cwd) });
const tmux = (...words) => run('tmux', ['-f', '/dev/null', ...words]);

const FAILURE = ` FAIL  src/cart.test.ts > adds the tax
AssertionError: expected 30 to be 33 // Object.is equality

- Expected
+ Received

- 33
+ 30

 ❯ src/cart.test.ts:12:24
`;

let hook;
try {
  for (const directory of [shop, env.HOME]) mkdirSync(directory);
  // What a gate does differs from tree to tree by the files that git ignores.
  writeFileSync(
    join(shop, 'worktree.yaml'),
    'verify:\n  - { name: lint, run: sleep 0.4 }\n  - { name: test, run: sh test.sh }\n',
  );
  writeFileSync(
    join(shop, 'test.sh'),
    'if [ -e output ]; then cat output; exit 1; fi\nsleep "$(cat seconds)"\n',
  );
  writeFileSync(join(shop, '.gitignore'), 'output\nseconds\n');
  run('git', ['init', '-q', '-b', 'main']);
  run('git', ['add', '-A']);
  run('git', ['commit', '-qm', 'first']);
  const trees = ['login', 'search'].map((branch) => {
    const tree = join(base, `shop-${branch}`);
    run('git', ['worktree', 'add', '-q', '-b', branch, tree]);
    writeFileSync(join(tree, 'seconds'), '4');
    writeFileSync(join(tree, 'new.ts'), '1\n');
    stop(tree);
    return tree;
  });
  writeFileSync(join(shop, 'output'), FAILURE);
  stop(shop);
  stop(shop);
  writeFileSync(join(trees[0], 'new.ts'), '2\n');
  writeFileSync(join(trees[0], 'seconds'), '30');
  hook = spawn(process.execPath, [BIN, 'hook'], { cwd: trees[0], env, stdio: ['pipe', 'ignore', 'ignore'] });
  hook.stdin.end(event(trees[0]));
  await pause(2500);
  tmux(
    'new-session',
    '-d',
    '-x',
    `${COLUMNS}`,
    '-y',
    `${ROWS}`,
    `cd '${shop}'; '${process.execPath}' '${BIN}' watch`,
  );
  await pause(1500);
  const shown = tmux('capture-pane', '-p', '-e').trimEnd().split('\n');
  const lines = ['\x1b[1m$ ralph-loop watch\x1b[22m', '', ...shown].map((text) => ({ text }));
  const label =
    'ralph-loop watch: a blocked loop, the gate that runs in another working tree, and the last failure';
  process.stdout.write(terminalPicture(lines, { columns: COLUMNS, label }));
} finally {
  try {
    tmux('kill-server');
  } catch {
    // It did not start.
  }
  // As Ctrl-C, which ends the gates too.
  hook?.kill('SIGINT');
  await pause(1000);
  rmSync(base, { recursive: true, force: true });
}
