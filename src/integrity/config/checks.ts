// A command → the checks that it starts: test runners, linters, type checkers, and scripts that are named like one.

import { commandsIn, isInlineExit, PLAIN_SHELL, type ShellCommand, type ShellOptions } from './shell.ts';

/** What a check looks at. Checks of `any` may look at everything: `make check`, a program of the project. */
export type Subject = 'tests' | 'style' | 'types' | 'security' | 'any';

/** A check that a command starts. */
export interface Check {
  /** The program with its subcommand, however it is started: `vitest`, `go test`; `script test` and `make test` by name. */
  readonly tool: string;
  readonly subject: Subject;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The command as people read it. */
  readonly text: string;
  /** What drops its failure; undefined if nothing does. */
  readonly ignoredBy?: string | undefined;
  /** What it depends on; undefined if it always runs. */
  readonly condition?: string | undefined;
  /** In the script, from 0. */
  readonly line: number;
}

const SUBJECTS: Readonly<Record<Exclude<Subject, 'any'>, readonly string[]>> = {
  tests: words(
    `vitest jest mocha ava tap uvu jasmine karma cypress playwright testcafe wdio qunit lab node-test deno-test bun-test
     pytest py.test unittest nose2 nosetests tox nox trial behave stestr
     go-test gotestsum ginkgo cargo-test cargo-nextest cargo-llvm-cov cargo-tarpaulin
     dotnet-test dotnet-vstest vstest xunit nunit3-console
     phpunit pest paratest codecept behat kahlan infection rspec minitest rails-test rake-test rake-spec cucumber parallel_rspec
     mvn mvnw gradle gradlew sbt ctest swift-test mix-test bats shellspec flutter-test dart-test zig-test
     coverage-report nyc c8 stryker react-scripts-test ng-test nx turbo lerna wireit`,
  ),
  style: words(
    `eslint biome oxlint standard xo stylelint prettier dprint tslint jshint
     ruff flake8 pylint pycodestyle pydocstyle black isort autopep8 yapf
     rubocop standardrb reek erb_lint golangci-lint go-vet staticcheck revive gofmt goimports gofumpt
     cargo-clippy cargo-fmt rustfmt phpcs php-cs-fixer pint ktlint detekt checkstyle spotless
     shellcheck hadolint markdownlint markdownlint-cli2 yamllint actionlint commitlint cspell knip depcheck dotnet-format
     swiftlint swiftformat credo mix-credo mix-format dart-analyze ansible-lint buf-lint pre-commit lint-staged publint`,
  ),
  types: words(
    `tsc vue-tsc tsgo svelte-check astro-check mypy dmypy pyright basedpyright pytype pyre flow phpstan psalm srb sorbet steep tsd
     attw cargo-check mix-dialyzer deno-check`,
  ),
  security: words(
    `npm-audit pnpm-audit yarn-audit cargo-audit cargo-deny bandit pip-audit safety snyk trivy gitleaks semgrep
     govulncheck brakeman bundler-audit secretlint detect-secrets`,
  ),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const SUBJECT_OF = new Map(
  Object.entries(SUBJECTS).flatMap(([subject, tools]) => tools.map((tool) => [tool, subject as Subject])),
);

/** Programs whose first argument decides what they do. */
const WITH_SUBCOMMAND =
  /^(?:go|cargo|dotnet|npm|pnpm|yarn|bun|deno|rails|rake|swift|mix|flutter|dart|zig|ng|react-scripts|coverage|biome|astro|buf|ruff)$/;

const CHECK_NAME =
  /(?:^|[:_.\-/\s])(?:tests?|testing|spec|specs|e2e|unit|integration|smoke|lint|linter|eslint|check|checks|checkall|typecheck|type-check|types|tsc|verify|validate|ci|coverage|cov|quality|static|analy[sz]e|vet|clippy|audit|presubmit|pre-?commit|pre-?push|qa|gates?)(?:$|[:_.\-/\s])/i;
const NO_CHECK_NAME =
  /(?:^|[:_.\-/\s])(?:watch|dev|start|serve|clean|fix|update|debug|ui|open|upload|deploy|publish|release|install|setup|report|docs?|open|generate|gen|seed|format|fmt|bench|image|build|up|down|reset|init)(?:$|[:_.\-/\s])/i;
/** Names of scripts that start programs which also check, such as `tsc`; only what they check by their tools counts. */
const BUILD_NAME =
  /(?:^|[:_.\-/])(?:build|compile|prepare|prepack|prepublish\w*|pack|bundle|dist)(?:$|[:_.\-/])/i;

/** Whether a script, target or step of this name is there to check something. */
export function isCheckName(name: string): boolean {
  if (SUBJECT_OF.has(name)) return true;
  return (CHECK_NAME.test(name) || /format:check|fmt-check|check-format/.test(name)) && !isNoCheckName(name);
}

/** Whether what a script of this name starts is no check, whatever it is: `test:watch`, `clean`. */
export function isNoCheckName(name: string): boolean {
  return NO_CHECK_NAME.test(name) && !/check|verify/i.test(name) && !BUILD_NAME.test(name);
}

/** Whether a script of this name makes something, and checks only by the way. */
export function isBuildName(name: string): boolean {
  return BUILD_NAME.test(name) && !CHECK_NAME.test(name);
}

interface CheckOptions {
  readonly shell?: ShellOptions;
  /** Every program but `echo` and the like is a check: a gate, or a script that is named like a check. */
  readonly everything?: boolean;
}

/** The checks that a script starts. */
export function checksIn(
  script: string,
  { shell = PLAIN_SHELL, everything = false }: CheckOptions = {},
): Check[] {
  return commandsIn(script, shell).flatMap((command) => checksOf(command, everything));
}

/** Programs that prepare something and check nothing. */
const NO_CHECK =
  /^(?:echo|printf|true|:|false|exit|return|cd|pushd|popd|export|unset|set|source|\.|mkdir|rm|rimraf|cp|mv|cat|tee|ls|pwd|date|sleep|touch|trap|wait|local|readonly|declare|read|shift|test|\[|\[\[|which|command|type|hash|grep|sed|awk|tail|head|kill|curl|wget|apt|apt-get|apk|brew|pip|pip3|del-cli|shx|chmod|chown|ln|find|xargs|tar|unzip|git|docker|docker-compose|codecov|coveralls|jq|env|break|continue|let|eval|umask|exec|mktemp|printenv|bundle|composer|corepack|nvm|fnm|go-build|go-mod|go-install|go-generate|go-get|go-run|cargo-build|cargo-install|cargo-run|dotnet-restore|dotnet-build|npm-ci|npm-install|npm-i|pnpm-install|pnpm-i|yarn-install|bun-install|npm-pack|npm-publish|open|sudo|cross-env|wait-on|poetry|uv|rustup)$/;

const RUNNERS_THAT_WRAP =
  /^(?:exec|time|command|nice|nohup|env|cross-env|cross-env-shell|dotenv|dotenvx|xvfb-run|timeout|sudo|npx|bunx|pnpx|uvx|stdbuf|retry|caffeinate|winpty|dbus-run-session|catchsegv|unbuffer|ionice)$/;
const INTERPRETERS =
  /^(?:python[\d.]*|py|node|ruby|php|perl|bash|sh|zsh|dash|pwsh|powershell|tsx|ts-node|bun|deno)$/;

/** The checks that one command starts. */
function checksOf(command: ShellCommand, everything: boolean): Check[] {
  const { ignoredBy, condition, line } = command;
  const { program, args, env, script } = unwrap(command.words, command.env);
  if (script !== undefined)
    return checksIn(script, { everything }).map((check) => ({
      ...check,
      env: { ...env, ...check.env },
      ignoredBy: check.ignoredBy ?? ignoredBy,
      condition: check.condition ?? condition,
      line: line + check.line,
    }));
  const text = command.words.join(' ');
  const base = { env, text, ignoredBy, condition, line };
  const byName = namedScripts(program, args);
  if (byName)
    return byName.names
      .filter((name) => everything || isCheckName(name))
      .map((name) => ({
        ...base,
        tool: `${byName.runner} ${name}`,
        subject: subjectOfName(name),
        args: byName.args,
      }));
  const sub = WITH_SUBCOMMAND.test(program) ? args.findIndex((arg) => !/^[-+]/.test(arg)) : -1;
  const joined = sub === -1 ? program : `${program}-${args[sub]}`;
  const isNodeTest = program === 'node' && args.includes('--test');
  const tool = isNodeTest
    ? 'node-test'
    : SUBJECT_OF.has(program) && !/^ruff$|^biome$/.test(program)
      ? program
      : joined;
  const subject = /^(?:turbo|nx|lerna)$/.test(program)
    ? subjectOfTasks(args)
    : (SUBJECT_OF.get(tool) ?? SUBJECT_OF.get(program));
  const rest = tool === program || sub === -1 ? args : [...args.slice(0, sub), ...args.slice(sub + 1)];
  if (subject) {
    if (/^(?:biome|ruff)-(?:format)$/.test(tool) && !rest.includes('--check'))
      return everything ? [{ ...base, tool, subject, args: rest }] : [];
    if (/^(?:prettier|black|isort|gofmt|rustfmt)$/.test(tool) && !everything && !isCheckingFormat(tool, rest))
      return [];
    return [{ ...base, tool, subject, args: rest }];
  }
  if (NO_CHECK.test(program) || NO_CHECK.test(joined) || isInlineExit([program, ...args])) return [];
  const script0 = scriptPath(program, args);
  if (script0 !== undefined && isCheckName(script0))
    return [
      {
        ...base,
        tool: script0,
        subject: subjectOfName(script0),
        args: program === script0 ? args : args.filter((arg) => arg !== script0),
      },
    ];
  return everything
    ? [
        {
          ...base,
          tool: [program, ...args.slice(0, INTERPRETERS.test(program) ? 1 : 0)].join(' '),
          subject: 'any',
          args,
        },
      ]
    : [];
}

/** What the tasks are about that a runner of tasks starts: `turbo run lint`. */
function subjectOfTasks(args: readonly string[]): Subject {
  const subjects = new Set(
    args.filter((arg) => !/^-|^(?:run|run-many|affected)$/.test(arg)).map(subjectOfName),
  );
  const [only = 'any'] = subjects;
  return subjects.size === 1 ? only : 'any';
}

function isCheckingFormat(tool: string, args: readonly string[]): boolean {
  if (/^(?:gofmt|goimports)$/.test(tool)) return args.some((arg) => /^-[dl]/.test(arg));
  return args.some((arg) => /^(?:--check(?:-only)?|-c|--list-different|-l|--diff)$/.test(arg));
}

/** A script of the project that is started directly: `./scripts/test.sh`, `bash ci/lint.sh`, `node verify.mjs`. */
function scriptPath(program: string, args: readonly string[]): string | undefined {
  const isInline = /^-(?:c|e|p|r|-eval|-print)$/.test(args[0] ?? '');
  const path = !INTERPRETERS.test(program)
    ? program
    : isInline
      ? undefined
      : args.find((arg) => !arg.startsWith('-'));
  return path !== undefined && /\/|\.(?:sh|bash|mjs|cjs|js|ts|py|rb|php)$/.test(path) ? path : undefined;
}

export function subjectOfName(name: string): Subject {
  const known = SUBJECT_OF.get(name);
  if (known) return known;
  if (/lint|style|format|fmt|clippy|vet|stylelint|eslint|prettier/i.test(name)) return 'style';
  if (/type|tsc|mypy|pyright|phpstan/i.test(name)) return 'types';
  if (/audit|security/i.test(name)) return 'security';
  return /test|spec|e2e|unit|integration|cov|smoke/i.test(name) ? 'tests' : 'any';
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A script in an argument: `sh -c '…'`. */
  readonly script?: string;
}

/** The program that a command starts in the end, without what only starts it. */
function unwrap(given: readonly string[], variables: Readonly<Record<string, string>>): Started {
  const env = { ...variables };
  let rest = [...given];
  for (let guard = 0; guard < 12; guard++) {
    const program = baseName(rest[0] ?? '');
    const next = rest[1] ?? '';
    const third = rest[2] ?? '';
    if (/^(?:bash|sh|zsh|dash|pwsh)$/.test(program)) {
      const at = rest.findIndex((word) => /^-\w*c$/.test(word));
      if (at > 0) return { program, args: rest.slice(1), env, script: rest[at + 1] ?? '' };
      return { program, args: rest.slice(1).filter((word) => !word.startsWith('-')), env };
    }
    if (program === 'npm' && next === 'exec') rest = afterOptions(rest.slice(2));
    else if (/^(?:pnpm|yarn)$/.test(program) && /^(?:exec|dlx)$/.test(next))
      rest = afterOptions(rest.slice(2));
    else if (program === 'yarn' && SUBJECT_OF.has(next) && !/^(?:nx|turbo)$/.test(next)) rest = rest.slice(1);
    else if (program === 'pnpm' && SUBJECT_OF.has(next)) rest = rest.slice(1);
    else if (/^(?:uv|poetry|pipenv|pdm|rye|pixi)$/.test(program) && next === 'run')
      rest = afterOptions(rest.slice(2));
    else if (program === 'bundle' && next === 'exec') rest = rest.slice(2);
    else if (program === 'composer' && next === 'exec') rest = afterOptions(rest.slice(2));
    else if (program === 'docker' && next === 'compose' && /^(?:run|exec)$/.test(third))
      rest = afterOptions(rest.slice(3)).slice(1);
    else if (program === 'docker-compose' && /^(?:run|exec)$/.test(next))
      rest = afterOptions(rest.slice(2)).slice(1);
    else if (/^(?:python[\d.]*|py)$/.test(program) && rest.includes('-m')) {
      // `python -W error -m pytest`: the options before `-m` stay arguments.
      const at = rest.indexOf('-m');
      rest = [rest[at + 1] ?? '', ...rest.slice(1, at), ...rest.slice(at + 2)];
    } else if (program === 'coverage' && next === 'run')
      rest = afterOptions(rest.slice(2).filter((word) => word !== '-m'));
    else if (/^(?:nyc|c8)$/.test(program)) {
      const inner = rest.findIndex(
        (word, index) =>
          (index > 0 && SUBJECT_OF.has(baseName(word))) ||
          (index > 0 && /^(?:npm|yarn|pnpm|node)$/.test(word)),
      );
      if (inner === -1) break;
      rest = [...rest.slice(inner), ...rest.slice(1, inner)];
    } else if (program === 'node' && /node_modules\//.test(next))
      rest = [/node_modules\/(?:\.bin\/)?(?:@[\w-]+\/)?([\w-]+)/.exec(next)?.[1] ?? next, ...rest.slice(2)];
    else if (RUNNERS_THAT_WRAP.test(program)) {
      rest = rest.slice(1);
      for (let word = rest[0]; word !== undefined; word = rest[0]) {
        const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? [];
        if (name !== undefined) env[name] = value ?? '';
        else if (!(word.startsWith('-') || /^\d+[smh]?$/.test(word))) break;
        rest = rest.slice(/^(?:-p|--package|-n|-u|-s|-k|-e|-f)$/.test(word) ? 2 : 1);
      }
    } else break;
  }
  const [first = '', ...args] = rest;
  return { program: programName(first), args, env };
}

function afterOptions(list: readonly string[]): string[] {
  const at = list.findIndex((word) => !word.startsWith('-'));
  return at === -1 ? [] : list.slice(at);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `vitest` for `node_modules/.bin/vitest` and `jest@29`; scripts of the project keep their path. */
function programName(path: string): string {
  const name = baseName(path)
    .replace(/(?<=.)@[\d^~].*$|\.(?:exe|cmd|phar|bat)$/, '')
    .replace(/^(gradle|mvn)w$/, '$1');
  if (!path.includes('/') || SUBJECT_OF.has(name) || /(?:^|\/)(?:\.?bin|\.venv|venv)\//.test(path))
    return name;
  return path.replace(/^\.\//, '');
}

interface NamedScripts {
  readonly runner: string;
  readonly names: readonly string[];
  readonly args: readonly string[];
}

/** The scripts and targets that a command starts by their names. */
function namedScripts(program: string, args: readonly string[]): NamedScripts | undefined {
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program)) return packageScript(program, args);
  if (/^(?:npm-run-all2?|run-s|run-p)$/.test(program))
    return {
      runner: 'script',
      names: args.filter((arg) => !arg.startsWith('-')),
      args: args.filter((arg) => arg.startsWith('-')),
    };
  if (program === 'concurrently')
    return {
      runner: 'script',
      names: args
        .filter((arg) => /^(?:npm|yarn|pnpm|bun)(?::|\s+(?:run\s+)?)/.test(arg))
        .map((arg) => arg.replace(/^\w+(?::|\s+(?:run\s+)?)/, '')),
      args: [],
    };
  if (/^(?:make|gmake|just|task|mage|invoke|inv|poe|hatch|rake|composer|doit|ant)$/.test(program))
    return targets(program, args);
  if (program === 'deno' && args[0] === 'task')
    return { runner: 'script', names: args.slice(1, 2), args: args.slice(2) };
  return undefined;
}

function packageScript(program: string, given: readonly string[]): NamedScripts | undefined {
  const own: string[] = [];
  let args = [...given];
  while (args[0]?.startsWith('-')) {
    const [option = ''] = args;
    const length = /^(?:--prefix|-C|--workspace|-w|--filter|-F|--cwd|--dir)$/.test(option) ? 2 : 1;
    own.push(...args.slice(0, length));
    args = args.slice(length);
  }
  const [first = ''] = args;
  let name: string | undefined;
  if (/^(?:run|run-script|rum)$/.test(first)) {
    args = args.slice(1);
    while (args[0]?.startsWith('-')) own.push(args.shift() as string);
    name = args.shift();
  } else if (/^(?:test|t|tst)$/.test(first) && program !== 'bun') {
    name = 'test';
    args.shift();
  } else if (/^(?:pnpm|yarn)$/.test(program) && isCheckName(first) && first !== 'audit') name = args.shift();
  else if (program === 'yarn' && /^workspaces?$/.test(first)) {
    const at = args.findIndex((arg) => isCheckName(arg));
    if (at === -1) return undefined;
    own.push(...args.slice(0, at));
    name = args[at];
    args = args.slice(at + 1);
  }
  if (name === undefined) return undefined;
  const separator = args.indexOf('--');
  // npm's own options precede `--`, also without one.
  const split = separator === -1 && program === 'npm' ? args.filter((arg) => !arg.startsWith('-')) : args;
  if (separator === -1 && program === 'npm') own.push(...args.filter((arg) => arg.startsWith('-')));
  else if (separator !== -1) own.push(...args.slice(0, separator).filter((arg) => arg.startsWith('-')));
  const passed = separator === -1 ? split : args.slice(separator + 1);
  const kept = own.filter((arg) => !/^(?:-s|--silent|--quiet|-q|--loglevel=?\w*)$/.test(arg));
  return { runner: 'script', names: [name], args: [...kept, ...passed] };
}

function targets(program: string, args: readonly string[]): NamedScripts | undefined {
  const names: string[] = [];
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (/^(?:-C|-f|-j|--directory|--file)$/.test(arg) && !/^-/.test(args[index + 1] ?? '-'))
      rest.push(arg, args[++index] as string);
    else if (/^-/.test(arg) || /^\w+=/.test(arg)) rest.push(arg);
    else if (program === 'composer' && /^(?:run|run-script)$/.test(arg)) continue;
    else if (program === 'hatch' && arg === 'run') continue;
    else if (program === 'composer' && /^(?:install|update|require|validate|dump-autoload)$/.test(arg))
      return undefined;
    else names.push(arg);
  }
  if (program === 'rake' && names.some((name) => /^(?:test|spec)\b/.test(name)))
    return { runner: 'rake', names, args: rest };
  return {
    runner: /^gmake$/.test(program) ? 'make' : program,
    names: names.length > 0 ? names : ['default'],
    args: rest,
  };
}
