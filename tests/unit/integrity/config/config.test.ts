import { describe, expect, it } from 'vitest';
import { findReplacedTools } from '../../../../src/integrity/config/replaced-tools.ts';
import { findWeakened } from '../../../../src/integrity/find.ts';
import type { RuleName } from '../../../../src/integrity/rules.ts';
import type { ProjectChange } from '../../../../src/integrity/types.ts';

type Text = string | undefined;
type Files = Readonly<Record<string, readonly [before: Text, after: Text]>>;
/** What changed, the files with their texts before and after, and the rule that finds it. */
type Tamper = readonly [what: string, rule: RuleName, files: Files];
type Honest = readonly [what: string, files: Files];

function changeOf(files: Files): ProjectChange {
  const changes = Object.entries(files).map(([path, [before, after]]) => ({ path, before, after }));
  return { changes, read: (path) => files[path]?.[1] };
}

/** Scripts of a package.json, before and after. */
function scripts(before: Record<string, string>, after: Record<string, string>): Files {
  const text = (all: Record<string, string>) => JSON.stringify({ name: 'shop', scripts: all }, null, 2);
  return { 'package.json': [text(before), text(after)] };
}

/** One file, with a part of it before and after. */
function part(path: string, frame: string, before: string, after: string): Files {
  return { [path]: [frame.replace('%', () => before), frame.replace('%', () => after)] };
}

const WORKFLOW = `name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - name: Lint
        run: npm run lint
      - name: Unit tests
        run: npm test
%`;
const ci = (after: string, before = '', frame = WORKFLOW) =>
  part('.github/workflows/ci.yml', frame, before, after);
const ciText = WORKFLOW.replace('%', '');
const MAKEFILE = `.PHONY: test lint
FLAGS = -race
test: build
	go test $(FLAGS) ./...
lint:
	golangci-lint run
clean:
	rm -rf bin
`;
const make = (from: string, to: string): Files => ({
  Makefile: [MAKEFILE, MAKEFILE.replace(from, () => to)],
});
const VITEST = `import { defineConfig } from 'vitest/config';
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    %
  },
});
`;
const JEST = `/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  %
};
`;
const PLAYWRIGHT = `import { defineConfig } from '@playwright/test';
export default defineConfig({ testDir: './e2e', % });
`;
const PYPROJECT = `[project]
name = "orders"

[tool.pytest.ini_options]
testpaths = ["tests"]
%
`;
const ESLINT = `import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  { ignores: ['dist/'] },
  {
    languageOptions: { globals: globals.node },
    rules: { 'no-unused-vars': 'error', eqeqeq: ['error', 'always'], 'no-console': 'warn' %,
  },
];
`;
const GATES = `verify:
  - name: lint
    run: npm run lint
  - name: test
    run: npm test
    timeout: 300
%`;
const PAGE = `// \`ralph-loop init\` writes this file
const SETTINGS = {
  "hooks": { % }
};
`;
const HOOKS = (stop: string) => `{
  "hooks": {
    "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "npx ralph-loop hook", "timeout": 30 }] }],
    "Stop": [${stop}]
  }
}
`;
const STOP =
  '{ "hooks": [{ "type": "command", "command": "npx ralph-loop hook --deadline 570", "timeout": 600 }] }';
const POM = `<project>
  <build><plugins><plugin>
    <artifactId>maven-surefire-plugin</artifactId>
    <configuration>%<forkCount>1</forkCount></configuration>
  </plugin></plugins></build>
</project>
`;
const GRADLE = `plugins { id 'java' }
// test { ignoreFailures = true }
test {
    useJUnitPlatform()
    %
}
`;
const CSPROJ = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net9.0</TargetFramework>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    %
  </PropertyGroup>
</Project>
`;
const CONFTEST = `import pytest


@pytest.fixture
def db():
    return connect()

%
`;

const TAMPERS: readonly Tamper[] = [
  // Commands of package.json.
  [
    'the test script ignores failures',
    'failure-ignored',
    scripts({ test: 'vitest run' }, { test: 'vitest run || true' }),
  ],
  [
    'the type check of the build ignores failures',
    'failure-ignored',
    scripts({ build: 'tsc && node copy.mjs' }, { build: '(tsc || true) && node copy.mjs' }),
  ],
  [
    'the test script prints a summary instead',
    'check-removed',
    scripts({ test: 'vitest run' }, { test: 'echo "12 passed"' }),
  ],
  [
    'the tests are kept under a name that nothing runs',
    'check-removed',
    scripts({ test: 'vitest run' }, { test: 'echo ok', 'test:real': 'vitest run' }),
  ],
  [
    'a script of a check is gone',
    'check-removed',
    scripts({ test: 'vitest run', lint: 'eslint .' }, { test: 'vitest run' }),
  ],
  [
    'a script leaves out one of its checks',
    'check-removed',
    scripts(
      { check: 'npm run lint && npm run typecheck && npm test' },
      { check: 'npm run lint && npm test' },
    ),
  ],
  [
    'a script with a program of the project does nothing',
    'check-removed',
    scripts({ test: 'node run-tests.mjs' }, { test: 'exit 0' }),
  ],
  [
    'a posttest script hides the result',
    'failure-ignored',
    scripts({ verify: 'npm test' }, { verify: 'npm test ; echo done' }),
  ],
  [
    'a script runs another one with a filter',
    'check-narrowed',
    scripts({ ci: 'npm test' }, { ci: 'npm test -- --exclude tests/orders' }),
  ],

  // Other files with commands.
  ['a target ignores failures by a dash', 'failure-ignored', make('\tgo test', '\t-go test')],
  [
    'a target is among those whose failures make ignores',
    'failure-ignored',
    make('.PHONY: test lint', '.PHONY: test lint\n.IGNORE: test'),
  ],
  [
    'a variable of a makefile skips tests',
    'check-narrowed',
    make('FLAGS = -race', 'FLAGS = -race -skip TestRefund'),
  ],
  [
    'a variable of a makefile loses the race detector',
    'strictness-lowered',
    make('FLAGS = -race', 'FLAGS ='),
  ],
  ['a target of a check is gone', 'check-removed', make('lint:\n\tgolangci-lint run\n', '')],
  ['a target only prints', 'check-removed', make('golangci-lint run', '@echo linted')],
  [
    'a recipe of just ignores failures',
    'failure-ignored',
    part('justfile', 'test:\n    %cargo test\n', '', '-'),
  ],
  [
    'a task ignores errors',
    'failure-ignored',
    part(
      'Taskfile.yml',
      'version: 3\ntasks:\n  test:\n    cmds:\n      - go test ./...\n%',
      '',
      '    ignore_error: true\n',
    ),
  ],
  [
    'an environment of tox ignores its outcome',
    'failure-ignored',
    part('tox.ini', '[testenv]\ncommands = pytest {posargs}\n%', '', 'ignore_outcome = true\n'),
  ],
  [
    'a command of tox ignores failures',
    'failure-ignored',
    part('tox.ini', '[testenv]\ncommands =\n    %pytest tests\n', '', '- '),
  ],
  [
    'nox accepts a run without tests',
    'failure-ignored',
    part(
      'noxfile.py',
      'import nox\n\n@nox.session\ndef tests(session):\n    session.run("pytest", "-q"%)\n',
      '',
      ', success_codes=[0, 5]',
    ),
  ],
  [
    'a script of composer leaves out a group',
    'check-narrowed',
    part('composer.json', '{"scripts": {"test": "phpunit%"}}', '', ' --exclude-group refund'),
  ],
  [
    'an alias of cargo tests the library alone',
    'check-narrowed',
    part('.cargo/config.toml', '[alias]\nverify = "test --workspace%"\n', '', ' --lib'),
  ],
  [
    'a shell script no longer stops at failures',
    'failure-ignored',
    part(
      'scripts/test.sh',
      '#!/bin/bash\n%\nnpm run lint\nnpm test\necho done\n',
      'set -euo pipefail',
      'set -uo pipefail',
    ),
  ],
  [
    'a shell script ends before the tests',
    'check-removed',
    part('scripts/test.sh', '#!/bin/bash\nset -e\n%npm test\n', '', 'exit 0\n'),
  ],
  [
    'the test stage of an image ignores failures',
    'failure-ignored',
    part('Dockerfile', 'FROM node:22 AS test\nRUN npm ci && \\\n    npm test%\n', '', ' || true'),
  ],
  [
    'a stage of Jenkins catches the failure',
    'failure-ignored',
    part(
      'Jenkinsfile',
      "pipeline { stages { stage('Test') { steps {\n  %\n} } } }\n",
      "sh 'npm test'",
      "catchError(buildResult: 'SUCCESS') { sh 'npm test' }",
    ),
  ],
  [
    'a stage of Jenkins drops the status',
    'failure-ignored',
    part(
      'Jenkinsfile',
      "pipeline { stages { stage('Test') { steps {\n  %\n} } } }\n",
      "sh 'npm test'",
      "sh(script: 'npm test', returnStatus: true)",
    ),
  ],
  [
    'a git hook no longer runs the tests',
    'check-removed',
    part('.husky/pre-commit', '%npx lint-staged\n', 'npm test\n', ''),
  ],
  [
    'a hook of pre-commit is gone',
    'check-removed',
    part(
      '.pre-commit-config.yaml',
      'repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    rev: v0.9.0\n    hooks:\n      - id: ruff-format\n%',
      '      - id: ruff\n',
      '',
    ),
  ],
  [
    'a hook of pre-commit runs by hand only',
    'check-removed',
    part(
      '.pre-commit-config.yaml',
      'repos:\n  - repo: local\n    hooks:\n      - id: tests\n        entry: pytest\n%',
      '',
      '        stages: [manual]\n',
    ),
  ],
  [
    'a hook of pre-commit leaves out a directory',
    'check-narrowed',
    part(
      '.pre-commit-config.yaml',
      'repos:\n  - repo: https://github.com/pre-commit/mirrors-mypy\n    hooks:\n      - id: mypy\n%',
      '',
      '        exclude: ^src/orders/\n',
    ),
  ],
  [
    'a command of lefthook is skipped',
    'check-removed',
    part(
      'lefthook.yml',
      'pre-push:\n  commands:\n    test:\n      run: npm test\n%',
      '',
      '      skip: true\n',
    ),
  ],
  [
    'Rake runs the specs without failing',
    'failure-ignored',
    part('Rakefile', 'task :verify do\n  sh "bundle exec rspec%"\nend\n', '', ' || true'),
  ],

  // CI.
  ['a step continues on error', 'failure-ignored', ci('        continue-on-error: true\n')],
  ['a job continues on error', 'failure-ignored', ci('    continue-on-error: true\n')],
  ['a step never runs', 'check-removed', ci('        if: false\n')],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as GitHub writes it
  ['a step never runs by an expression', 'check-removed', ci('        if: ${{ false }}\n')],
  [
    'a step is gone',
    'check-removed',
    { '.github/workflows/ci.yml': [ciText, ciText.replace(/ {6}- name: Unit[\s\S]*/, '')] },
  ],
  [
    'a step of CI runs in a shell that goes on',
    'failure-ignored',
    part(
      '.github/workflows/ci.yml',
      'on: push\njobs:\n  t:\n    steps:\n      - run: |\n          %npm test\n          npm run lint\n          echo ok\n',
      '',
      'set +e\n          ',
    ),
  ],
  [
    'a step is piped without pipefail',
    'failure-ignored',
    { '.github/workflows/ci.yml': [ciText, ciText.replace('run: npm test', 'run: npm test | tee log.txt')] },
  ],
  [
    'a workflow runs by hand only',
    'check-removed',
    { '.github/workflows/ci.yml': [ciText, ciText.replace('[push, pull_request]', 'workflow_dispatch')] },
  ],
  ['a workflow is gone', 'check-removed', { '.github/workflows/ci.yml': [ciText, undefined] }],
  [
    'a variable of a job narrows pytest',
    'check-narrowed',
    part(
      '.github/workflows/ci.yml',
      'on: push\njobs:\n  t:\n    env:\n      CI: 1\n%    steps:\n      - run: pytest\n',
      '',
      '      PYTEST_ADDOPTS: -k smoke\n',
    ),
  ],
  [
    'an action that lints continues on error',
    'failure-ignored',
    part(
      '.github/workflows/lint.yml',
      'on: push\njobs:\n  l:\n    steps:\n      - uses: golangci/golangci-lint-action@v6\n%',
      '',
      '        continue-on-error: true\n',
    ),
  ],
  [
    'a job of GitLab may fail',
    'failure-ignored',
    part(
      '.gitlab-ci.yml',
      'unit:\n  stage: test\n  script:\n    - npm ci\n    - npm test\n%',
      '',
      '  allow_failure: true\n',
    ),
  ],
  [
    'a job of GitLab runs by hand',
    'check-removed',
    part(
      '.gitlab-ci.yml',
      'unit:\n  stage: test\n  script:\n    - npm ci\n    - npm test\n%',
      '',
      '  when: manual\n',
    ),
  ],
  [
    'a job of GitLab is hidden by a dot',
    'check-removed',
    part('.gitlab-ci.yml', '%unit:\n  script:\n    - npm test\n', '', '.'),
  ],
  [
    'a step of CircleCI ignores failures',
    'failure-ignored',
    part(
      '.circleci/config.yml',
      'jobs:\n  build:\n    steps:\n      - checkout\n      - run:\n          name: Tests\n          command: npm test%\n',
      '',
      ' || true',
    ),
  ],
  [
    'a step of Azure continues on error',
    'failure-ignored',
    part(
      'azure-pipelines.yml',
      'steps:\n  - script: npm test\n    displayName: Tests\n%',
      '',
      '    continueOnError: true\n',
    ),
  ],
  [
    'a step of Bitbucket is commented out',
    'check-removed',
    part(
      'bitbucket-pipelines.yml',
      'pipelines:\n  default:\n    - step:\n        script:\n          - npm ci\n          %- npm test\n          - npm run build\n',
      '',
      '# ',
    ),
  ],
  [
    'a step of Buildkite fails softly',
    'failure-ignored',
    part(
      '.buildkite/pipeline.yml',
      'steps:\n  - label: test\n    command: make test\n%',
      '',
      '    soft_fail: true\n',
    ),
  ],

  // Runners.
  [
    'vitest passes without tests',
    'empty-run-allowed',
    part('vitest.config.ts', VITEST, '', 'passWithNoTests: true,'),
  ],
  [
    'vitest leaves out a directory',
    'check-narrowed',
    part('vitest.config.ts', VITEST, '', "exclude: [...configDefaults.exclude, 'tests/orders/**'],"),
  ],
  [
    'vitest includes files that are not there',
    'check-narrowed',
    {
      'vitest.config.ts': [VITEST.replace('%', ''), VITEST.replace('%', '').replace('.test.ts', '.spec.ts')],
    },
  ],
  [
    'vitest lowers a threshold',
    'coverage-lowered',
    part(
      'vitest.config.ts',
      VITEST,
      'coverage: { thresholds: { lines: 90 } },',
      'coverage: { thresholds: { lines: 60 } },',
    ),
  ],
  [
    'vitest loses its thresholds',
    'coverage-lowered',
    part(
      'vitest.config.ts',
      VITEST,
      'coverage: { provider: "v8", thresholds: { lines: 90 } },',
      'coverage: { provider: "v8" },',
    ),
  ],
  [
    'vitest leaves code out of coverage',
    'coverage-lowered',
    part(
      'vitest.config.ts',
      VITEST,
      "coverage: { exclude: ['dist/**'] },",
      "coverage: { exclude: ['dist/**', 'src/orders/**'] },",
    ),
  ],
  [
    'vitest ignores unhandled errors',
    'failure-ignored',
    part('vitest.config.ts', VITEST, '', 'dangerouslyIgnoreUnhandledErrors: true,'),
  ],
  ['vitest repeats failed tests', 'failure-ignored', part('vitest.config.ts', VITEST, '', 'retry: 3,')],
  [
    'jest ignores a directory of tests',
    'check-narrowed',
    part(
      'jest.config.js',
      JEST,
      "testPathIgnorePatterns: ['/node_modules/'],",
      "testPathIgnorePatterns: ['/node_modules/', 'integration'],",
    ),
  ],
  [
    'jest matches fewer tests',
    'check-narrowed',
    part(
      'jest.config.js',
      JEST,
      "testMatch: ['**/*.test.ts', '**/*.spec.ts'],",
      "testMatch: ['**/*.test.ts'],",
    ),
  ],
  [
    'jest matches fewer tests by an expression',
    'check-narrowed',
    part(
      'jest.config.js',
      JEST,
      "testRegex: '\\\\.(test|spec)\\\\.ts$',",
      "testRegex: '\\\\.smoke\\\\.ts$',",
    ),
  ],
  [
    'jest has no thresholds in package.json any more',
    'coverage-lowered',
    part(
      'package.json',
      '{"jest": {"testEnvironment": "node"%}}',
      ', "coverageThreshold": {"global": {"lines": 80}}',
      '',
    ),
  ],
  [
    'mocha no longer forbids `.only`',
    'strictness-lowered',
    part('.mocharc.json', '{"spec": "test/**/*.js"%}', ', "forbidOnly": true', ''),
  ],
  [
    'playwright ignores tests',
    'check-narrowed',
    part(
      'playwright.config.ts',
      "import { defineConfig } from '@playwright/test';\nexport default defineConfig({ testDir: './e2e'% });\n",
      '',
      ", testIgnore: '**/checkout/**'",
    ),
  ],
  [
    'nyc no longer checks the coverage',
    'coverage-lowered',
    part('.nycrc', '{"check-coverage": %, "lines": 90}', 'true', 'false'),
  ],
  [
    'pytest deselects tests',
    'check-narrowed',
    part('pyproject.toml', PYPROJECT, 'addopts = "-ra"', `addopts = "-ra -k 'not refund'"`),
  ],
  [
    'pytest ignores a directory',
    'check-narrowed',
    part('pytest.ini', '[pytest]\naddopts = -q%\n', '', ' --ignore=tests/orders'),
  ],
  [
    'pytest looks in fewer places',
    'check-narrowed',
    part('setup.cfg', '[tool:pytest]\ntestpaths = tests%\n', '', '/unit'),
  ],
  [
    'pytest no longer fails for unexpected passes',
    'strictness-lowered',
    part('pyproject.toml', PYPROJECT, 'xfail_strict = true', ''),
  ],
  [
    'coverage omits code',
    'coverage-lowered',
    part('.coveragerc', '[run]\nomit =\n    tests/*\n%', '', '    src/orders/*\n'),
  ],
  [
    'coverage fails under less',
    'coverage-lowered',
    part('.coveragerc', '[report]\nfail_under = %\n', '90', '70'),
  ],
  [
    'a new pytest.ini leaves out tests',
    'check-narrowed',
    { 'pytest.ini': [undefined, '[pytest]\naddopts = --deselect tests/test_orders.py\n'] },
  ],
  [
    'phpunit leaves out a directory',
    'check-narrowed',
    part(
      'phpunit.xml',
      '<phpunit><testsuites><testsuite name="all"><directory>tests</directory>%</testsuite></testsuites></phpunit>',
      '',
      '<exclude>tests/Orders</exclude>',
    ),
  ],
  [
    'phpunit no longer fails for risky tests',
    'strictness-lowered',
    part('phpunit.xml.dist', '<phpunit failOnRisky="%"></phpunit>', 'true', 'false'),
  ],
  [
    'rspec leaves out a tag',
    'check-narrowed',
    part('.rspec', '--require spec_helper\n%', '', '--tag ~orders\n'),
  ],
  [
    'the library of a crate is not tested',
    'check-removed',
    part('Cargo.toml', '[package]\nname = "orders"\n\n[lib]\npath = "src/lib.rs"\n%', '', 'test = false\n'),
  ],
  [
    'lints of a crate are allowed',
    'lint-rule-disabled',
    part('Cargo.toml', '[package]\nname = "orders"\n\n[lints.clippy]\nunwrap_used = "%"\n', 'deny', 'allow'),
  ],
  [
    'surefire ignores failures',
    'failure-ignored',
    part('pom.xml', POM, '', '<testFailureIgnore>true</testFailureIgnore>'),
  ],
  ['surefire skips tests', 'check-removed', part('pom.xml', POM, '', '<skipTests>true</skipTests>')],
  [
    'surefire leaves out tests',
    'check-narrowed',
    part('pom.xml', POM, '', '<excludes><exclude>**/RefundTest.java</exclude></excludes>'),
  ],
  ['Gradle ignores failures', 'failure-ignored', part('build.gradle', GRADLE, '', 'ignoreFailures = true')],
  ['Gradle leaves out tests', 'check-narrowed', part('build.gradle', GRADLE, '', "exclude '**/RefundTest*'")],
  [
    'Gradle leaves out tests by a filter',
    'check-narrowed',
    part(
      'build.gradle.kts',
      GRADLE.replace("id 'java'", 'java').replace('test {\n', 'tasks.test {\n'),
      '',
      'filter { excludeTestsMatching("*Refund*") }',
    ),
  ],
  [
    'Gradle runs no tests',
    'check-removed',
    part(
      'build.gradle.kts',
      'plugins { java }\ntasks.named<Test>("test") {\n    useJUnitPlatform()\n    %\n}\n',
      '',
      'enabled = false',
    ),
  ],
  [
    'warnings of C# are hidden',
    'lint-rule-disabled',
    part('src/Orders.csproj', CSPROJ, '', '<NoWarn>CS8602;CS0618</NoWarn>'),
  ],
  [
    'warnings of C# are no errors',
    'strictness-lowered',
    { 'Directory.Build.props': [CSPROJ, CSPROJ.replace('Errors>true', 'Errors>false')] },
  ],
  [
    'codecov asks for less',
    'coverage-lowered',
    part(
      'codecov.yml',
      'coverage:\n  status:\n    project:\n      default:\n        target: %\n',
      '90%',
      '60%',
    ),
  ],
  [
    'sonar leaves out code',
    'check-narrowed',
    part('sonar-project.properties', 'sonar.sources=src\nsonar.exclusions=dist/**%\n', '', ',src/orders/**'),
  ],

  // Strictness.
  [
    'the compiler is no longer strict',
    'strictness-lowered',
    part('tsconfig.json', '{"compilerOptions": {"strict": %, "outDir": "dist"}}', 'true', 'false'),
  ],
  [
    'a part of strict is switched off',
    'strictness-lowered',
    part(
      'tsconfig.json',
      '{ // base\n"compilerOptions": {"strict": true%} }',
      '',
      ', "noImplicitAny": false',
    ),
  ],
  [
    'a strict option is removed',
    'strictness-lowered',
    part(
      'tsconfig.json',
      '{"compilerOptions": {"module": "NodeNext"%}}',
      ', "noUncheckedIndexedAccess": true',
      '',
    ),
  ],
  [
    'libraries are not checked',
    'strictness-lowered',
    part('tsconfig.base.json', '{"compilerOptions": {"strict": true%}}', '', ', "skipLibCheck": true'),
  ],
  [
    'a directory is not compiled',
    'check-narrowed',
    part('tsconfig.json', '{"include": ["src"], "exclude": ["dist"%]}', '', ', "src/orders"'),
  ],
  [
    'fewer files are compiled',
    'check-narrowed',
    part('tsconfig.json', '{"include": ["src"%]}', ', "tests"', ''),
  ],
  [
    'mypy ignores errors of a module',
    'strictness-lowered',
    part('mypy.ini', '[mypy]\nstrict = True\n%', '', '\n[mypy-orders.*]\nignore_errors = True\n'),
  ],
  [
    'mypy is no longer strict',
    'strictness-lowered',
    part('pyproject.toml', '[tool.mypy]\nstrict = %\n', 'true', 'false'),
  ],
  [
    'pyright checks less',
    'strictness-lowered',
    part('pyrightconfig.json', '{"typeCheckingMode": "%"}', 'strict', 'basic'),
  ],
  [
    'ruff ignores a rule',
    'lint-rule-disabled',
    part('ruff.toml', '[lint]\nselect = ["E", "F", "B"]\nignore = ["E203"%]\n', '', ', "F841"'),
  ],
  [
    'ruff selects fewer rules',
    'lint-rule-disabled',
    part('ruff.toml', '[lint]\nselect = ["E", "F"%]\n', ', "B"', ''),
  ],
  [
    'ruff ignores a rule in a file',
    'lint-rule-disabled',
    part(
      'pyproject.toml',
      '[tool.ruff.lint]\nselect = ["ALL"]\n%',
      '',
      '[tool.ruff.lint.per-file-ignores]\n"src/orders.py" = ["F821"]\n',
    ),
  ],
  [
    'flake8 leaves out a directory',
    'check-narrowed',
    part('.flake8', '[flake8]\nexclude = .git,build%\n', '', ',orders'),
  ],
  [
    'pylint disables a check',
    'lint-rule-disabled',
    part('.pylintrc', '[MESSAGES CONTROL]\ndisable=missing-docstring%\n', '', ',no-member'),
  ],
  [
    'a rule of eslint is off',
    'lint-rule-disabled',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace("eqeqeq: ['error', 'always']", "eqeqeq: 'off'"),
      ],
    },
  ],
  [
    'a rule of eslint only warns',
    'lint-rule-disabled',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace("'no-unused-vars': 'error'", "'no-unused-vars': 'warn'"),
      ],
    },
  ],
  [
    'eslint leaves out a directory',
    'check-narrowed',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace("['dist/']", "['dist/', 'src/orders/**']"),
      ],
    },
  ],
  [
    'eslint loses its recommended rules',
    'lint-rule-disabled',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace('  js.configs.recommended,\n', ''),
      ],
    },
  ],
  [
    'a rule of eslint is off for some files',
    'lint-rule-disabled',
    part(
      '.eslintrc.yml',
      'extends: eslint:recommended\nrules:\n  no-undef: error\n%',
      '',
      'overrides:\n  - files: [src/orders/*.js]\n    rules:\n      no-undef: off\n',
    ),
  ],
  [
    'a rule of biome is off',
    'lint-rule-disabled',
    part('biome.json', '{"linter": {"rules": {"suspicious": {"noExplicitAny": "%"}}}}', 'error', 'off'),
  ],
  [
    'the linter of biome is off',
    'lint-rule-disabled',
    part('biome.jsonc', '{"linter": {"enabled": %}}', 'true', 'false'),
  ],
  [
    'biome leaves out a directory',
    'check-narrowed',
    part('biome.json', '{"files": {"includes": ["**", "!dist"%]}}', '', ', "!src/orders"'),
  ],
  [
    'a file of ignored paths has tests',
    'check-narrowed',
    part('.eslintignore', 'dist\n%', '', 'src/orders\n'),
  ],
  [
    'a cop is disabled',
    'lint-rule-disabled',
    part('.rubocop.yml', 'Lint/UselessAssignment:\n  Enabled: %\n', 'true', 'false'),
  ],
  [
    'a cop leaves out a file',
    'check-narrowed',
    part('.rubocop.yml', 'Metrics/AbcSize:\n  Exclude:\n    - "spec/**/*"\n%', '', '    - "app/orders.rb"\n'),
  ],
  [
    'phpstan has a lower level',
    'strictness-lowered',
    part('phpstan.neon', 'parameters:\n    level: %\n    paths: [src]\n', '8', '5'),
  ],
  [
    'phpstan ignores errors',
    'lint-rule-disabled',
    part(
      'phpstan.neon',
      'parameters:\n    level: 8\n    ignoreErrors:\n        - "#old#"\n%',
      '',
      '        - "#Undefined variable#"\n',
    ),
  ],
  [
    'golangci disables a linter',
    'lint-rule-disabled',
    part('.golangci.yml', 'linters:\n  enable:\n    - errcheck\n%', '    - staticcheck\n', ''),
  ],
  [
    'golangci excludes by rules',
    'lint-rule-disabled',
    part(
      '.golangci.yml',
      'linters:\n  enable: [errcheck]\n%',
      '',
      'issues:\n  exclude-rules:\n    - path: orders/\n      linters: [errcheck]\n',
    ),
  ],
  [
    'an analyzer has no severity',
    'lint-rule-disabled',
    part('.editorconfig', '[*.cs]\ndotnet_diagnostic.CA2000.severity = %\n', 'error', 'none'),
  ],
  ['psalm accepts more', 'strictness-lowered', part('psalm.xml', '<psalm errorLevel="%"></psalm>', '1', '4')],

  // Lists of known problems.
  [
    'the baseline of phpstan grew',
    'suppression-added',
    part(
      'phpstan-baseline.neon',
      'parameters:\n  ignoreErrors:\n    - message: "#a#"\n      count: 1\n%',
      '',
      '    - message: "#b#"\n      count: 1\n',
    ),
  ],
  [
    'suppressions of eslint grew',
    'suppression-added',
    part('eslint-suppressions.json', '{"src/a.ts": {"no-undef": {"count": %}}}', '1', '4'),
  ],
  [
    'the baseline of ralph-loop grew',
    'gate-changed',
    part(
      'ralph-baseline.json',
      '{"version": 1, "gates": {"test": {"exit": 1, "failures": [%]}}}',
      '',
      '{"kind": "test", "message": "refunds"}',
    ),
  ],

  // Gates and hooks.
  [
    'a gate is gone',
    'gate-changed',
    { 'worktree.yaml': [GATES.replace('%', ''), 'verify:\n  - name: lint\n    run: npm run lint\n'] },
  ],
  [
    'a gate is commented out',
    'gate-changed',
    {
      'worktree.yaml': [
        GATES.replace('%', ''),
        GATES.replace('%', '').replace(/ {2}- name: test\n.*\n.*\n/, '#  - npm test\n'),
      ],
    },
  ],
  ['all gates are gone', 'gate-changed', { 'worktree.yaml': [GATES.replace('%', ''), 'verify: []\n'] }],
  ['the config is gone', 'gate-changed', { 'worktree.yaml': [GATES.replace('%', ''), undefined] }],
  ['a gate is disabled', 'gate-changed', part('worktree.yaml', GATES, '', '    enabled: false\n')],
  [
    'a gate no longer blocks',
    'gate-changed',
    part('.trellis/worktree.yaml', GATES, '', '    blocking: false\n'),
  ],
  [
    'a gate ignores failures',
    'gate-changed',
    {
      'worktree.yaml': [
        GATES.replace('%', ''),
        GATES.replace('%', '').replace('run: npm test', 'run: npm test || true'),
      ],
    },
  ],
  [
    'a gate runs a program that does nothing',
    'gate-changed',
    {
      'worktree.yaml': [
        GATES.replace('%', ''),
        GATES.replace('%', '').replace('run: npm test', "run: 'true'"),
      ],
    },
  ],
  [
    'a gate has a longer timeout',
    'gate-changed',
    { 'worktree.yaml': [GATES.replace('%', ''), GATES.replace('%', '').replace('300', '90000')] },
  ],
  [
    'a gate passes without tests',
    'gate-changed',
    part('worktree.yaml', GATES, '', '    allow_empty: true\n'),
  ],
  [
    'a gate runs for some paths',
    'gate-changed',
    part('worktree.yaml', GATES, '', '    paths: ["docs/**"]\n'),
  ],
  [
    'a gate finds programs in the tree',
    'tool-shadowed',
    part('worktree.yaml', GATES, '', '    env: { PATH: "./tools/bin:/usr/bin" }\n'),
  ],
  [
    'the integrity check is off',
    'gate-changed',
    part('worktree.yaml', GATES, '', 'ralph:\n  integrity: off\n'),
  ],
  [
    'one rule of the integrity check is off',
    'gate-changed',
    part('worktree.yaml', GATES, '', 'ralph:\n  integrity_rules:\n    failure-ignored: off\n'),
  ],
  [
    'fewer attempts are blocked',
    'gate-changed',
    part('worktree.yaml', GATES, '', 'ralph:\n  max_iterations: 1\n'),
  ],
  [
    'fewer agents are guarded',
    'gate-changed',
    part('worktree.yaml', GATES, '', 'ralph:\n  agents: [check]\n'),
  ],
  [
    'a gate of a gate config is gone',
    'gate-changed',
    part(
      'gate.config.json',
      '{"gates": [{"name": "lint", "command": "npm run lint"}%]}',
      ', {"name": "test", "command": "npm test"}',
      '',
    ),
  ],
  [
    'a nearer config decides',
    'gate-changed',
    {
      'worktree.yaml': [GATES.replace('%', ''), GATES.replace('%', '')],
      'packages/a/worktree.yaml': [undefined, 'verify:\n  - npm run lint\n'],
    },
  ],
  ['the stop hook is gone', 'hook-removed', part('.claude/settings.json', HOOKS('%'), STOP, '')],
  [
    'the settings with the hook are gone',
    'hook-removed',
    { '.claude/settings.json': [HOOKS(STOP), undefined] },
  ],
  [
    'the stop hook ignores the answer',
    'hook-removed',
    { '.claude/settings.json': [HOOKS(STOP), HOOKS(STOP.replace('570"', '570 || true"'))] },
  ],
  [
    'the stop hook has no time',
    'hook-removed',
    { '.claude/settings.json': [HOOKS(STOP), HOOKS(STOP.replace('600', '1'))] },
  ],
  [
    'all hooks are disabled',
    'hook-removed',
    { '.claude/settings.json': [HOOKS(STOP), HOOKS(STOP).replace('{', '{ "disableAllHooks": true,')] },
  ],
  [
    'the stop hook of Cursor is gone',
    'hook-removed',
    part(
      '.cursor/hooks.json',
      '{"version": 1, "hooks": {"stop": [%]}}',
      '{"command": "ralph-loop hook --host cursor"}',
      '',
    ),
  ],
  [
    'the plugin of OpenCode has no stop hook',
    'hook-removed',
    part(
      '.opencode/plugins/ralph-loop.js',
      PAGE,
      '"Stop": [{ "command": "node .trellis/ralph-hook.cjs hook" }]',
      '',
    ),
  ],
  [
    'the plugin of OpenCode has other code',
    'hook-removed',
    part(
      '.opencode/plugins/ralph-loop.js',
      `${PAGE.replace('%', '"Stop": [{ "command": "ralph-loop hook" }]')}%`,
      'start();',
      '',
    ),
  ],
  ['the launcher is gone', 'hook-removed', { '.trellis/ralph-hook.cjs': ['module.exports = 1', undefined] }],

  // Tools and outcomes.
  [
    'a program is named like pytest',
    'tool-shadowed',
    { 'tools/bin/pytest': [undefined, '#!/bin/sh\necho "3 passed"\n'] },
  ],
  [
    'a script is named like npm',
    'tool-shadowed',
    { npm: [undefined, '#!/usr/bin/env node\nprocess.exit(0)\n'] },
  ],
  ['a module is named like pytest', 'tool-shadowed', { 'pytest.py': [undefined, 'def main(): return 0\n'] }],
  ['Python loads a module at its start', 'tool-shadowed', { 'sitecustomize.py': [undefined, 'import os\n'] }],
  [
    'an assertion library is mapped to a stub',
    'tool-shadowed',
    part('jest.config.js', JEST, '', "moduleNameMapper: { '^chai$': '<rootDir>/stubs/chai.js' },"),
  ],
  [
    'a test library is an alias',
    'tool-shadowed',
    part(
      'tsconfig.json',
      '{"compilerOptions": {"paths": {"@/*": ["./src/*"]%}}}',
      '',
      ', "vitest": ["./stubs/vitest.ts"]',
    ),
  ],
  [
    'a test library is installed from the tree',
    'tool-shadowed',
    part('package.json', '{"devDependencies": {"vitest": "%"}}', '^3.0.0', 'file:./stubs/vitest'),
  ],
  [
    'npm runs scripts in another shell',
    'tool-shadowed',
    part('.npmrc', 'save-exact=true\n%', '', 'script-shell=./tools/sh\n'),
  ],
  [
    'an environment file puts the tree first',
    'tool-shadowed',
    part('.envrc', 'export CI=1\n%', '', 'export PATH="$PWD/tools:$PATH"\n'),
  ],
  [
    'a hook of pytest sets outcomes',
    'outcome-overridden',
    part(
      'conftest.py',
      CONFTEST,
      '',
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    report.outcome = "passed"\n',
    ),
  ],
  [
    'a hook of pytest deselects tests',
    'outcome-overridden',
    part(
      'tests/conftest.py',
      CONFTEST,
      '',
      'def pytest_collection_modifyitems(items):\n    items[:] = [item for item in items if "refund" not in item.name]\n',
    ),
  ],
  [
    'a hook of pytest skips tests',
    'outcome-overridden',
    part(
      'conftest.py',
      CONFTEST,
      '',
      'def pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.skip)\n',
    ),
  ],
  [
    'a hook of pytest sets the exit code',
    'outcome-overridden',
    part(
      'conftest.py',
      CONFTEST,
      '',
      'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n',
    ),
  ],
  [
    'a test ends the process',
    'outcome-overridden',
    part(
      'tests/test_zz.py',
      'import os\n\ndef test_last():\n    assert add(1, 1) == 2\n%',
      '',
      '    os._exit(0)\n',
    ),
  ],
  [
    'conftest collects fewer files',
    'check-narrowed',
    part('conftest.py', CONFTEST, '', 'collect_ignore = ["tests/test_refund.py"]\n'),
  ],
  [
    'a setup file sets the exit code',
    'outcome-overridden',
    part(
      'tests/setup.ts',
      "import './env';\n%",
      '',
      "process.on('exit', () => { process.exitCode = 0; });\n",
    ),
  ],
  [
    'a setup file ends the process',
    'outcome-overridden',
    part('vitest.setup.ts', 'export {};\n%', '', 'afterAll(() => process.exit(0));\n'),
  ],
  [
    'a setup file replaces expect',
    'outcome-overridden',
    part('jest.setup.js', 'jest.setTimeout(1000);\n%', '', 'global.expect = () => new Proxy({}, {});\n'),
  ],
  [
    'matchers are replaced',
    'outcome-overridden',
    part(
      'tests/setup.ts',
      'export {};\n%',
      '',
      'expect.extend({ toBe() { return { pass: true, message: () => "" }; } });\n',
    ),
  ],
  [
    'a helper of specs ends the process',
    'outcome-overridden',
    part('spec/spec_helper.rb', 'require "orders"\n%', '', 'at_exit { exit! 0 }\n'),
  ],
  [
    'a bootstrap of phpunit ends the process',
    'outcome-overridden',
    part(
      'tests/bootstrap.php',
      "<?php\nrequire 'vendor/autoload.php';\n%",
      '',
      'register_shutdown_function(function () { exit(0); });\n',
    ),
  ],
  [
    'TestMain ends with 0',
    'outcome-overridden',
    part(
      'orders/main_test.go',
      'package orders\n\nfunc TestMain(m *testing.M) {\n\t%\n}\n',
      'os.Exit(m.Run())',
      'm.Run()\n\tos.Exit(0)',
    ),
  ],
  [
    'TestMain runs nothing',
    'outcome-overridden',
    part('orders/main_test.go', 'package orders\n\n%', '', 'func TestMain(m *testing.M) {\n}\n'),
  ],
  [
    'a workspace of Vitest has fewer projects',
    'check-narrowed',
    part('vitest.workspace.ts', "export default ['packages/core', %];\n", "'packages/ui'", ''),
  ],
  [
    'a runner of the tree judges the tests of Jest',
    'outcome-overridden',
    part('jest.config.js', JEST, '', "testRunner: '<rootDir>/scripts/runner.js',"),
  ],
  [
    'a processor of the tree rewrites the results of Jest',
    'outcome-overridden',
    part('jest.config.js', JEST, '', "testResultsProcessor: './scripts/results.js',"),
  ],
  [
    'tests of Playwright are left out by an expression',
    'check-narrowed',
    part('playwright.config.ts', PLAYWRIGHT, '', 'grepInvert: /@slow|checkout/,'),
  ],
  [
    'screenshots may differ more',
    'strictness-lowered',
    part(
      'playwright.config.ts',
      PLAYWRIGHT,
      'expect: { toHaveScreenshot: { maxDiffPixelRatio: 0.01 } },',
      'expect: { toHaveScreenshot: { maxDiffPixelRatio: 0.5 } },',
    ),
  ],
  [
    'screenshots may differ',
    'strictness-lowered',
    part('playwright.config.ts', PLAYWRIGHT, '', 'expect: { toHaveScreenshot: { maxDiffPixels: 5000 } },'),
  ],
  [
    'no score of mutants is too low',
    'strictness-lowered',
    part('stryker.config.json', '{ "thresholds": { "break": % } }', '60', 'null'),
  ],
  [
    'fewer files are mutated',
    'check-narrowed',
    part('stryker.conf.json', '{ "mutate": [%] }', '"src/**/*.ts"', '"src/util/*.ts"'),
  ],
  [
    'a lower score of Lighthouse is enough',
    'strictness-lowered',
    part(
      'lighthouserc.json',
      '{ "ci": { "assert": { "assertions": { "categories:performance": ["error", { "minScore": % }] } } } }',
      '0.9',
      '0.2',
    ),
  ],
  [
    'an assertion of Lighthouse only warns',
    'strictness-lowered',
    part(
      '.lighthouserc.json',
      '{ "ci": { "assert": { "assertions": { "categories:seo": ["%", { "minScore": 0.9 }] } } } }',
      'error',
      'warn',
    ),
  ],
  [
    'a package may be larger',
    'strictness-lowered',
    part('package.json', '{ "size-limit": [{ "path": "dist/index.js", "limit": "%" }] }', '900 B', '10 kB'),
  ],
  [
    'a bundle may be larger',
    'strictness-lowered',
    part('package.json', '{ "bundlesize": [{ "path": "dist/*.js", "maxSize": "%" }] }', '90 kB', '0.2 MB'),
  ],
  [
    'a preset of TypeScript is overruled',
    'strictness-lowered',
    part(
      'tsconfig.json',
      '{ "extends": "@tsconfig/strictest/tsconfig.json", "compilerOptions": { "outDir": "dist"% } }',
      '',
      ', "strict": false',
    ),
  ],
  [
    'SimpleCov has a lower minimum',
    'coverage-lowered',
    part('spec/spec_helper.rb', 'SimpleCov.start do\n  minimum_coverage %\nend\n', '90', '40'),
  ],
  [
    'SimpleCov has no minimum for branches',
    'coverage-lowered',
    part('test/test_helper.rb', 'SimpleCov.start { minimum_coverage line: 90% }\n', ', branch: 80', ''),
  ],
  [
    'SimpleCov leaves out code',
    'coverage-lowered',
    part('.simplecov', 'SimpleCov.start do\n  %\nend\n', '', 'add_filter "/app/billing/"'),
  ],
  [
    'a task of Gradle runs on a property',
    'check-narrowed',
    part('build.gradle.kts', GRADLE, '', 'onlyIf { project.hasProperty("withTests") }'),
  ],
  [
    'a script is an alias of a narrower one',
    'check-narrowed',
    scripts({ test: 'vitest run' }, { test: 'npm run test:unit', 'test:unit': 'vitest run tests/util' }),
  ],
  [
    'a target of make is an alias of one that ignores failures',
    'failure-ignored',
    { Makefile: ['test:\n\tpytest\n', 'test: unit\n\nunit:\n\t-pytest\n'] },
  ],
  [
    'a new program starts the tests and drops their status',
    'failure-ignored',
    {
      ...scripts({ test: 'vitest run' }, { test: 'node scripts/test.mjs' }),
      'scripts/test.mjs': [
        undefined,
        "import { spawnSync } from 'node:child_process';\nspawnSync('npx', ['vitest', 'run'], { stdio: 'inherit' });\n",
      ],
    },
  ],
  [
    'a program no longer ends with the status of the tests',
    'failure-ignored',
    {
      ...scripts({ test: 'python tools/run_tests.py' }, { test: 'python tools/run_tests.py' }),
      'tools/run_tests.py': [
        "import subprocess\nimport sys\n\nsys.exit(subprocess.call(['pytest']))\n",
        "import subprocess\n\nsubprocess.call(['pytest'])\n",
      ],
    },
  ],
  [
    'Python runs without assertions',
    'strictness-lowered',
    { Makefile: ['test:\n\tpython -m pytest\n', 'test:\n\tpython -O -m pytest\n'] },
  ],
  [
    'Python runs without assertions by its environment',
    'strictness-lowered',
    scripts({ test: 'pytest' }, { test: 'PYTHONOPTIMIZE=1 pytest' }),
  ],
  [
    'a workflow starts for documents alone',
    'check-removed',
    part(
      '.github/workflows/ci.yml',
      'on:\n  push:%\njobs:\n  test:\n    steps:\n      - run: npm test\n',
      '',
      "\n    paths: ['docs/**', '**.md']",
    ),
  ],
  [
    'a file has the name of a target',
    'check-removed',
    { Makefile: ['test:\n\tpytest\n', 'test:\n\tpytest\n'], test: [undefined, 'done\n'] },
  ],
  [
    'the shell of make does nothing',
    'failure-ignored',
    { Makefile: ['test:\n\tpytest\n', 'SHELL := /bin/true\ntest:\n\tpytest\n'] },
  ],
  [
    'a run in the background is waited for without its status',
    'failure-ignored',
    scripts({ test: 'vitest run' }, { test: 'vitest run & wait' }),
  ],
  [
    'a failure ends a job of CircleCI with success',
    'failure-ignored',
    part(
      '.circleci/config.yml',
      'jobs:\n  t:\n    steps:\n      - run: npm test%\n',
      '',
      ' || circleci-agent step halt',
    ),
  ],
  [
    'a workflow starts for tags alone',
    'check-removed',
    part(
      '.github/workflows/ci.yml',
      'on:\n  push:%\njobs:\n  test:\n    steps:\n      - run: npm test\n',
      '',
      "\n    tags: ['v*']",
    ),
  ],
];

const HONEST: readonly Honest[] = [
  [
    'versions are raised',
    {
      'package.json': [
        '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^2.0.0"}}',
        '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^3.0.0"}}',
      ],
    },
  ],
  [
    'mocha is replaced by node:test',
    {
      ...scripts({ test: 'mocha' }, { test: 'node --test' }),
      '.mocharc.json': ['{"spec": "test/**/*.js", "forbidOnly": true}', undefined],
    },
  ],
  [
    'eslint is replaced by biome',
    {
      ...scripts({ lint: 'eslint . --max-warnings 0' }, { lint: 'biome check .' }),
      '.eslintrc.json': ['{"extends": "eslint:recommended", "rules": {"eqeqeq": "error"}}', undefined],
      'biome.json': [
        undefined,
        '{"files": {"includes": ["**", "!dist"]}, "linter": {"rules": {"recommended": true, "style": {"noNonNullAssertion": "off"}}}}',
      ],
    },
  ],
  [
    'jest is replaced by vitest',
    {
      'package.json': [
        '{"scripts": {"test": "jest --coverage"}, "devDependencies": {"jest": "29"}}',
        '{"scripts": {"test": "vitest run --coverage"}, "devDependencies": {"vitest": "3"}}',
      ],
      'jest.config.js': [JEST.replace('%', 'coverageThreshold: { global: { lines: 80 } },'), undefined],
      'vitest.config.ts': [undefined, VITEST.replace('%', 'coverage: { thresholds: { lines: 80 } },')],
    },
  ],
  [
    'npm is replaced by pnpm',
    {
      ...scripts({ check: 'npm run lint && npm test' }, { check: 'pnpm lint && pnpm test' }),
      '.github/workflows/ci.yml': [
        ciText,
        ciText.replaceAll('npm ', 'pnpm ').replace('pnpm ci', 'pnpm install --frozen-lockfile'),
      ],
    },
  ],
  [
    'a script is renamed with those that run it',
    scripts(
      { 'test:unit': 'vitest run', check: 'npm run test:unit' },
      { unit: 'vitest run', check: 'npm run unit' },
    ),
  ],
  [
    'a script is put into the script that ran it',
    scripts({ lint: 'eslint .', check: 'npm run lint && vitest run' }, { check: 'eslint . && vitest run' }),
  ],
  [
    'a script is split',
    scripts(
      { test: 'eslint . && vitest run' },
      { test: 'npm run lint && npm run unit', lint: 'eslint .', unit: 'vitest run' },
    ),
  ],
  [
    'helper scripts are added',
    scripts(
      { test: 'vitest run' },
      {
        test: 'vitest run',
        'test:watch': 'vitest --passWithNoTests',
        'test:one': 'vitest run -t',
        clean: 'rm -rf dist || true',
        dev: 'vite; exit 0',
      },
    ),
  ],
  [
    'scripts that check nothing ignore failures',
    scripts(
      { clean: 'rm -rf dist', dev: 'vite', deploy: 'fly deploy' },
      { clean: 'rm -rf dist || true', dev: 'vite || true', deploy: 'fly deploy || echo failed' },
    ),
  ],
  [
    'scripts are in another order',
    scripts({ test: 'vitest run', lint: 'eslint .' }, { lint: 'eslint .', test: 'vitest run' }),
  ],
  [
    'a description contains the words',
    {
      'package.json': [
        '{"scripts": {"test": "vitest run"}}',
        '{"description": "run || true, continue-on-error, --passWithNoTests", "scripts": {"test": "vitest run"}}',
      ],
    },
  ],
  [
    'a script is made stricter',
    scripts(
      { lint: 'eslint .', test: 'vitest run --passWithNoTests || true' },
      { lint: 'eslint . --max-warnings 0', test: 'vitest run' },
    ),
  ],
  [
    'a check moves from a script to CI',
    {
      ...scripts({ test: 'vitest run && npm run e2e' }, { test: 'vitest run' }),
      ...ci('      - run: npm run e2e\n'),
    },
  ],
  [
    'a package is removed with its scripts',
    { 'packages/old/package.json': ['{"scripts": {"test": "vitest run"}}', undefined] },
  ],
  ['a makefile has a clean target that ignores failures', make('\trm -rf bin', '\t-rm -rf bin')],
  ['a makefile has comments with the words', make('lint:', '# never || true\nlint:')],
  [
    'a target is split',
    make('lint:\n\tgolangci-lint run\n', 'lint: vet\n\tgolangci-lint run\nvet:\n\tgo vet ./...\n'),
  ],
  ['tests run more', make('FLAGS = -race', 'FLAGS = -race -count=1 -shuffle=on')],
  [
    'make becomes just',
    {
      Makefile: [MAKEFILE, undefined],
      justfile: [undefined, 'test: build\n    go test -race ./...\nlint:\n    golangci-lint run\n'],
    },
  ],
  [
    'tox gets another environment',
    part('tox.ini', '[tox]\nenvlist = py312%\n[testenv]\ncommands = pytest {posargs}\n', '', ',py313'),
  ],
  [
    'a shell script becomes strict',
    part('scripts/test.sh', '#!/bin/bash\n%npm test\nnpm run lint\n', '', 'set -euo pipefail\n'),
  ],
  [
    'a shell script cleans up without failing',
    part('scripts/test.sh', '#!/bin/bash\nset -e\nnpm test\n%', '', 'docker compose down || true\n'),
  ],
  [
    'a stage is added to an image',
    part('Dockerfile', 'FROM node:22\nRUN npm ci\n%', '', 'RUN rm -rf /tmp/* || true\n'),
  ],

  [
    'a workflow is renamed',
    {
      '.github/workflows/ci.yml': [ciText, undefined],
      '.github/workflows/test.yml': [undefined, ciText.replace('name: ci', 'name: tests')],
    },
  ],
  [
    'jobs are split',
    {
      '.github/workflows/ci.yml': [
        ciText,
        `name: ci
on: [push, pull_request]
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm run lint
  unit:
    needs: lint
    strategy:
      matrix:
        node: [20, 22]
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
`,
      ],
    },
  ],
  [
    'tests are sharded by a matrix',
    {
      '.github/workflows/ci.yml': [
        ciText,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as GitHub writes it
        ciText.replace('run: npm test', 'run: npm test -- --shard=${{ matrix.shard }}/4'),
      ],
    },
  ],
  [
    'an upload continues on error',
    ci(
      '      - uses: codecov/codecov-action@v4\n        continue-on-error: true\n      - name: Upload test report\n        if: always()\n        run: bash upload.sh || true\n',
    ),
  ],
  [
    'steps are renamed and put on more lines',
    {
      '.github/workflows/ci.yml': [
        ciText,
        ciText
          .replace('name: Unit tests', 'name: Tests')
          .replace('run: npm test', 'run: |\n          npm test'),
      ],
    },
  ],
  [
    'versions of actions and of Node are raised',
    {
      '.github/workflows/ci.yml': [
        ciText,
        ciText
          .replace('checkout@v4', 'checkout@v5')
          .replace(
            '- run: npm ci',
            '- uses: actions/setup-node@v4\n        with: { node-version: 24 }\n      - run: npm ci',
          ),
      ],
    },
  ],
  [
    'coverage is added',
    { '.github/workflows/ci.yml': [ciText, ciText.replace('run: npm test', 'run: npm test -- --coverage')] },
  ],
  ['a comment contains the words', ci('      # continue-on-error: true would hide failures\n')],
  [
    'a workflow for releases is added',
    {
      '.github/workflows/release.yml': [
        undefined,
        'on: workflow_dispatch\njobs:\n  publish:\n    steps:\n      - run: npm publish || true\n',
      ],
    },
  ],
  [
    'a deploy step is on a condition',
    part(
      '.github/workflows/cd.yml',
      'on: push\njobs:\n  d:\n    steps:\n      - run: fly deploy\n%',
      '',
      '        if: false\n',
    ),
  ],
  [
    'GitHub becomes GitLab',
    {
      '.github/workflows/ci.yml': [ciText, undefined],
      '.gitlab-ci.yml': [undefined, 'check:\n  script:\n    - npm ci\n    - npm run lint\n    - npm test\n'],
    },
  ],
  [
    'a job of GitLab extends a template',
    {
      '.gitlab-ci.yml': [
        'unit:\n  script:\n    - npm test\n',
        '.node:\n  image: node:22\n  script:\n    - npm test\nunit:\n  extends: .node\n',
      ],
    },
  ],
  [
    'a job that deploys may fail',
    part(
      '.gitlab-ci.yml',
      'unit:\n  script:\n    - npm test\npages:\n  script:\n    - npm run docs\n%',
      '',
      '  allow_failure: true\n',
    ),
  ],
  [
    'pre-commit hooks are updated',
    part(
      '.pre-commit-config.yaml',
      'repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    rev: %\n    hooks:\n      - id: ruff\n',
      'v0.8.0',
      'v0.9.0',
    ),
  ],

  [
    'vitest includes more',
    {
      'vitest.config.ts': [
        VITEST.replace('%', ''),
        VITEST.replace('%', '').replace(
          "['tests/**/*.test.ts']",
          "['tests/**/*.test.{ts,tsx}', 'src/**/*.test.ts']",
        ),
      ],
    },
  ],
  [
    'tests move with the pattern',
    {
      'vitest.config.ts': [
        VITEST.replace('%', ''),
        VITEST.replace('%', '').replace('tests/**/*.test.ts', 'src/**/*.test.ts'),
      ],
      'tests/a.test.ts': ['it("a", () => {});', undefined],
      'src/a.test.ts': [undefined, 'it("a", () => {});'],
    },
  ],
  [
    'vitest leaves out outputs',
    part('vitest.config.ts', VITEST, '', "exclude: ['**/node_modules/**', '**/dist/**', '.next/**'],"),
  ],
  [
    'coverage leaves out tests',
    part(
      'vitest.config.ts',
      VITEST,
      "coverage: { exclude: ['dist/**'] },",
      "coverage: { exclude: ['dist/**', '**/*.test.ts', 'tests/**', '*.config.ts'] },",
    ),
  ],
  [
    'thresholds are raised and added',
    part(
      'vitest.config.ts',
      VITEST,
      'coverage: { thresholds: { lines: 80 } },',
      'coverage: { thresholds: { lines: 90, branches: 70 } },',
    ),
  ],
  [
    'the config of jest is written in TypeScript',
    {
      'jest.config.js': [JEST.replace('%', 'coverageThreshold: { global: { lines: 80 } },'), undefined],
      'jest.config.ts': [
        undefined,
        "import type { Config } from 'jest';\nconst config: Config = { testEnvironment: 'node', coverageThreshold: { global: { lines: 80 } } };\nexport default config;\n",
      ],
    },
  ],
  [
    'jest moves from package.json to a file',
    {
      'package.json': ['{"jest": {"coverageThreshold": {"global": {"lines": 80}}}}', '{}'],
      'jest.config.js': [undefined, JEST.replace('%', 'coverageThreshold: { global: { lines: 80 } },')],
    },
  ],
  [
    'a comment of a config contains the words',
    part('vitest.config.ts', VITEST, '', '// passWithNoTests: true, retry: 3\n'),
  ],
  ['a timeout is raised', part('vitest.config.ts', VITEST, 'testTimeout: 5000,', 'testTimeout: 20000,')],
  [
    'pytest is stricter',
    part(
      'pyproject.toml',
      PYPROJECT,
      'addopts = "-ra"',
      'addopts = "-ra --strict-markers -W error"\nxfail_strict = true',
    ),
  ],
  [
    'pytest gets another path',
    part('pyproject.toml', PYPROJECT.replace('["tests"]', '["tests"%]'), '', ', "integration"'),
  ],
  [
    'pytest.ini becomes pyproject.toml',
    {
      'pytest.ini': ['[pytest]\naddopts = -ra\nxfail_strict = true\n', undefined],
      'pyproject.toml': [
        '[project]\nname = "a"\n',
        '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-ra"\nxfail_strict = true\n',
      ],
    },
  ],
  [
    'flake8 becomes ruff',
    {
      'setup.cfg': ['[flake8]\nmax-line-length = 100\nignore = E203\n', '[metadata]\nname = a\n'],
      'pyproject.toml': [
        '[project]\nname = "a"\n',
        '[project]\nname = "a"\n[tool.ruff]\nline-length = 100\n[tool.ruff.lint]\nselect = ["E", "F"]\nignore = ["E203"]\n',
      ],
    },
  ],
  ['ruff selects more', part('ruff.toml', '[lint]\nselect = ["E", "F"%]\n', '', ', "UP"')],
  [
    'ruff allows assertions in tests',
    part('ruff.toml', '[lint]\nselect = ["S"]\n%', '', '[lint.per-file-ignores]\n"tests/*" = ["S101"]\n'),
  ],
  [
    'mypy is stricter',
    part('mypy.ini', '[mypy]\npython_version = 3.12\n%', '', 'strict = True\nwarn_unreachable = True\n'),
  ],
  [
    'options of mypy become strict',
    {
      'mypy.ini': [
        '[mypy]\ndisallow_untyped_defs = True\nwarn_return_any = True\n',
        '[mypy]\nstrict = True\n',
      ],
    },
  ],
  [
    'the build output moves',
    part(
      'tsconfig.json',
      '{"compilerOptions": {"strict": true, "outDir": "%1"}, "exclude": ["%1"]}'.replaceAll('%1', '%'),
      'build',
      'dist',
    ),
  ],
  [
    'options of the compiler become strict',
    part(
      'tsconfig.json',
      '{"compilerOptions": {%}}',
      '"noImplicitAny": true, "strictNullChecks": true',
      '"strict": true',
    ),
  ],
  [
    'the compiler gets a base',
    {
      'tsconfig.json': [
        '{"compilerOptions": {"strict": true, "noEmit": true}}',
        '{"extends": "./tsconfig.base.json", "compilerOptions": {"noEmit": true}}',
      ],
      'tsconfig.base.json': [undefined, '{"compilerOptions": {"strict": true}}'],
    },
  ],
  [
    'a config for the build is added',
    { 'tsconfig.build.json': [undefined, '{"extends": "./tsconfig.json", "exclude": ["**/*.test.ts"]}'] },
  ],
  [
    'a rule of eslint is replaced by that of a plugin',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace(
          "'no-unused-vars': 'error'",
          "'no-unused-vars': 'off', '@typescript-eslint/no-unused-vars': 'error'",
        ),
      ],
    },
  ],
  [
    'rules of eslint are stricter',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace(
          "'no-console': 'warn'",
          "'no-console': 'error', 'no-var': 'error'",
        ),
      ],
    },
  ],
  [
    'eslint gets a preset',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace(
          'js.configs.recommended,',
          'js.configs.recommended,\n  ...tseslint.configs.strict,',
        ),
      ],
    },
  ],
  [
    'eslint gets a flat config',
    {
      '.eslintrc.json': ['{"extends": ["eslint:recommended"], "rules": {"eqeqeq": "error"}}', undefined],
      'eslint.config.js': [
        undefined,
        "import js from '@eslint/js';\nexport default [js.configs.recommended, { rules: { eqeqeq: 'error' } }];\n",
      ],
    },
  ],
  [
    'eslint leaves out outputs',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace("['dist/']", "['dist/', 'coverage/', '.next/**', '**/*.d.ts']"),
      ],
    },
  ],
  [
    'eslint is formatted',
    {
      'eslint.config.js': [
        ESLINT.replace(' %', ' }'),
        ESLINT.replace(' %', ' }').replace(
          "rules: { 'no-unused-vars': 'error',",
          "rules: {\n      'no-unused-vars': [\n        'error',\n      ],",
        ),
      ],
    },
  ],
  [
    'a cop is enabled',
    part(
      '.rubocop.yml',
      'AllCops:\n  NewCops: enable\n%',
      '',
      'Style/FrozenStringLiteralComment:\n  Enabled: true\n',
    ),
  ],
  ['phpstan has a higher level', part('phpstan.neon', 'parameters:\n    level: %\n', '5', '8')],
  ['a linter is added', part('.golangci.yml', 'linters:\n  enable:\n    - errcheck\n%', '', '    - gosec\n')],
  [
    'lints are denied',
    part('Cargo.toml', '[package]\nname = "a"\n%', '', '[lints.clippy]\nunwrap_used = "deny"\n'),
  ],
  [
    'a crate gets a benchmark',
    part('Cargo.toml', '[package]\nname = "a"\n%', '', '[[bench]]\nname = "b"\nharness = false\n'),
  ],
  ['surefire gets a new version', part('pom.xml', POM, '', '<useModulePath>false</useModulePath>')],
  [
    'Gradle prints more',
    part('build.gradle', GRADLE, '', 'testLogging { events "passed", "skipped", "failed" }'),
  ],
  [
    'C# targets another framework',
    {
      'a.csproj': [
        CSPROJ.replace('%', ''),
        CSPROJ.replace('%', '<Nullable>enable</Nullable>').replace('net9.0', 'net10.0'),
      ],
    },
  ],
  [
    'a baseline shrinks',
    part(
      'phpstan-baseline.neon',
      'parameters:\n  ignoreErrors:\n    - message: "#a#"\n      count: 1\n%',
      '    - message: "#b#"\n      count: 1\n',
      '',
    ),
  ],
  ['git ignores outputs', part('.gitignore', 'dist\n%', '', 'coverage\n.env\n')],

  ['a gate is added', part('worktree.yaml', GATES, '', '  - npm run typecheck\n')],
  [
    'gates are renamed and in another order',
    {
      'worktree.yaml': [
        GATES.replace('%', ''),
        'verify:\n  - name: unit\n    run: npm test\n    timeout: 300\n  - name: style\n    run: npm run lint\n',
      ],
    },
  ],
  [
    'two gates become one',
    {
      'worktree.yaml': [
        'verify:\n  - npm run lint\n  - npm test\n',
        'verify:\n  - npm run lint && npm test\n',
      ],
    },
  ],
  [
    'a gate is stricter',
    {
      'worktree.yaml': [
        'verify:\n  - eslint .\n  - name: test\n    run: npm test || true\n    blocking: false\n',
        'verify:\n  - eslint . --max-warnings 0\n  - name: test\n    run: npm test\n',
      ],
    },
  ],
  [
    'a comment is added to the gates',
    part('worktree.yaml', GATES, '', '# blocking: false would only warn\n'),
  ],
  [
    'the settings get permissions',
    {
      '.claude/settings.json': [
        HOOKS(STOP),
        HOOKS(STOP).replace('{', '{ "permissions": { "deny": ["Read(.env)"] },'),
      ],
    },
  ],
  [
    'another hook is added',
    {
      '.claude/settings.json': [
        HOOKS(STOP),
        HOOKS(`${STOP}, { "hooks": [{ "type": "command", "command": "notify-send done" }] }`),
      ],
    },
  ],
  [
    'the hook starts the launcher',
    {
      '.claude/settings.json': [
        HOOKS(STOP),
        HOOKS(STOP.replace('npx ralph-loop hook', 'node .trellis/ralph-hook.cjs hook')),
      ],
    },
  ],
  [
    'a foreign hook is gone',
    {
      '.claude/settings.json': [
        HOOKS(`${STOP}, { "hooks": [{ "type": "command", "command": "prettier" }] }`),
        HOOKS(STOP),
      ],
    },
  ],

  [
    'binstubs of bundler are added',
    {
      'bin/rspec': [
        undefined,
        '#!/usr/bin/env ruby\nrequire "bundler/setup"\nload Gem.bin_path("rspec-core", "rspec")\n',
      ],
    },
  ],
  ['a page about pytest is added', { 'docs/pytest': [undefined, 'How we use pytest\n'] }],
  [
    'modules of the project get an alias',
    part('vitest.config.ts', VITEST, '', "alias: { '@': './src', config: './src/config.ts' },"),
  ],
  [
    'a module is installed from the workspace',
    part('package.json', '{"dependencies": {"shop-core": "%"}}', '^1.0.0', 'file:../core'),
  ],
  ['npm saves exact versions', part('.npmrc', 'engine-strict=true\n%', '', 'save-exact=true\n')],
  [
    'an environment file names a database',
    part('.env.example', 'PORT=1\n%', '', 'DATABASE_URL=postgres://localhost\n'),
  ],
  [
    'a hook of pytest adds a section to the report',
    part(
      'conftest.py',
      CONFTEST,
      '',
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    report = outcome.get_result()\n    if report.failed:\n        report.sections.append(("log", read_log()))\n',
    ),
  ],
  [
    'a hook of pytest sorts the tests',
    part(
      'conftest.py',
      CONFTEST,
      '',
      'def pytest_collection_modifyitems(items):\n    items.sort(key=lambda item: item.fspath)\n',
    ),
  ],
  [
    'a fixture is added',
    part('conftest.py', CONFTEST, '', '@pytest.fixture(autouse=True)\ndef clean(db):\n    db.clear()\n'),
  ],
  [
    'a text contains the words',
    part(
      'tests/test_cli.py',
      'def test_help():\n    assert "usage" in out\n%',
      '',
      '    assert "os._exit(0)" in source  # sys.exit(0)\n',
    ),
  ],
  [
    'a test expects an exit',
    part(
      'tests/test_cli.py',
      'import sys\n%',
      '',
      'def test_exit():\n    with pytest.raises(SystemExit):\n        sys.exit(0)\n',
    ),
  ],
  [
    'a setup file adds matchers',
    part(
      'tests/setup.ts',
      'export {};\n%',
      '',
      'expect.extend({ toBeWithin(value, low, high) { return { pass: value > low }; } });\n',
    ),
  ],
  [
    'a setup file restores mocks',
    part('vitest.setup.ts', 'export {};\n%', '', 'afterEach(() => { vi.restoreAllMocks(); });\n'),
  ],
  ['a program ends with 0', part('src/cli.ts', 'main();\n%', '', 'process.exit(0);\n')],
  [
    'a test stubs the exit',
    part(
      'tests/cli.test.ts',
      'import { main } from "./cli";\n%',
      '',
      "const exit = vi.spyOn(process, 'exit').mockImplementation(() => {});\nexpect(exit).toHaveBeenCalledWith(0);\n",
    ),
  ],
  [
    'TestMain prepares a database',
    part(
      'orders/main_test.go',
      'package orders\n\nfunc TestMain(m *testing.M) {\n\t%os.Exit(m.Run())\n}\n',
      '',
      'setup()\n\t',
    ),
  ],
  [
    'a helper of specs is configured',
    part(
      'spec/spec_helper.rb',
      'RSpec.configure do |config|\n%end\n',
      '',
      '  config.order = :random\n  config.filter_run_when_matching :focus\n',
    ),
  ],
  [
    'the workspace of Vitest becomes a list of projects',
    {
      'vitest.workspace.ts': ["export default ['packages/*'];\n", undefined],
      'vitest.config.ts': [
        'export default { test: { globals: true } };\n',
        "export default { test: { globals: true, projects: ['packages/*'] } };\n",
      ],
    },
  ],
  ['Jest gets a runner of a package', part('jest.config.js', JEST, '', "testRunner: 'jest-circus/runner',")],
  [
    'screenshots must differ less',
    part(
      'playwright.config.ts',
      PLAYWRIGHT,
      'expect: { toHaveScreenshot: { maxDiffPixels: 100 } },',
      'expect: { toHaveScreenshot: { maxDiffPixels: 10 } },',
    ),
  ],
  [
    'a limit of the size has another unit',
    part('package.json', '{ "size-limit": [{ "path": "dist/index.js", "limit": "%" }] }', '10 kB', '0.01 MB'),
  ],
  [
    'SimpleCov has a higher minimum, and leaves out tests',
    part(
      'spec/spec_helper.rb',
      'SimpleCov.start do\n  minimum_coverage %\nend\n',
      '80',
      '90\n  add_filter "/spec/"',
    ),
  ],
  [
    'options of a project go to the file for all projects',
    {
      'src/Shop/Shop.csproj': [
        CSPROJ.replace('%', '<Nullable>enable</Nullable><WarningLevel>9</WarningLevel>'),
        CSPROJ.replace('%', ''),
      ],
      'Directory.Build.props': [
        undefined,
        '<Project><PropertyGroup><Nullable>enable</Nullable><WarningLevel>9</WarningLevel></PropertyGroup></Project>',
      ],
    },
  ],
  [
    'scripts are split, and one runs all of them',
    scripts(
      { test: 'vitest run && playwright test' },
      {
        test: 'npm run test:unit && npm run test:e2e',
        'test:unit': 'vitest run',
        'test:e2e': 'playwright test',
      },
    ),
  ],
  [
    'a new program passes the status of the tests on',
    {
      ...scripts({ test: 'vitest run' }, { test: 'node scripts/test.mjs' }),
      'scripts/test.mjs': [
        undefined,
        "import { spawnSync } from 'node:child_process';\nprocess.exitCode = spawnSync('npx', ['vitest', 'run']).status ?? 1;\n",
      ],
    },
  ],
  [
    'Biome comes in place of ESLint and Prettier',
    scripts({ lint: 'eslint . && prettier --check .' }, { lint: 'biome check .' }),
  ],
  [
    'Ruff comes in place of Flake8, isort and Black',
    {
      Makefile: [
        'lint:\n\tflake8 app\n\tisort --check app\n\tblack --check app\n',
        'lint:\n\truff check app\n\truff format --check app\n',
      ],
    },
  ],
  [
    'a build has a configuration of its own, and the check has not',
    scripts(
      { build: 'tsc --noEmit && node build.js', typecheck: 'tsc --noEmit' },
      { build: 'tsc -p tsconfig.build.json', typecheck: 'tsc --noEmit' },
    ),
  ],
  [
    'a workflow does not start for documents',
    part(
      '.github/workflows/ci.yml',
      'on:\n  push:%\njobs:\n  test:\n    steps:\n      - run: npm test\n',
      '',
      "\n    paths-ignore: ['docs/**']",
    ),
  ],
  [
    'a workflow starts for code alone',
    part(
      '.github/workflows/ci.yml',
      'on:\n  push:%\njobs:\n  test:\n    steps:\n      - run: npm test\n',
      '',
      "\n    paths: ['src/**', 'tests/**', 'package.json', '.github/workflows/**']",
    ),
  ],
  [
    'a file has the name of a target that needs no file',
    {
      Makefile: ['.PHONY: test\ntest:\n\tpytest\n', '.PHONY: test\ntest:\n\tpytest\n'],
      test: [undefined, 'done\n'],
    },
  ],
  [
    'the shell of make is bash',
    { Makefile: ['test:\n\tpytest\n', 'SHELL := /usr/bin/env bash\ntest:\n\tpytest\n'] },
  ],
  [
    'a run in the background is waited for with its status',
    scripts({ test: 'vitest run' }, { test: 'vitest run & wait $!' }),
  ],
  [
    'a workflow starts for tags, too',
    part(
      '.github/workflows/ci.yml',
      'on:\n  push:\n    branches: [main]%\njobs:\n  test:\n    steps:\n      - run: npm test\n',
      '',
      "\n    tags: ['v*']",
    ),
  ],
  [
    'Turborepo starts the scripts of all packages',
    scripts(
      { test: 'npm test --workspaces', lint: 'npm run lint --workspaces' },
      { test: 'turbo run test', lint: 'turbo run lint' },
    ),
  ],
  [
    'a new assertion of Lighthouse is off',
    part(
      'lighthouserc.json',
      '{ "ci": { "assert": { "assertions": { % } } } }',
      '',
      '"categories:pwa": "off"',
    ),
  ],
];

describe('the rules of configuration', () => {
  it.each(TAMPERS)('finds that %s', async (_, rule, files) => {
    const found = await findWeakened(changeOf(files), { integrity: 'block' });
    expect(found.map((each) => each.rule)).toContain(rule);
  });

  it.each(HONEST)('finds nothing where %s', async (_, files) => {
    const found = await findWeakened(changeOf(files), { integrity: 'block' });
    expect(found.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });

  it('reports the line and what became weaker, in a sentence that makes sense alone', async () => {
    expect(
      await findWeakened(changeOf(scripts({ test: 'vitest run' }, { test: 'vitest run || true' })), {
        integrity: 'block',
      }),
    ).toEqual([
      {
        rule: 'failure-ignored',
        severity: 'high',
        path: 'package.json',
        line: 4,
        message: '`vitest run` can fail without notice: `|| true` (script test)',
      },
    ]);
  });
});

describe('findReplacedTools', () => {
  const SHIM = '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node "$basedir/../vitest/vitest.mjs" "$@"\n';

  it.each([
    ['a link to the package', '../vitest/vitest.mjs', undefined, 0],
    ['what pnpm writes', undefined, SHIM, 0],
    ['nothing', undefined, undefined, 0],
    ['a file', undefined, '#!/bin/sh\necho "12 passed"\n', 1],
    ['a link out of node_modules', '../../tools/fake-vitest', undefined, 1],
  ])('knows a replaced program in node_modules/.bin: %s', (_, link, text, count) => {
    const texts: Record<string, Text> = {
      'package.json': '{"scripts": {"test": "vitest run"}}',
      'node_modules/.bin/vitest': text,
    };
    const found = findReplacedTools({
      changes: [],
      read: (path) => texts[path],
      readLink: (path) => (path.endsWith('/vitest') ? link : undefined),
    });
    expect(found.map(({ rule, path }) => [rule, path])).toEqual(
      Array(count).fill(['tool-shadowed', 'node_modules/.bin/vitest']),
    );
  });
});
