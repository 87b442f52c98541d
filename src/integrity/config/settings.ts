// What the settings of runners, checkers and linters mean, as a table: which value is the weaker one.

import type { RuleName, Severity } from '../rules.ts';

/** How two values of a setting compare. */
export type Meaning =
  /** Globs of what is checked: what is lost is weaker; `include regex`: regular expressions of paths. */
  | 'include'
  | 'include regex'
  /** What is left out: more of it is weaker, but for outputs; `leave out of coverage`: but for tests and setups too. */
  | 'leave out'
  | 'leave out of coverage'
  /** Names of rules or errors that are off: more of them is weaker; `on`: fewer. */
  | 'off'
  | 'on'
  /** A list that should not lose members without new ones. */
  | 'fewer'
  /** A switch that is stricter, or looser, when it is on. */
  | 'strict'
  | 'loose'
  /** A limit below which, or above which, the check fails. */
  | 'min'
  | 'max'
  /** Less of it accepts less: how often a failed test runs again. */
  | 'retries'
  /** Arguments of a command. */
  | 'arguments'
  /** A program that decides what a result is: one of the tree is weaker than one of a package. */
  | 'judge'
  /** The severity of rules, below this key. */
  | 'levels';

export interface SettingRow {
  /** The settings' owner, as `ownersOf` names it. */
  readonly owner: RegExp;
  /** The keys, joined by dots. */
  readonly key: RegExp;
  readonly meaning: Meaning;
  /** Of one of its values, if not any will do. */
  readonly value?: RegExp;
  /** That of the meaning if absent. */
  readonly rule?: RuleName;
  readonly severity?: Severity;
}

/** The rule that a weaker value breaks. */
export const RULE_OF: Readonly<Record<Meaning, RuleName>> = {
  include: 'check-narrowed',
  'include regex': 'check-narrowed',
  'leave out': 'check-narrowed',
  'leave out of coverage': 'coverage-lowered',
  off: 'lint-rule-disabled',
  on: 'lint-rule-disabled',
  fewer: 'check-narrowed',
  strict: 'strictness-lowered',
  loose: 'strictness-lowered',
  min: 'coverage-lowered',
  max: 'strictness-lowered',
  retries: 'failure-ignored',
  arguments: 'check-narrowed',
  judge: 'outcome-overridden',
  levels: 'lint-rule-disabled',
};

const NUMBER = /^-?[\d.]+%?$/;

/** Tools whose settings are read by what their names say, as far as no row has them; of an action, its inputs. */
const NAMED_ALIKE =
  /^(?:checker|action|jest|vitest|mocha|ava|playwright|cypress|karma|jasmine|wdio|pytest|coverage|nyc|stryker|junit|pylint)$/;

/** The first row that fits decides. */
export const SETTINGS: readonly SettingRow[] = [
  // Runners of JavaScript.
  {
    owner: /^(?:jest|vitest|mocha|ava|playwright|cypress|karma|jasmine|wdio|node-test)$/,
    key: /(?:^|\.)(?:passWithNoTests|allowEmpty)$/,
    meaning: 'loose',
    rule: 'empty-run-allowed',
  },
  { owner: /^jest$/, key: /(?:^|\.)coverageThreshold\./, meaning: 'min' },
  {
    owner: /^(?:jest|vitest)$/,
    key: /(?:moduleNameMapper|alias)\..*\b(?:src|lib|app)\b/,
    value: /(?:^|[/._-])(?:stubs?|fakes?|mocks?|__mocks__|doubles?)(?:[/._-]|$)/i,
    meaning: 'judge',
    rule: 'subject-mocked',
  },
  { owner: /^jest$/, key: /^automock$/, meaning: 'loose', rule: 'subject-mocked' },
  { owner: /^jest$/, key: /(?:^|\.)diagnostics$/, meaning: 'strict' },
  {
    owner: /^jest$/,
    key: /(?:^|\.)(?:testPathIgnorePatterns|modulePathIgnorePatterns)$/,
    meaning: 'leave out',
  },
  { owner: /^jest$/, key: /(?:^|\.)(?:coveragePathIgnorePatterns)$/, meaning: 'leave out of coverage' },
  { owner: /^jest$/, key: /(?:^|\.)(?:testMatch|roots|collectCoverageFrom|projects)$/, meaning: 'include' },
  { owner: /^jest$/, key: /(?:^|\.)testRegex$/, meaning: 'include regex' },
  { owner: /^(?:jest|vitest)$/, key: /(?:^|\.)(?:testRunner|runner)$/, meaning: 'judge' },
  { owner: /^jest$/, key: /(?:^|\.)testResultsProcessor$/, meaning: 'judge', severity: 'medium' },
  { owner: /^vitest$/, key: /(?:^|\.)coverage\.exclude$/, meaning: 'leave out of coverage' },
  {
    owner: /^vitest$/,
    key: /(?:^|\.)coverage\.(?:thresholds\.|(?:lines|branches|functions|statements)$)/,
    meaning: 'min',
  },
  { owner: /^vitest$/, key: /(?:^|\.)coverage\.include$/, meaning: 'include', rule: 'coverage-lowered' },
  {
    owner: /^vitest$/,
    // The list of a workspace has no key.
    key: /^$|(?:^|\.)(?:include|dir|typecheck\.include|projects|workspace)$/,
    meaning: 'include',
  },
  { owner: /^vitest$/, key: /(?:^|\.)exclude$/, meaning: 'leave out' },
  {
    owner: /^vitest$/,
    key: /(?:^|\.)(?:dangerouslyIgnoreUnhandledErrors|ignoreSourceErrors)$/,
    meaning: 'loose',
    rule: 'failure-ignored',
  },
  { owner: /^vitest$/, key: /(?:^|\.)(?:allowOnly)$/, meaning: 'loose' },
  {
    owner: /^(?:jest|vitest|mocha|playwright)$/,
    key: /(?:^|\.)(?:testNamePattern|grep|fgrep|grepInvert|invert|changed|onlyChanged|shard)$/,
    meaning: 'arguments',
  },
  {
    owner: /^(?:mocha|ava|cypress|wdio|jasmine)$/,
    key: /(?:^|\.)(?:spec|files|specPattern|specs|spec_files|spec_dir)$/,
    meaning: 'include',
  },
  {
    owner: /^(?:mocha|wdio|cypress)$/,
    key: /(?:^|\.)(?:ignore|exclude|excludeSpecPattern)$/,
    meaning: 'leave out',
  },
  {
    owner: /^(?:mocha|playwright)$/,
    key: /(?:^|\.)(?:forbidOnly|forbid-only|forbidPending|forbid-pending|check-leaks)$/,
    meaning: 'strict',
  },
  { owner: /^playwright$/, key: /(?:^|\.)(?:testDir|testMatch)$/, meaning: 'include' },
  { owner: /^playwright$/, key: /(?:^|\.)testIgnore$/, meaning: 'leave out' },
  {
    owner: /^playwright$/,
    key: /(?:^|\.)(?:maxDiffPixels|maxDiffPixelRatio|toHaveScreenshot\.threshold)$/,
    meaning: 'max',
  },
  {
    owner: /^playwright$/,
    key: /(?:^|\.)projects\..*\bname$/,
    meaning: 'on',
    rule: 'check-narrowed',
    severity: 'medium',
  },
  { owner: /^karma$/, key: /(?:^|\.)files$/, meaning: 'include' },
  { owner: /^karma$/, key: /(?:^|\.)exclude$/, meaning: 'leave out' },
  { owner: /^karma$/, key: /(?:^|\.)failOnEmptyTestSuite$/, meaning: 'strict', rule: 'empty-run-allowed' },
  {
    owner: /^(?:karma|nyc)$/,
    key: /(?:^|\.)(?:thresholds?|check)\.|(?:^|\.)(?:lines|branches|functions|statements)$/,
    meaning: 'min',
  },
  {
    owner: /^nyc$/,
    key: /(?:^|\.)(?:check-coverage|checkCoverage|all|per-file)$/,
    meaning: 'strict',
    rule: 'coverage-lowered',
  },
  { owner: /^nyc$/, key: /(?:^|\.)(?:exclude)$/, meaning: 'leave out of coverage' },
  { owner: /^nyc$/, key: /(?:^|\.)(?:include)$/, meaning: 'include', rule: 'coverage-lowered' },

  // Python.
  { owner: /^pytest$/, key: /^addopts$/, meaning: 'arguments' },
  {
    owner: /^pytest$/,
    key: /^(?:testpaths|python_files|python_classes|python_functions)$/,
    meaning: 'include',
  },
  { owner: /^pytest$/, key: /^(?:norecursedirs|collect_ignore|collect_ignore_glob)$/, meaning: 'leave out' },
  { owner: /^pytest$/, key: /^xfail_strict$/, meaning: 'strict' },
  {
    owner: /^pytest$/,
    key: /^filterwarnings$/,
    meaning: 'on',
    rule: 'strictness-lowered',
    severity: 'medium',
  },
  { owner: /^coverage$/, key: /(?:^|\.)fail_under$/, meaning: 'min' },
  { owner: /^coverage$/, key: /(?:^|\.)omit$/, meaning: 'leave out of coverage' },
  {
    owner: /^coverage$/,
    key: /(?:^|\.)(?:source|include|source_pkgs)$/,
    meaning: 'include',
    rule: 'coverage-lowered',
  },
  { owner: /^coverage$/, key: /(?:^|\.)branch$/, meaning: 'strict', rule: 'coverage-lowered' },
  {
    owner: /^coverage$/,
    key: /(?:^|\.)exclude_(?:lines|also)$/,
    meaning: 'off',
    rule: 'coverage-lowered',
    severity: 'medium',
  },
  {
    owner: /^(?:mypy|pyright)$/,
    key: /(?:^ignore_missing_imports|(?:^|\.)ignore_errors|(?:^|\.)allow_\w+)$/,
    meaning: 'loose',
  },
  {
    owner: /^mypy$/,
    key: /(?:^|\.)(?:strict\w*|disallow_\w+|warn_\w+|check_untyped_defs|no_implicit_optional|extra_checks|local_partial_types)$/,
    meaning: 'strict',
  },
  { owner: /^mypy$/, key: /(?:^|\.)follow_imports$/, meaning: 'levels', rule: 'strictness-lowered' },
  { owner: /^mypy$/, key: /(?:^|\.)disable_error_code$/, meaning: 'off' },
  { owner: /^mypy$/, key: /(?:^|\.)enable_error_code$/, meaning: 'on' },
  { owner: /^(?:mypy|pyright)$/, key: /(?:^|\.)(?:exclude|ignore)$/, meaning: 'leave out' },
  { owner: /^(?:mypy|pyright)$/, key: /(?:^|\.)(?:files|packages|include|modules)$/, meaning: 'include' },
  {
    owner: /^pyright$/,
    key: /(?:^|\.)(?:report\w+|typeCheckingMode)$/,
    meaning: 'levels',
    rule: 'strictness-lowered',
  },
  { owner: /^pyright$/, key: /(?:^|\.)(?:strict\w*)$/, meaning: 'strict' },
  {
    owner: /^(?:ruff|flake8|pylint|pycodestyle|pydocstyle|bandit)$/,
    key: /(?:^|\.)(?:per-file-ignores|extend-per-file-ignores)(?:\.|$)/,
    meaning: 'off',
  },
  {
    owner: /^(?:ruff|flake8|pylint|pycodestyle|pydocstyle|bandit)$/,
    key: /(?:^|\.)(?:ignore|extend-ignore|disable|skips|no-enable)$/,
    meaning: 'off',
  },
  {
    owner: /^(?:ruff|flake8|pylint|pycodestyle|pydocstyle|bandit)$/,
    key: /(?:^|\.)(?:select|extend-select|enable|tests)$/,
    meaning: 'on',
  },
  {
    owner: /^(?:ruff|flake8|pylint|pycodestyle|black|isort|bandit)$/,
    key: /(?:^|\.)(?:exclude|extend-exclude|force-exclude-paths|ignore-paths|ignore-patterns|exclude_dirs|skip|extend_skip|skip_glob)$/,
    meaning: 'leave out',
  },
  {
    owner: /^(?:ruff|flake8|pylint)$/,
    key: /(?:^|\.)(?:max-complexity|max-args|max-branches|max-returns|max-statements|max-locals|max-attributes|max-nested-blocks)$/,
    meaning: 'max',
    severity: 'medium',
  },
  {
    owner: /^(?:flake8|ruff|pylint)$/,
    key: /(?:^|\.)(?:exit-zero)$/,
    meaning: 'loose',
    rule: 'failure-ignored',
  },

  // TypeScript.
  {
    owner: /^tsconfig/,
    key: /(?:^|\.)compilerOptions\.(?:strict\w*|noImplicit\w+|noUnused\w+|noUnchecked\w+|noFallthrough\w+|noPropertyAccess\w+|exactOptional\w+|noEmitOnError|alwaysStrict|checkJs|useUnknownInCatchVariables|forceConsistent\w+|isolatedDeclarations|erasableSyntaxOnly)$/,
    meaning: 'strict',
  },
  {
    owner: /^tsconfig/,
    key: /(?:^|\.)compilerOptions\.(?:skipLibCheck|skipDefaultLibCheck|noCheck|allowUnreachableCode|allowUnusedLabels|suppress\w+|noStrictGenericChecks|keyofStringsOnly)$/,
    meaning: 'loose',
  },
  { owner: /^tsconfig/, key: /^exclude$/, meaning: 'leave out' },
  { owner: /^tsconfig/, key: /^(?:include|files)$/, meaning: 'include' },
  { owner: /^tsconfig/, key: /^references\b.*path$/, meaning: 'include' },
  {
    owner: /^tsconfig/,
    key: /^(?:vueCompilerOptions|angularCompilerOptions)\.strict\w*$/,
    meaning: 'strict',
  },

  // Linters of JavaScript and others with rules by name.
  {
    owner: /^(?:eslint|oxlint|stylelint|tslint|biome|xo|markdownlint|htmlhint)$/,
    key: /(?:^|\.)(?:ignores|ignorePatterns|ignoreFiles|ignore|files\.ignore|excludedFiles)$/,
    meaning: 'leave out',
  },
  { owner: /^biome$/, key: /^(?:files|linter|formatter|vcs)?\.?includes?$/, meaning: 'include' },
  {
    owner: /^biome$/,
    key: /(?:^|\.)linter\.enabled$/,
    meaning: 'strict',
    rule: 'lint-rule-disabled',
  },
  {
    owner: /^biome$/,
    key: /(?:^|\.)rules\.(?:\w+\.)?(?:recommended|all)$/,
    meaning: 'strict',
    rule: 'lint-rule-disabled',
  },
  {
    owner: /^(?:eslint|oxlint|xo)$/,
    key: /(?:^|\.)(?:reportUnusedDisableDirectives|noInlineConfig)$/,
    meaning: 'strict',
    rule: 'lint-rule-disabled',
    severity: 'medium',
  },
  {
    owner: /^(?:eslint|oxlint|tslint|xo)$/,
    key: /(?:^|\.)(?:complexity|max-[\w-]+)(?:\.max)?$/,
    meaning: 'max',
    severity: 'medium',
  },
  {
    owner: /^(?:eslint|oxlint|stylelint|tslint|biome|xo|markdownlint|htmlhint|commitlint)$/,
    key: /(?:^|\.)(?:rules|categories|jsRules)\./,
    meaning: 'levels',
  },
  { owner: /^markdownlint$/, key: /^MD\d+$|^default$/, meaning: 'levels', severity: 'medium' },

  // Ruby, PHP, Go, Rust, Java, .NET.
  { owner: /^rubocop$/, key: /^AllCops\.DisabledByDefault$/, meaning: 'loose', rule: 'lint-rule-disabled' },
  { owner: /^rubocop$/, key: /\.Exclude$/, meaning: 'leave out' },
  { owner: /^rubocop$/, key: /\.Enabled$/, meaning: 'strict', rule: 'lint-rule-disabled' },
  { owner: /^rubocop$/, key: /^inherit_from$/, meaning: 'off', severity: 'medium' },
  { owner: /^rubocop$/, key: /\.Max$/, meaning: 'max', severity: 'medium' },
  { owner: /^(?:phpstan|psalm)$/, key: /(?:^|\.)level$/, meaning: 'min', rule: 'strictness-lowered' },
  { owner: /^psalm$/, key: /(?:^|\.)@errorLevel$/, meaning: 'max' },
  { owner: /^psalm$/, key: /issueHandlers\..*(?:errorLevel|@type)/, meaning: 'levels' },
  { owner: /^phpstan$/, key: /(?:^|\.)ignoreErrors(?:\.|$)/, meaning: 'off' },
  { owner: /^phpstan$/, key: /(?:^|\.)(?:excludePaths(?:\..*)?|excludes_analyse)$/, meaning: 'leave out' },
  { owner: /^phpstan$/, key: /(?:^|\.)paths$/, meaning: 'include' },
  {
    owner: /^phpstan$/,
    key: /(?:^|\.)(?:reportUnmatchedIgnoredErrors|checkMissing\w+)$/,
    meaning: 'strict',
  },
  { owner: /^phpunit$/, key: /(?:^|\.)testsuites?\..*exclude/, meaning: 'leave out' },
  { owner: /^phpunit$/, key: /(?:^|\.)testsuites?\..*(?:directory|file)(?:\.#)?$/, meaning: 'include' },
  { owner: /^phpunit$/, key: /(?:^|\.)(?:groups)\.exclude/, meaning: 'leave out' },
  { owner: /^phpunit$/, key: /(?:^|\.)(?:coverage|source)\.exclude/, meaning: 'leave out of coverage' },
  {
    owner: /^phpunit$/,
    key: /@(?:failOn\w+|beStrict\w+|strict\w+|requireCoverageMetadata)$/,
    meaning: 'strict',
  },
  { owner: /^golangci$/, key: /^linters\.(?:disable)$/, meaning: 'off' },
  { owner: /^golangci$/, key: /^linters\.(?:disable-all)$/, meaning: 'loose', rule: 'lint-rule-disabled' },
  { owner: /^golangci$/, key: /^linters\.(?:enable|default)$/, meaning: 'on' },
  {
    owner: /^golangci$/,
    key: /^(?:issues|run|linters\.exclusions)\.(?:exclude-dirs|exclude-files|skip-dirs|skip-files|paths)$/,
    meaning: 'leave out',
  },
  { owner: /^golangci$/, key: /(?:exclude-rules|exclusions\.rules|issues\.exclude)\b/, meaning: 'off' },
  { owner: /^golangci$/, key: /^issues\.(?:new|new-from-\w+)$/, meaning: 'loose', rule: 'check-narrowed' },
  { owner: /^golangci$/, key: /^run\.tests$/, meaning: 'strict', rule: 'check-narrowed' },
  { owner: /^golangci$/, key: /issues-exit-code$/, meaning: 'min', rule: 'failure-ignored' },
  { owner: /^cargo$/, key: /(?:^|\.)lints\./, meaning: 'levels' },
  {
    owner: /^cargo$/,
    key: /^(?:lib|bin|test|bench|example)(?:\..*)?\.(?:test|harness)$/,
    meaning: 'strict',
    rule: 'check-removed',
  },
  { owner: /^cargo$/, key: /^package\.autotests$/, meaning: 'strict', rule: 'check-removed' },
  { owner: /^cargo$/, key: /^workspace\.exclude$/, meaning: 'leave out' },
  {
    owner: /^cargo$/,
    key: /^workspace\.(?:members|default-members)$/,
    meaning: 'include',
    severity: 'medium',
  },
  { owner: /^clippy$/, key: /(?:threshold|max-)/, meaning: 'max', severity: 'medium' },
  { owner: /^clippy$/, key: /^allow-/, meaning: 'loose', severity: 'medium' },
  {
    owner: /^(?:maven|gradle)$/,
    key: /(?:^|\.)(?:skipTests|skipITs|maven\.test\.skip|skipUnitTests|(?:[\w-]+\.)?skip)$/,
    meaning: 'loose',
    rule: 'check-removed',
  },
  {
    owner: /^(?:maven|gradle)$/,
    key: /(?:^|\.)(?:testFailureIgnore|maven\.test\.failure\.ignore|ignoreFailures|ignoreExitValue|isIgnoreFailures)$/,
    meaning: 'loose',
    rule: 'failure-ignored',
  },
  {
    owner: /^(?:maven|gradle)$/,
    key: /(?:^|\.)(?:failOnViolation|failsOnError|failOnError|abortOnError|failOnWarning|warningsAsErrors|allWarningsAsErrors|checkReleaseBuilds|haltOnFailure|werror|isAbortOnError|isWarningsAsErrors)$/i,
    meaning: 'strict',
  },
  {
    owner: /^(?:maven|gradle)$/,
    key: /(?:^|\.)(?:failIfNoTests|failIfNoSpecifiedTests|failOnNoDiscoveredTests|failOnNoMatchingTests|isFailOnNoMatchingTests)$/,
    meaning: 'strict',
    rule: 'empty-run-allowed',
  },
  {
    owner: /^maven$/,
    key: /(?:surefire|failsafe).*\b(?:excludes?(?:\.exclude)?|excludedGroups)$|^(?:.*\.)?properties\.excludedGroups$/,
    meaning: 'leave out',
  },
  {
    owner: /^maven$/,
    key: /(?:surefire|failsafe).*configuration\.(?:includes?(?:\.include)?|test|groups)$/,
    meaning: 'include',
  },
  {
    owner: /^(?:maven|gradle)$/,
    key: /(?:rerunFailingTestsCount|maxRetries)$/,
    meaning: 'retries',
    severity: 'medium',
  },
  { owner: /^(?:maven|gradle)$/, key: /(?:^|\.)minimum$/, meaning: 'min' },
  {
    owner: /^(?:gradle)$/,
    key: /(?:test|Test)\w*\.(?:enabled|isEnabled|onlyIf\.value)$/,
    meaning: 'strict',
    rule: 'check-removed',
  },
  {
    owner: /^(?:gradle)$/,
    key: /(?:test|Test)\w*\.onlyIf\./,
    meaning: 'arguments',
  },
  {
    owner: /^(?:gradle)$/,
    key: /(?:^|\.)(?:test|\w*Test|tests?)\b.*\.(?:exclude|excludeTestsMatching|excludeTags|excludeCategories)$/,
    meaning: 'leave out',
  },
  {
    owner: /^(?:gradle)$/,
    key: /(?:^|\.)(?:test|\w*Test|tests?)\b.*\.(?:include|includeTestsMatching|includeTags|includeCategories)$/,
    meaning: 'include',
  },
  { owner: /^msbuild$/, key: /(?:^|\.)(?:NoWarn|WarningsNotAsErrors)$/, meaning: 'off' },
  {
    owner: /^msbuild$/,
    key: /(?:^|\.)(?:TreatWarningsAsErrors|EnforceCodeStyleInBuild|EnableNETAnalyzers|RunAnalyzers\w*|CodeAnalysisTreatWarningsAsErrors|MSBuildTreatWarningsAsErrors)$/,
    meaning: 'strict',
  },
  { owner: /^msbuild$/, key: /(?:^|\.)WarningsAsErrors$/, meaning: 'on', rule: 'strictness-lowered' },
  {
    owner: /^msbuild$/,
    key: /(?:^|\.)(?:WarningLevel|Threshold)$/,
    meaning: 'min',
    rule: 'strictness-lowered',
  },
  { owner: /^msbuild$/, key: /(?:^|\.)Nullable$/, meaning: 'levels', rule: 'strictness-lowered' },
  { owner: /^msbuild$/, key: /(?:^|\.)(?:IsTestProject)$/, meaning: 'strict', rule: 'check-removed' },
  {
    owner: /^msbuild$/,
    key: /(?:^|\.)(?:AnalysisLevel|AnalysisMode)$/,
    meaning: 'levels',
    rule: 'strictness-lowered',
  },
  { owner: /^msbuild$/, key: /Compile\.@Remove$/, meaning: 'leave out' },
  { owner: /^editorconfig$/, key: /severity$|(?::|\.)(?:dotnet|csharp)_\w+$/, meaning: 'levels' },
  { owner: /^(?:detekt|checkstyle)$/, key: /(?:^|\.)active$/, meaning: 'strict', rule: 'lint-rule-disabled' },
  { owner: /^detekt$/, key: /(?:^|\.)excludes$/, meaning: 'leave out' },
  { owner: /^detekt$/, key: /(?:^|\.)(?:maxIssues|threshold|allowed\w+)$/, meaning: 'max' },
  { owner: /^swiftlint$/, key: /^disabled_rules$/, meaning: 'off' },
  { owner: /^swiftlint$/, key: /^(?:opt_in_rules|only_rules)$/, meaning: 'on' },
  { owner: /^swiftlint$/, key: /^excluded$/, meaning: 'leave out' },

  // Coverage and analysis services.
  { owner: /^codecov$/, key: /(?:^|\.)target$/, meaning: 'min' },
  { owner: /^codecov$/, key: /(?:^|\.)threshold$/, meaning: 'max', rule: 'coverage-lowered' },
  { owner: /^codecov$/, key: /(?:^|\.)informational$/, meaning: 'loose', rule: 'failure-ignored' },
  { owner: /^codecov$/, key: /^ignore$/, meaning: 'leave out of coverage' },
  { owner: /^codecov$/, key: /status\.(?:project|patch)$/, meaning: 'strict', rule: 'coverage-lowered' },
  {
    owner: /^sonar$/,
    key: /^sonar\.(?:exclusions|coverage\.exclusions|test\.exclusions|cpd\.exclusions)$/,
    meaning: 'leave out of coverage',
    rule: 'check-narrowed',
  },
  { owner: /^sonar$/, key: /^sonar\.issue\.ignore/, meaning: 'off' },
  { owner: /^sonar$/, key: /^sonar\.qualitygate\.wait$/, meaning: 'strict' },
  { owner: /^stryker$/, key: /^thresholds\.break$/, meaning: 'min', rule: 'strictness-lowered' },
  { owner: /^stryker$/, key: /^mutate$/, meaning: 'include' },
  {
    owner: /^lighthouse$/,
    key: /(?:^|\.)assertions\..*\.minScore$/,
    meaning: 'min',
    rule: 'strictness-lowered',
  },
  { owner: /^lighthouse$/, key: /(?:^|\.)assertions\..*\.max\w+$/, meaning: 'max' },
  {
    owner: /^lighthouse$/,
    key: /(?:^|\.)assertions\.[^.]+$/,
    meaning: 'levels',
    rule: 'strictness-lowered',
  },
  { owner: /^bundle-size$/, key: /(?:^|\.)(?:limit|maxSize)$/, meaning: 'max' },
  { owner: /^simplecov$/, key: /^minimum_coverage/, meaning: 'min' },
  { owner: /^simplecov$/, key: /^maximum_coverage_drop/, meaning: 'max', rule: 'coverage-lowered' },
  { owner: /^simplecov$/, key: /^add_filter$/, meaning: 'leave out of coverage' },
  { owner: /^rspec$/, key: /^arguments$/, meaning: 'arguments' },
  { owner: /^action$/, key: /^(?:on|true)\.\w+\.paths-ignore$/, meaning: 'leave out', severity: 'medium' },
  {
    owner: /^action$/,
    key: /strategy\.matrix\.[\w-]+$|^jobs\.[\w-]*(?:release|publish|deploy)[\w-]*\.needs$/,
    meaning: 'fewer',
    severity: 'medium',
  },
  {
    owner: /^travis$/,
    key: /(?:^|\.)allow_failures(?:\.|$)/,
    meaning: 'off',
    rule: 'failure-ignored',
    severity: 'medium',
  },
  {
    owner: /^(?:turbo|circle|gradle)$/,
    key: /^(?:tasks|pipeline)\..*dependsOn$|^workflows\..*\.jobs$|\bcheck\b.*\.dependsOn$/,
    meaning: 'fewer',
    severity: 'medium',
  },
  { owner: /^ignore-file$/, key: /^entries$/, meaning: 'leave out' },

  // Whatever measures the coverage.
  { owner: NAMED_ALIKE, key: /cover\w*\.?threshold/i, value: NUMBER, meaning: 'min', severity: 'medium' },
];

const INPUT = /(?:^|\.)with\.[^.]+$/;
const RESOURCES =
  /worker|concurren|parallel|process|thread|depth|size|memory|heap|cache|fork|\bage\b|fast|slow/;
const SWITCH = /^(?:true|false|yes|no|on|off)$/i;

/** What a name says that many tools use, in small letters, with hyphens; a row is for one kind of values, or for any. */
const NAMES: readonly (Pick<SettingRow, 'meaning' | 'rule'> & {
  readonly name: RegExp;
  readonly of?: 'switches' | 'numbers' | 'texts';
})[] = [
  { name: /^(?:severity|level)$/, meaning: 'levels' },
  { name: /filter$|grep/, meaning: 'arguments' },
  { name: /retr(?:y|ies)|reruns?/, meaning: 'retries' },
  {
    name: /^@?(?:fail|forbid|require|strict|treat|enforce|deny|error)|strict$/,
    of: 'switches',
    meaning: 'strict',
  },
  {
    name: /^@?(?:allow|ignore|skip|suppress|disable|tolerate|continue|no-check|soft|dry)/,
    of: 'switches',
    meaning: 'loose',
    rule: 'failure-ignored',
  },
  { name: /^min|under|score/, of: 'numbers', meaning: 'min' },
  { name: /^max|limit|tolerance/, of: 'numbers', meaning: 'max' },
  { name: /^(?:ignore|exclude|skip|omit|suppress|disable)/, of: 'texts', meaning: 'leave out' },
];

/**
 * What a setting means; undefined if it decides nothing. Tools give the same names to what decides about failures:
 * `failOnX`, `allowX`, `ignoreX`, `minX`, `maxX`.
 */
export function rowOf(owner: string, key: string, values: readonly string[]): SettingRow | undefined {
  const known = SETTINGS.find(
    ({ owner: tool, key: name, value }) =>
      tool.test(owner) && name.test(key) && (!value || values.some((each) => value.test(each))),
  );
  if (known || !NAMED_ALIKE.test(owner) || (owner === 'action' && !INPUT.test(key))) return known;
  const name = key
    .slice(key.lastIndexOf('.') + 1)
    .replace(/[a-z](?=[A-Z])/g, '$&-')
    .toLowerCase();
  if (RESOURCES.test(name)) return undefined;
  const areAll = (kind: RegExp) => values.every((value) => kind.test(value));
  const kind = areAll(SWITCH) ? 'switches' : areAll(NUMBER) ? 'numbers' : 'texts';
  const alike = NAMES.find((row) => row.name.test(name) && (row.of ?? kind) === kind);
  return alike && { owner: NAMED_ALIKE, key: /$/, severity: 'medium', ...alike };
}

const BY_FILE: readonly (readonly [path: RegExp, owner: string])[] = [
  [/(?:^|\/)jest[\w.-]*\.(?:[cm]?[jt]s|json)$/, 'jest'],
  [/(?:^|\/)(?:vitest|vite)[\w.-]*\.[cm]?[jt]s$|(?:^|\/)vitest\.workspace\.json$/, 'vitest'],
  [/(?:^|\/)\.mocharc(?:\.\w+)?$/, 'mocha'],
  [/(?:^|\/)ava\.config\.[cm]?js$/, 'ava'],
  [/(?:^|\/)playwright[\w.-]*\.[cm]?[jt]s$/, 'playwright'],
  [/(?:^|\/)cypress(?:\.config)?\.(?:[cm]?[jt]s|json)$/, 'cypress'],
  [/(?:^|\/)karma[\w.-]*\.[cm]?[jt]s$/, 'karma'],
  [/(?:^|\/)(?:spec\/support\/)?jasmine\.(?:json|mjs)$/, 'jasmine'],
  [/(?:^|\/)wdio[\w.-]*\.[cm]?[jt]s$/, 'wdio'],
  [/(?:^|\/)\.?(?:nycrc|c8rc)(?:\.\w+)?$|(?:^|\/)nyc\.config\.[cm]?js$/, 'nyc'],
  [/(?:^|\/)[jt]sconfig[\w.-]*\.json$/, 'tsconfig'],
  [/(?:^|\/)pytest\.ini$|(?:^|\/)\.pytest\.ini$/, 'pytest'],
  [/(?:^|\/)\.coveragerc$/, 'coverage'],
  [/(?:^|\/)\.?mypy\.ini$/, 'mypy'],
  [/(?:^|\/)pyrightconfig\.json$/, 'pyright'],
  [/(?:^|\/)\.?ruff\.toml$/, 'ruff'],
  [/(?:^|\/)\.flake8$/, 'flake8'],
  [/(?:^|\/)\.?pylintrc(?:\.toml)?$/, 'pylint'],
  [/(?:^|\/)\.bandit$/, 'bandit'],
  [/(?:^|\/)(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/, 'eslint'],
  [/(?:^|\/)\.?oxlintrc(?:\.json)?$|(?:^|\/)oxlint\.config\.[cm]?[jt]s$/, 'oxlint'],
  [/(?:^|\/)\.?biome\.jsonc?$/, 'biome'],
  [/(?:^|\/)(?:\.stylelintrc(?:\.\w+)?|stylelint\.config\.[cm]?[jt]s)$/, 'stylelint'],
  [/(?:^|\/)tslint\.json$/, 'tslint'],
  [/(?:^|\/)\.markdownlint(?:-cli2)?(?:rc)?(?:\.\w+)?$/, 'markdownlint'],
  [/(?:^|\/)\.rubocop[\w.-]*\.yml$/, 'rubocop'],
  [/(?:^|\/)phpstan[\w.-]*\.neon(?:\.dist)?$/, 'phpstan'],
  [/(?:^|\/)psalm[\w.-]*\.xml(?:\.dist)?$/, 'psalm'],
  [/(?:^|\/)phpunit[\w.-]*\.xml(?:\.dist)?$/, 'phpunit'],
  [/(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/, 'golangci'],
  [/(?:^|\/)Cargo\.toml$/, 'cargo'],
  [/(?:^|\/)\.?clippy\.toml$/, 'clippy'],
  [/(?:^|\/)pom\.xml$/, 'maven'],
  [/\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$/, 'gradle'],
  [/\.(?:csproj|fsproj|vbproj)$|(?:^|\/)Directory\.(?:Build|Packages)\.(?:props|targets)$/, 'msbuild'],
  [/(?:^|\/)\.(?:editorconfig|globalconfig)$/, 'editorconfig'],
  [/(?:^|\/)detekt[\w.-]*\.ya?ml$/, 'detekt'],
  [/(?:^|\/)\.swiftlint\.ya?ml$/, 'swiftlint'],
  [/(?:^|\/)\.?codecov\.ya?ml$/, 'codecov'],
  [/(?:^|\/)sonar-project\.properties$/, 'sonar'],
  [/(?:^|\/)\.?stryker\.conf(?:ig)?\.(?:json|[cm]?js)$/, 'stryker'],
  [/(?:^|\/)\.?lighthouserc\.(?:json|ya?ml|[cm]?js)$/, 'lighthouse'],
  [/(?:^|\/)(?:\.size-limit|\.?bundlewatch\.config|bundlesize\.config)\.(?:json|[cm]?[jt]s)$/, 'bundle-size'],
  [/(?:^|\/)(?:\.simplecov|(?:spec|test|rails)_helper\.rb)$/, 'simplecov'],
  [/(?:^|\/)\.rspec$/, 'rspec'],
  [/(?:^|\/)commitlint\.config\.[cm]?[jt]s$|(?:^|\/)\.commitlintrc(?:\.\w+)?$/, 'commitlint'],
  [/(?:^|\/)junit-platform\.properties$/, 'junit'],
  [/(?:^|\/)\.github\/workflows\/.*\.ya?ml$/, 'action'],
  [/(?:^|\/)\.travis\.yml$/, 'travis'],
  [/(?:^|\/)\.circleci\/config\.yml$/, 'circle'],
  [/(?:^|\/)turbo\.jsonc?$/, 'turbo'],
  [
    /(?:^|\/)\.?(?:knip|infection|bunfig|deno|nextest|deny|tarpaulin|taprc|jscpd|cspell|lychee|typos|dependency-cruiser|depcheckrc|htmlvalidate|hadolint|yamllint|sqlfluff|erb-lint|reek|grumphp|codeception|behat|web-test-runner|testcaferc|nightwatch|codecept|backstop|pa11yci|octocov|testcoverage|gremlins|revive|mutmut|mutants|ansible-lint|spectral|redocly|api-extractor|checkov|semgrep|trivy|ls-lint|actionlint|golden)(?:\.(?:conf|config|default))?(?:\.\w+)?$|\.runsettings$/,
    'checker',
  ],
  [
    /(?:^|\/)\.(?!(?:git|docker|npm|hg|vscode|helm|gcloud|eb|slug|vercel|netlify|now|cf|rsync|ag|rg|fd|watchman|cursor|claude|aider|gemini|codeium|copilot)ignore)\w+ignore$/,
    'ignore-file',
  ],
];

/** The owner of the settings in a file that is one tool's alone. */
export function ownerOf(path: string): string | undefined {
  return BY_FILE.find(([pattern]) => pattern.test(path))?.[1];
}

/** Where a file of several tools has the settings of each. */
export const SHARED_FILES: readonly (readonly [
  path: RegExp,
  places: readonly (readonly [owner: string, ...keys: string[]])[],
])[] = [
  [
    /(?:^|\/)package\.json$/,
    [
      ['jest', 'jest'],
      ['vitest', 'vitest'],
      ['mocha', 'mocha'],
      ['ava', 'ava'],
      ['nyc', 'nyc'],
      ['nyc', 'c8'],
      ['eslint', 'eslintConfig'],
      ['stylelint', 'stylelint'],
      ['xo', 'xo'],
      ['stryker', 'stryker'],
      ['bundle-size', 'size-limit'],
      ['bundle-size', 'bundlesize'],
      ['bundle-size', 'bundlewatch', 'files'],
    ],
  ],
  [
    /(?:^|\/)pyproject\.toml$/,
    [
      ['pytest', 'tool', 'pytest', 'ini_options'],
      ['pytest', 'tool', 'pytest'],
      ['coverage', 'tool', 'coverage'],
      ['mypy', 'tool', 'mypy'],
      ['pyright', 'tool', 'pyright'],
      ['pyright', 'tool', 'basedpyright'],
      ['ruff', 'tool', 'ruff'],
      ['flake8', 'tool', 'flake8'],
      ['pylint', 'tool', 'pylint'],
      ['black', 'tool', 'black'],
      ['isort', 'tool', 'isort'],
      ['bandit', 'tool', 'bandit'],
      ...['interrogate', 'mutmut', 'vulture', 'deptry', 'codespell', 'refurb'].map(
        (name) => ['checker', 'tool', name] as const,
      ),
    ],
  ],
  [
    /(?:^|\/)(?:setup\.cfg|tox\.ini)$/,
    [
      ['pytest', 'tool:pytest'],
      ['pytest', 'pytest'],
      ['coverage', 'coverage:report'],
      ['coverage', 'coverage:run'],
      ['mypy', 'mypy'],
      ['flake8', 'flake8'],
      ['pycodestyle', 'pycodestyle'],
      ['pydocstyle', 'pydocstyle'],
      ['pylint', 'pylint'],
      ['isort', 'isort'],
    ],
  ],
];
