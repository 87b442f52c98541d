import { RULES } from '../rules.ts';
import type { Finding } from '../types.ts';
import type { ComparedFile, Mock, TestFile } from './model.ts';

// Finds tests whose subject is replaced: by a mock, by a function of the test itself, or by a fake that is imported.

/** @param removed the paths of files that the change removed */
export function findMockedSubjects(files: readonly ComparedFile[], removed: readonly string[]): Finding[] {
  return files.flatMap((file) => {
    const { before, after, path } = file;
    if (!after || after.tests.length === 0) return [];
    const found = [
      ...newMocks(file, before, after),
      ...(before ? replacedImports(before, after, removed) : []),
    ];
    const severity = before ? RULES['subject-mocked'].severity : 'medium';
    // Several mocks of one subject are one finding.
    return found
      .slice(0, 1)
      .map(({ line, message }) => ({ rule: 'subject-mocked', severity, path, line, message }));
  });
}

interface Replacement {
  readonly line: number;
  readonly message: string;
}

function newMocks({ path }: ComparedFile, before: TestFile | undefined, after: TestFile): Replacement[] {
  const known = new Set(before?.mocks.map(({ target }) => moduleOf(target)));
  return after.mocks
    .filter((mock) => !known.has(moduleOf(mock.target)) && isSubject(mock, path, before, after))
    .map(({ target, line }) => ({ line, message: `\`${target}\` is mocked, and the tests are about it` }));
}

/** `../src/cart` of `../src/cart.total`: the members of a module that was mocked before may change. */
function moduleOf(target: string): string {
  return target.includes('/') ? target.replace(/\.\w+$/, '') : target;
}

/** Whether a mock is of what the tests assert, or of the module that the file is named after and imports. */
function isSubject(mock: Mock, path: string, before: TestFile | undefined, after: TestFile): boolean {
  if (mock.asserted || answersAssertion(mock, after)) return true;
  if (!before) return false;
  const modules = [...(before.imports?.values() ?? []), ...(after.imports?.values() ?? [])];
  // A class need not be imported from its own package.
  const isClass = /^[A-Z]\w*$/.test(mock.target);
  return (isClass || modules.includes(mock.target)) && stemOf(mock.target) === stemOf(path);
}

/** Whether a member of a variable is asserted that a mock answers for: `allow(cart).to receive(:total)`. */
function answersAssertion({ target }: Mock, { tests }: TestFile): boolean {
  return (
    /^[a-z_@][\w.@ ]* \. \w/.test(target) &&
    tests.some(({ assertions }) => assertions.some(({ subject }) => ` ${subject} `.includes(` ${target} `)))
  );
}

/** `cart` of `src/cart.ts`, `tests/cart.test.ts`, `CartTest.java`, `test_cart.py`. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name
    .replace(/\.\w+$/, (extension) => (/^\.(?:test|spec)$/.test(extension) ? extension : ''))
    .replace(/[._-]?(?:tests?|spec)$/, '')
    .replace(/^(?:test|spec)[._-]/, '');
}

const FAKE = /(?:^|[/._-])(?:fakes?|mocks?|stubs?|fixtures?|doubles?|__mocks__|__fixtures__)(?:[/._-]|$)/i;

/** Names that came from the code and come from the test itself or from a fake now. */
function replacedImports(before: TestFile, after: TestFile, removed: readonly string[]): Replacement[] {
  const asserts = (name: string) => after.tests.some(({ names }) => names.has(name));
  return [...(before.imports ?? [])].flatMap(([name, module]) => {
    const now = after.imports?.get(name);
    const isCode = /^(?:\.|@\/|~\/|#|src\/)/.test(module) && !FAKE.test(module);
    const isRemoved = removed.some((path) => stemOf(path) === stemOf(module));
    if (!isCode || now === module || isRemoved || !asserts(name)) return [];
    if (now === undefined && after.functions.has(name))
      return { line: 1, message: `\`${name}\` is a function of the test itself, not that of ${module}` };
    return now !== undefined && FAKE.test(now)
      ? { line: 1, message: `\`${name}\` comes from ${now}, not from ${module}` }
      : [];
  });
}
