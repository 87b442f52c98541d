/** Further failures are counted only. */
export const MAX_FAILURES = 5000;
/** More lines of a report are not read. */
const MAX_LINES = 500_000;

/** What a report says has failed. Texts are as the report has them. */
export interface ReportedFailure {
  readonly kind: 'test' | 'error' | 'warning';
  /** Of a test: its name, with that of its suite. */
  readonly name?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The tool's name for what is wrong. */
  readonly rule?: string | undefined;
  readonly message?: string | undefined;
  /** What more there is: expected and actual, a stack. It may begin with the message. */
  readonly details?: string | undefined;
}

const COUNTED = {
  test: { kind: 'test' },
  error: { kind: 'error' },
  warning: { kind: 'warning' },
} as const satisfies Readonly<Record<ReportedFailure['kind'], ReportedFailure>>;

/** Adds a failure, or one that is counted only. */
export function addFailure(failures: ReportedFailure[], failure: ReportedFailure): void {
  failures.push(failures.length < MAX_FAILURES ? failure : COUNTED[failure.kind]);
}

/** The lines of a text, as many as are read; a list of all would take more memory than the text. */
export function* linesIn(text: string): Generator<string> {
  let start = 0;
  for (let count = 0; count < MAX_LINES && start <= text.length; count++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    start = end + 1;
  }
}

export interface Report {
  readonly failures: readonly ReportedFailure[];
  /** False where the report ends too early, or is damaged. */
  readonly isWhole: boolean;
}
