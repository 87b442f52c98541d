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

export interface Report {
  readonly failures: readonly ReportedFailure[];
  /** False where the report ends too early, or is damaged. */
  readonly isWhole: boolean;
}
