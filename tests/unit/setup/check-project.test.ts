import { expect, test } from 'vitest';
import { checkGates } from '../../../src/setup/check-project.ts';
import { shellGate } from '../../helpers/gate-results.ts';

const environment = { isFound: () => true, scriptsOf: () => ['lint', 'test'] };

function problemOf(command: string): string | undefined {
  const [finding] = checkGates([shellGate('gate', { command })], environment);
  return finding?.level === 'ok' ? undefined : finding?.what;
}

test.for(['npm run lnt', 'npm run lnt && x', 'pnpm run lnt -- --fix', 'npm run lnt src', 'npm run lint:all'])(
  'checkGates reports a missing script of package.json: %s',
  (command) => {
    expect(problemOf(command)).toMatch(/^gate: package\.json has no script "(lnt|lint:all)"\.$/);
  },
);

test.for([
  'npm test',
  'npm run lint',
  'npm run lint --workspaces --if-present',
  'npm run build -w packages/a',
  'npm run --prefix packages/a build',
  'npm run -s build',
  'pnpm run build --filter a',
  'pnpm -r run build',
  'npm testing',
  'yarn run eslint',
  'bun run check.ts',
])('checkGates does not guess whether the script exists: %s', (command) => {
  expect(problemOf(command)).toBeUndefined();
});
