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
