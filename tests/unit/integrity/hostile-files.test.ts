import { describe, expect, test } from 'vitest';
import { weakened } from '../../helpers/weakened.ts';

// Each of these took minutes, or ended the process.
describe('80 kB of one piece do not hang the hook', () => {
  test.each([
    ['a.test.js', '(]'],
    ['a.test.js', '#'],
    ['a.test.js', '@'],
    ['a.test.js', '/['],
    ['a.test.js', '`${'],
    ['a.test.js', 'assertThat(a).'],
    ['a.test.js', '#['],
    ['a.test.js', "it('a', () => {\n"],
    ['spec/a_spec.rb', 'do a '],
    ['spec/a_spec.rb', '"#{'],
    ['tests/a.rs', '*/'],
    ['tests/ATests.cs', '$'],
    ['tests/ATest.php', '#\n'],
    ['.github/workflows/ci.yml', '[a, '],
    ['.github/workflows/ci.yml', '['],
    ['.github/workflows/ci.yml', '- '],
    ['package.json', '{"a":'],
    ['pyproject.toml', 'a = ['],
  ])('in %s, of %j', async (path, piece) => {
    const text = piece.repeat(80_000 / piece.length);

    expect(await weakened({ [path]: text }, { [path]: `${text}\n${piece}` })).toBeInstanceOf(Array);
  });
});

// Time that grew with the square of the size: each was not judged, because it took more than ten seconds.
describe('200 kB of one piece are judged', () => {
  test.each([
    ['build.gradle', 'a "b"\n'],
    ['build.gradle', 'a.b = c\n'],
    ['pom.xml', '<a></a>'],
    ['a.csproj', '<!--'],
    ['setup.cfg', '  x\n'],
  ])('in %s, of %j', async (path, piece) => {
    const text = piece.repeat(200_000 / piece.length);

    const findings = await weakened({ [path]: text }, { [path]: `${text}\n${piece}` });
    expect(findings.filter(({ rule }) => rule === 'not-judged')).toEqual([]);
  });

  test.each([
    ['build.gradle', 'test {\n', (n: number) => `exclude 'a${n}'\n`, '}\n'],
    ['package.json', '{ "devDependencies": {\n', (n: number) => `"a${n}": "^1.0.${n}",\n`, '"b": "1" } }\n'],
    ['package.json', '{ "scripts": { "test": "', (n: number) => `jest a${n} | `, 'cat" } }\n'],
    [
      'tests/test_a.py',
      'def test_a():\n',
      (n: number) => `    if a${n}:\n        return\n    assert a(${n}) == ${n}\n`,
      '',
    ],
    [
      'a.test.ts',
      "it('a', () => {\n",
      (n: number) => `  try { expect(a(${n})).toBe(${n}); } catch {}\n`,
      '});\n',
    ],
  ])('in %s, of parts that differ', async (path, head, part, foot) => {
    let parts = '';
    for (let n = 0; parts.length < 100_000; n++) parts += part(n);
    const [before, after] = [parts, part(-1) + parts].map((text) => head + text + foot);

    const findings = await weakened({ [path]: before }, { [path]: after });
    expect(findings.filter(({ rule }) => rule === 'not-judged')).toEqual([]);
  });
});

// Each helper calls the next one twice: what one test has of them doubled with each.
describe('helpers that call each other are read once', () => {
  const calls = (call: (n: number) => string, n: number) => `${call(n + 1)}\n${call(n + 1)}\n`;
  test.each([
    [
      'a.test.ts',
      (n: number) => `function check${n}(a) {\n${calls((m) => `check${m}(a);`, n)}expect(a).toBe(${n});\n}\n`,
      "it('a', () => {\n  check0(1);\n});\n",
    ],
    [
      'test_a.py',
      (n: number) => `def check${n}(a):\n${calls((m) => `    check${m}(a)`, n)}    assert a == ${n}\n\n`,
      'def test_a():\n    check0(1)\n',
    ],
    [
      'a_test.go',
      (n: number) =>
        `func check${n}(t *testing.T, a int) {\n${calls((m) => `check${m}(t, a)`, n)}assert.Equal(t, ${n}, a)\n}\n`,
      'func TestA(t *testing.T) {\n\tcheck0(t, 1)\n}\n',
    ],
    [
      'tests/a.rs',
      (n: number) => `fn check${n}(a: u32) {\n${calls((m) => `check${m}(a);`, n)}assert_eq!(a, ${n});\n}\n`,
      '#[test]\nfn a() {\n    check0(1);\n}\n',
    ],
    [
      'ATest.java',
      (n: number) =>
        `void check${n}(int a) {\n${calls((m) => `check${m}(a);`, n)}assertEquals(${n}, a);\n}\n`,
      '@Test\nvoid a() {\n  check0(1);\n}\n',
    ],
  ])('in %s', async (path, helper, end) => {
    const helpers = Array.from({ length: 40 }, (_, n) => helper(n)).join('');
    const text = path === 'ATest.java' ? `class ATest {\n${helpers}${end}}\n` : `${helpers}${end}`;

    const findings = await weakened({ [path]: text }, { [path]: text.replaceAll('check0', 'check1') });
    expect(findings.filter(({ rule }) => rule === 'not-judged')).toEqual([]);
  });
});

test('a comment of Rust with many ends within it is read to its own end', async () => {
  const open = '/*'.repeat(2000);
  const test = '#[test]\nfn adds() {\n  assert_eq!(add(1, 2), 3);\n}\n';
  const path = 'tests/a.rs';
  const text = `${open}${'*/'.repeat(2000)}\n${test}`;

  const findings = await weakened(
    { [path]: text },
    { [path]: text.replace('#[test]', '#[test]\n#[ignore]') },
  );
  expect(findings.map(({ rule }) => rule)).toEqual(['test-skipped']);
});

describe('a name with the marks of a pattern is a name', () => {
  const rust = '#[test]\nfn adds() { assert_eq!(1, add()); }\n';
  const python = (target: string) =>
    `from unittest.mock import patch\n\ndef test_a():\n    with patch("${target}"):\n        assert add(1, 2) == 3\n`;
  test.each([
    ['the target of a mock', { 'tests/test_a.py': '' }, { 'tests/test_a.py': python('a(.b[') }],
    ['a hidden job', { '.gitlab-ci.yml': '' }, { '.gitlab-ci.yml': '".te(st[":\n  script: npm test\n' }],
    ['a module', { 'src/lib.rs': 'mod a;\n' }, { 'src/lib.rs': 'mod a;\n', 'src/a([.rs': rust }],
  ])('%s', async (_, before, after) => {
    expect(await weakened(before, after)).toBeInstanceOf(Array);
  });

  test('a job that another one refers to runs, whatever its name is', async () => {
    const used = (job: string) =>
      `"${job}":\n  script: npm test\nunit:\n  extends: "${job}"\nlint:\n  script:\n    - !reference [${job}, script]\n`;
    expect(await weakened({ '.gitlab-ci.yml': used('a') }, { '.gitlab-ci.yml': used('.a+b') })).toEqual([]);
    const [finding] = await weakened(
      { '.gitlab-ci.yml': 'test:\n  script: npm test\n' },
      { '.gitlab-ci.yml': '.test:\n  script: npm test\n' },
    );
    expect(finding).toMatchObject({ severity: 'high' });
  });
});
