import { expect } from 'vitest';
import { worktreeYaml } from '../../src/setup/plan-config.ts';
import { readDirectory } from '../../src/setup/project-facts.ts';
import { proposeGates } from '../../src/setup/propose-gates.ts';
import { ralphLoop } from '../helpers/bin.ts';
import { test } from '../helpers/project.ts';
import { packageJson } from '../helpers/project-directory.ts';

test('the gates that init proposes for a project run there, also by their names', async ({ makeProject }) => {
  const scripts = { lint: 'node --check sum.js', test: 'node --test' };
  const project = makeProject({
    'package.json': packageJson(scripts, { workspaces: ['packages/*'] }),
    'sum.js': 'exports.sum = (a, b) => a + b;\n',
    'sum.test.js': "const { sum } = require('./sum');\nrequire('node:assert').equal(sum(1, 2), 3);\n",
    'packages/a/package.json': JSON.stringify({
      name: 'a',
      version: '1.0.0',
      scripts: { build: 'node -e 0' },
    }),
  });
  project.write({ 'worktree.yaml': worktreeYaml(proposeGates(readDirectory(project.root)).gates) });

  const all = await ralphLoop(project, ['verify']);
  expect(all.stdout).toMatch(/✓ lint [\s\S]*✓ test [\s\S]*✓ build [\s\S]*3 gates passed/);
  expect(all.exitCode).toBe(0);

  project.write({ 'sum.js': 'exports.sum = (a, b) => a - b;\n' });
  const one = await ralphLoop(project, ['verify', 'test']);
  expect(one.stdout).toMatch(/✗ test /);
  expect(one.exitCode).toBe(1);
});
