import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { runCommand } from '../../src/process/run-command.ts';
import { gateKeys } from '../../src/verification/gate-keys.ts';
import { shellGate } from '../helpers/gate-results.ts';
import { bytes, git, gitProject, treeOf } from '../helpers/git-project.ts';
import { type Project, test } from '../helpers/project.ts';

const PROJECTS = 10;
const EDITS = 50;

// Few names and contents, so that edits collide, and states come back.
const path = fc.constantFrom('a', 'b', 'd/a', 'd/e/b', '\xff\xe9', 'new\nline', '.gitattributes');
/** Ignored, and named in `inputs`; ignored, and not named; a lockfile, which always counts. */
const ignored = fc.constantFrom('cache/x.json', 'cache/d/y.json', 'x.log', 'd/y.log', 'yarn.lock');
const content = fc.constantFrom(
  '',
  'one\n',
  'two\n',
  'one\r\n',
  '* text=auto\n',
  '* ident\n',
  '$Id$\n',
  '$Id: 1 $\n',
);
const asArgument = path.filter((name) => !/[\x80-\xff]/.test(name));

type Edit = readonly [verb: keyof typeof VERBS, ...args: readonly string[]];

const VERBS = {
  write: ({ root }: Project, path: string, text: string) => {
    mkdirSync(bytes(root, dirname(path)), { recursive: true });
    writeFileSync(bytes(root, path), text, 'latin1');
  },
  append: ({ root }: Project, path: string, text: string) => appendFileSync(bytes(root, path), text),
  /** Keeps size and time. */
  edit: ({ root }: Project, path: string) => {
    const { atime, mtime } = lstatSync(bytes(root, path));
    const text = readFileSync(bytes(root, path), 'latin1');
    const swapped = text.replace(/[ot]/, (letter) => (letter === 'o' ? 't' : 'o'));
    writeFileSync(bytes(root, path), swapped, 'latin1');
    utimesSync(bytes(root, path), atime, mtime);
  },
  touch: ({ root }: Project, path: string, time: string) =>
    utimesSync(bytes(root, path), Number(time), Number(time)),
  mode: ({ root }: Project, path: string, mode: string) =>
    chmodSync(bytes(root, path), Number.parseInt(mode, 8)),
  rename: ({ root }: Project, from: string, to: string) => renameSync(bytes(root, from), bytes(root, to)),
  remove: ({ root }: Project, path: string) => rmSync(bytes(root, path), { recursive: true }),
  link: ({ root }: Project, path: string, target: string) => {
    rmSync(bytes(root, path), { force: true });
    symlinkSync(target, bytes(root, path));
  },
  git: (project: Project, ...args: readonly string[]) => git(project, ...args),
} as const;

const verb = <const V extends keyof typeof VERBS>(name: V) => fc.constant(name);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(verb('write'), path, content) },
  { weight: 3, arbitrary: fc.tuple(verb('write'), ignored, content) },
  { weight: 2, arbitrary: fc.tuple(verb('append'), ignored, content) },
  { weight: 5, arbitrary: fc.tuple(verb('edit'), fc.oneof(path, ignored)) },
  { weight: 2, arbitrary: fc.tuple(verb('touch'), path, fc.constantFrom('1', '2')) },
  { weight: 2, arbitrary: fc.tuple(verb('mode'), path, fc.constantFrom('644', '755', '600')) },
  { weight: 2, arbitrary: fc.tuple(verb('rename'), path, path) },
  { weight: 2, arbitrary: fc.tuple(verb('remove'), path) },
  { weight: 1, arbitrary: fc.tuple(verb('remove'), ignored) },
  { weight: 2, arbitrary: fc.tuple(verb('link'), path, fc.constantFrom('a', 'x.log', 'gone', 'd', '.')) },
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(
        ['add', '--all'],
        ['commit', '--all', '-m', 'x'],
        ['stash', '--include-untracked'],
        ['stash', 'pop'],
        ['switch', '--force', '--create', 'other'],
        ['switch', '--force', 'other'],
        ['switch', '--force', 'main'],
        ['reset', '--soft', 'HEAD~'],
        ['reset', '--hard'],
        ['status'],
        ['config', 'core.autocrlf', 'input'],
        ['config', 'core.checkStat', 'minimal'],
        ['config', 'core.fileMode', 'false'],
      )
      .map((args): Edit => ['git', ...args]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          ['add', '--intent-to-add'],
          ['rm', '--cached'],
          ['update-index', '--assume-unchanged'],
          ['update-index', '--skip-worktree'],
        ),
        asArgument,
      )
      .map(([command, name]): Edit => ['git', ...command, '--', name]),
  },
);

async function keyOf(project: Project): Promise<string | undefined> {
  const gate = shellGate('test', { cwd: project.root, inputs: ['cache/**'] });
  const { signal } = new AbortController();
  const context = { runCommand, now: () => new Date(), env: project.environment, signal };
  return (await gateKeys({ root: project.root, gates: [gate] }, context)).keys.get(gate);
}

/** Everything that the key has to distinguish, read as plainly as possible. */
function modelOf(project: Project): string {
  const hidden = git(project, 'ls-files', '--others', '--ignored', '--exclude-standard', '-z').split('\0');
  const isHidden = (file: string) =>
    hidden.includes(file) && !file.startsWith('cache/') && file !== 'yarn.lock';
  const files = Object.entries(treeOf(project)).filter(
    ([file, state]) => !isHidden(file) && state !== 'directory',
  );
  return JSON.stringify(
    files
      .map(([file, state]) => [file, state, state.startsWith('link') && targetOf(project, file)])
      .toSorted(),
  );
}

function targetOf({ root }: Project, file: string): string {
  try {
    return `${statSync(bytes(root, file)).mode} ${readFileSync(bytes(root, file), 'latin1')}`;
  } catch {
    return 'none';
  }
}

test(`the keys of a gate are equal exactly when its files are, in ${PROJECTS * EDITS} random edits`, async ({
  makeProject,
}) => {
  let reused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { minLength: EDITS, maxLength: EDITS }),
      fc.boolean(),
      async (edits, isLater) => {
        const project = gitProject(makeProject, {
          a: 'one\n',
          'd/e/b': 'two\n',
          '.gitignore': '*.log\ncache/\nyarn.lock\n',
          'cache/x.json': 'one\n',
          'x.log': 'one\n',
        });
        const now = Date.now();
        // As if all files were old enough that their times say whether they have changed.
        if (isLater) vi.spyOn(Date, 'now').mockImplementation(() => now + 3_600_000);
        const models = new Map<string, string>();
        const keys = new Map<string, string>();
        for (const [name, ...args] of edits) {
          try {
            (VERBS[name] as (project: Project, ...args: string[]) => unknown)(project, ...args);
          } catch {
            // Not every edit is possible in every state.
          }
          const key = await keyOf(project);
          const model = modelOf(project);
          // A directory in the place of a tracked file, which git does not list whole.
          if (key === undefined) continue;
          expect(models.get(key) ?? model).toBe(model);
          expect(keys.get(model) ?? key).toBe(key);
          if (keys.has(model)) reused += 1;
          models.set(key, model);
          keys.set(model, key);
        }
        vi.restoreAllMocks();
      },
    ),
    { numRuns: PROJECTS, endOnFailure: true },
  );
  expect(reused).toBeGreaterThan((PROJECTS * EDITS) / 10);
});
