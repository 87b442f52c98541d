import { escapeRegExp } from '../../base/text.ts';
import { RULES } from '../rules.ts';
import type { Finding, ProjectChange } from '../types.ts';
import { modulePaths } from './javascript/syntax.ts';
import type { ComparedFile, Mock, TestFile } from './model.ts';
import { testPathsOf } from './runner-paths.ts';

// Finds tests whose subject is replaced: by a mock, by a function of the test itself, or by a fake that is imported.

/** @param removed the paths of files that the change removed */
export function findMockedSubjects(
  files: readonly ComparedFile[],
  removed: readonly string[],
  read: ProjectChange['read'],
): Finding[] {
  return files.flatMap((file) => {
    const { before, after, path } = file;
    if (!after) return [];
    const found = [
      ...sharedMocks(file, read),
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

/** Before the name of a class, of all whose objects a method is replaced. */
export const ANY = 'any ';

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

/** What a file without tests replaces for the tests of others, while tests of its own assert it. */
function sharedMocks({ path, before, after }: ComparedFile, read: ProjectChange['read']): Replacement[] {
  if (!after || after.tests.length > 0) return [];
  const known = new Set(before?.mocks.map(({ target }) => target));
  return after.mocks
    .filter(({ target }) => !known.has(target) && isTested(target, path, read))
    .map(({ target, line }) => ({
      line,
      message: `\`${target}\` is replaced for all tests, and some assert it`,
    }));
}

/** Whether tests of the module of a target, where they usually are, assert the member that it names. */
function isTested(target: string, path: string, read: ProjectChange['read']): boolean {
  const [module, member = ''] = target.includes('/')
    ? [target.replace(/\.\w+$/, ''), /\.(\w+)$/.exec(target)?.[1]]
    : [target, target.slice(target.lastIndexOf('.') + 1)];
  const files = target.includes('/') ? modulePaths(path, module) : pythonFiles(module);
  const file = files.find((each) => read(each) !== undefined);
  const pattern = new RegExp(`(?:\\bassert|\\bexpect\\().*\\b${escapeRegExp(member)}\\b`);
  return file !== undefined && testPathsOf(file).some((each) => pattern.test(read(each) ?? ''));
}

/** `shop/cart.py` for `shop.cart.Cart.total`. */
function pythonFiles(target: string): string[] {
  const words = target.split('.');
  return words.flatMap((_, index) => {
    const file = `${words.slice(0, words.length - index).join('/')}.py`;
    return [file, `src/${file}`];
  });
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
  const [, type = '', method = ''] = new RegExp(`^${ANY}(.*) \\. (\\w+)$`).exec(target) ?? [];
  if (type !== '')
    return tests.some(
      ({ name, assertions }) =>
        (type === 'described_class' || name.startsWith(`${type} >`)) &&
        assertions.some(({ subject }) => ` ${subject} `.includes(` . ${method} `)),
    );
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
    .replace(/^(?:test|spec)[._-]/, '')
    .replace(/[._-]/g, '');
}

const FAKE = /(?:^|[/._-])(?:fakes?|mocks?|stubs?|fixtures?|doubles?|__mocks__|__fixtures__)(?:[/._-]|$)/i;

/** Names that came from the code and come from the test itself or from a fake now. */
function replacedImports(before: TestFile, after: TestFile, removed: readonly string[]): Replacement[] {
  const asserts = (name: string) => after.tests.some(({ names }) => names.has(name));
  return [...(before.imports ?? [])].flatMap(([name, module]) => {
    const now = after.imports?.get(name);
    const isUsed = [...(after.imports?.values() ?? [])].includes(module);
    const isCode = (isUsed || /^(?:\.|@\/|~\/|#|src\/)/.test(module)) && !FAKE.test(module);
    const isRemoved = removed.some((path) => stemOf(path) === stemOf(module));
    if (!isCode || now === module || isRemoved || !asserts(name)) return [];
    if (now === undefined && [...after.functions.keys()].some((key) => key.split(' ')[0] === name))
      return { line: 1, message: `\`${name}\` is a function of the test itself, not that of ${module}` };
    return now !== undefined && FAKE.test(now)
      ? { line: 1, message: `\`${name}\` comes from ${now}, not from ${module}` }
      : [];
  });
}
