import { RULES } from '../rules.ts';
import type { Finding } from '../types.ts';
import type { ComparedFile } from './model.ts';

// Functions that assert for the tests of other files.

const ASSERTS = /\b(?:expect|assert\w*|should|require|verify|t \. (?:Error|Fatal)\w*)\b/;
/** What else may fail: an error, or a function that is named like an assertion. */
const MAY_FAIL =
  /\b(?:throw|raise|fail\w*|panic|abort|reject)\b|(?:^|[^\w.])(?:expect|assert|check|verify|ensure|require|must|should)\w* [({<]/i;
const DATA = /(?:^|\/)(?:__)?(?:fixtures?|testdata|snapshots?)(?:__)?\//;

/** The names of functions that assert something now. */
export function assertingHelpers(files: readonly ComparedFile[]): Set<string> {
  return new Set(
    files.flatMap(({ after }) =>
      [...(after?.functions ?? [])].flatMap(([name, body]) => (ASSERTS.test(body) ? name : [])),
    ),
  );
}

/** Helpers that asserted something and assert nothing now. In a file with tests, the tests show it. */
export function findIdleHelpers(files: readonly ComparedFile[]): Finding[] {
  return files.flatMap(({ path, before, after }) => {
    if (!before || !after || DATA.test(path) || after.tests.length + before.tests.length > 0) return [];
    const now = new Map([...after.functions].map(([key, body]) => [nameOf(key), body]));
    return [...before.functions].flatMap(([key, body]): Finding[] => {
      const name = nameOf(key);
      const other = now.get(name);
      if (other === undefined || !ASSERTS.test(body) || ASSERTS.test(other) || MAY_FAIL.test(other))
        return [];
      const message = `\`${name}\`, which asserted for the tests of other files, asserts nothing`;
      return [{ rule: 'assertion-removed', severity: RULES['assertion-removed'].severity, path, message }];
    });
  });
}

/** Without the place that some readers add to keep functions of one name apart. */
function nameOf(key: string): string {
  return key.replace(/^\. | \d+$/g, '');
}
