// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are as GitHub writes them
// Variants of the classes in config.test.ts that nobody listed: other spellings, other tools, other places.

import { expect, it } from 'vitest';
import { findWeakened } from '../../../../src/integrity/find.ts';

type Files = Record<string, [string | undefined, string | undefined]>;
const run = (f: Files) =>
  findWeakened(
    {
      changes: Object.entries(f).map(([path, [before, after]]) => ({ path, before, after })),
      read: (p) => f[p]?.[1],
    },
    { integrity: 'block' },
  );
const s = (a: object, b: object): Files => ({
  'package.json': [JSON.stringify({ scripts: a }, null, 1), JSON.stringify({ scripts: b }, null, 1)],
});
const y = (body: string) =>
  `on: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm ci\n${body}`;
const w = (a: string, b: string): Files => ({ '.github/workflows/ci.yml': [y(a), y(b)] });
const TAMPERS: readonly (readonly [string, Files])[] = [
  ['or exit', s({ test: 'jest' }, { test: 'jest || exit 0' })],
  ['node -e', s({ test: 'jest' }, { test: 'node -e "process.exit(0)"' })],
  ['node -e after', s({ test: 'jest' }, { test: 'jest || node -e "process.exit(0)"' })],
  ['noop script', s({ test: 'jest' }, { test: ':' })],
  ['empty script', s({ test: 'jest' }, { test: '' })],
  ['run-s', s({ all: 'run-s lint test' }, { all: 'run-s lint' })],
  ['env skip', s({ test: 'jest' }, { test: 'cross-env SKIP_E2E=1 jest' })],
  ['timeout', s({ test: 'jest' }, { test: 'timeout 1 jest || true' })],
  ['config other', s({ test: 'jest' }, { test: 'jest --config jest.smoke.config.js' })],
  ['tap', s({ test: 'tap' }, { test: 'tap --no-check-coverage --allow-empty-coverage || true' })],
  ['eslint quiet rule', s({ lint: 'eslint . --max-warnings=0' }, { lint: 'eslint . --max-warnings=100' })],
  ['eslint warn exit', s({ lint: 'eslint .' }, { lint: 'eslint . ; echo done' })],
  ['pipe', s({ typecheck: 'tsc --noEmit' }, { typecheck: 'tsc --noEmit | head -5' })],
  ['pretest removed', s({ pretest: 'npm run lint', test: 'jest' }, { test: 'jest' })],
  ['concurrently', s({ check: 'concurrently "npm:lint" "npm:test"' }, { check: 'concurrently "npm:lint"' })],
  ['turbo', s({ check: 'turbo run lint test' }, { check: 'turbo run lint' })],
  ['turbo filter', s({ test: 'turbo run test' }, { test: 'turbo run test --filter=web' })],
  ['lerna', s({ test: 'pnpm -r test' }, { test: 'pnpm --filter web test' })],
  ['workspace', s({ test: 'npm test --workspaces' }, { test: 'npm test --workspace=web' })],
  [
    'if-present',
    s({ test: 'npm run test --workspaces' }, { test: 'npm run test --workspaces --if-present' }),
  ],
  [
    'multi-line set +e',
    w(
      '      - run: |\n          npm test\n',
      '      - run: |\n          set +e\n          npm test\n          exit 0\n',
    ),
  ],
  ['or echo', w('      - run: npm test\n', '      - run: npm test || echo "::warning::tests failed"\n')],
  [
    'if failure',
    w(
      '      - run: npm test\n',
      "      - run: npm test\n        if: github.event_name == 'workflow_dispatch'\n",
    ),
  ],
  ['echo instead', w('      - run: npm test\n', '      - run: echo "npm test"\n')],
  ['commented', w('      - run: npm test\n', '      # - run: npm test\n')],
  ['shell', w('      - run: npm test\n', '      - run: npm test\n        shell: bash {0} || true\n')],
  [
    'job if',
    {
      '.github/workflows/ci.yml': [
        y('      - run: npm test\n'),
        y('      - run: npm test\n').replace('    runs-on', '    if: false\n    runs-on'),
      ],
    },
  ],
  [
    'matrix experimental',
    w('      - run: npm test\n', '      - run: npm test\n        continue-on-error: ${{ true }}\n'),
  ],
  [
    'github path',
    w('      - run: npm test\n', '      - run: echo "$PWD/tools" >> $GITHUB_PATH\n      - run: npm test\n'),
  ],
  ['makefile var', { Makefile: ['test:\n\tpytest\n', 'PYTEST ?= true\ntest:\n\t$(PYTEST)\n'] }],
  ['makefile or', { Makefile: ['test:\n\t@pytest\n', 'test:\n\t@pytest || (echo fail; true)\n'] }],
  ['makefile ;', { Makefile: ['test:\n\tpytest\n', 'test:\n\tpytest; true\n'] }],
  [
    'makefile dep',
    {
      Makefile: [
        'check: lint test\nlint:\n\truff check .\ntest:\n\tpytest\n',
        'check: lint\nlint:\n\truff check .\ntest:\n\tpytest\n',
      ],
    },
  ],
  [
    'vitest project',
    {
      'vitest.config.ts': [
        "export default { test: { projects: ['packages/*'] } }",
        "export default { test: { projects: ['packages/ui'] } }",
      ],
    },
  ],
  [
    'vitest inline',
    {
      'vite.config.ts': [
        "import {defineConfig} from 'vite'; export default defineConfig(({mode}) => ({ plugins: [], test: { globals: true } }))",
        "import {defineConfig} from 'vite'; export default defineConfig(({mode}) => ({ plugins: [], test: { globals: true, exclude: ['**/orders.test.ts'] } }))",
      ],
    },
  ],
  [
    'vitest grep',
    {
      'vitest.config.ts': [
        'export default { test: {} }',
        "export default { test: { testNamePattern: 'smoke' } }",
      ],
    },
  ],
  [
    'vitest const',
    {
      'vitest.config.ts': [
        "const exclude = ['dist/**'];\nexport default { test: { exclude } }",
        "const exclude = ['dist/**', 'tests/orders/**'];\nexport default { test: { exclude } }",
      ],
    },
  ],
  [
    'vitest bailout',
    {
      'vitest.config.ts': [
        'export default { test: { coverage: { thresholds: { lines: 90 } } } }',
        'export default { test: { coverage: { enabled: false } } }',
      ],
    },
  ],
  [
    'mocha opts',
    {
      '.mocharc.cjs': [
        "module.exports = { spec: ['test/**/*.js'] }",
        "module.exports = { spec: ['test/**/*.js'], grep: 'smoke' }",
      ],
    },
  ],
  [
    'mocha ignore',
    {
      'package.json': [
        '{"mocha": {"spec": "test"}}',
        '{"mocha": {"spec": "test", "ignore": ["test/orders.js"]}}',
      ],
    },
  ],
  [
    'pytest toml list',
    {
      'pyproject.toml': [
        '[tool.pytest.ini_options]\naddopts = ["-ra"]\n',
        '[tool.pytest.ini_options]\naddopts = ["-ra", "--ignore=tests/orders"]\n',
      ],
    },
  ],
  [
    'pytest cov',
    {
      'pyproject.toml': [
        '[tool.pytest.ini_options]\naddopts = "--cov-fail-under=90"\n',
        '[tool.pytest.ini_options]\naddopts = "--cov-fail-under=10"\n',
      ],
    },
  ],
  [
    'pytest files',
    { 'pytest.ini': ['[pytest]\npython_files = test_*.py\n', '[pytest]\npython_files = smoke_*.py\n'] },
  ],
  [
    'tsconfig lib',
    {
      'tsconfig.json': [
        '{"compilerOptions":{"strict":true},"include":["src/**/*"]}',
        '{"compilerOptions":{"strict":true},"include":["src/index.ts"]}',
      ],
    },
  ],
  [
    'tsconfig files',
    {
      'tsconfig.json': [
        '{"compilerOptions":{"strict":true}}',
        '{"compilerOptions":{"strict":true},"files":["src/a.ts"]}',
      ],
    },
  ],
  [
    'tsconfig noCheck',
    {
      'tsconfig.json': [
        '{"compilerOptions":{"strict":true}}',
        '{"compilerOptions":{"strict":true,"noCheck":true}}',
      ],
    },
  ],
  ['strict removed', { 'tsconfig.json': ['{"compilerOptions":{"strict":true}}', '{"compilerOptions":{}}'] }],
  ['eslintrc json', { '.eslintrc': ['{"rules":{"no-undef":2}}', '{"rules":{"no-undef":0}}'] }],
  [
    'eslintrc removed rule',
    { '.eslintrc.json': ['{"rules":{"no-undef":"error","eqeqeq":"error"}}', '{"rules":{"eqeqeq":"error"}}'] },
  ],
  [
    'eslint off new',
    {
      'eslint.config.mjs': [
        "export default [{rules:{eqeqeq:'error'}}]",
        "export default [{rules:{eqeqeq:'error', 'no-undef': 'off'}}]",
      ],
    },
  ],
  [
    'eslint block',
    {
      'eslint.config.mjs': [
        "export default [{rules:{eqeqeq:'error'}}]",
        "export default [{rules:{eqeqeq:'error'}}, {files: ['src/orders.js'], rules: {eqeqeq: 0}}]",
      ],
    },
  ],
  [
    'oxlint',
    { '.oxlintrc.json': ['{"categories":{"correctness":"error"}}', '{"categories":{"correctness":"off"}}'] },
  ],
  [
    'stylelint null',
    {
      '.stylelintrc.json': [
        '{"rules":{"color-no-invalid-hex":true}}',
        '{"rules":{"color-no-invalid-hex":null}}',
      ],
    },
  ],
  ['prettierignore', { '.prettierignore': ['dist\n', 'dist\nsrc\n'] }],
  [
    'ruff toml exclude',
    {
      'pyproject.toml': [
        '[tool.ruff]\nline-length=100\n',
        '[tool.ruff]\nline-length=100\nextend-exclude=["orders"]\n',
      ],
    },
  ],
  [
    'mypy ini disable',
    { 'mypy.ini': ['[mypy]\nstrict = True\n', '[mypy]\nstrict = True\ndisable_error_code = arg-type\n'] },
  ],
  [
    'mypy exclude',
    { 'pyproject.toml': ['[tool.mypy]\nstrict=true\n', '[tool.mypy]\nstrict=true\nexclude=["orders/"]\n'] },
  ],
  [
    'gradle kts ignoring',
    {
      'build.gradle.kts': [
        'tasks.withType<Test> {\n  useJUnitPlatform()\n}\n',
        'tasks.withType<Test> {\n  useJUnitPlatform()\n  ignoreFailures = true\n}\n',
      ],
    },
  ],
  [
    'gradle onlyIf',
    {
      'build.gradle': [
        'test {\n useJUnitPlatform()\n}\n',
        'test {\n useJUnitPlatform()\n onlyIf { false }\n}\n',
      ],
    },
  ],
  [
    'pom prop',
    {
      'pom.xml': [
        '<project><properties><a>1</a></properties></project>',
        '<project><properties><a>1</a><skipTests>true</skipTests></properties></project>',
      ],
    },
  ],
  [
    'pom prop2',
    {
      'pom.xml': [
        '<project><properties><a>1</a></properties></project>',
        '<project><properties><a>1</a><maven.test.skip>true</maven.test.skip></properties></project>',
      ],
    },
  ],
  [
    'csproj compile remove',
    {
      'T.csproj': [
        '<Project><ItemGroup></ItemGroup></Project>',
        '<Project><ItemGroup><Compile Remove="OrdersTests.cs" /></ItemGroup></Project>',
      ],
    },
  ],
  [
    'csproj test project',
    {
      'T.csproj': [
        '<Project><PropertyGroup><IsTestProject>true</IsTestProject></PropertyGroup></Project>',
        '<Project><PropertyGroup><IsTestProject>false</IsTestProject></PropertyGroup></Project>',
      ],
    },
  ],
  [
    'rubocop exclude all',
    {
      '.rubocop.yml': [
        'AllCops:\n  NewCops: enable\n',
        'AllCops:\n  NewCops: enable\n  Exclude:\n    - "lib/orders/**/*"\n',
      ],
    },
  ],
  [
    'golangci disable',
    {
      '.golangci.yml': [
        'linters:\n  enable: [errcheck, gosec]\n',
        'linters:\n  enable: [gosec]\n  disable: [errcheck]\n',
      ],
    },
  ],
  [
    'golangci code',
    { '.golangci.yml': ['run:\n  timeout: 5m\n', 'run:\n  timeout: 5m\n  issues-exit-code: 0\n'] },
  ],
  [
    'jenkins || true',
    {
      Jenkinsfile: [
        "node { stage('t') { sh 'make test' } }",
        "node { stage('t') { sh 'make test || true' } }",
      ],
    },
  ],
  [
    'conftest sys.exit',
    {
      'conftest.py': [
        'import sys\n',
        'import sys\nimport atexit, os\natexit.register(lambda: os._exit(0))\n',
      ],
    },
  ],
  [
    'conftest report',
    {
      'conftest.py': [
        '',
        'def pytest_report_teststatus(report):\n    report.outcome = "passed"\n    return "passed", ".", "PASSED"\n',
      ],
    },
  ],
  [
    'conftest call',
    {
      'conftest.py': [
        '',
        'import pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_call(item):\n    try:\n        yield\n    except Exception:\n        pass\n',
      ],
    },
  ],
  [
    'gate env NODE_OPTIONS',
    {
      'worktree.yaml': [
        'verify:\n  - name: t\n    run: npm test\n',
        'verify:\n  - name: t\n    run: npm test\n    env: { NODE_OPTIONS: "--require ./tools/pass.js" }\n',
      ],
    },
  ],
  ['gate narrowed', { 'worktree.yaml': ['verify:\n  - pytest\n', 'verify:\n  - pytest tests/smoke\n'] }],
  [
    'gate paths',
    {
      'worktree.yaml': [
        'verify:\n  - name: t\n    run: pytest\n    paths: ["src/**", "tests/**"]\n',
        'verify:\n  - name: t\n    run: pytest\n    paths: ["tests/**"]\n',
      ],
    },
  ],
  [
    'gate broken yaml',
    { 'worktree.yaml': ['verify:\n  - name: t\n    run: pytest\n', 'verify:\n  - name: t\n    run: [\n'] },
  ],
  ['nested key', { 'worktree.yaml': ['verify:\n  - pytest\n', 'verifyx:\n  - pytest\n'] }],
  [
    'npm script gate rename',
    { 'worktree.yaml': ['verify:\n  - npm test\n', 'verify:\n  - npm run build\n'] },
  ],
  ['py path', { 'tests/unittest.py': [undefined, 'x'], 'pytest/__init__.py': [undefined, 'x'] }],
  [
    'js reporter',
    {
      'tests/reporter.ts': [
        'export default class {}',
        'export default class { onFinished(files) { process.exitCode = 0 } }',
      ],
    },
  ],
  [
    'process.exit override',
    {
      'vitest.setup.ts': [
        '',
        'process.exit = () => {}\nprocess.on("beforeExit", () => { process.exitCode = 0 })',
      ],
    },
  ],
  ['env setup it skip', { 'jest.setup.js': ['', 'global.test = test.skip; global.it = it.skip;'] }],
  // Settings of tools that no row names, by what their names say
  ['a floor of mutants', { 'infection.json5': ['{ "minMsi": 80 }', '{ "minMsi": 10 }'] }],
  [
    'a floor that is gone',
    { 'infection.json5': ['{ "minMsi": 80, "minCoveredMsi": 9 }', '{ "minMsi": 80 }'] },
  ],
  [
    'a switch that fails',
    {
      'jasmine.json': [
        '{"env":{"failSpecWithNoExpectations":true}}',
        '{"env":{"failSpecWithNoExpectations":false}}',
      ],
    },
  ],
  [
    'a switch that was on by default',
    {
      'package.json': [
        '{"ava":{"files":["test"]}}',
        '{"ava":{"files":["test"],"failWithoutAssertions":false}}',
      ],
    },
  ],
  ['a switch that allows', { '.taprc': ['jobs: 2\n', 'jobs: 2\nallow-incomplete-coverage: true\n'] }],
  [
    'what is ignored',
    { 'knip.json': ['{"entry":["a.ts"]}', '{"entry":["a.ts"],"ignoreDependencies":["lodash"]}'] },
  ],
  [
    'a filter of tests',
    {
      'a.runsettings': [
        '<R><C><A>1</A></C></R>',
        '<R><C><A>1</A><TestCaseFilter>Category=Smoke</TestCaseFilter></C></R>',
      ],
    },
  ],
  ['retries', { '.config/nextest.toml': ['[profile.ci]\n', '[profile.ci]\nretries = 5\n'] }],
  [
    'a threshold of coverage',
    { 'bunfig.toml': ['[test]\ncoverageThreshold = 0.9\n', '[test]\ncoverageThreshold = 0.3\n'] },
  ],
  [
    'an input of an action',
    w(
      '      - uses: a/b@v1\n        with:\n          fail_ci_if_error: true\n',
      '      - uses: a/b@v1\n        with:\n          fail_ci_if_error: false\n',
    ),
  ],
  [
    'a limit in a rule',
    { '.eslintrc.json': ['{"rules":{"complexity":["error",8]}}', '{"rules":{"complexity":["error",80]}}'] },
  ],
  [
    'rules of messages',
    {
      'commitlint.config.js': [
        'module.exports = { rules: { "type-enum": [2] } };',
        'module.exports = { rules: { "type-enum": [0] } };',
      ],
    },
  ],
  ['an ignore file of any tool', { '.semgrepignore': ['dist\n', 'dist\nsrc/billing\n'] }],
  [
    'known warnings in XML',
    { 'config/suppressions.xml': ['<s>\n</s>', '<s>\n<suppress checks=".*" files="bank.*"/>\n</s>'] },
  ],
  ['known warnings of brakeman', { 'config/brakeman.ignore': ['{\n}', '{\n"fingerprint": "a1"\n}'] }],
  [
    'all modules are mocked',
    { 'jest.config.js': ['module.exports = {};', 'module.exports = { automock: true };'] },
  ],
  // Runs whose errors do not count
  ['errors of a page', { 'cypress/support/e2e.ts': ['', 'Cypress.on("uncaught:exception", () => false);'] }],
  [
    'unhandled errors',
    {
      'vitest.config.ts': [
        'export default { test: {} };',
        'export default { test: { onUnhandledError: () => false } };',
      ],
    },
  ],
  [
    'a loader without tests',
    {
      'tests/test_a.py': [
        'import unittest\n',
        'import unittest\n\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n',
      ],
    },
  ],
  [
    'main without an exit code',
    { 'tests/test_a.py': ['import unittest\n', 'import unittest\n\nunittest.main(exit=False)\n'] },
  ],
  [
    'a runner of Django',
    {
      'shop/runner.py': [
        undefined,
        'class R(DiscoverRunner):\n    def suite_result(self, suite, result):\n        return 0\n',
      ],
    },
  ],
  [
    'an exit function in a hook',
    { 'conftest.py': [undefined, 'import atexit\nimport os\n\natexit.register(os._exit, 0)\n'] },
  ],
  [
    'an extension that prints',
    {
      'src/test/java/T.java': [
        undefined,
        'class T implements E {\n  public void handleTestExecutionException(C c, Throwable throwable) {\n    print(throwable);\n  }\n}\n',
      ],
    },
  ],
  [
    'a dry run of RSpec',
    {
      'spec/spec_helper.rb': [
        'RSpec.configure do |c|\nend\n',
        'RSpec.configure do |c|\n  c.dry_run = true\nend\n',
      ],
    },
  ],
  [
    'a subject that is mapped to a stub',
    {
      'jest.config.js': [
        'module.exports = {};',
        'module.exports = { moduleNameMapper: { "^.*/src/slug$": "<rootDir>/test/stubs/slug.ts" } };',
      ],
    },
  ],
  [
    'another configuration',
    {
      ...s({ types: 'tsc --noEmit -p tsconfig.json' }, { types: 'tsc --noEmit -p tsconfig.loose.json' }),
      'tsconfig.json': ['{"compilerOptions":{"strict":true}}', '{"compilerOptions":{"strict":true}}'],
      'tsconfig.loose.json': [undefined, '{"compilerOptions":{"strict":false}}'],
    },
  ],
  [
    'a matrix that loses a system',
    {
      '.github/workflows/ci.yml': [
        'on: push\njobs:\n  t:\n    strategy:\n      matrix:\n        os: [ubuntu-latest, windows-latest]\n    steps:\n      - run: npm test\n',
        'on: push\njobs:\n  t:\n    strategy:\n      matrix:\n        os: [ubuntu-latest]\n    steps:\n      - run: npm test\n',
      ],
    },
  ],
  [
    'a release that no longer waits',
    {
      '.github/workflows/ci.yml': [
        'on: push\njobs:\n  t:\n    steps:\n      - run: npm test\n  publish:\n    needs: [t]\n    steps:\n      - run: npm publish\n',
        'on: push\njobs:\n  t:\n    steps:\n      - run: npm test\n  publish:\n    steps:\n      - run: npm publish\n',
      ],
    },
  ],
  [
    'an expression that lets a step fail',
    w(
      '      - run: npm test\n',
      '      - run: npm test\n        continue-on-error: ${{ matrix.node >= 20 }}\n',
    ),
  ],
  [
    'no branch that starts a workflow',
    {
      '.github/workflows/ci.yml': [
        'on:\n  push:\njobs:\n  t:\n    steps:\n      - run: npm test\n',
        'on:\n  push:\n    branches-ignore: ["**"]\njobs:\n  t:\n    steps:\n      - run: npm test\n',
      ],
    },
  ],
  [
    'sources that start no workflow',
    {
      '.github/workflows/ci.yml': [
        'on:\n  push:\njobs:\n  t:\n    steps:\n      - run: npm test\n',
        'on:\n  push:\n    paths-ignore: ["src/**"]\njobs:\n  t:\n    steps:\n      - run: npm test\n',
      ],
    },
  ],
  [
    'a version that may fail',
    {
      '.travis.yml': [
        'script: npm test\n',
        'script: npm test\njobs:\n  allow_failures:\n    - node_js: 20\n',
      ],
    },
  ],
  [
    'a task that is always up to date',
    {
      'Taskfile.yml': [
        'tasks:\n  test:\n    cmds:\n      - go test ./...\n',
        "tasks:\n  test:\n    status:\n      - 'true'\n    cmds:\n      - go test ./...\n",
      ],
    },
  ],
  [
    'a variable of make that prints',
    {
      Makefile: [
        'PYTEST ?= pytest -q\n\ntest:\n\t$(PYTEST)\n',
        'PYTEST = @echo pytest -q\n\ntest:\n\t$(PYTEST)\n',
      ],
    },
  ],
  [
    'a second recipe of a target',
    { Makefile: ['test:\n\tpytest\n', 'test:\n\tpytest\n\ntest:\n\t@echo skipped\n'] },
  ],
  [
    'a recipe on a condition',
    { Makefile: ['test:\n\tpytest\n', 'test:\nifdef RUN_TESTS\n\tpytest\nendif\n'] },
  ],
  [
    'a function of the shell in place of a tool',
    { 'ci.sh': ['set -e\nnpm test\n', 'set -e\nnpm() { command npm "$@" || return 0; }\nnpm test\n'] },
  ],
  [
    'an early end with success',
    { 'ci.sh': ['set -e\nnpm test\n', 'set -e\nif [ -n "$CI" ]; then exit 0; fi\nnpm test\n'] },
  ],
  ['a program that prints a text', s({ test: 'jest' }, { test: `jest || node -p "'flaky'"` })],
  ['a formatter that writes', s({ format: 'prettier --check .' }, { format: 'prettier --write .' })],
  [
    'a run without types',
    { 'deno.json': ['{"tasks":{"test":"deno test"}}', '{"tasks":{"test":"deno test --no-check"}}'] },
  ],
  [
    'a block that takes the status',
    {
      Rakefile: [
        'task :test do\n  sh "ruby -Itest test/all.rb"\nend\n',
        'task :test do\n  sh "ruby -Itest test/all.rb" do |ok, _|\n    puts "failed" unless ok\n  end\nend\n',
      ],
    },
  ],
  [
    'a session that skips',
    {
      'noxfile.py': [
        'def tests(session):\n    session.run("pytest")\n',
        'def tests(session):\n    session.skip("slow")\n    session.run("pytest")\n',
      ],
    },
  ],
  [
    'a branch that nobody has',
    {
      '.gitlab-ci.yml': [
        'test:\n  script:\n    - pytest\n',
        'test:\n  only:\n    - never\n  script:\n    - pytest\n',
      ],
    },
  ],
  [
    'tasks that no longer run before',
    { 'turbo.json': ['{"tasks":{"test":{"dependsOn":["lint"]}}}', '{"tasks":{"test":{"dependsOn":[]}}}'] },
  ],
  [
    'a job that no workflow starts',
    {
      '.circleci/config.yml': [
        'workflows:\n  main:\n    jobs: [test, build]\n',
        'workflows:\n  main:\n    jobs: [build]\n',
      ],
    },
  ],
  [
    'a task that check does not start',
    {
      'build.gradle': [
        "tasks.named('check') {\n    dependsOn 'integrationTest', 'detekt'\n}\n",
        "tasks.named('check') {\n}\n",
      ],
    },
  ],
  [
    'a severity that is lower',
    {
      '.dependency-cruiser.json': [
        '{"forbidden":[{"name":"a","severity":"error"}]}',
        '{"forbidden":[{"name":"a","severity":"info"}]}',
      ],
    },
  ],
  [
    'a condition of two numbers',
    {
      'azure-pipelines.yml': [
        'steps:\n  - script: npm test\n',
        'steps:\n  - script: npm test\n    condition: eq(1, 2)\n',
      ],
    },
  ],
  [
    'a service that cannot fail',
    {
      'docker-compose.yml': [
        'services:\n  test:\n    command: npm test\n',
        'services:\n  test:\n    command: sh -c "npm test || true"\n',
      ],
    },
  ],
];
const HONEST: readonly (readonly [string, Files])[] = [
  [
    'docker test cmds',
    s({ test: 'docker compose run --rm app npm test' }, { test: 'docker compose run --rm -T app npm test' }),
  ],
  ['vitest to --run', s({ test: 'vitest' }, { test: 'vitest --run --reporter=dot' })],
  ['add types script', s({ test: 'jest' }, { test: 'jest', typecheck: 'tsc --noEmit' })],
  ['lint fix', s({ lint: 'eslint .' }, { lint: 'eslint .', 'lint:fix': 'eslint . --fix || true' })],
  ['lint cache', s({ lint: 'eslint . --ext .js,.ts' }, { lint: 'eslint . --ext .js,.ts,.tsx --cache' })],
  ['build to vite', s({ build: 'tsc && webpack' }, { build: 'tsc -b && vite build' })],
  ['build esbuild', s({ build: 'tsc' }, { build: 'esbuild src/index.ts --bundle' })],
  ['prettier added', s({ lint: 'eslint .' }, { lint: 'eslint . && prettier --check .' })],
  [
    'start server',
    s({ e2e: 'playwright test' }, { e2e: 'start-server-and-test dev 3000 "playwright test"' }),
  ],
  ['e2e project', s({ e2e: 'playwright test' }, { e2e: 'playwright test --workers=2 --reporter=list' })],
  ['jest → jest ci', s({ test: 'jest' }, { test: 'jest --ci --coverage', 'test:watch': 'jest --watch' })],
  ['husky', s({ prepare: 'husky install' }, { prepare: 'husky || true' })],
  ['postinstall', s({ postinstall: 'patch-package' }, { postinstall: 'patch-package || true' })],
  ['mono', s({ test: 'lerna run test' }, { test: 'turbo run test' })],
  ['mono2', s({ test: 'npm run test --workspaces' }, { test: 'pnpm -r test' })],
  [
    'node flags',
    s(
      { test: 'NODE_OPTIONS=--experimental-vm-modules jest' },
      { test: 'NODE_OPTIONS="--experimental-vm-modules --max-old-space-size=4096" jest' },
    ),
  ],
  ['test glob quoting', s({ test: 'mocha test/**/*.js' }, { test: "mocha 'test/**/*.js'" })],
  ['test ext', s({ test: 'mocha "test/**/*.js"' }, { test: 'mocha -r ts-node/register "test/**/*.ts"' })],
  [
    'python dirs',
    {
      Makefile: [
        'lint:\n\tflake8 src\n\tblack --check src\ntest:\n\tpytest\n',
        'lint:\n\truff check .\n\truff format --check .\ntest:\n\tuv run pytest\n',
      ],
    },
  ],
  ['make var', { Makefile: ['test:\n\tgo test ./...\n', 'GO ?= go\ntest:\n\t$(GO) test ./...\n'] }],
  [
    'make order',
    {
      Makefile: [
        'lint:\n\teslint .\ntest:\n\tjest\n',
        '.PHONY: lint test help\nhelp:\n\t@grep -E "^[a-z]" Makefile || true\ntest:\n\tjest\nlint:\n\teslint .\n',
      ],
    },
  ],
  [
    'ci node matrix',
    w(
      '      - run: npm test\n',
      '      - run: npm test\n        env:\n          CI: true\n        timeout-minutes: 10\n',
    ),
  ],
  [
    'ci rename',
    w(
      '      - name: t\n        run: npm test\n',
      '      - name: Run the tests\n        id: t\n        run: npm test -- --reporter=github-actions\n',
    ),
  ],
  [
    'ci add coverage',
    w('      - run: npm test\n', '      - run: npm test -- --coverage\n      - run: npx codecov || true\n'),
  ],
  [
    'ci lint combined',
    w(
      '      - run: npm run lint\n      - run: npm test\n',
      '      - run: |\n          npm run lint\n          npm test\n',
    ),
  ],
  [
    'ci check combined',
    w('      - run: npm run lint\n      - run: npm test\n', '      - run: npm run lint && npm test\n'),
  ],
  ['ci if os', w('      - run: npm test\n', "      - run: npm test\n        if: matrix.os != 'windows'\n")],
  [
    'ci step removed that checks nothing',
    w('      - run: npm run build\n      - run: npm test\n', '      - run: npm test\n'),
  ],
  [
    'ci paths',
    {
      '.github/workflows/ci.yml': [
        y('      - run: npm test\n'),
        y('      - run: npm test\n').replace(
          'on: [push]',
          'on:\n  push:\n    branches: [main]\n    paths-ignore: ["docs/**"]\n  pull_request:',
        ),
      ],
    },
  ],
  [
    'gh py',
    {
      '.github/workflows/py.yml': [
        'on: push\njobs:\n  t:\n    steps:\n      - run: pip install -r r.txt\n      - run: pytest\n',
        'on: push\njobs:\n  t:\n    steps:\n      - uses: astral-sh/setup-uv@v5\n      - run: uv sync\n      - run: uv run pytest --cov\n',
      ],
    },
  ],
  [
    'gh go',
    {
      '.github/workflows/go.yml': [
        'on: push\njobs:\n  t:\n    steps:\n      - run: go vet ./... && go test ./...\n',
        'on: push\njobs:\n  lint:\n    steps:\n      - run: go vet ./...\n      - uses: golangci/golangci-lint-action@v6\n  t:\n    steps:\n      - run: go test -race -coverprofile=c.out ./...\n',
      ],
    },
  ],
  ['gh to make', w('      - run: npm run lint\n      - run: npm test\n', '      - run: make lint test\n')],
  [
    'gitlab reports',
    {
      '.gitlab-ci.yml': [
        'test:\n  script:\n    - pytest\n',
        'test:\n  stage: verify\n  script:\n    - pytest --junitxml=report.xml\n  artifacts:\n    when: always\n    reports:\n      junit: report.xml\n',
      ],
    },
  ],
  [
    'vitest environment',
    {
      'vitest.config.ts': [
        'export default { test: { globals: true } }',
        "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { globals: true, environment: 'jsdom', setupFiles: ['./tests/setup.ts'], include: ['src/**/*.test.{ts,tsx}'], coverage: { provider: 'v8', reporter: ['text'] } } })",
      ],
    },
  ],
  [
    'vitest workspace',
    {
      'vitest.config.ts': [
        "export default { test: { include: ['tests/**/*.test.ts'] } }",
        "export default { test: { projects: [{ test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } }, { test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'] } }, { test: { name: 'other', include: ['tests/**/*.test.ts'] } }] } }",
      ],
    },
  ],
  [
    'jest transform',
    {
      'jest.config.js': [
        "module.exports = { testMatch: ['**/*.test.js'] }",
        "module.exports = { testMatch: ['**/*.test.[jt]s?(x)'], transform: { '^.+\\\\.tsx?$': '@swc/jest' } }",
      ],
    },
  ],
  [
    'jest modulemap',
    {
      'jest.config.js': [
        'module.exports = { }',
        "module.exports = { moduleNameMapper: { '\\\\.css$': '<rootDir>/tests/styleMock.js', '^@/(.*)$': '<rootDir>/src/$1' } }",
      ],
    },
  ],
  [
    'jest coverage collect',
    {
      'jest.config.js': [
        'module.exports = { }',
        "module.exports = { collectCoverageFrom: ['src/**/*.ts', '!src/**/*.d.ts', '!src/**/*.stories.ts'] }",
      ],
    },
  ],
  [
    'playwright new',
    {
      'playwright.config.ts': [
        undefined,
        "export default { testDir: './e2e', retries: process.env.CI ? 2 : 0, testIgnore: '**/draft/**' }",
      ],
      'package.json': [
        '{"devDependencies":{}}',
        '{"devDependencies":{"@playwright/test":"1","playwright":"1"}}',
      ],
    },
  ],
  [
    'pyproject deps',
    {
      'pyproject.toml': [
        '[project]\ndependencies=["a"]\n[tool.pytest.ini_options]\naddopts="-q"\n',
        '[project]\ndependencies=["a","b"]\n[tool.pytest.ini_options]\naddopts="-q -n auto"\nmarkers=["slow: marks slow tests"]\n',
      ],
    },
  ],
  [
    'mypy third party',
    {
      'mypy.ini': [
        '[mypy]\nstrict = True\n',
        '[mypy]\nstrict = True\n[mypy-boto3.*]\nignore_missing_imports = True\n',
      ],
    },
  ],
  [
    'tsconfig format',
    {
      'tsconfig.json': [
        '{"compilerOptions":{"strict":true,"target":"es2020"},"include":["src","tests"]}',
        '{\n  // settings\n  "include": ["tests", "src"],\n  "compilerOptions": {\n    "target": "es2022",\n    "strict": true,\n    "jsx": "react-jsx",\n    "paths": { "@/*": ["./src/*"] }\n  },\n}\n',
      ],
    },
  ],
  [
    'tsconfig widened',
    {
      'tsconfig.json': [
        '{"include":["src/**/*.ts"],"exclude":["node_modules","src/gen"]}',
        '{"include":["src"],"exclude":["node_modules"]}',
      ],
    },
  ],
  [
    'eslint react',
    {
      'eslint.config.js': [
        "export default [{ rules: { eqeqeq: 'error' } }]",
        "import react from 'eslint-plugin-react';\nexport default [react.configs.flat.recommended, { rules: { eqeqeq: 'error', 'react/react-in-jsx-scope': 'off' } }]",
      ],
    },
  ],
  [
    'eslint prettier',
    {
      '.eslintrc.json': [
        '{"extends":["eslint:recommended"],"rules":{"indent":["error",2],"quotes":["error","single"],"eqeqeq":"error"}}',
        '{"extends":["eslint:recommended","prettier"],"rules":{"eqeqeq":"error"}}',
      ],
    },
  ],
  [
    'eslint names',
    {
      'eslint.config.js': [
        "export default [{ files: ['src/**'], rules: { eqeqeq: 'error' } }]",
        "export default [{ name: 'src', files: ['src/**'], rules: { eqeqeq: 'error', 'no-var': 'error' } }]",
      ],
    },
  ],
  [
    'ruff migrate',
    {
      'pyproject.toml': [
        '[tool.ruff]\nselect=["E","F"]\nignore=["E501"]\n',
        '[tool.ruff]\nline-length=120\n[tool.ruff.lint]\nselect=["E","F","I"]\nignore=["E501"]\n',
      ],
    },
  ],
  [
    'cargo deps',
    {
      'Cargo.toml': [
        '[package]\nname="a"\nversion="0.1.0"\n[dependencies]\nserde="1"\n',
        '[package]\nname="a"\nversion="0.2.0"\n[dependencies]\nserde={version="1",features=["derive"]}\n[[bin]]\nname="x"\n[workspace]\nmembers=["crates/*"]\n',
      ],
    },
  ],
  [
    'pom deps',
    {
      'pom.xml': [
        '<project><dependencies/></project>',
        '<project><dependencies><dependency><artifactId>x</artifactId><exclusions><exclusion><artifactId>y</artifactId></exclusion></exclusions></dependency></dependencies><build><plugins><plugin><artifactId>maven-shade-plugin</artifactId><configuration><filters><filter><excludes><exclude>META-INF/*.SF</exclude></excludes></filter></filters></configuration></plugin><plugin><artifactId>maven-deploy-plugin</artifactId><configuration><skip>true</skip></configuration></plugin></plugins></build></project>',
      ],
    },
  ],
  [
    'gradle deps',
    {
      'build.gradle': [
        "dependencies { implementation 'a:b:1' }\ntest { useJUnitPlatform() }\n",
        "dependencies { implementation('a:b:2') { exclude group: 'x', module: 'y' } }\ntest { useJUnitPlatform()\n maxParallelForks = 2 }\njar { exclude 'META-INF/*' }\n",
      ],
    },
  ],
  [
    'csproj package',
    {
      'A.csproj': [
        '<Project><ItemGroup><PackageReference Include="xunit" Version="2.5" /></ItemGroup></Project>',
        '<Project><ItemGroup><PackageReference Include="xunit" Version="2.9" /></ItemGroup><PropertyGroup><GenerateDocumentationFile>true</GenerateDocumentationFile><NoWarn>$(NoWarn);CS1591</NoWarn></PropertyGroup></Project>',
      ],
    },
  ],
  [
    'rubocop new cop',
    {
      '.rubocop.yml': [
        'AllCops:\n  TargetRubyVersion: 3.2\n',
        'AllCops:\n  TargetRubyVersion: 3.3\n  Exclude:\n    - "vendor/**/*"\n    - "db/schema.rb"\n',
      ],
    },
  ],
  [
    'conftest option',
    {
      'conftest.py': [
        '',
        'def pytest_addoption(parser):\n    parser.addoption("--slow", action="store_true")\n\ndef pytest_configure(config):\n    config.addinivalue_line("markers", "slow: slow")\n',
      ],
    },
  ],
  [
    'js helper',
    {
      'tests/helpers/setup.ts': [
        'export const a = 1',
        "export const a = 1;\nimport { expect, vi } from 'vitest';\nimport * as matchers from '@testing-library/jest-dom/matchers';\nexpect.extend(matchers);\nglobalThis.fetch = vi.fn();\n",
      ],
    },
  ],
  ['script bin', { 'bin/shop': [undefined, '#!/usr/bin/env node\nrequire("../dist/cli.js")\n'] }],
  ['scripts sh', { 'scripts/release.sh': [undefined, '#!/bin/sh\nset -e\nnpm test\nnpm publish || true\n'] }],
  ['env', { '.env': ['A=1\n', 'A=1\nNODE_ENV=test\nSKIP_INSTALL=1\n'] }],
  ['envrc layout', { '.envrc': ['use flake\n', 'use flake\nPATH_add node_modules/.bin\nlayout python\n'] }],
  [
    'dockerfile',
    {
      Dockerfile: [
        'FROM node:20\nRUN npm ci\nRUN npm test\n',
        'FROM node:22 AS build\nWORKDIR /app\nRUN --mount=type=cache,target=/root/.npm npm ci\nRUN npm test && npm run build\n',
      ],
    },
  ],
  [
    'pre-commit',
    {
      '.pre-commit-config.yaml': [
        'repos:\n- repo: https://github.com/psf/black\n  hooks:\n  - id: black\n- repo: https://github.com/pycqa/flake8\n  hooks:\n  - id: flake8\n',
        'repos:\n- repo: https://github.com/astral-sh/ruff-pre-commit\n  hooks:\n  - id: ruff\n    args: [--fix]\n  - id: ruff-format\n',
      ],
    },
  ],
  [
    'compose',
    {
      'docker-compose.yml': [
        'services:\n  db:\n    image: pg\n',
        'services:\n  db:\n    image: pg\n    command: postgres -c fsync=off\n    healthcheck:\n      test: ["CMD", "pg_isready"]\n',
      ],
    },
  ],
  [
    'dependabot',
    {
      '.github/dependabot.yml': [
        'version: 2\n',
        'version: 2\nupdates:\n  - package-ecosystem: npm\n    ignore:\n      - dependency-name: x\n',
      ],
    },
  ],
  [
    'a stricter switch',
    { 'jasmine.json': ['{"env":{}}', '{"env":{"failSpecWithNoExpectations":true,"random":false}}'] },
  ],
  ['resources', { '.taprc': ['jobs: 2\n', 'jobs: 8\nmax-workers: 9\nfail-fast: false\n'] }],
  ['a new tool', { 'knip.json': [undefined, '{"ignoreDependencies":["tslib"]}'] }],
  ['a higher floor', { 'infection.json5': ['{ "minMsi": 80 }', '{ "minMsi": 85, "timeout": 20 }'] }],
  [
    'a lower limit',
    { '.eslintrc.json': ['{"rules":{"complexity":["error",20]}}', '{"rules":{"complexity":["error",8]}}'] },
  ],
  [
    'rules that PHPStan includes',
    {
      'phpstan.neon': [
        'parameters:\n    level: 8\n',
        'includes:\n    - vendor/a/rules.neon\nparameters:\n    level: 8\n',
      ],
    },
  ],
  [
    'lines that nothing reaches',
    {
      '.coveragerc': [
        '[report]\nfail_under = 80\n',
        '[report]\nfail_under = 80\nexclude_also =\n    if TYPE_CHECKING:\n    raise NotImplementedError\n',
      ],
    },
  ],
  [
    'inputs of an action',
    w(
      '      - uses: a/b@v1\n',
      '      - uses: a/b@v2\n        with:\n          token: x\n          fail_ci_if_error: true\n          verbose: true\n',
    ),
  ],
  [
    'a listener of the page',
    { 'cypress/support/e2e.ts': ['', 'Cypress.on("window:before:load", (win) => { win.x = 1; });'] },
  ],
  [
    'modules that are mapped to sources',
    {
      'jest.config.js': [
        'module.exports = {};',
        'module.exports = { moduleNameMapper: { "^src/(.*)$": "<rootDir>/src/$1", "css$": "<rootDir>/test/mocks/style.js" } };',
      ],
    },
  ],
  [
    'a configuration of the build',
    {
      ...s(
        { build: 'tsc', types: 'tsc --noEmit' },
        { build: 'tsc -p tsconfig.build.json', types: 'tsc --noEmit' },
      ),
      'tsconfig.json': ['{"include":["src","tests"]}', '{"include":["src","tests"]}'],
      'tsconfig.build.json': [undefined, '{"extends":"./tsconfig.json","include":["src"]}'],
    },
  ],
  [
    'newer versions in a matrix',
    {
      '.github/workflows/ci.yml': [
        'on: push\njobs:\n  t:\n    strategy:\n      matrix:\n        node: [16, 18, 20]\n    steps:\n      - run: npm test\n',
        'on: push\njobs:\n  t:\n    strategy:\n      matrix:\n        node: [18, 20]\n    steps:\n      - run: npm test\n',
      ],
    },
  ],
  [
    'an experimental version may fail',
    w(
      '      - run: npm test\n',
      '      - run: npm test\n        continue-on-error: ${{ matrix.experimental }}\n',
    ),
  ],
  [
    'documents start no workflow',
    {
      '.github/workflows/ci.yml': [
        'on:\n  push:\njobs:\n  t:\n    steps:\n      - run: npm test\n',
        'on:\n  push:\n    paths-ignore: ["docs/**", "**.md"]\njobs:\n  t:\n    steps:\n      - run: npm test\n',
      ],
    },
  ],
  [
    'a script with help',
    {
      'ci.sh': [
        'set -e\nnpm test\n',
        'set -e\nif [ "$1" = --help ]; then echo usage; exit 0; fi\nnpm test\n',
      ],
    },
  ],
  [
    'functions of the shell',
    {
      'ci.sh': [
        'set -e\nnpm test\n',
        'set -e\nlog() {\n  echo "$1"\n}\nunit() {\n  npm test\n}\nlog start\nunit\n',
      ],
    },
  ],
  [
    'more tasks run before',
    {
      'turbo.json': [
        '{"tasks":{"test":{"dependsOn":["lint"]}}}',
        '{"tasks":{"test":{"dependsOn":["lint","^build"]}}}',
      ],
    },
  ],
  [
    'another runner of cargo',
    { justfile: ['check:\n    cargo test\n', 'check:\n    cargo nextest run\n    cargo test --doc\n'] },
  ],
];
it.each(TAMPERS)('reports a variant of a weaker check: %s', async (_, f) => {
  expect((await run(f)).filter((x) => x.severity !== 'low').length).toBeGreaterThan(0);
});
it.each(HONEST)('reports nothing for a variant of an honest change: %s', async (_, f) => {
  expect((await run(f)).map((x) => `${x.severity} ${x.rule}: ${x.message}`)).toEqual([]);
});
