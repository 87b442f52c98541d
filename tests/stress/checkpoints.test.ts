import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { restoreCheckpoint } from '../../src/checkpoint/restore.ts';
import { createCheckpoint } from '../../src/checkpoint/save.ts';
import { created, expectSuccess, restored } from '../helpers/checkpoints.ts';
import { bytes, git, gitProject, type State, stateOf } from '../helpers/git-project.ts';
import { type Project, test } from '../helpers/project.ts';

/** Each run takes some fifty git commands. */
const RUNS = 40;

// Few names, so that edits collide: a file becomes a directory, a tracked file becomes ignored.
const name = fc.constantFrom('a', 'b', 'c d', '-x', 'q"\\', 'new\nline', '\xff\xe9', 'x.log', 'keep');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const content = fc.oneof(
  fc.constantFrom('', 'one\n', 'two\n', 'one\r\ntwo\r\n', '$Id$\n', '$Id: 12 $\n'),
  fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString('latin1')),
);

/** Plain data, so that a failure is readable. */
type Edit = readonly [verb: keyof typeof VERBS, ...args: readonly string[]];

const VERBS = {
  write: ({ root }: Project, path: string, content: string, mode: string) => {
    mkdirSync(bytes(root, dirname(path)), { recursive: true });
    writeFileSync(bytes(root, path), content, 'latin1');
    chmodSync(bytes(root, path), Number.parseInt(mode, 8));
  },
  link: ({ root }: Project, path: string, target: string) => {
    mkdirSync(bytes(root, dirname(path)), { recursive: true });
    symlinkSync(target, bytes(root, path));
  },
  remove: ({ root }: Project, path: string) => rmSync(bytes(root, path), { recursive: true }),
  directory: ({ root }: Project, path: string) => mkdirSync(bytes(root, path), { recursive: true }),
  git: (project: Project, ...args: readonly string[]) => git(project, ...args),
} as const;

const write = fc.tuple(fc.constant('write' as const), path, content, fc.constantFrom('644', '755'));
const special = fc.oneof(
  fc.tuple(fc.constant('.gitignore'), fc.constantFrom('', '*.log\n', 'a/\n/b\n', '*\n!keep\n!.git*\n')),
  fc.tuple(
    fc.constant('.gitattributes'),
    fc.constantFrom('', '* text=auto\n', '* text eol=crlf\n', '* ident\n', '* filter=upper\n'),
  ),
);
const asArgument = path.filter((path) => !/[\x80-\xff]/.test(path));
const onPath = fc
  .tuple(
    fc.constantFrom(
      ['add', '--force'],
      ['add', '--intent-to-add'],
      ['rm', '-r', '--cached', '--quiet'],
      ['update-index', '--assume-unchanged'],
      ['update-index', '--skip-worktree'],
    ),
    asArgument,
  )
  .map(([command, path]): Edit => ['git', ...command, '--', path]);
const everywhere = fc
  .constantFrom(
    ['add', '--all'],
    ['commit', '--quiet', '--allow-empty', '--message=x'],
    ['commit', '--quiet', '--all', '--message=x'],
    ['stash', '--include-untracked'],
    ['reset', '--hard'],
  )
  .map((command): Edit => ['git', ...command]);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 2, arbitrary: special.map(([path, content]): Edit => ['write', path, content, '644']) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('link' as const), path, fc.constantFrom('gone', 'a', '..', '/tmp')),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('remove' as const), path) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('directory' as const), path) },
  { weight: 6, arbitrary: onPath },
  { weight: 4, arbitrary: everywhere },
);
const edits = fc.array(edit, { minLength: 1, maxLength: 12 });

test('restoring a checkpoint, and then its rescue checkpoint, brings back the saved states', async ({
  makeProject,
}) => {
  await fc.assert(
    fc.asyncProperty(edits, edits, async (first, second) => {
      const project = makeProject({}, { git: false });
      git(project, 'init');
      git(project, 'config', 'filter.upper.clean', 'tr a-z A-Z');
      git(project, 'config', 'filter.upper.smudge', 'tr A-Z a-z');
      const effects = () => ({ now: new Date(), env: project.environment });
      apply(first, project);
      const before = snapshotOf(project);
      const { checkpoint } = expectSuccess(
        await createCheckpoint(project.root, { kind: 'manual', label: '', ...effects() }),
      );
      expect(snapshotOf(project)).toEqual(before);

      apply(second, project);
      const after = snapshotOf(project);
      const restored = await restoreCheckpoint(project.root, checkpoint.id, effects());
      if (!restored.ok) {
        expect(restored.failure.message).toMatch(/is in the way and cannot be saved/);
        expect(snapshotOf(project)).toEqual(after);
        return;
      }
      setHead(project, before.head);
      expectRestored(project, before, after);

      setHead(project, after.head);
      const between = snapshotOf(project);
      const again = await restoreCheckpoint(project.root, restored.value.rescue.id, effects());
      expect(again.ok).toBe(true);
      // The rescue checkpoint has the files that were saved then, even if they are ignored now.
      const saved = [...before.saved, ...after.saved].filter((path) => after.tree[path] !== undefined);
      expectRestored(project, { ...after, saved }, between);
      expect(git(project, 'fsck', '--strict', '--no-dangling')).toBe('');
    }),
    // Shrinking a failure stops before the test times out, so that the failure is reported.
    { numRuns: RUNS, interruptAfterTimeLimit: 120_000 },
  );
});

test('a restore brings back a file of more than 100 MB', async ({ makeProject }) => {
  const project = gitProject(makeProject);
  const large = Buffer.alloc(101_000_000, 'large ');
  project.write({ large });
  const checkpoint = await created(project);
  rmSync(project.path('large'));
  await restored(project, checkpoint);
  expect(readFileSync(project.path('large')).equals(large)).toBe(true);
});

/** Skips edits that git or the file system refuses. */
function apply(edits: readonly Edit[], project: Project): void {
  for (const [verb, ...args] of edits)
    try {
      (VERBS[verb] as (project: Project, ...args: readonly string[]) => unknown)(project, ...args);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
}

interface Snapshot extends State {
  /** Files on disk that are tracked, or not ignored. */
  readonly saved: readonly string[];
  /** Files, and directories with a slash at the end. */
  readonly ignored: readonly string[];
  /** The commit of the branch; empty before the first. */
  readonly head: string;
}

function snapshotOf(project: Project): Snapshot {
  const lines = (...args: readonly string[]) =>
    git(project, ...args)
      .split('\0')
      .filter(Boolean);
  const state = stateOf(project);
  return {
    ...state,
    saved: lines('ls-files', '--cached', '--others', '--exclude-standard', '-z').filter(
      (path) => state.tree[path] !== undefined,
    ),
    ignored: lines('status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching').flatMap(
      (line) => (line.startsWith('!! ') ? [line.slice(3)] : []),
    ),
    head: git(project, 'for-each-ref', '--format=%(objectname)', 'refs/heads/main').trim(),
  };
}

function setHead(project: Project, head: string): void {
  git(project, 'update-ref', ...(head === '' ? ['-d', 'refs/heads/main'] : ['refs/heads/main', head]));
}

/** The files saved then are back, ignored files are as they were before the restore, and nothing else is there. */
function expectRestored(project: Project, then: Snapshot, since: Snapshot): void {
  const now = stateOf(project);
  const isIgnored = (path: string) =>
    [...then.ignored, ...since.ignored].some((ignored) => path === ignored || `${path}/`.startsWith(ignored));
  const expected = (path: string) =>
    then.saved.includes(path) || !isIgnored(path) ? then.tree[path] : since.tree[path];
  const paths = [...Object.keys(then.tree), ...Object.keys(since.tree), ...Object.keys(now.tree)];
  const files = [...new Set(paths)].filter(
    (path) => expected(path) !== 'directory' && now.tree[path] !== 'directory',
  );
  expect(Object.fromEntries(files.map((path) => [path, now.tree[path]]))).toEqual(
    Object.fromEntries(files.map((path) => [path, expected(path)])),
  );
  const directories = paths.filter(
    (path) => !isIgnored(path) && [then, now].some(({ tree }) => tree[path] === 'directory'),
  );
  for (const path of directories)
    for (const { tree } of [then, now])
      expect(
        Object.keys(tree).some((one) => `${one}/`.startsWith(`${path}/`)),
        path,
      ).toBe(true);
  const known = (line: string) => !(line.startsWith('? ') && isIgnored(line.slice(2)));
  expect(now.status.filter(known)).toEqual(then.status.filter(known));
  expect(now.index).toEqual(then.index);
}
