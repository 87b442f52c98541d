import { describe, expect, test } from 'vitest';
import { packageJson, proposedFor } from '../../helpers/project-directory.ts';

describe('a script is known by its name:', () => {
  test.for([
    ['format:check', 'format'],
    ['check:format', 'format'],
    ['fmt:check', 'format'],
    ['check-fmt', 'format'],
    ['prettier_check', 'format'],
    ['check:prettier', 'format'],
    ['lint:check', 'lint'],
    ['check:lint', 'lint'],
    ['lint', 'lint'],
    ['lint:ci', 'lint'],
    ['lint:all', 'lint'],
    ['eslint', 'lint'],
    ['phpcs', 'lint'],
    ['cs-check', 'lint'],
    ['typecheck', 'typecheck'],
    ['type-check', 'typecheck'],
    ['check-types', 'typecheck'],
    ['types:check', 'typecheck'],
    ['ts:check', 'typecheck'],
    ['check:ts', 'typecheck'],
    ['lint:types', 'typecheck'],
    ['lint:ts', 'typecheck'],
    ['test:types', 'typecheck'],
    ['test:typecheck', 'typecheck'],
    ['tsc', 'typecheck'],
    ['types', 'typecheck'],
    ['mypy', 'typecheck'],
    ['phpstan', 'typecheck'],
    ['test:run', 'test'],
    ['test-ci', 'test'],
    ['test:once', 'test'],
    ['test:unit', 'test'],
    ['unit', 'test'],
    ['unit-test', 'test'],
    ['unit:tests', 'test'],
    ['tests', 'test'],
    ['build', 'build'],
  ])('%s', ([script = '', kind = '']) => {
    expect(proposedFor({ 'package.json': packageJson({ [script]: 'run-it' }) })).toEqual([
      `${kind}: npm run ${script}`,
    ]);
  });
});

describe('a general check is known by what it runs:', () => {
  test.for([
    ['prettier --check .', 'format'],
    ['biome format', 'format'],
    ['dprint check', 'format'],
    ['eslint .', 'lint'],
    ['oxlint', 'lint'],
    ['xo', 'lint'],
    ['biome ci', 'lint'],
    ['biome lint .', 'lint'],
    ['tsc', 'typecheck'],
    ['tsgo --noEmit', 'typecheck'],
    ['vue-tsc', 'typecheck'],
    ['svelte-check', 'typecheck'],
    ['astro check', 'typecheck'],
    ['nuxt typecheck', 'typecheck'],
    ['vitest run', 'test'],
    ['jest', 'test'],
    ['node --import tsx --test', 'test'],
    ['bun test', 'test'],
  ])('%s', ([command = '', kind = '']) => {
    for (const name of ['check', 'verify', 'validate'])
      expect(proposedFor({ 'package.json': packageJson({ [name]: command }) })).toEqual([
        `${kind}: npm run ${name}`,
      ]);
  });
});

describe('a script that repairs is known by its name:', () => {
  test.for([['lint'], ['lint:fix'], ['eslint']])('%s', ([script = '']) => {
    const files = { 'package.json': packageJson({ [script]: 'eslint --fix' }) };
    expect(proposedFor(files)).toEqual(['lint: npx --no-install eslint']);
  });
  test.for([['format'], ['format:fix'], ['format:write'], ['fmt'], ['prettier']])('%s', ([script = '']) => {
    const files = { 'package.json': packageJson({ [script]: 'prettier --write .' }) };
    expect(proposedFor(files)).toEqual(['format: npx --no-install prettier --check .']);
  });
});

describe('a test is known to wait where there is a terminal:', () => {
  const proposed = (test: string) =>
    proposedFor({ 'package.json': packageJson({ test, 'test:once': 'run-it' }) });
  test.for([
    ['vitest'],
    ['vitest --coverage'],
    ['NODE_ENV=test vitest'],
    ['react-scripts test'],
    ['react-app-rewired test'],
    ['craco test --env=jsdom'],
  ])('%s', ([command = '']) => {
    expect(proposed(command)).toEqual(['test: npm run test:once']);
  });
  test.for([
    ['vitest run'],
    ['vitest --coverage --run'],
    ['vitest --watch=false'],
    ['vitest --no-watch'],
    ['vitest related src/a.ts'],
    ['node vitest.config.js'],
    ['react-scripts test --watchAll=false'],
    ['react-scripts test --ci'],
    ['CI=1 react-scripts test'],
  ])('not %s', ([command = '']) => {
    expect(proposed(command)).toEqual(['test: npm test']);
  });
});

describe('a program is known by a file:', () => {
  test.for([
    ['.ruff.toml', 'lint: ruff check .'],
    ['.mypy.ini', 'typecheck: mypy .'],
    ['ty.toml', 'typecheck: ty check'],
    ['.pytest.ini', 'test: pytest -q'],
    ['conftest.py', 'test: pytest -q'],
    ['test/conftest.py', 'test: pytest -q'],
    ['test/test_a.py', 'test: pytest -q'],
    ['tests/a_test.py', 'test: pytest -q'],
    ['tox.toml', 'test: tox'],
    ['build.gradle', 'check: gradle check'],
    ['build.gradle.kts', 'check: gradle check'],
    ['settings.gradle.kts', 'check: gradle check'],
    ['App.vbproj', 'build: dotnet build'],
    ['.standard.yml', 'lint: standardrb'],
    ['.rspec', 'test: rspec'],
  ])('%s', ([path = '', gate = '']) => {
    expect(proposedFor({ [path]: '' })).toEqual([gate]);
  });

  test.for([
    ['.php-cs-fixer.php', 'format: vendor/bin/php-cs-fixer fix --dry-run --diff'],
    ['phpcs.xml.dist', 'lint: vendor/bin/phpcs'],
    ['phpcs.xml', 'lint: vendor/bin/phpcs'],
    ['.phpcs.xml.dist', 'lint: vendor/bin/phpcs'],
    ['.phpcs.xml', 'lint: vendor/bin/phpcs'],
    ['phpstan.neon.dist', 'typecheck: vendor/bin/phpstan analyse'],
    ['phpstan.dist.neon', 'typecheck: vendor/bin/phpstan analyse'],
    ['psalm.xml', 'typecheck: vendor/bin/psalm'],
    ['psalm.xml.dist', 'typecheck: vendor/bin/psalm'],
    ['phpunit.xml', 'test: vendor/bin/phpunit'],
    ['phpunit.dist.xml', 'test: vendor/bin/phpunit'],
  ])('%s, beside a composer.json', ([path = '', gate = '']) => {
    expect(proposedFor({ 'composer.json': '{}', [path]: '' })).toEqual([gate]);
  });

  test.for([['.golangci.yml'], ['.golangci.yaml'], ['.golangci.toml'], ['.golangci.json']])(
    '%s, beside a go.mod',
    ([path = '']) => {
      expect(proposedFor({ 'go.mod': '', [path]: '' })).toContain('lint: golangci-lint run ./...');
    },
  );

  test.for([['phpunit.xml'], ['artisan'], ['phpstan.neon'], ['bin/rails'], ['test/'], ['.formatter.exs']])(
    'not %s alone',
    ([path = '']) => {
      expect(proposedFor({ [path]: '' })).toEqual([]);
    },
  );

  test.for([['Makefile'], ['tox.ini'], ['noxfile.py'], ['justfile']])(
    "%s that runs ruff's formatter",
    ([path = '']) => {
      const files = { 'ruff.toml': '', [path]: 'x:\n  session.run("ruff", "format")\n' };
      expect(proposedFor(files)).toContain('format: ruff format --check .');
    },
  );

  test.for([['Makefile'], ['makefile'], ['GNUmakefile']])('%s', ([path = '']) => {
    expect(proposedFor({ [path]: 'test:\n\t./t\n' })).toEqual(['test: make test']);
  });

  test.for([['justfile'], ['Justfile'], ['.justfile']])('%s', ([path = '']) => {
    expect(proposedFor({ [path]: 'test:\n  ./t\n' })).toEqual(['test: just test']);
  });

  test.for([['Taskfile.yml'], ['taskfile.yml'], ['Taskfile.yaml'], ['taskfile.yaml'], ['Taskfile.dist.yml']])(
    '%s',
    ([path = '']) => {
      expect(proposedFor({ [path]: 'tasks: { test: ./t }' })).toEqual(['test: task test']);
    },
  );
});

describe('a program that checks alone is run in the environment only where it is required there:', () => {
  test.for([
    ['ruff', 'lint', 'ruff check .'],
    ['black', 'format', 'black --check .'],
    ['flake8', 'lint', 'flake8'],
    ['pyright', 'typecheck', 'pyright'],
    ['basedpyright', 'typecheck', 'basedpyright'],
    ['ty', 'typecheck', 'ty check'],
  ])('%s', ([tool = '', kind = '', command = '']) => {
    const section = { 'pyproject.toml': `[tool.${tool}]\n`, 'uv.lock': '' };
    expect(proposedFor(section)).toEqual([`${kind}: ${command}`]);
    const required = { 'pyproject.toml': `[project]\ndependencies = ["${tool}"]\n`, 'uv.lock': '' };
    expect(proposedFor(required)).toEqual([`${kind}: uv run ${command}`]);
  });
});
