import { describe, expect, test } from 'vitest';
import { proposeGates } from '../../../src/setup/propose-gates.ts';
import { packageJson, projectDirectory, proposedFor } from '../../helpers/project-directory.ts';

type Row = [what: string, files: Record<string, string>, gates: string[]];

const cargo = ['format: cargo fmt --check', 'check: cargo check --all-targets', 'test: cargo test'];
const go = ['format: ! gofmt -l . | grep .', 'vet: go vet ./...', 'test: go test ./...'];

describe('gates are proposed for', () => {
  test.for<Row>([
    ['nothing that is known', { 'README.md': '', 'src/main.xyz': '' }, []],
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
      'Rust with clippy set up',
      { 'Cargo.toml': '[package]\n[lints.clippy]\nall = "warn"\n' },
      ['format: cargo fmt --check', 'lint: cargo clippy --all-targets -- -D warnings', 'test: cargo test'],
    ],
    [
      'Rust with clippy set up in its workspace',
      { 'Cargo.toml': '[workspace]\n[workspace.lints.clippy]\nall = "warn"\n' },
      [
        'format: cargo fmt --all --check',
        'lint: cargo clippy --workspace --all-targets -- -D warnings',
        'test: cargo test --workspace',
      ],
    ],
    [
      'Rust with a file for clippy',
      { 'Cargo.toml': '[package]\n', 'clippy.toml': '' },
      ['format: cargo fmt --check', 'lint: cargo clippy --all-targets -- -D warnings', 'test: cargo test'],
    ],
    ['Rust whose manifest is broken', { 'Cargo.toml': '[package' }, cargo],

    ['Go', { 'go.mod': 'module demo\n' }, go],
    [
      'Go with the code of others',
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
      'a Go workspace around a module',
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
      'a .NET project with a style',
      { 'Shop.csproj': '<Project/>', '.editorconfig': '' },
      ['format: dotnet format --verify-no-changes', 'build: dotnet build'],
    ],
    [
      'a .NET project of tests',
      { 'Tests.fsproj': '<PackageReference Include="Microsoft.NET.Test.Sdk" />' },
      ['build: dotnet build', 'test: dotnet test'],
    ],
    [
      'several at the root of .NET',
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
      'PHP by its scripts',
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
      'Deno whose types are checked',
      { 'deno.json': '{ "tasks": { "typecheck": "deno check ." } }' },
      ['lint: deno lint', 'typecheck: deno task typecheck'],
    ],
    [
      'Node, published for Deno too',
      { 'package.json': packageJson({}), 'deno.json': '{ "name": "@a/b" }' },
      [],
    ],
    ['pre-commit', { '.pre-commit-config.yaml': '' }, ['pre-commit: pre-commit run --all-files']],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('tasks of any ecosystem make gates', () => {
  const makefile =
    '.PHONY: lint test\nFLAGS := -q\nlint: deps\n\t@shellcheck *.sh\n\ntest:\n\t./run-tests $(FLAGS)\n';
  test.for<Row>([
    ['targets of a Makefile', { Makefile: makefile }, ['lint: make lint', 'test: make test']],
    ['targets on one line', { makefile: 'lint test:\n\t./do $@\n' }, ['lint: make lint', 'test: make test']],
    ['a target that is made of others', { Makefile: 'test: unit\nunit:\n\t./unit\n' }, ['test: make test']],
    ["GNU's check", { GNUmakefile: 'check: all\n\t./tests\n' }, ['check: make check']],
    [
      "GNU's check beside a lint",
      { Makefile: 'lint:\n\t./l\ncheck:\n\t./tests\n' },
      ['lint: make lint', 'check: make check'],
    ],
    ['no build, of whatever it is', { Makefile: 'build:\n\tdocker build .\n' }, []],
    ['not check beside test', { Makefile: 'check: lint test\ntest:\n\t./t\n' }, ['test: make test']],
    ['no target that repairs', { Makefile: 'lint:\n\truff check --fix .\n' }, []],
    ['no target that does nothing', { Makefile: 'test:\n\t@echo no tests\n' }, []],
    ['no variable', { Makefile: 'test := a\nlint ::= b\ntypecheck = c\n' }, []],
    ['not what others would only repeat', { Makefile: makefile, 'go.mod': 'module demo\n' }, go],
    [
      'only what others have no gate of',
      { Makefile: makefile, 'package.json': packageJson({ test: 'jest' }) },
      ['lint: make lint', 'test: npm test'],
    ],
    [
      'the Makefile before the justfile',
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
      'no task that repairs',
      { 'Taskfile.yml': 'tasks:\n  lint:\n    cmds:\n      - cmd: eslint --fix\n      - a\n' },
      [],
    ],
    ['nothing of a Taskfile that is none', { 'Taskfile.yml': 'tasks: [\n' }, []],
  ])('%s', ([, files, gates]) => {
    expect(proposedFor(files)).toEqual(gates);
  });
});

describe('a mixed repository', () => {
  test('has the gates of all, cheap ones first, each with a name of its own', () => {
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

test('what takes long has a limit above the usual one', () => {
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
