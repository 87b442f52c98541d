import { expect, test } from 'vitest';
import { isCompared, isJudged } from '../../../src/integrity/paths.ts';

test.each([
  ...['tests/cart.test.ts', 'src/cart.spec.jsx', 'src/__tests__/cart.ts', 'cypress/e2e/login.cy.ts'],
  ...['src/__snapshots__/cart.test.ts.snap', 'tests/__snapshots__/test_cart.ambr'],
  ...['test_cart.py', 'cart/tests.py', 'pkg/cart_test.py', 'conftest.py', 'testing/conftest.py'],
  ...['cart_test.go', 'tests/cart.rs', 'src/test/java/CartTest.java', 'src/CartIT.java', 'CartSpec.kt'],
  ...['Cart.Tests/CartTests.cs', 'spec/cart_spec.rb', 'spec/spec_helper.rb', 'tests/CartTest.php'],
  ...['package.json', 'packages/a/package.json', 'tsconfig.json', 'tsconfig.build.json', 'jest.config.ts'],
  ...['eslint.config.mjs', '.eslintrc.json', '.eslintignore', 'biome.jsonc', 'Makefile', 'noxfile.py'],
  ...['pyproject.toml', 'pytest.ini', 'setup.cfg', 'tox.ini', 'mypy.ini', 'Cargo.toml', '.golangci.yml'],
  ...['pom.xml', 'build.gradle.kts', 'Cart.csproj', 'Directory.Build.props', 'phpunit.xml.dist'],
  ...['phpstan.neon', '.rubocop.yml', '.github/workflows/ci.yml', '.gitlab-ci.yml', '.husky/pre-commit'],
  ...['worktree.yaml', '.trellis/worktree.yaml', 'gate.config.json', '.gaterc', '.claude/settings.json'],
])('%s may make a check weaker', (path) => {
  expect(isJudged(path)).toBe(true);
});

test.each([
  ...['src/cart.ts', 'src/latest.ts', 'src/contest.py', 'src/attestation.go', 'lib/inspector.rb'],
  ...['src/protest/cart.js', 'app/models/specification.rb', 'src/Contest.java', 'src/lib.rs', 'main.go'],
  ...['README.md', 'docs/testing.md', 'tests/README.md', 'data/items.json', 'i18n/en.yml', 'index.html'],
  ...['package-lock.json', 'yarn.lock', 'image.png', 'tests/photo.jpg'],
])('%s makes no check weaker', (path) => {
  expect(isJudged(path)).toBe(false);
});

test.each([
  'testdata/total.golden',
  'testdata/total.golden.json',
  'config/brakeman.ignore',
  'a.approved.txt',
])('%s is compared with its base', (path) => {
  expect(isCompared(path)).toBe(true);
});
