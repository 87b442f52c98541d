import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'worktree.yaml',
  'package.json',
  '.demo-picture.mjs',
];
const FOLDERS = ['docs', 'src', 'bin', 'schema', '.claude-plugin', '.github'];

/** On npm, `ralph-loop` is another program, and `ralph-gate` is no package of this project. */
const OTHER = String.raw`ralph-(?:loop(?!-cli)|gate)(?![\w-])`;
const FORMS = [
  // Downloads what is not installed. `npx --no-install` does not.
  new RegExp(
    String.raw`\b(?:npx|bunx|(?:npm exec|pnpm dlx|yarn dlx)(?: --)?)(?! --no-install) +(?:-\S+ +)*["']?${OTHER}`,
  ),
  new RegExp(
    String.raw`\b(?:npm|pnpm|yarn|bun) +(?:i|install|add|ci|global add)\b[^\n\`"'#]*[ "'\`]${OTHER}`,
  ),
  new RegExp(String.raw`(?:from|import|require)\b[ (]*["']${OTHER}["']`),
  new RegExp(`node_modules/${OTHER}/`),
  new RegExp(`"package": *"${OTHER}"`),
];
const misnamed = (text: string) => FORMS.flatMap((form) => form.exec(text)?.[0] ?? []);

test('no page, message or file names another npm package than ralph-loop-cli', () => {
  const files = [
    ...PLACES,
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length)),
    ),
  ];
  const found = files.flatMap((file) =>
    misnamed(readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.for([
  ['npx ralph-loop init', true],
  ['npx -y ralph-loop@1 init', true],
  ['npm exec -- ralph-gate', true],
  ['pnpm dlx ralph-loop', true],
  ['npx ralph-loop-cli init', false],
  ['npx --no-install ralph-loop init', false],
  ['npm install --save-dev ralph-loop', true],
  ['npm i -D "ralph-loop"', true],
  ['npm install --global ralph-loop-cli', false],
  ["import { runGates } from 'ralph-loop';", true],
  ["from 'ralph-loop-cli'", false],
  ['node_modules/ralph-loop/schema', true],
  ['/plugin install ralph-loop@ralph-loop', false],
] as const)('the search for other packages reads %s: %s', ([text, isFound]) => {
  expect(misnamed(text).length > 0).toBe(isFound);
});
