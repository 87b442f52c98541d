import { describe, expect, test } from 'vitest';
import {
  scriptsCalledBy,
  scriptsRunBy,
  wholeCommand,
} from '../../../../src/setup/ecosystems/node-scripts.ts';

const scripts = {
  lint: 'eslint .',
  'lint:css': 'stylelint .',
  test: 'run-s test:*',
  'test:unit': 'ava',
  'test:unit:fast': 'ava fast',
  pretest: 'npm run build',
  posttest: 'node --run clean',
  build: 'tsup',
  clean: 'rimraf dist && npm run clean',
  ci: 'npm ci && npm test',
};

describe('scriptsCalledBy finds the scripts in', () => {
  test.for<[command: string, called: string[]]>([
    ['eslint .', []],
    ['npm run lint', ['lint']],
    ['npm run-script lint', ['lint']],
    ['npm -s run lint -- --quiet', ['lint']],
    ['npm run --silent lint', ['lint']],
    ['npm test', ['test']],
    ['npm t', ['test']],
    ['npm run nothing', []],
    ['npm ci', []],
    ['npm run ci', ['ci']],
    ['npm exec lint', []],
    ['pnpm lint', ['lint']],
    ['pnpm run lint', ['lint']],
    ['pnpm -s run lint:css', ['lint:css']],
    ['pnpm -r lint', []],
    ['pnpm --filter ./a run lint', []],
    ['yarn lint', ['lint']],
    ['yarn run lint', ['lint']],
    ['yarn workspace a lint', []],
    ['bun run lint', ['lint']],
    ['bun test', []],
    ['node --run lint', ['lint']],
    ['node run lint', []],
    ['npm run lint && npm run build; npm run lint', ['lint', 'build']],
    ['run-s lint build', ['lint', 'build']],
    ['run-p -l lint build && eslint test', ['lint', 'build']],
    ['npm-run-all lint --parallel build', ['lint', 'build']],
    ['npm-run-all2 lint', ['lint']],
    ['run-s lint:*', ['lint:css']],
    ['run-s "test:*"', ['test:unit']],
    ['run-s test:**', ['test:unit', 'test:unit:fast']],
    ['concurrently npm:lint npm:lint:*', ['lint', 'lint:css']],
    ['concurrently "pnpm:lint" "yarn:build"', ['lint', 'build']],
    ['concurrently "npm run lint" "npm run build"', ['lint', 'build']],
  ])('%s', ([command, called]) => {
    expect(scriptsCalledBy(command, scripts)).toEqual(called);
  });
});

test('scriptsRunBy and wholeCommand follow calls, and circular calls once', () => {
  expect([...scriptsRunBy('ci', scripts)]).toEqual([
    'test',
    'pretest',
    'posttest',
    'test:unit',
    'build',
    'clean',
  ]);
  expect([...scriptsRunBy('clean', scripts)]).toEqual([]);
  expect(wholeCommand('test', scripts)).toBe(
    'run-s test:*\nnpm run build\nnode --run clean\nava\ntsup\nrimraf dist && npm run clean',
  );
});
