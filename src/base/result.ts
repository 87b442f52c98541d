/** A value or a failure. Expected failures are values; an exception is a defect of the program. */
export type Result<T, F = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F };

/** An expected failure, worded for people. */
export interface Failure {
  /** What happened, where, and what to do next. No full stop at the end: callers embed it in a sentence. */
  readonly message: string;
}

export function success<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function failure(message: string): Result<never> {
  return { ok: false, failure: { message } };
}
