/** Tests of the JVM: the stack of what one has logged names its method, and so does that of a test that has failed. */

import { SEVERITY } from '../lines/rules.ts';
import type { FailureBlock, StoredFailure } from './failure.ts';
import { TESTCASE } from './test-trees.ts';

/** The class of a test, and its method, also of what that has called later. */
const METHOD =
  /^\s+(?:at )?(?:[\w.$]+\.)?([A-Z]\w*(?:Test|Tests|IT|Spec))(?:\$\w+)*\.(?:lambda\$)?(\w+?)(?:\$\d+)?\(/;

/** The heading of JUnit's console above all failed tests, each with what went wrong. */
const LIST = /^Failures \(\d+\):$/;

/** Whether a failure is what a test has logged that has not failed, in a class of which others have. */
export function loggedByOtherMethods(failures: readonly StoredFailure[]): (stored: StoredFailure) => boolean {
  // Where the result comes last, what was logged above it has been taken for a reason.
  const failed = failures.filter(({ block }) => isResult(block));
  // In Ant, what went wrong may be one failure with that of the test above.
  const names = failed.flatMap(({ block: { headline, lines } }) => [
    headline.text,
    ...lines.map(({ text }) => text).filter((text) => LIST.test(headline.text) || TESTCASE.test(text)),
  ]);
  // What was wrong is a failure of its own, right below the name.
  const starts = new Set(failed.flatMap(({ block: { headline } }) => [headline.at, headline.at + 1]));
  const ofFailed = failures.flatMap(({ block }) => (starts.has(block.headline.at) ? methodsIn(block) : []));
  const classes = new Set(ofFailed.map(({ ofClass }) => ofClass));
  const methods = new Set(ofFailed.map(({ method }) => method));
  const hasFailed = (method: string) => methods.has(method) || names.some((name) => name.includes(method));
  return ({ block }) => {
    if (isResult(block) || starts.has(block.headline.at)) return false;
    const own = methodsIn(block);
    return own.length > 0 && own.every(({ ofClass, method }) => classes.has(ofClass) && !hasFailed(method));
  };
}

function isResult({ severity, headline }: FailureBlock): boolean {
  return severity === SEVERITY.failedTest || LIST.test(headline.text);
}

function methodsIn({ lines }: FailureBlock): { readonly ofClass: string; readonly method: string }[] {
  return lines.flatMap(({ text }) => {
    const [, ofClass, method] = METHOD.exec(text) ?? [];
    return ofClass === undefined || method === undefined ? [] : { ofClass, method };
  });
}
