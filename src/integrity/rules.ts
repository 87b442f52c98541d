// The one table of rules: what can become weaker, how much that matters, and what the agent does about it.

/**
 * `high`: the stop is blocked until the change is undone; `medium`: the agent and the person read it; `low`: it is listed
 * by `ralph-loop integrity` alone.
 */
export type Severity = 'high' | 'medium' | 'low';

interface Rule {
  readonly severity: Severity;
  /** What the rule finds, for the reference page: a noun phrase. */
  readonly finds: string;
}

export const RULES = {
  'test-deleted': {
    severity: 'high',
    finds: 'a test that is gone, while the code under test is still there',
  },
  'test-skipped': {
    severity: 'high',
    finds: 'a test that no longer runs: skipped, to do, or on a condition',
  },
  'test-focused': { severity: 'high', finds: 'a focused test (`.only`): the others of its file do not run' },
  'test-expected-to-fail': { severity: 'high', finds: 'a test that is marked as expected to fail' },
  'test-not-collected': {
    severity: 'high',
    finds: 'a test that the runner does not find any more: moved, renamed, or behind a build tag',
  },
  'test-emptied': { severity: 'high', finds: 'a test whose body is empty or commented out' },
  'test-cases-removed': { severity: 'high', finds: 'a table test with fewer rows' },
  'assertion-removed': { severity: 'high', finds: 'a test with fewer assertions' },
  'assertion-weakened': {
    severity: 'high',
    finds: 'an assertion that accepts more: a truth for a value, a part for the whole, a wider tolerance',
  },
  'assertion-inverted': { severity: 'high', finds: 'an assertion that now asserts the opposite' },
  'assertion-vacuous': { severity: 'high', finds: 'an assertion that holds whatever the code does' },
  'assertion-swallowed': { severity: 'high', finds: 'an assertion whose failure is caught and dropped' },
  'assertion-unreachable': {
    severity: 'high',
    finds: 'an assertion that does not run: after a return, or on a condition',
  },
  'expectation-changed': {
    severity: 'medium',
    finds: 'an expected value that changed, while the code under test did not',
  },
  'snapshot-rewritten': {
    severity: 'high',
    finds: 'a snapshot that was rewritten without a matching change of the code, or to a broken value',
  },
  'subject-mocked': { severity: 'high', finds: 'a mock in place of the code that the test is about' },
  'outcome-overridden': {
    severity: 'high',
    finds: 'a hook or plugin of the test runner that changes the outcome of tests',
  },
  'test-environment-detected': {
    severity: 'high',
    finds: 'code that behaves differently when it is tested',
  },
  'equality-overridden': { severity: 'high', finds: 'an equality that is always true' },
  'tool-shadowed': {
    severity: 'high',
    finds: 'a program in the tree in place of a tool such as `npm` or `pytest`',
  },
  'failure-ignored': {
    severity: 'high',
    finds:
      'a command, step or target whose failure no longer counts: `|| true`, `exit 0`, `continue-on-error`',
  },
  'check-removed': {
    severity: 'high',
    finds: 'a script, step or target of a check that is gone or does nothing',
  },
  'check-narrowed': {
    severity: 'high',
    finds: 'a check that covers less: deselected tests, ignored paths, fewer files',
  },
  'empty-run-allowed': { severity: 'high', finds: 'a test run that may find no test (`--passWithNoTests`)' },
  'coverage-lowered': { severity: 'high', finds: 'a lower threshold of coverage' },
  'strictness-lowered': { severity: 'high', finds: 'a compiler or type checker that accepts more' },
  'lint-rule-disabled': { severity: 'high', finds: 'a lint rule that is switched off or only warns' },
  'suppression-added': {
    severity: 'medium',
    finds: 'a comment or attribute that hides errors (`@ts-ignore`, `# type: ignore`, `#[allow]`)',
  },
  'type-escaped': { severity: 'medium', finds: 'a type that is cast away (`as any`)' },
  'not-judged': {
    severity: 'high',
    finds: 'a file that is too large, nested too deep, takes too long to be judged, or makes the check fail',
  },
  'gate-changed': {
    severity: 'high',
    finds: 'a gate, its script or its settings that are weaker than at the beginning of the session',
  },
  'script-changed': {
    severity: 'medium',
    finds: 'a script of a gate that changed since the beginning of the session',
  },
  'hook-removed': { severity: 'high', finds: "an entry of ralph-loop that is gone from a host's settings" },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;
