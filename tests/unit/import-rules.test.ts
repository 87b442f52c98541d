import { expect, test } from 'vitest';
import { lintTree } from '../helpers/lint-tree.ts';

/** What a file of each room may not import, and what it may: the table of the house (design.md, "Rooms"). */
const rooms: Record<string, { forbidden: string[]; allowed: string[] }> = {
  'commands/status.ts': {
    forbidden: ['./reset.ts', './hook.ts', '../main.ts', '../index.ts'],
    allowed: [
      './hook-options.ts',
      '../answer-stop.ts',
      '../loop/loop-file.ts',
      '../gates/run-gates.ts',
      'node:fs',
    ],
  },
  'hosts/codex.ts': {
    forbidden: [
      '../config/defaults.ts',
      '../process/run-command.ts',
      '../loop/loop-file.ts',
      '../gates/run-gates.ts',
      '../feedback/wording.ts',
      '../commands/hook.ts',
      '../answer-stop.ts',
      'node:fs',
      'node:fs/promises',
      'node:child_process',
      'yaml',
      'execa',
    ],
    allowed: ['../loop/stop-event.ts', './claude-code.ts'],
  },
  'config/check.ts': {
    forbidden: [
      '../hosts/claude-code.ts',
      '../loop/loop-state.ts',
      '../process/run-command.ts',
      '../gates/run-gates.ts',
      '../feedback/wording.ts',
      '../program.ts',
      'node:child_process',
      'execa',
      'commander',
    ],
    allowed: ['../gates/gate.ts', './defaults.ts', 'yaml', 'node:fs', 'leven'],
  },
  'gates/evaluate.ts': {
    forbidden: [
      '../hosts/claude-code.ts',
      '../loop/loop-state.ts',
      '../config/parse-worktree.ts',
      '../feedback/wording.ts',
      '../commands/hook.ts',
      'node:fs',
      'node:fs/promises',
      'node:child_process',
      'yaml',
    ],
    allowed: ['../process/run-command.ts', '../process/recording.ts', './gate.ts', 'node:path'],
  },
  'process/spawn.ts': {
    forbidden: [
      '../gates/gate.ts',
      '../loop/stop-event.ts',
      '../feedback/wording.ts',
      '../main.ts',
      'yaml',
      'commander',
    ],
    allowed: ['./recording.ts', 'execa', 'node:child_process', 'node:fs'],
  },
  'loop/counting.ts': {
    forbidden: [
      '../gates/run-gates.ts',
      '../hosts/claude-code.ts',
      '../config/defaults.ts',
      '../process/run-command.ts',
      '../feedback/wording.ts',
      'node:fs',
      'node:fs/promises',
      'node:child_process',
      'execa',
      'yaml',
    ],
    allowed: ['../gates/gate.ts', './loop-state.ts', './loop-file.ts', 'node:path'],
  },
  'loop/loop-file.ts': {
    forbidden: ['../gates/run-gates.ts', '../hosts/claude-code.ts', '../config/defaults.ts', 'execa', 'yaml'],
    allowed: ['../gates/gate.ts', 'node:fs'],
  },
  'feedback/sentence.ts': {
    forbidden: [
      '../gates/run-gates.ts',
      '../process/run-command.ts',
      '../loop/loop-file.ts',
      '../config/defaults.ts',
      '../hosts/claude-code.ts',
      'node:fs',
      'node:fs/promises',
      'node:process',
      'node:child_process',
      'execa',
    ],
    allowed: [
      '../gates/gate.ts',
      '../loop/log-record.ts',
      '../loop/failure-memory.ts',
      '../loop/stop-event.ts',
      './wording.ts',
      'node:path',
    ],
  },
  'promise/find-word.ts': {
    forbidden: [
      '../loop/promise-loop.ts',
      '../gates/gate.ts',
      '../gates/run-gates.ts',
      '../config/defaults.ts',
      '../hosts/claude-code.ts',
      '../process/run-command.ts',
      '../feedback/block-reason.ts',
      '../commands/hook.ts',
      '../program.ts',
      'node:fs',
      'node:fs/promises',
      'node:process',
      'node:child_process',
      'yaml',
      'execa',
    ],
    allowed: ['../feedback/wording.ts', './message-lines.ts', 'node:util'],
  },
  'prompt/read-word.ts': {
    forbidden: [
      '../config/files.ts',
      '../config/defaults.ts',
      '../gates/gate.ts',
      '../gates/run-gates.ts',
      '../hosts/claude-code.ts',
      '../loop/loop-state.ts',
      '../process/run-command.ts',
      '../feedback/wording.ts',
      '../commands/hook.ts',
      '../program.ts',
      'node:fs',
      'node:fs/promises',
      'node:child_process',
      'yaml',
      'execa',
    ],
    allowed: ['../config/config-problem.ts', './parsed-prompt.ts', 'node:path'],
  },
  'prompt/read-prompt-library.ts': {
    forbidden: [
      '../config/find-project.ts',
      '../gates/gate.ts',
      '../process/run-command.ts',
      'node:child_process',
      'execa',
    ],
    allowed: ['../config/files.ts', './parse-prompt.ts', 'node:fs'],
  },
  'setup/propose.ts': {
    forbidden: [
      '../loop/loop-file.ts',
      '../process/run-command.ts',
      '../gates/run-gates.ts',
      '../feedback/wording.ts',
      '../commands/hook.ts',
      '../program.ts',
      'node:child_process',
      'execa',
      'commander',
    ],
    allowed: [
      '../gates/gate.ts',
      '../config/files.ts',
      '../hosts/hosts.ts',
      './ecosystems/node.ts',
      'yaml',
      'node:fs',
    ],
  },
  'setup/ecosystems/zig.ts': {
    forbidden: [
      '../../loop/loop-file.ts',
      '../../process/run-command.ts',
      '../../gates/run-gates.ts',
      '../../commands/hook.ts',
      '../../program.ts',
      'node:child_process',
    ],
    allowed: ['../../config/files.ts', '../../gates/gate.ts', '../proposed.ts', './rust.ts'],
  },
  'mcp/serve.ts': {
    forbidden: [
      '../commands/status.ts',
      '../commands/verify-plan.ts',
      '../library/format.ts',
      '../main.ts',
      '../program.ts',
      '../index.ts',
      'commander',
    ],
    allowed: [
      './chain-answer.ts',
      '../run-chain.ts',
      '../loop/chain-file.ts',
      '../feedback/chain-markdown.ts',
      '../prompt/parse-prompt.ts',
      '../config/find-project.ts',
      '@modelcontextprotocol/server',
      'zod',
      'node:fs',
    ],
  },
  'board/draw.ts': {
    forbidden: [
      '../commands/watch.ts',
      '../read-status.ts',
      '../drive/cancel-loop.ts',
      '../program.ts',
      '../loop/promise-loop-file.ts',
      '../config/find-project.ts',
      '../process/run-command.ts',
      '../gates/gate.ts',
      'node:child_process',
      'commander',
      'execa',
    ],
    allowed: [
      '../loop/promise-loop.ts',
      '../loop/chain-report.ts',
      '../feedback/wording.ts',
      '../config/files.ts',
      './board.ts',
      'ink',
      'react',
      'node:fs',
    ],
  },
  'report/tell.ts': {
    forbidden: [
      '../loop/execution-log.ts',
      '../loop/loop-file.ts',
      '../feedback/report.ts',
      '../gates/run-gates.ts',
      '../config/find-project.ts',
      '../process/run-command.ts',
      '../commands/report.ts',
      '../program.ts',
      'node:fs',
      'node:process',
      'node:child_process',
      'commander',
    ],
    allowed: [
      '../loop/log-record.ts',
      '../loop/promise-loop.ts',
      '../loop/loop-state.ts',
      '../feedback/wording.ts',
      '../feedback/paint.ts',
      './html.ts',
      'node:crypto',
    ],
  },
  'checkpoint/save.ts': {
    forbidden: ['../hosts/claude-code.ts', '../loop/loop-file.ts', '../gates/run-gates.ts', 'execa'],
    allowed: ['../process/run-command.ts', 'node:fs', 'node:crypto'],
  },
};

/** Files that have a rule of their own. */
const NAMED = ['loop/loop-file.ts', 'prompt/read-prompt-library.ts'];

/** A file for each import, so that a finding names the import: `src/hosts/3-codex.ts`. */
function filesOf(kind: 'forbidden' | 'allowed', written: (module: string) => string) {
  const rows = Object.entries(rooms).flatMap(([file, imports]) =>
    imports[kind].map((module) => ({ file, module })),
  );
  return rows.map(({ file, module }, index) => {
    // The files that may touch fs where their room may not are known by their names.
    const isNamed = NAMED.includes(file);
    const path = isNamed ? file : file.replace('/', `/${index}-`);
    return { name: `${file} imports ${module}`, path: `src/${path}`, text: written(module), isNamed };
  });
}

/** The files by path, those of one path in one. */
function joined(files: readonly { readonly path: string; readonly text: string }[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { path, text } of files) texts[path] = (texts[path] ?? '') + text;
  return texts;
}

const found = (files: Record<string, string>) => lintTree(files).map(({ rule, path }) => `${path}: ${rule}`);

test.each([
  ['import', (module: string) => `import '${module}';\n`],
  ['import of a type', (module: string) => `import type { X } from '${module}';\nexport type Y = X;\n`],
  ['import when it is needed', (module: string) => `export const x = () => import('${module}');\n`],
  ['re-export', (module: string) => `export { x } from '${module}';\n`],
])('every forbidden %s is reported', (_, written) => {
  const files = filesOf('forbidden', written);
  const alone = files.filter(({ isNamed }) => !isNamed);
  const paths = lintTree(joined(files))
    .filter(({ rule }) => rule === 'noRestrictedImports')
    .map(({ path }) => path);

  expect(alone.filter(({ path }) => !paths.includes(path)).map(({ name }) => name)).toEqual([]);
  for (const named of NAMED.map((file) => `src/${file}`)) {
    const wanted = files.filter(({ path }) => path === named);
    expect(paths.filter((path) => path === named)).toHaveLength(wanted.length);
  }
});

test('no allowed import is reported', () => {
  const files = filesOf('allowed', (module) => `import '${module}';\n`);
  expect(found(joined(files))).toEqual([]);
});

test.each([
  [
    'a cycle',
    { 'src/gates/a.ts': "import './b.ts';\n", 'src/gates/b.ts': "import './a.ts';\n" },
    'noImportCycles',
  ],
  [
    'a cycle of types',
    {
      'src/gates/a.ts': "import type { B } from './b.ts';\nexport type A = B[];\n",
      'src/gates/b.ts': "import type { A } from './a.ts';\nexport type B = A[];\n",
    },
    'noImportCycles',
  ],
  ['a barrel', { 'src/gates/a.ts': "export * from './b.ts';\n" }, 'noBarrelFile'],
  ['a default export', { 'src/gates/a.ts': 'export default 1;\n' }, 'noDefaultExport'],
  ['a console', { 'src/feedback/a.ts': "console.log('x');\n" }, 'noConsole'],
  [
    'a built-in module without its prefix',
    { 'src/config/a.ts': "import 'fs';\n" },
    'useNodejsImportProtocol',
  ],
])('%s is reported', (_, files, rule) => {
  expect(lintTree(files).map((finding) => finding.rule)).toContain(rule);
});

test('the library may gather what it exports', () => {
  expect(found({ 'src/index.ts': "export { x } from './gates/run-gates.ts';\n" })).toEqual([]);
});
