import { describe, expect, test } from 'vitest';
import { chooseGates, proposeGates } from '../../../src/setup/propose-gates.ts';
import { packageJson, projectDirectory, proposedFor } from '../../helpers/project-directory.ts';

type Row = [what: string, files: Record<string, string>, gates: string[]];

const cargo = ['format: cargo fmt --check', 'check: cargo check --all-targets', 'test: cargo test'];
const go = ['format: ! gofmt -l . | grep .', 'vet: go vet ./...', 'test: go test ./...'];

describe('proposeGates proposes gates that run alone, because they write what others use:', () => {
  const scripts = { lint: 'eslint .', test: 'vitest run' };
  test.for<[what: string, files: Record<string, string>, alone: string[]]>([
    ['none that only read', { 'package.json': packageJson(scripts), 'go.mod': '' }, []],
    ['a build', { 'package.json': packageJson({ ...scripts, build: 'vite build' }) }, ['build']],
    [
      'tests that build before',
      { 'package.json': packageJson({ ...scripts, pretest: 'npm run build', build: 'tsc' }) },
      ['test'],
    ],
    [
      'tests that change files',
      { 'package.json': packageJson({ ...scripts, test: 'eslint --fix && jest' }) },
      ['test'],
    ],
    ['hooks that may fix', { '.pre-commit-config.yaml': '', 'go.mod': '' }, ['pre-commit']],
    ['a build directory', { 'CMakeLists.txt': 'enable_testing()\n' }, ['build']],
    ['the files of several .NET commands', { 'a.sln': '', '.editorconfig': '' }, ['build', 'test']],
    ['a build of a subproject', { 'web/package.json': packageJson({ build: 'vite build' }) }, ['web/build']],
  ])('%s', ([, files, alone]) => {
    const { gates } = proposeGates(projectDirectory(files));
    expect(gates.filter(({ exclusive }) => exclusive).map(({ name }) => name)).toEqual(alone);
  });

  test('commands that a person names and that build or change files', () => {
    const chosen = chooseGates(['npm run build', 'eslint . --fix', 'npm test'], [], () => true);
    expect(chosen.ok && chosen.value.map(({ name, exclusive = false }) => [name, exclusive])).toEqual([
      ['eslint . --fix', true],
      ['npm test', false],
      ['npm run build', true],
    ]);
  });
});

describe('proposeGates proposes gates for', () => {
  test.for<Row>([
    ['no known ecosystem', { 'README.md': '', 'src/main.xyz': '' }, []],
    ['an empty directory', {}, []],

    ['Rust', { 'Cargo.toml': '[package]\nname = "demo"\n', 'src/main.rs': '' }, cargo],
    [
      'a Rust workspace',
      { 'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n' },
      [
        'format: cargo fmt --all --check',
        'check: cargo check --workspace --all-targets',
        'test: cargo test --workspace',
      ],
    ],
    [
      'Rust with clippy configured',
      { 'Cargo.toml': '[package]\n[lints.clippy]\nall = "warn"\n' },
      ['format: cargo fmt --check', 'lint: cargo clippy --all-targets -- -D warnings', 'test: cargo test'],
    ],
    [
      'a Rust workspace with clippy configured',
      { 'Cargo.toml': '[workspace]\n[workspace.lints.clippy]\nall = "warn"\n' },
      [
        'format: cargo fmt --all --check',
        'lint: cargo clippy --workspace --all-targets -- -D warnings',
        'test: cargo test --workspace',
      ],
    ],
    [
      'Rust with clippy.toml',
      { 'Cargo.toml': '[package]\n', 'clippy.toml': '' },
      ['format: cargo fmt --check', 'lint: cargo clippy --all-targets -- -D warnings', 'test: cargo test'],
    ],
    ['Rust with a broken manifest', { 'Cargo.toml': '[package' }, cargo],

    ['Go', { 'go.mod': 'module demo\n' }, go],
    [
      'Go with vendored code',
      { 'go.mod': 'module demo\n', 'vendor/modules.txt': '' },
      [
        "format: ! gofmt -l . | grep -vE '^(vendor|node_modules)/'",
        'vet: go vet ./...',
        'test: go test ./...',
      ],
    ],
    [
      'Go with golangci-lint',
      { 'go.mod': 'module demo\n', '.golangci.yml': '' },
      ['format: ! gofmt -l . | grep .', 'lint: golangci-lint run ./...', 'test: go test ./...'],
    ],
    [
      'a Go workspace',
      { 'go.work': 'go 1.22\n\nuse (\n\t./api // the server\n\t./lib/\n)\n\nuse ./tools\n' },
      [
        'format: ! gofmt -l . | grep .',
        'vet: go vet ./api/... ./lib/... ./tools/...',
        'test: go test ./api/... ./lib/... ./tools/...',
      ],
    ],
    [
      'a Go workspace that includes the root module',
      { 'go.work': 'use .\nuse ./tools', 'go.mod': 'module demo\n' },
      ['format: ! gofmt -l . | grep .', 'vet: go vet ./... ./tools/...', 'test: go test ./... ./tools/...'],
    ],

    ['Gradle', { 'build.gradle.kts': '', gradlew: '' }, ['check: ./gradlew check']],
    ['Gradle without a wrapper', { 'settings.gradle': '' }, ['check: gradle check']],
    ['Maven', { 'pom.xml': '' }, ['test: mvn -q test']],
    ['Maven with a wrapper', { 'pom.xml': '', mvnw: '' }, ['test: ./mvnw -q test']],
    ['sbt', { 'build.sbt': '' }, ['test: sbt test']],

    [
      'a .NET solution',
      { 'Shop.sln': '', 'src/Shop/Shop.csproj': '' },
      ['build: dotnet build', 'test: dotnet test'],
    ],
    [
      'a .NET project with an .editorconfig',
      { 'Shop.csproj': '<Project/>', '.editorconfig': '' },
      ['format: dotnet format --verify-no-changes', 'build: dotnet build'],
    ],
    [
      'a .NET test project',
      { 'Tests.fsproj': '<PackageReference Include="Microsoft.NET.Test.Sdk" />' },
      ['build: dotnet build', 'test: dotnet test'],
    ],
    [
      'several .NET files at the root',
      { 'My Shop.slnx': '', 'Shop.csproj': '', '.editorconfig': '' },
      [
        "format: dotnet format 'My Shop.slnx' --verify-no-changes",
        "build: dotnet build 'My Shop.slnx'",
        "test: dotnet test 'My Shop.slnx'",
      ],
    ],

    [
      'Ruby',
      { Gemfile: 'gem "rubocop"\ngem \'rspec\'\n' },
      ['lint: bundle exec rubocop', 'test: bundle exec rspec'],
    ],
    [
      'Ruby without Bundler',
      { '.rubocop.yml': '', Rakefile: 'Rake::TestTask.new\n' },
      ['lint: rubocop', 'test: rake test'],
    ],
    [
      'Rails',
      {
        Gemfile: 'gem "rails"\n',
        '.rubocop.yml': '',
        'bin/rails': '',
        'test/test_helper.rb': '',
        Rakefile: '',
      },
      ['lint: bundle exec rubocop', 'test: bin/rails test'],
    ],

    [
      'PHP',
      { 'composer.json': '{}', 'phpunit.xml.dist': '', 'phpstan.neon': '', '.php-cs-fixer.dist.php': '' },
      [
        'format: vendor/bin/php-cs-fixer fix --dry-run --diff',
        'typecheck: vendor/bin/phpstan analyse',
        'test: vendor/bin/phpunit',
      ],
    ],
    [
      'PHP with Composer scripts',
      {
        'composer.json': JSON.stringify({
          scripts: {
            lint: 'php-cs-fixer fix',
            'cs-check': 'phpcs',
            test: ['@clear', 'pest'],
            phpstan: 'phpstan',
          },
        }),
        'phpunit.xml': '',
      },
      ['lint: composer run cs-check', 'typecheck: composer run phpstan', 'test: composer run test'],
    ],
    [
      'Laravel',
      { 'composer.json': '{}', artisan: '', 'pint.json': '', 'phpunit.xml': '' },
      ['format: vendor/bin/pint --test', 'test: php artisan test'],
    ],

    [
      'Elixir',
      { 'mix.exs': 'defp deps, do: [{:credo, "~> 1.7"}]\n', '.formatter.exs': '' },
      ['format: mix format --check-formatted', 'lint: mix credo', 'test: mix test'],
    ],
    [
      'Deno',
      {
        'deno.jsonc':
          '{ "tasks": { "test": "deno test -A", "fmt:check": { "command": "deno fmt --check" } } } // end',
      },
      ['format: deno task fmt:check', 'lint: deno lint', 'test: deno task test'],
    ],
    [
      'Deno with a type checking task',
      { 'deno.json': '{ "tasks": { "typecheck": "deno check ." } }' },
      ['lint: deno lint', 'typecheck: deno task typecheck'],
    ],
    [
      'Node that is also published for Deno',
      { 'package.json': packageJson({}), 'deno.json': '{ "name": "@a/b" }' },
      [],
    ],
    ['pre-commit', { '.pre-commit-config.yaml': '' }, ['pre-commit: pre-commit run --all-files']],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('proposeGates takes from task files', () => {
  const makefile =
    '.PHONY: lint test\nFLAGS := -q\nlint: deps\n\t@shellcheck *.sh\n\ntest:\n\t./run-tests $(FLAGS)\n';
  test.for<Row>([
    ['targets of a Makefile', { Makefile: makefile }, ['lint: make lint', 'test: make test']],
    ['targets on one line', { makefile: 'lint test:\n\t./do $@\n' }, ['lint: make lint', 'test: make test']],
    ['a target that consists of others', { Makefile: 'test: unit\nunit:\n\t./unit\n' }, ['test: make test']],
    ['the check of GNU', { GNUmakefile: 'check: all\n\t./tests\n' }, ['check: make check']],
    [
      'the check of GNU beside a lint',
      { Makefile: 'lint:\n\t./l\ncheck:\n\t./tests\n' },
      ['lint: make lint', 'check: make check'],
    ],
    ['no build, which can build anything', { Makefile: 'build:\n\tdocker build .\n' }, []],
    ['no check beside a test', { Makefile: 'check: lint test\ntest:\n\t./t\n' }, ['test: make test']],
    ['no target that fixes', { Makefile: 'lint:\n\truff check --fix .\n' }, []],
    ['no target that does nothing', { Makefile: 'test:\n\t@echo no tests\n' }, []],
    ['no variables', { Makefile: 'test := a\nlint ::= b\ntypecheck = c\n' }, []],
    ['no target of a kind that an ecosystem covers', { Makefile: makefile, 'go.mod': 'module demo\n' }, go],
    [
      'only kinds that no ecosystem covers',
      { Makefile: makefile, 'package.json': packageJson({ test: 'jest' }) },
      ['lint: make lint', 'test: npm test'],
    ],
    [
      'targets of a Makefile before recipes of a justfile',
      { Makefile: 'test:\n\t./t\n', justfile: 'test:\n  ./t\nlint:\n  ./l\n' },
      ['lint: just lint', 'test: make test'],
    ],
    [
      'recipes of a justfile',
      {
        justfile:
          'set shell := ["bash", "-c"]\n@lint *args:\n  ./lint {{args}}\ntest filter="": build\n  ./t\n',
      },
      ['lint: just lint', 'test: just test'],
    ],
    [
      'no recipe that needs an argument',
      { justfile: 'test filter:\n  ./t {{filter}}\nlint +files:\n  ./l\n' },
      [],
    ],
    [
      'tasks of a Taskfile',
      {
        'Taskfile.yml':
          'version: "3"\ntasks:\n  lint: ./lint\n  test:\n    cmds: [./test]\n  typecheck:\n    deps: [types]\n  fmt-check: [./fmt]\n',
      },
      ['format: task fmt-check', 'lint: task lint', 'typecheck: task typecheck', 'test: task test'],
    ],
    [
      'no task that fixes',
      { 'Taskfile.yml': 'tasks:\n  lint:\n    cmds:\n      - cmd: eslint --fix\n      - a\n' },
      [],
    ],
    ['nothing from a broken Taskfile', { 'Taskfile.yml': 'tasks: [\n' }, []],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('a repository with several ecosystems', () => {
  test('gets the gates of all ecosystems, cheap ones first, with unique names', () => {
    const files = {
      'package.json': packageJson({ lint: 'eslint .', test: 'vitest run', build: 'vite build' }),
      'pyproject.toml': '[tool.ruff]\n[tool.pytest.ini_options]\n[tool.mypy]\n',
      'Cargo.toml': '[package]\n',
      'App.csproj': '',
      '.pre-commit-config.yaml': '',
      Makefile: 'lint:\n\tnpm run lint\ncheck:\n\t./all\n',
    };
    expect(proposedFor(files)).toEqual([
      'format: cargo fmt --check',
      'lint: npm run lint',
      'python-lint: ruff check .',
      'pre-commit: pre-commit run --all-files',
      'typecheck: mypy .',
      'check: cargo check --all-targets',
      'dotnet-build: dotnet build',
      'test: npm test',
      'python-test: pytest -q',
      'rust-test: cargo test',
      'build: npm run build',
    ]);
  });
});

test('gates that take long have a longer timeout', () => {
  const files = {
    'package.json': packageJson({ lint: 'eslint .', test: 'jest', build: 'tsup' }),
    'Cargo.toml': '[package]\n',
  };
  const { gates } = proposeGates(projectDirectory(files));
  expect(Object.fromEntries(gates.map(({ name, timeoutSeconds }) => [name, timeoutSeconds]))).toEqual({
    format: undefined,
    lint: undefined,
    check: 600,
    test: 300,
    'rust-test': 600,
    build: 300,
  });
});

describe('proposeGates knows the kind of the script', () => {
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

describe('proposeGates knows the kind of a general check that runs', () => {
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

describe('proposeGates uses the checking form of the fixing script', () => {
  test.for([['lint'], ['lint:fix'], ['eslint']])('%s', ([script = '']) => {
    const files = { 'package.json': packageJson({ [script]: 'eslint --fix' }) };
    expect(proposedFor(files)).toEqual(['lint: npx --no-install eslint']);
  });
  test.for([['format'], ['format:fix'], ['format:write'], ['fmt'], ['prettier']])('%s', ([script = '']) => {
    const files = { 'package.json': packageJson({ [script]: 'prettier --write .' }) };
    expect(proposedFor(files)).toEqual(['format: npx --no-install prettier --check .']);
  });
});

describe('proposeGates prefers another test script to one that may watch:', () => {
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
  ])('but not to %s', ([command = '']) => {
    expect(proposed(command)).toEqual(['test: npm test']);
  });
});

describe('proposeGates takes as evidence of a tool', () => {
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
    'but not %s alone',
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

describe('proposeGates runs a tool that needs no packages in the environment only if it is required there:', () => {
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

describe('proposeGates proposes gates for projects below the root:', () => {
  const web = packageJson({ test: 'jest' });
  test.for<Row>([
    [
      'a front end and a back end',
      { 'web/package.json': web, 'web/pnpm-lock.yaml': '', 'api/go.mod': '', 'README.md': '' },
      [
        'api/format: ! gofmt -l . | grep . (in api)',
        'api/vet: go vet ./... (in api)',
        'api/test: go test ./... (in api)',
        'web/test: pnpm test (in web)',
      ],
    ],
    [
      'two levels deep, but not three',
      {
        'services/api/pyproject.toml': '[tool.pytest]\n',
        'services/api/lib/package.json': web,
        'a/b/c/package.json': web,
      },
      ['services/api/test: pytest -q (in services/api)'],
    ],
    [
      'another ecosystem than that of the root',
      { 'package.json': web, 'api/Cargo.toml': '[package]\n', 'web/package.json': web },
      [
        'api/format: cargo fmt --check (in api)',
        'api/check: cargo check --all-targets (in api)',
        'test: npm test',
        'api/test: cargo test (in api)',
      ],
    ],
    [
      'a root package.json that has no checks',
      { 'package.json': packageJson({ start: 'node .' }), 'web/package.json': web },
      ['web/test: npm test (in web)'],
    ],
    [
      'not those that a workspace leaves out',
      { 'package.json': packageJson({}, { workspaces: ['a'] }), 'b/package.json': web },
      [],
    ],
    [
      'not what a Makefile at the root runs already',
      {
        Makefile: 'test:\n\tcd web && npm test\n',
        'web/package.json': packageJson({ test: 'jest', lint: 'eslint .' }),
      },
      ['web/lint: npm run lint (in web)', 'test: make test'],
    ],
    [
      'not dependencies, outputs, examples, fixtures, hidden directories and other repositories',
      Object.fromEntries(
        [
          'node_modules',
          'vendor',
          'dist',
          'examples',
          'fixtures',
          'tests',
          '.cache',
          'sub/.git',
          'x/node_modules',
        ]
          .map((path) => [`${path}/package.json`, web])
          .concat([['sub/package.json', web]]),
      ),
      [],
    ],
    ['no scripts that only look like a project', { 'scripts/test_a.py': '', 'src/main.py': '' }, []],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });

  test('ten at most, and a note on the others', () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`app${index + 10}/package.json`, web]),
    );
    const { gates, notes } = proposeGates(projectDirectory(files));
    expect(gates).toHaveLength(10);
    expect(notes).toEqual(['2 more directories have projects; name their gates with --gates.']);
  });

  test('with their path in notes', () => {
    const { notes } = proposeGates(
      projectDirectory({ 'web/package.json': '{', 'api/package.json': packageJson(5) }),
    );
    expect(notes).toEqual([
      'api: "scripts" in package.json is not an object; it is ignored.',
      expect.stringMatching(/^web\/package\.json is broken/),
    ]);
  });
});

describe('proposeGates proposes for a compiled project', () => {
  test.for<Row>([
    [
      'of CMake',
      { 'CMakeLists.txt': 'project(a)\nenable_testing()\n' },
      [
        'build: cmake -S . -B build && cmake --build build',
        'test: cmake --build build && ctest --test-dir build --output-on-failure',
      ],
    ],
    [
      'of CMake without tests, in its build directory',
      { 'CMakeLists.txt': 'project(a)\n# enable_testing()\n', 'out/CMakeCache.txt': '' },
      ['build: cmake -S . -B out && cmake --build out'],
    ],
    [
      'of CMake with CTest',
      { 'CMakeLists.txt': 'include( CTest )\n' },
      [expect.any(String), expect.stringMatching(/ctest/)],
    ],
    [
      'of Swift',
      { 'Package.swift': '', 'Tests/a.swift': '', '.swiftlint.yml': '' },
      ['lint: swiftlint lint', 'build: swift build', 'test: swift test'],
    ],
    ['of Swift without tests', { 'Package.swift': '' }, ['build: swift build']],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('proposeGates takes from git hooks', () => {
  const scripts = packageJson({
    lint: 'eslint .',
    test: 'jest',
    e2e: 'wdio',
    licenses: 'licensee',
  });
  const own = ['lint: npm run lint', 'test: npm test'];
  test.for<[what: string, files: Record<string, string>, gates: string[], notes: string[]]>([
    [
      'of husky what no other gate checks',
      {
        '.husky/pre-commit':
          '#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\nnpm run lint && npm run licenses\n',
        '.husky/pre-push': 'npm test\nnpm run e2e\n',
      },
      ['lint: npm run lint', 'pre-commit: npm run licenses', 'test: npm test', 'pre-push: npm run e2e'],
      [],
    ],
    [
      'of husky nothing that a gate checks already',
      { '.husky/pre-commit': 'npx eslint src\n', '.husky/pre-push': 'npm t\n' },
      own,
      [],
    ],
    [
      'of husky no check of staged files',
      { '.husky/pre-commit': 'npx lint-staged\n' },
      own,
      ['.husky/pre-commit runs "npx lint-staged", which checks staged files only: it is no gate.'],
    ],
    [
      'of husky no fixer',
      { '.husky/pre-commit': 'npx prettier --write .\n' },
      own,
      ['.husky/pre-commit runs "npx prettier --write .", which changes files: it is no gate.'],
    ],
    [
      'nothing of a script with shell logic',
      { '.githooks/pre-push': 'if [ -n "$CI" ]; then\n  make all\nfi\n' },
      own,
      ['.githooks/pre-push has shell logic: none of its commands is proposed. Name them with --gates.'],
    ],
    [
      'nothing that a terminal would hide',
      { '.husky/pre-commit': './evil.sh\x1b[2K\n', 'a\x1b[2K/package.json': packageJson({ test: 'jest' }) },
      own,
      ['.husky/pre-commit has shell logic: none of its commands is proposed. Name them with --gates.'],
    ],
    [
      'of package.json',
      {
        'package.json': packageJson(
          { licenses: 'licensee' },
          { 'simple-git-hooks': { 'pre-commit': 'npm run licenses' } },
        ),
      },
      ['pre-commit: npm run licenses'],
      [],
    ],
    [
      'of lefthook its commands',
      {
        'lefthook.yml':
          'pre-commit:\n  commands:\n    a: { run: npm run lint }\n    b: { run: npm run licenses }\n',
      },
      ['lint: npm run lint', 'pre-commit: npm run licenses', 'test: npm test'],
      [],
    ],
    [
      'of lefthook the whole hook if it needs lists of files',
      { 'lefthook.yml': 'pre-push:\n  jobs:\n    - group: { jobs: [{ run: "vale {all_files}" }] }\n' },
      [...own, 'pre-push: lefthook run pre-push --all-files'],
      [],
    ],
    [
      'of lefthook no job that stages what it fixed',
      { '.lefthook.yaml': 'pre-commit:\n  jobs:\n    - { run: "vale {staged_files}", stage_fixed: true }\n' },
      own,
      ['pre-commit in .lefthook.yaml runs "vale {staged_files} --fix", which changes files: it is no gate.'],
    ],
    [
      'of pre-commit all files',
      { '.pre-commit-config.yaml': 'repos: []\n' },
      ['lint: npm run lint', 'pre-commit: pre-commit run --all-files', 'test: npm test'],
      [],
    ],
  ])('%s', ([, files, gates, notes]) => {
    const directory = projectDirectory({ 'package.json': scripts, ...files });
    const proposed = proposeGates(directory);
    expect(proposedFor({ 'package.json': scripts, ...files })).toEqual(gates);
    expect(proposed.notes).toEqual(notes);
  });
});

const PROPOSED = proposeGates(
  projectDirectory({ 'package.json': packageJson({ lint: 'eslint .', test: 'jest', build: 'vite build' }) }),
).gates;
const canRun = (word: string) => ['make', './check.sh'].includes(word);

describe('chooseGates takes', () => {
  test.for<[what: string, values: string[], commands: string[]]>([
    ['the names of proposed gates', ['test', 'lint'], ['npm run lint', 'npm test']],
    ['names with commas between them', ['test, lint'], ['npm run lint', 'npm test']],
    [
      'names and commands, by cost',
      ['lint', 'make check', 'build'],
      ['npm run lint', 'make check', 'npm run build'],
    ],
    [
      'commands of one kind in the order in which they were typed',
      ['make b', 'make a'],
      ['make b', 'make a'],
    ],
    [
      'a command whose program shows that it is cheap',
      ['test', 'npx tsc --noEmit'],
      ['npx tsc --noEmit', 'npm test'],
    ],
    ['a command whose task shows that it is cheap', ['test', 'make lint'], ['make lint', 'npm test']],
    ['each gate once', ['test', 'make a', 'lint,test', 'make a'], ['npm run lint', 'npm test', 'make a']],
    ['names without the empty ones between commas', ['lint,,test,'], ['npm run lint', 'npm test']],
    ['a program on PATH', ['make'], ['make']],
    ['a file', ['./check.sh'], ['./check.sh']],
    ['a command with a comma', ['echo a,b'], ['echo a,b']],
    ['a command with an unknown program', ['nmp test'], ['nmp test']],
  ])('%s', ([, values, commands]) => {
    const chosen = chooseGates(values, PROPOSED, canRun);
    expect(chosen.ok && chosen.value.map(({ run }) => run)).toEqual(commands);
  });
});

describe('chooseGates rejects', () => {
  const names = 'Proposed gates: lint, test, build.';
  test.for<[what: string, values: string[], message: string]>([
    ['a typo', ['tset'], `Unknown gate "tset"; did you mean "test"? ${names}`],
    ['a typo in a list', ['lint,biuld'], `Unknown gate "biuld"; did you mean "build"? ${names}`],
    ['a typo after a command', ['npm test', 'lnt'], `Unknown gate "lnt"; did you mean "lint"? ${names}`],
    [
      'a word that is no program',
      ['deploy'],
      `Unknown gate "deploy": it is neither a proposed gate nor a program on PATH. ${names}`,
    ],
  ])('%s', ([, values, message]) => {
    expect(chooseGates(values, PROPOSED, canRun)).toMatchObject({ ok: false, failure: { message } });
  });
});
