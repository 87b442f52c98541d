import { expect, test } from 'vitest';
import { fixFor } from '../../../src/messages/fixes.ts';
import { condensed } from '../../helpers/condensed.ts';

const fixOf = (command: string, output: string) => fixFor(command, condensed(output));
const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
const paths = (n: number, end: string) => many(n, (i) => `src/${'abcdefghij'[i % 10]}${i}.${end}`);

const PRETTIER = '[warn] Code style issues found in 2 files. Run Prettier with --write to fix.';
const NPM_CI =
  'npm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with `npm install` before continuing.';

test.each([
  ['gofmt -l .', 'a.go\nb.go', '`gofmt -w a.go b.go` fixes'],
  ['test -z "$(gofmt -l . | tee /dev/stderr)"', 'a.go', '`gofmt -w a.go` fixes'],
  ['make format', 'gofmt -l .\na.go\nmake: *** [format] Error 1', '`gofmt -w a.go` fixes'],
  ['gofumpt -l .', 'a.go', '`gofumpt -w a.go` fixes'],
  ['gofmt -d .', 'diff a.go.orig a.go\n--- a.go.orig\n+++ a.go', '`gofmt -w a.go` fixes'],
  ['make lint', 'would reformat a.py\n1 file would be reformatted.', '`black a.py` fixes the formatting'],
  ['ruff format --check', 'Would reformat: a.py', '`ruff format a.py` fixes'],
  [
    'make lint',
    'a.py:1:8: F401 unused\n[*] 1 fixable with the `--fix` option.',
    '`ruff check --fix` fixes the problems',
  ],
  ['uv run ruff check .', '[*] 1 fixable with the `--fix` option.', '`uv run ruff check --fix .` fixes'],
  ['isort -c .', 'ERROR: a.py Imports are incorrectly sorted and/or formatted.', '`isort a.py` sorts'],
  [
    'npx prettier --check .',
    `Checking formatting...\n[warn] a.ts\n[warn] b.ts\n${PRETTIER}`,
    '`npx prettier --write a.ts b.ts` fixes',
  ],
  [
    'npm run format:check',
    `Checking formatting...\n[warn] a.ts\n${PRETTIER}`,
    '`npx prettier --write a.ts` fixes',
  ],
  ['npx prettier -l src', 'src/a.ts', '`npx prettier --write src/a.ts` fixes'],
  [
    'npx eslint .',
    '  2 errors and 0 warnings potentially fixable with the `--fix` option.',
    '`npx eslint --fix .` fixes the problems',
  ],
  [
    'npm run eslint',
    '  2 errors and 0 warnings potentially fixable with the `--fix` option.',
    '`npx eslint --fix` fixes',
  ],
  [
    'npx stylelint src',
    '2 errors potentially fixable with the "--fix" option.',
    '`npx stylelint --fix src` fixes',
  ],
  [
    'biome check',
    'src/a.ts format ━━━━━\n\n  × Formatter would have printed the following content:',
    '`npx biome format --write src/a.ts` fixes',
  ],
  ['cargo fmt --all -- --check', 'Diff in /p/src/a.rs:1:\n-fn a( ){}\n+fn a() {}', '`cargo fmt --all` fixes'],
  ['make lint', 'Diff in /p/src/a.rs at line 1:\n-fn a( ){}\n+fn a() {}', '`cargo fmt` fixes'],
  [
    'dotnet format --verify-no-changes',
    '/p/a.cs(1,2): error WHITESPACE: Fix whitespace formatting. [/p/a.csproj]',
    '`dotnet format` fixes',
  ],
  [
    'clang-format --dry-run --Werror a.c',
    'a.c:1:2: error: code should be clang-formatted [-Wclang-format-violations]',
    '`clang-format -i a.c` fixes',
  ],
  ['shfmt -l bin', 'bin/a.sh', '`shfmt -w bin/a.sh` fixes'],
  ['terraform fmt -check -recursive', 'main.tf', '`terraform fmt main.tf` fixes'],
  ['npm ci && npm test', NPM_CI, '`npm install` updates the lock file'],
  [
    'make',
    'main.go:5:2: missing go.sum entry for module providing package github.com/a/b',
    '`go mod tidy` updates',
  ],
])('the fixing command is named for %j', (command, output, words) => {
  expect(fixOf(command, output)).toContain(words);
});

test.each([
  ['gofmt -l .', paths(40, 'go'), '`gofmt -w .` fixes the formatting.'],
  [
    'npx prettier --check "src/**/*.ts" docs',
    `${paths(40, 'ts').replaceAll('src', '[warn] src')}\n${PRETTIER}`,
    '`npx prettier --write "src/**/*.ts" docs` fixes the formatting.',
  ],
  [
    'black --check -q --diff .',
    `${paths(40, 'py').replaceAll('src', 'would reformat src')}`,
    '`black -q .` fixes the formatting.',
  ],
])('the check itself becomes the fixing command where it lists many files: %s', (command, output, fix) => {
  expect(fixOf(command, output)).toBe(fix);
});

test.each([
  ['a script', 'npm run check', `${paths(40, 'ts').replaceAll('src', '[warn] src')}\n${PRETTIER}`],
  [
    'a command of several parts',
    'npx prettier --check . && tsc',
    `${paths(40, 'ts').replaceAll('src', '[warn] src')}\n${PRETTIER}`,
  ],
  [
    'a placeholder of the check',
    'npx prettier --check {changed_files}',
    `${paths(40, 'ts').replaceAll('src', '[warn] src')}\n${PRETTIER}`,
  ],
  ['a command that changes the directory', 'cd web && npm run check', `[warn] a.ts\n${PRETTIER}`],
  ['a script of a workspace', 'npm run check -w web', `[warn] a.ts\n${PRETTIER}`],
  ['tasks of several packages', 'turbo check', `web:check: [warn] a.ts\nweb:check: ${PRETTIER}`],
  ['a name that a shell takes apart', 'npm run check', `[warn] $(reboot).ts\n${PRETTIER}`],
  ['a name that looks like an option', 'npm run check', `[warn] --config=evil.ts\n${PRETTIER}`],
])('the fixing command names no files for %s', (_, command, output) => {
  expect(fixOf(command, output)).toBe(
    '`npx prettier --write`, with the files and options of the check, fixes the formatting.',
  );
});

test.each([
  ['a type error', 'npx tsc', 'src/a.ts(3,5): error TS2322: no'],
  ['problems that eslint does not fix', 'npx eslint .', '✖ 2 problems (2 errors, 0 warnings)'],
  [
    'warnings that eslint would fix',
    'npx eslint .',
    '  0 errors and 3 warnings potentially fixable with the `--fix` option.',
  ],
  ['files that another command lists', 'git diff --name-only --exit-code', 'a.go\nb.go'],
  [
    'a format that is right',
    'npm run check',
    'Checking formatting...\nAll matched files use Prettier code style!\nError: boom',
  ],
  [
    'a file that prettier cannot parse',
    'npx prettier --check .',
    'Checking formatting...\n[error] a.ts: SyntaxError: x (1:1)\nError occurred when checking code style in the above file.',
  ],
  [
    'a missing module of Go',
    'go build',
    'main.go:5:2: no required module provides package github.com/a/b; to add it:',
  ],
])('no fixing command is named for %s', (_, command, output) => {
  expect(fixOf(command, output)).toBeUndefined();
});

test('the fixing command of a gate that runs below the root names its directory', () => {
  const output = condensed(`[warn] a.ts\n${PRETTIER}`);
  expect(fixFor('npx prettier --check .', output, 'web')).toBe(
    'In web, `npx prettier --write a.ts` fixes the formatting.',
  );
});
