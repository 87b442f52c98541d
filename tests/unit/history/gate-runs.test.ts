import { describe, expect, test } from 'vitest';
import { gateRunsIn } from '../../../src/history/gate-runs.ts';

const GATES = ['npm test', 'node check.mjs --all', 'npm run lint && npx tsc --noEmit'];

describe('in a project with gates, a command runs', () => {
  test.each([
    ['its gate', 'npm test', ['npm test']],
    ['its gate in another directory', 'cd web && npm test', ['npm test']],
    ['its gate with more blanks and arguments', 'CI=1 npm  test -- --run cart', ['npm test']],
    ['its gate behind a program that only starts it', 'timeout 60 npm test', ['npm test']],
    ['its gate in a shell', 'bash -lc "npm test"', ['npm test']],
    ['the script of its gate, started in another way', 'npm run test', ['npm test']],
    ['two gates', 'npm test && node check.mjs --all', ['npm test', 'node check.mjs --all']],
    ['a gate of two commands', 'npm run lint && npx tsc --noEmit', ['npm run lint && npx tsc --noEmit']],
    ['all gates', 'npx ralph-loop-cli verify', ['ralph-loop verify']],
    ['all gates of a gate config', 'npx ralph-gate', ['ralph-loop verify']],
    ['no gate for another check', 'npx vitest run', []],
    ['no gate for part of a name', 'npm test:unit', []],
    ['no gate for a text', 'git commit -m "fix npm test"', []],
    ['no gate for an echo', 'echo npm test', []],
    ['no gate for a list of gates', 'ralph-loop verify --dry-run', []],
    ['no gate for a file that names it', "cat > run.sh <<'EOF'\nnpm test\nEOF", []],
  ])('%s', (_, command, gates) => {
    expect(gateRunsIn(command, GATES).map(({ gate }) => gate)).toEqual(gates);
  });
});

describe('in a project without gates, a command runs', () => {
  test.each([
    ['a test runner', 'pytest -q tests/test_cart.py', ['pytest']],
    ['a script that is named like a check', 'make test', ['make test']],
    ['a type checker and a linter', 'npx tsc --noEmit && npx eslint .', ['tsc', 'eslint']],
    ['all gates', 'ralph-loop verify', ['ralph-loop verify']],
    ['no check for a build', 'npm run build', []],
    ['no check for an installation', 'npm ci', []],
  ])('%s', (_, command, gates) => {
    expect(gateRunsIn(command, undefined).map(({ gate }) => gate)).toEqual(gates);
  });
});

describe('the exit code of a command', () => {
  test.each([
    ['is that of a gate alone', 'npm test', false],
    ['is that of a gate before &&', 'npm test && echo ok', false],
    ['is that of a gate in a pipe with pipefail', 'set -o pipefail; npm test | tail -5', false],
    ['hides a gate in a pipe', 'npm test 2>&1 | tail -5', true],
    ['hides a gate before || true', 'npm test || true', true],
    ['hides a gate before another command', 'npm test; echo "exit $?"', true],
    ['hides a gate in the background', 'npm test &', true],
    ['hides a gate that runs on a condition only', 'git diff --quiet || npm test', true],
  ])('%s', (_, command, isHidden) => {
    for (const gates of [GATES, undefined])
      expect(gateRunsIn(command, gates).map((run) => run.isHidden)).toEqual([isHidden]);
  });
});
