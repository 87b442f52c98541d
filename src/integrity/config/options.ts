// What the options of checks mean, as a table, and the comparison of two lists of arguments.

import type { RuleName, Severity } from '../rules.ts';
import type { Check } from './checks.ts';
import { coveredBy, isOutput } from './patterns.ts';

/** One way in which a command became weaker. */
export interface Weakening {
  readonly rule: RuleName;
  /** That of the rule if absent. */
  readonly severity?: Severity;
  /** A clause that follows the name of what changed: "is limited by `-k smoke`". */
  readonly what: string;
}

/** What it means that a command has an option. */
type Meaning =
  /** The next word is its value; the option decides nothing. */
  | 'value'
  /** It selects a part: with a value that names what runs, or what does not. */
  | 'select'
  | 'leave out'
  /** It selects a part, without a value. */
  | 'part'
  /** Without it, less is checked. */
  | 'all'
  /** Without it, the check accepts more; `loose`: with it. */
  | 'strict'
  | 'strict value'
  | 'loose'
  | 'loose value'
  /** With it, failures do not count; nothing runs; no test is fine; what is wrong is written instead of reported. */
  | 'ignore'
  | 'nothing'
  | 'empty'
  | 'rewrite'
  /** A number below which, or above which, the check fails. */
  | 'min'
  | 'max'
  | 'retries';

interface OptionRow {
  /** Tools, as in `Check.tool`; any if absent. */
  readonly tools?: RegExp;
  readonly meaning: Meaning;
  readonly names: string;
}

const JS_TESTS =
  /^(?:vitest|jest|mocha|ava|playwright|cypress|karma|jasmine|node-test|deno-test|bun-test|react-scripts-test|ng-test|script|make|just|task)\b/;
const PYTEST = /^(?:pytest|py\.test|tox|nox|unittest|script|make|just|task|poe|hatch|invoke)\b/;
const STYLE =
  /^(?:eslint|biome|oxlint|stylelint|standard|xo|prettier|ruff|flake8|pylint|black|isort|mypy|pyright|basedpyright|rubocop|golangci-lint|phpcs|phpstan|psalm|tslint|script)\b/;

const OPTIONS: readonly OptionRow[] = [
  // Options of package managers, which precede the name of the script.
  {
    tools: /^(?:script|turbo|nx|lerna)\b/,
    meaning: 'select',
    names: '--workspace -w --filter -F --scope --projects',
  },
  { tools: /^(?:script|turbo|nx|lerna)\b/, meaning: 'all', names: '--workspaces -ws -r --recursive' },
  { tools: /^hook /, meaning: 'leave out', names: '--exclude --ignore' },
  {
    meaning: 'nothing',
    names:
      '--version --help -h --listTests --list-tests --collect-only --co --list --dry-run --dryRun --showConfig --print-config --show-settings --no-run --no-op --just-print',
  },
  { tools: /^make\b/, meaning: 'nothing', names: '-n' },
  { tools: /^make\b/, meaning: 'ignore', names: '-i --ignore-errors' },
  {
    meaning: 'empty',
    names:
      '--passWithNoTests --pass-with-no-tests --allow-no-tests --allow-empty --if-present --suppress-no-test-exit-code --pass-on-no-patterns --noTests --allow-empty-suite',
  },
  {
    meaning: 'ignore',
    names:
      '--exit-zero --suppress-tests-failed-exit-code --ignore-failures --never-fail --no-fail --fail-never -fn --ignore-exit-code --warn-only --soft-fail --no-exit-code --no-failure --suppress-all',
  },
  { tools: /^(?:pylint)\b/, meaning: 'value', names: '--fail-on --rcfile -j' },
  {
    meaning: 'min',
    names:
      '--cov-fail-under --fail-under --fail-under-lines --fail-under-functions --fail-under-regions --coverage.thresholds.lines --coverage.thresholds.functions --coverage.thresholds.branches --coverage.thresholds.statements --coverage.thresholds.100 --lines --branches --functions --statements --min-coverage --minimum-coverage --covermin --coverage-threshold --test-coverage-lines --test-coverage-branches --test-coverage-functions --min',
  },
  {
    meaning: 'max',
    names:
      '--max-warnings --maxWarnings --max-complexity --max-line-length --deny-warnings-above --max-diagnostics-allowed',
  },
  {
    meaning: 'retries',
    names: '--retry --retries --reruns --retryTimes --flaky-test-attempts --max-retries --rerun-fails',
  },
  // Tests of JavaScript, and scripts, whose runner is not known here.
  {
    tools: JS_TESTS,
    meaning: 'leave out',
    names:
      '--exclude --ignore --testPathIgnorePatterns --test-skip-pattern --grep-invert --ignoreProjects --exclude-tag --ignore-pattern --coverage.exclude',
  },
  {
    tools: JS_TESTS,
    meaning: 'select',
    names:
      '-t --testNamePattern --test-name-pattern --testPathPattern --testPathPatterns --grep -g --fgrep --match --spec --shard --changed --changedSince --since --findRelatedTests --runTestsByPath --project --dir --selectProjects --filter --testRegex --testMatch --tag --tags --tests-by-path --include',
  },
  {
    tools: JS_TESTS,
    meaning: 'part',
    names:
      '--onlyChanged --onlyFailures --lastCommit --only-changed --last-failed --related --invert --only --test-only -o',
  },
  {
    tools: /^(?:vitest|jest|playwright|ava|script|bun-test|node-test)\b/,
    meaning: 'rewrite',
    names: '-u --update --updateSnapshot --update-snapshots --test-update-snapshots --updateSnapshots',
  },
  {
    tools: JS_TESTS,
    meaning: 'strict',
    names:
      '--forbid-only --forbidOnly --forbid-pending --fail-on-flaky-tests --fail-if-no-tests --errorOnDeprecated --check-coverage --fail-zero',
  },
  { tools: /^mocha\b/, meaning: 'value', names: '-t -r --require -R --reporter --timeout --config -u --ui' },
  {
    tools: JS_TESTS,
    meaning: 'value',
    names:
      '-c --config --reporter --reporters -r --root -w --maxWorkers --pool --environment --testTimeout --timeout --workers -j --outputFile --coverageDirectory --coverageReporters --prefix --workspace --import --loader --test-concurrency --test-reporter --test-reporter-destination --browser --browsers --mode',
  },
  { tools: PYTEST, meaning: 'select', names: '-k -m -e -s --keywords --markers -env --session --sessions' },
  { tools: PYTEST, meaning: 'leave out', names: '--deselect --ignore --ignore-glob --skip-env --exclude' },
  {
    tools: PYTEST,
    meaning: 'part',
    names: '--lf --last-failed --sw --stepwise --testmon --picked',
  },
  {
    tools: PYTEST,
    meaning: 'rewrite',
    names: '--snapshot-update --force-regen --inline-snapshot=fix --inline-snapshot=update',
  },
  { tools: PYTEST, meaning: 'loose value', names: '-W --pythonwarnings' },
  // Of Python, which drops `assert` with it.
  { tools: PYTEST, meaning: 'loose', names: '-O -OO' },
  { tools: PYTEST, meaning: 'strict', names: '--strict --strict-markers --strict-config --xfail-strict' },
  {
    tools: PYTEST,
    meaning: 'value',
    names:
      '-n -p -c -o --override-ini --rootdir --cov --cov-config --cov-report --tb --timeout --dist --durations --maxfail --junitxml --junit-xml --basetemp --confcutdir --log-level -r --color --numprocesses --import-mode',
  },
  {
    tools: /^(?:go-test|gotestsum|ginkgo)\b/,
    meaning: 'select',
    names: '-run --run --focus --label-filter --focus-file',
  },
  {
    tools: /^(?:go-test|gotestsum|ginkgo)\b/,
    meaning: 'leave out',
    names: '-skip --skip --skip-file --skip-package',
  },
  { tools: /^(?:go-test|gotestsum)\b/, meaning: 'part', names: '-short --short' },
  { tools: /^(?:go-test|gotestsum)\b/, meaning: 'nothing', names: '-list -c' },
  { tools: /^(?:go-test|gotestsum|ginkgo)\b/, meaning: 'strict', names: '-race --race --fail-on-pending' },
  {
    tools: /^(?:go-test|go-vet|gotestsum)\b/,
    meaning: 'value',
    names:
      '-timeout -count -coverprofile -covermode -coverpkg -tags -parallel -p -cpu -o -exec -json -format --format -ldflags -vettool -bench -benchtime --junitfile',
  },
  {
    tools: /^cargo-/,
    meaning: 'select',
    names: '-p --package --test --bin --example --bench -E --filter-expr --partition --manifest-path',
  },
  { tools: /^cargo-/, meaning: 'leave out', names: '--skip --exclude -A --allow' },
  { tools: /^cargo-/, meaning: 'part', names: '--lib --bins --doc --examples --ignored --exact' },
  { tools: /^cargo-/, meaning: 'all', names: '--workspace --all --all-targets --all-features --tests' },
  { tools: /^cargo-/, meaning: 'strict value', names: '-D -F --deny --forbid' },
  { tools: /^cargo-/, meaning: 'loose value', names: '--cap-lints' },
  {
    tools: /^cargo-/,
    meaning: 'value',
    names: '-j --jobs --features -F --target --profile --test-threads -W --color --message-format -Z',
  },
  { tools: /^dotnet-/, meaning: 'select', names: '--filter --framework -f --project --test-modules' },
  {
    tools: /^dotnet-/,
    meaning: 'value',
    names:
      '-c --configuration --logger -l --collect -r --results-directory -v --verbosity -s --settings -a --arch -o --output',
  },
  {
    tools: /^(?:phpunit|pest|paratest)\b/,
    meaning: 'select',
    names: '--filter --group --testsuite --covers --uses',
  },
  {
    tools: /^(?:phpunit|pest|paratest)\b/,
    meaning: 'leave out',
    names: '--exclude-filter --exclude-group --exclude-testsuite',
  },
  {
    tools: /^(?:phpunit|pest|paratest)\b/,
    meaning: 'strict',
    names:
      '--fail-on-warning --fail-on-risky --fail-on-incomplete --fail-on-skipped --fail-on-deprecation --fail-on-notice --fail-on-empty-test-suite --strict-coverage --disallow-test-output',
  },
  {
    tools: /^(?:phpunit|pest|paratest)\b/,
    meaning: 'ignore',
    names: '--do-not-fail-on-warning --do-not-fail-on-risky',
  },
  {
    tools: /^(?:phpunit|pest|paratest)\b/,
    meaning: 'value',
    names:
      '-c --configuration --bootstrap --log-junit --coverage-html --coverage-clover --coverage-text --testdox-html -p --processes',
  },
  {
    tools: /^(?:rspec|cucumber|parallel_rspec|minitest|rails-test|rake)\b/,
    meaning: 'select',
    names: '-e --example -E --example-matches -t --tag --tags -P --pattern -n --name TEST',
  },
  { tools: /^(?:rspec|cucumber|parallel_rspec)\b/, meaning: 'leave out', names: '--exclude-pattern' },
  { tools: /^(?:rspec)\b/, meaning: 'part', names: '--only-failures --next-failure' },
  {
    tools: /^(?:rspec)\b/,
    meaning: 'value',
    names: '-f --format -o --out -r --require --seed --order --failure-exit-code -I',
  },
  { tools: /^mvn\b/, meaning: 'select', names: '-pl --projects -Dtest -Dit.test -Dgroups' },
  { tools: /^mvn\b/, meaning: 'leave out', names: '-DexcludedGroups' },
  { tools: /^mvn\b/, meaning: 'value', names: '-f -s -P -T -rf --file --settings' },
  { tools: /^gradle\b/, meaning: 'select', names: '--tests' },
  { tools: /^gradle\b/, meaning: 'leave out', names: '-x --exclude-task' },
  { tools: /^gradle\b/, meaning: 'value', names: '-p -b -c --project-dir --build-file --init-script -I' },
  {
    tools: STYLE,
    meaning: 'leave out',
    names:
      '--ignore-pattern --ignore --ignore-path --extend-ignore --exclude --extend-exclude --disable -d --per-file-ignores --disable-error-code --skip --ignore-patterns --ignore-paths --except --exclude-path --skip-dirs --skip-files --issues-exit-code --sniffs-exclude',
  },
  {
    tools: STYLE,
    meaning: 'select',
    names: '--only --rule --ext --select --changed --since --new-from-rev --diff-filter --sniffs',
  },
  {
    tools: STYLE,
    meaning: 'part',
    names:
      '--errors-only -E --no-eslintrc --no-config-lookup --no-config --isolated --new --fast --disable-all --staged --generate-baseline --no-warnings',
  },
  {
    tools: STYLE,
    meaning: 'strict',
    names:
      '--error-on-warnings --strict --warnings --no-inline-config --report-unused-disable-directives --fail-on-warnings --check-untyped-defs --disallow-untyped-defs --disallow-incomplete-defs --disallow-any-generics --disallow-any-explicit --no-implicit-optional --warn-return-any --warn-unused-ignores --warn-unreachable --type-aware --deny-warnings --verifytypes',
  },
  {
    tools: STYLE,
    meaning: 'loose',
    names:
      '--ignore-missing-imports --no-strict-optional --allow-untyped-defs --allow-untyped-calls --allow-redefinition --ignore-errors --no-warn-return-any --no-check-untyped-defs --skip-stub-file',
  },
  { tools: STYLE, meaning: 'loose value', names: '--follow-imports' },
  { tools: /^(?:phpstan)\b/, meaning: 'min', names: '-l --level' },
  { tools: /^(?:psalm)\b/, meaning: 'max', names: '--error-level' },
  {
    tools: STYLE,
    meaning: 'value',
    names:
      '-c --config --config-file --format -f --output-file -o --cache-location --parser --resolve-plugins-relative-to --config-path --jobs -j --output-format --python-version --timeout --memory-limit -p --project --standard --log-opts --report --extensions --line-length -l',
  },
  {
    tools: /^deno-/,
    meaning: 'loose',
    names: '--no-check',
  },
  {
    tools: /^(?:tsc|vue-tsc|tsgo)\b/,
    meaning: 'loose',
    names: '--noCheck --skipLibCheck --skipDefaultLibCheck --suppressImplicitAnyIndexErrors',
  },
  {
    tools: /^(?:tsc|vue-tsc|tsgo)\b/,
    meaning: 'strict',
    names:
      '--strict --noImplicitAny --strictNullChecks --noUnusedLocals --noUnusedParameters --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitReturns',
  },
  {
    tools: /^(?:tsc|vue-tsc|tsgo)\b/,
    meaning: 'value',
    names:
      '-p --project --outDir --target --module --rootDir --moduleResolution --jsx --lib --declarationDir',
  },
  { tools: /^(?:npm|pnpm|yarn)-audit\b/, meaning: 'part', names: '--production --omit=dev --prod' },
  {
    tools: /^(?:bandit|semgrep|trivy|snyk|gitleaks)\b/,
    meaning: 'leave out',
    names: '-s --skip -x --exclude --exclude-rule',
  },
  { meaning: 'value', names: '--prefix -C --workspace -w --filter -F --cwd --directory' },
];

const tables = new Map<string, ReadonlyMap<string, Meaning>>();

/** The meanings of a tool's options. The first row of a name counts. */
function meaningsFor(tool: string): ReadonlyMap<string, Meaning> {
  const known = tables.get(tool);
  if (known) return known;
  const made = new Map<string, Meaning>();
  for (const { tools, meaning, names } of OPTIONS) {
    if (tools && !tools.test(tool)) continue;
    for (const name of names.split(' ')) if (!made.has(name)) made.set(name, meaning);
  }
  tables.set(tool, made);
  return made;
}

interface Arguments {
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly positional: readonly string[];
}

const WITH_VALUE = new Set<Meaning>([
  'value',
  'select',
  'leave out',
  'strict value',
  'loose value',
  'min',
  'max',
  'retries',
]);

function parsed(tool: string, args: readonly string[]): Arguments {
  const meanings = meaningsFor(tool);
  const options = new Map<string, string[]>();
  const positional: string[] = [];
  const add = (name: string, value: string) => options.set(name, [...(options.get(name) ?? []), value]);
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    const assignment = /^(--?[^=]+|[A-Z_]+)=([\s\S]*)$/.exec(arg);
    if (arg === '--') continue;
    if (assignment && !meanings.has(arg)) add(assignment[1] ?? '', assignment[2] ?? '');
    else if (/^-./.test(arg)) {
      const short = /^(-[a-zA-Z])(.+)$/.exec(arg);
      const shortMeaning = short && !meanings.has(arg) ? meanings.get(short[1] ?? '') : undefined;
      const meaning = meanings.get(arg);
      if (meaning && WITH_VALUE.has(meaning)) {
        const value = args[index + 1];
        // A number may be left out: `--coverage.thresholds.100`.
        if (value === undefined || (/^-/.test(value) && !/^-\d/.test(value))) add(arg, '');
        else {
          add(arg, value);
          index++;
        }
      } else if (
        short &&
        shortMeaning &&
        WITH_VALUE.has(shortMeaning) &&
        /^(?:go|dotnet)/.test(tool) === false
      )
        add(short[1] ?? '', short[2] ?? '');
      else add(arg, '');
    } else positional.push(arg);
  }
  return { options, positional };
}

const FALSE = /^(?:false|0|no|off)$/i;
/** A value that each job of a matrix has another of. */
const OF_MATRIX =
  /\$\{\{[^}]*(?:matrix|strategy)|\$\{?(?:CI_NODE|CIRCLE_NODE|BUILDKITE_PARALLEL|SHARD)|\$\[\[/;

/** The ways in which a command with other arguments and variables checks less than before. */
export function weakerArguments(before: Check, after: Check): Weakening[] {
  const { tool } = after;
  const old = parsed(before.tool, before.args);
  const now = parsed(tool, after.args);
  return [
    ...weakerOptions(tool, old.options, now.options),
    ...weakerPositional(tool, after, old, now),
    ...weakerVariables(before, after),
  ];
}

function weakerOptions(
  tool: string,
  old: ReadonlyMap<string, readonly string[]>,
  now: ReadonlyMap<string, readonly string[]>,
): Weakening[] {
  const meanings = meaningsFor(tool);
  const found: Weakening[] = [];
  for (const [name, values] of now) {
    const before = old.get(name);
    const added = values.filter((value) => !before?.includes(value));
    if (before !== undefined && added.length === 0) continue;
    found.push(...(addedOption(tool, name, meanings.get(name), before, added) ?? []));
  }
  for (const [name, values] of old) {
    const left = now.get(name);
    if (values.every((value) => left?.includes(value))) continue;
    const what = [name, ...values.slice(0, 1)].join(' ').trim();
    switch (meanings.get(name)) {
      case 'all':
        if (SYNONYMS.some((names) => names.includes(name) && names.some((other) => now.has(other)))) break;
        found.push({ rule: 'check-narrowed', what: `no longer has \`${what}\`` });
        break;
      case 'strict':
        if (left === undefined || FALSE.test(left[0] ?? ''))
          found.push({
            rule: name === '--check-coverage' ? 'coverage-lowered' : 'strictness-lowered',
            what: `no longer has \`${what}\``,
          });
        break;
      case 'strict value':
        if (!values.every((value) => left?.includes(value)))
          found.push({ rule: 'strictness-lowered', what: `no longer has \`${what}\`` });
        break;
      case 'min':
        if (left === undefined)
          found.push({
            rule: isLevel(tool, name) ? 'strictness-lowered' : 'coverage-lowered',
            what: `no longer has \`${what}\``,
          });
        break;
      case 'max':
        if (left === undefined && !/line-length/.test(name))
          found.push({ rule: 'strictness-lowered', what: `no longer has \`${what}\`` });
        break;
    }
  }
  const checking = /^(?:prettier|black|isort|ruff-format|cargo-fmt|dotnet-format|rustfmt|biome-format)$/.test(
    tool,
  );
  const checkNames = [
    '--check',
    '-c',
    '--check-only',
    '--list-different',
    '-l',
    '--verify-no-changes',
    '--diff',
  ];
  if (checking && checkNames.some((name) => old.has(name)) && !checkNames.some((name) => now.has(name)))
    found.push({ rule: 'check-removed', what: 'writes the files instead of checking them' });
  return found;
}

const SYNONYMS: readonly (readonly string[])[] = [
  ['--all', '--workspace'],
  ['--workspaces', '-ws', '-r', '--recursive'],
];

function isLevel(tool: string, name: string): boolean {
  return /^(?:phpstan|psalm|pylint)/.test(tool) || /level/.test(name);
}

function addedOption(
  tool: string,
  name: string,
  meaning: Meaning | undefined,
  before: readonly string[] | undefined,
  added: readonly string[],
): Weakening[] | undefined {
  const value = added.find((each) => each !== '') ?? '';
  const what = /^--?[\w.-]+$|^[A-Z_]+$/.test(name) && value !== '' ? `${name} ${value}` : name;
  if (OF_MATRIX.test(value)) return undefined;
  const isOff = FALSE.test(value);
  switch (meaning) {
    case 'nothing':
      return isOff ? undefined : [{ rule: 'check-removed', what: `checks nothing with \`${what}\`` }];
    case 'empty':
      return isOff ? undefined : [{ rule: 'empty-run-allowed', what: `may run no test with \`${what}\`` }];
    case 'ignore':
      return isOff ? undefined : [{ rule: 'failure-ignored', what: `never fails with \`${what}\`` }];
    case 'rewrite':
      return isOff || value === 'none'
        ? undefined
        : [{ rule: 'check-narrowed', what: `rewrites snapshots with \`${what}\` instead of comparing them` }];
    case 'part':
      return isOff ? undefined : [{ rule: 'check-narrowed', what: `checks a part only with \`${what}\`` }];
    case 'select':
      if (
        before &&
        (before.some((old) => isNarrower(old, value)) ||
          (added.length > 0 &&
            before.length > 0 &&
            tool !== 'pytest' &&
            before.every((old) => !added.includes(old)) === false))
      )
        return undefined;
      if (name === '--rule' && !/off|:\s*0/.test(value)) return undefined;
      if (name === '--select' && before === undefined)
        return [{ rule: 'check-narrowed', severity: 'medium', what: `is limited by \`${what}\`` }];
      return [
        {
          rule: name === '--rule' ? 'lint-rule-disabled' : 'check-narrowed',
          what: `is limited by \`${what}\``,
        },
      ];
    case 'leave out': {
      if (name === '--issues-exit-code')
        return value === '0'
          ? [{ rule: 'failure-ignored', what: `never fails with \`${what}\`` }]
          : undefined;
      const lost = added
        .flatMap((each) => each.split(','))
        .filter(
          (each) => each !== '' && !isOutput(each) && !before?.some((old) => old.split(',').includes(each)),
        );
      if (lost.length === 0 || (name === '-d' && tool.startsWith('script'))) return undefined;
      const rule =
        /^(?:-A|--allow|--disable|-d|--disable-error-code|--except)$/.test(name) ||
        /^[A-Z]+\d+$/.test(lost[0] ?? '')
          ? 'lint-rule-disabled'
          : 'check-narrowed';
      return [{ rule, what: `leaves out \`${lost.join(', ')}\` with \`${name}\`` }];
    }
    case 'loose':
      return isOff ? undefined : [{ rule: 'strictness-lowered', what: `accepts more with \`${what}\`` }];
    case 'loose value':
      return /ignore|skip|silent|allow|warn|default/.test(value)
        ? [{ rule: 'strictness-lowered', what: `accepts more with \`${what}\`` }]
        : undefined;
    case 'strict':
      return isOff && before && !before.some((old) => FALSE.test(old))
        ? [{ rule: 'strictness-lowered', what: `has \`${what}\`` }]
        : undefined;
    case 'min':
    case 'max': {
      const from = Number(before?.[0]);
      const to = Number(value);
      const isWeaker = meaning === 'min' ? to < from : to > from;
      if (before === undefined || !isWeaker) return undefined;
      const rule = meaning === 'max' || isLevel(tool, name) ? 'strictness-lowered' : 'coverage-lowered';
      return [{ rule, what: `has \`${name} ${value}\`, before \`${from}\`` }];
    }
    case 'retries':
      return Number(value) > Number(before?.[0] ?? 0)
        ? [{ rule: 'failure-ignored', severity: 'medium', what: `repeats what failed with \`${what}\`` }]
        : undefined;
    default:
      return special(tool, name, value, before);
  }
}

/** Options that a value alone makes weaker. */
function special(
  tool: string,
  name: string,
  value: string,
  before: readonly string[] | undefined,
): Weakening[] | undefined {
  const what = value === '' ? name : `${name}=${value}`;
  const isOn = value === '' || /^(?:true|1|yes|on)$/i.test(value);
  if (/^(?:mvn|gradle)\b/.test(tool)) {
    if (
      /^-[DP](?:[\w.]*\.)?skip(?:Tests|ITs|UnitTests|IntegrationTests|Test)?$|^-Dmaven\.test\.skip$/i.test(
        name,
      ) &&
      isOn
    )
      return [{ rule: 'check-removed', what: `runs no test with \`${what}\`` }];
    if (
      /^-D(?:[\w.]*\.)?(?:test\.failure\.ignore|failOnViolation|failsOnError)$/.test(name) &&
      (isOn || FALSE.test(value))
    )
      return [{ rule: 'failure-ignored', what: `never fails with \`${what}\`` }];
    if (/^-D(?:surefire\.)?fail(?:IfNoTests|IfNoSpecifiedTests)$/.test(name) && FALSE.test(value))
      return [{ rule: 'empty-run-allowed', what: `may run no test with \`${what}\`` }];
  }
  if (name === '--no-tests' && value === 'pass')
    return [{ rule: 'empty-run-allowed', what: `may run no test with \`${what}\`` }];
  if (name === '--failure-exit-code' && value === '0')
    return [{ rule: 'failure-ignored', what: `never fails with \`${what}\`` }];
  if (name === '-vet' && value === 'off') return [{ rule: 'strictness-lowered', what: `has \`${what}\`` }];
  if (/^--no-errors?-on-unmatched(?:-pattern)?$/.test(name))
    return [{ rule: 'empty-run-allowed', severity: 'medium', what: `may check no file with \`${name}\`` }];
  if (/^--no-(?:coverage|cov)$/.test(name))
    return [{ rule: 'coverage-lowered', severity: 'medium', what: `has \`${name}\`` }];
  if (
    /^(?:-c|--config|--configuration)$/.test(name) &&
    /smoke|quick|fast|lite|partial|subset|loose|relaxed/.test(value)
  )
    return [{ rule: 'check-narrowed', severity: 'medium', what: `reads \`${value}\`` }];
  if (name === '--tests' && FALSE.test(value))
    return [{ rule: 'check-narrowed', what: `leaves out tests with \`${what}\`` }];
  if (name === '--audit-level') {
    const levels = ['info', 'low', 'moderate', 'high', 'critical', 'none'];
    if (levels.indexOf(value) > levels.indexOf(before?.[0] ?? 'low'))
      return [{ rule: 'strictness-lowered', severity: 'medium', what: `has \`${name} ${value}\`` }];
  }
  if (
    /^(?:-o|--override-ini)$/.test(name) &&
    /xfail_strict\s*=\s*(?:false|0)|(?:testpaths|python_\w+|addopts)\s*=/.test(value)
  )
    return [{ rule: 'check-narrowed', what: `has \`${name} ${value}\`` }];
  if (
    /^[A-Z_]*(?:ARGS|FLAGS|OPTS|FILTER|TESTS?|SUITE|RUN|K|PATTERN)$/.test(name) &&
    value !== '' &&
    !isOutput(value)
  )
    return [{ rule: 'check-narrowed', what: `is limited by \`${what}\`` }];
  if (
    (name === '-p' || name === '--project') &&
    /^(?:tsc|vue-tsc|tsgo)$/.test(tool) &&
    before === undefined &&
    !/^(?:\.|tsconfig\.json)$/.test(value)
  )
    return [{ rule: 'check-narrowed', severity: 'medium', what: `checks \`${value}\` only` }];
  return undefined;
}

/** Whether a new selection takes in all of the old one, as far as the words say it. */
function isNarrower(old: string, now: string): boolean {
  if (now === '') return true;
  const terms = (text: string) => text.split(/\s+and\s+|\s*&\s*/).map((term) => term.trim());
  const [before, after] = [terms(old), terms(now)];
  if (after.every((term) => before.includes(term))) return true;
  const parts = (text: string) => text.split(/\s+or\s+|,|\|/).map((term) => term.trim());
  return parts(old).every((term) => parts(now).includes(term));
}

/** Programs whose words without a dash are no paths. */
const NO_PATHS =
  /^(?:make|just|task|composer|rake|mage|invoke|poe|tox|nox|pre-commit|nx|turbo|lerna|wireit|ant|cypress|playwright|cargo-fmt|lint-staged|tsc|npm-audit|mix-\w+|any)\b/;
const PHASES = [
  'validate',
  'compile',
  'test-compile',
  'test',
  'package',
  'integration-test',
  'verify',
  'install',
  'deploy',
];

function weakerPositional(tool: string, { subject }: Check, old: Arguments, now: Arguments): Weakening[] {
  const narrowed = (what: string): Weakening[] => [{ rule: 'check-narrowed', what }];
  if (tool === 'mvn') {
    const phase = ({ positional }: Arguments) =>
      Math.max(-1, ...positional.map((goal) => PHASES.indexOf(goal)));
    const lost = old.positional.filter(
      (goal) => /:/.test(goal) && /check|test|verify/.test(goal) && !now.positional.includes(goal),
    );
    const [from, to] = [phase(old), phase(now)];
    if (from >= 3 && to < 3)
      return [{ rule: 'check-removed', what: `runs no test: \`${now.positional.join(' ')}\`` }];
    if (from >= 6 && to < 6) return narrowed(`ends with \`${PHASES[to]}\`, before \`${PHASES[from]}\``);
    return lost.length > 0 ? narrowed(`no longer runs \`${lost.join(' ')}\``) : [];
  }
  if (/^(?:gradle|turbo|nx|sbt|pre-commit)$/.test(tool)) {
    const names = (list: readonly string[]) => list.map((task) => task.replace(/^:/, ''));
    const has = names(now.positional);
    const lost = names(old.positional).filter(
      (task) =>
        !has.includes(task) &&
        /test|check|verify|lint|build|detekt|spotless|type/i.test(task) &&
        !(
          /^(?:test|\w+Test|lint|detekt|ktlintCheck)$/.test(task) &&
          has.some((other) => /^(?:check|build)$/.test(other))
        ),
    );
    if (lost.length === 0) return [];
    return has.some(
      (task) =>
        /test|check|build|verify/i.test(task) && lost.length <= 1 && !names(old.positional).includes(task),
    ) && !/:/.test(has[0] ?? '')
      ? []
      : narrowed(`no longer runs \`${lost.join(' ')}\``);
  }
  if (NO_PATHS.test(tool) || subject === 'any') return [];
  const paths = now.positional.filter((path) => !/^[${]|^-|^[A-Z_]+$/.test(path));
  if (now.positional.some((path) => /^["']?\$[@*{(]|\{\{|\$\{\{/.test(path))) return [];
  const before = old.positional;
  if (/^(?:cargo-test|cargo-nextest)$/.test(tool)) {
    const filters = paths.filter((path) => path !== 'run' && !before.includes(path));
    return filters.length > 0 && before.filter((path) => path !== 'run').length === 0
      ? narrowed(`is limited to \`${filters.join(' ')}\``)
      : [];
  }
  const clean = paths.filter(
    (path) => !/^(?:run|check|lint|analyse|analyze|run-tests|watch|related|test)$/.test(path),
  );
  const was = before.filter(
    (path) => !/^(?:run|check|lint|analyse|analyze|run-tests|watch|related|test)$/.test(path),
  );
  if (
    paths.some((path) => path === 'list' || path === 'related') &&
    !before.includes('list') &&
    !before.includes('related')
  )
    return narrowed(`is limited by \`${paths[0]}\``);
  if (clean.length === 0) return [];
  if (was.length === 0) {
    const roots =
      /^(?:\.|\.\/|\.\/\.\.\.|\*\*?\/?\*?|(?:\.\/)?(?:tests?|specs?|__tests__)\/?(?:\*\*\/.*)?|.*\.sln)$/;
    if (clean.some((path) => roots.test(path))) return [];
    if (/^go-/.test(tool))
      return clean.some((path) => path.endsWith('...'))
        ? []
        : narrowed(`is limited to \`${clean.join(' ')}\``);
    const isSource = subject !== 'tests' && clean.some((path) => /^(?:\.\/)?src\/?$/.test(path));
    return isSource ? [] : narrowed(`is limited to \`${clean.join(' ')}\``);
  }
  const isCovered = coveredBy(clean);
  const lost = was.filter((path) => !isCovered(path));
  if (lost.length === 0) return [];
  // Another place altogether is a move, unless something is left out or a part is taken.
  const isPart =
    clean.every(coveredBy(was)) || clean.length < was.length || clean.some((path) => isBelow(path, lost));
  return isPart ? narrowed(`is limited to \`${clean.join(' ')}\`, before \`${was.join(' ')}\``) : [];
}

/** Whether a path is below the fixed beginning of one of these patterns. */
function isBelow(path: string, patterns: readonly string[]): boolean {
  const clean = (text: string) => text.replace(/^\.\//, '').replace(/\/?(?:\.\.\.)?$/, '');
  /** The directory before the first wildcard. */
  const fixed = (text: string) =>
    /[*?{[]/.test(text) ? clean(text).replace(/(?:^|\/)[^/]*[*?{[].*$/, '') : clean(text);
  const stars = (text: string) => text.split('*').length;
  return patterns.some((pattern) => {
    const [start, own] = [fixed(pattern), fixed(path)];
    const isInside = start === '' || start === '.' || own === start || own.startsWith(`${start}/`);
    return isInside && (own.length > start.length || stars(path) < stars(pattern));
  });
}

const IN_TREE =
  /(?:^|:)(?:\.{0,2}\/|\$\{?PWD\}?|\$\(pwd\)|`pwd`|\$\{?(?:GITHUB_WORKSPACE|CI_PROJECT_DIR|CLAUDE_PROJECT_DIR)\}?|\$\{\{\s*github\.workspace\s*\}\}|[\w.-]+\/|\.(?=:|$)|(?=:)|bin(?=:|$)|tools(?=:|$))/;

/** Whether the first directories of a PATH are in the project, other than those where package managers put programs. */
export function pathInTree(value: string): string | undefined {
  const [own = ''] = value.split(/\$\{?PATH\}?|\$\{\{\s*env\.PATH\s*\}\}/);
  const directories = own.split(':').filter((each) => each !== '' && IN_TREE.test(each));
  return directories.find(
    (each) => !/(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/?$/.test(each),
  );
}

function weakerVariables(before: Check, after: Check): Weakening[] {
  return Object.entries(after.env).flatMap(([name, value]) =>
    before.env[name] === value ? [] : weakerVariable(name, value, before.env[name]),
  );
}

/** What a variable of a check's environment makes weaker. */
export function weakerVariable(name: string, value: string, before: string | undefined): Weakening[] {
  const what = `${name}=${value}`;
  if (name === 'PATH') {
    const directory = pathInTree(value);
    return directory === undefined || pathInTree(before ?? '') === directory
      ? []
      : [{ rule: 'tool-shadowed', what: `finds programs in \`${directory}\` of the tree first` }];
  }
  if (
    /^(?:NODE_OPTIONS|BASH_ENV|ENV|LD_PRELOAD|PYTHONSTARTUP|RUBYOPT|PYTHONPATH|npm_config_script_shell|NPM_CONFIG_SCRIPT_SHELL)$/.test(
      name,
    ) &&
    /\.\/|--require|--import|--loader|-r ?\.|^\w+\//.test(value) &&
    !/tsx|ts-node|dotenv|source-map|^src$|^\.$|esm|loader=ts|@swc|--max-old/.test(value)
  )
    return name === 'PYTHONPATH'
      ? []
      : [
          {
            rule: 'tool-shadowed',
            severity: 'medium',
            what: `loads code of the tree into its tools with \`${what}\``,
          },
        ];
  if (
    /(?:^|_)SKIP(?:_|$|S$)|^SKIP|(?:^|_)(?:NO|DISABLE)_(?:TESTS?|LINT|CHECKS?)$/.test(name) &&
    value !== '' &&
    !FALSE.test(value) &&
    !/DOWNLOAD|INSTALL|BUILD|SENTRY|POSTINSTALL|ENV_VALIDATION/.test(name)
  )
    return [{ rule: 'check-narrowed', what: `skips tests by \`${what}\`` }];
  if (name === 'HUSKY' && FALSE.test(value)) return [];
  if (name === 'PYTHONOPTIMIZE' && value !== '' && value !== '0')
    return [{ rule: 'strictness-lowered', what: `accepts more with \`${what}\`` }];
  if (
    /^(?:PYTEST_ADDOPTS|GOFLAGS|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|RUSTFLAGS|JEST_ARGS|VITEST_ARGS|RSPEC_OPTS|SPEC_OPTS|MAKEFLAGS)$/.test(
      name,
    )
  ) {
    const tool = /PYTEST/.test(name)
      ? 'pytest'
      : /GOFLAGS/.test(name)
        ? 'go-test'
        : /MAVEN/.test(name)
          ? 'mvn'
          : /GRADLE/.test(name)
            ? 'gradle'
            : /RUST/.test(name)
              ? 'cargo-test'
              : /MAKE/.test(name)
                ? 'make'
                : /SPEC/.test(name)
                  ? 'rspec'
                  : 'jest';
    const words = (text: string | undefined) => (text ?? '').split(/\s+/).filter(Boolean);
    return weakerOptions(tool, parsed(tool, words(before)).options, parsed(tool, words(value)).options);
  }
  return [];
}
