import { expect, test } from 'vitest';
import { LANGUAGES, type LanguageName } from '../../../src/integrity/languages.ts';
import { lex } from '../../../src/integrity/lexer.ts';

/** The texts of the tokens, without those that only mark line ends. */
function texts(language: LanguageName, text: string): string[] {
  return lex(text, LANGUAGES[language]).tokens.flatMap(({ kind, text }) => (kind === 'newline' ? [] : text));
}

test.each<[what: string, language: LanguageName, text: string, tokens: readonly string[]]>([
  ['a raw string of Go ends at a backquote only', 'go', 'a := `"x\\`; b', ['a', ':=', '`"x\\`', ';', 'b']],
  ['a raw string of Go has several lines', 'go', '`a\n// b\n`\nc', ['`a\n// b\n`', 'c']],
  ['a rune may be a quote', 'go', `x == '"' || x == '\\''`, ['x', '==', `'"'`, '||', 'x', '==', `'\\''`]],
  ['a struct tag of Go is a string', 'go', 'A int `json:"a"`', ['A', 'int', '`json:"a"`']],
  ['a type argument of Go is in brackets', 'go', 'F[int](x)', ['F', '[', 'int', ']', '(', 'x', ')']],
  ['a comment of Go does not nest', 'go', '/* /* a */ b', ['b']],
  ['an inner attribute in the first line is no interpreter', 'rust', '#![a]', ['#', '!', '[', 'a', ']']],
  ['a lifetime is a name', 'rust', "&'a str, 'b'", ['&', "'a", 'str', ',', "'b'"]],
  ['lifetimes in a list are names', 'rust', "<'a,'b>", ['<', "'a", ',', "'b", '>']],
  ['a label is a name', 'rust', "'outer: loop", ["'outer", ':', 'loop']],
  [
    'a character may be a quote',
    'rust',
    `'"' '\\'' '\\u{10FFFF}' '\\\\'`,
    [`'"'`, `'\\''`, `'\\u{10FFFF}'`, `'\\\\'`],
  ],
  ['a raw string of Rust contains quotes', 'rust', 'r#"a "b" c"# d', ['r#"a "b" c"#', 'd']],
  ['a raw string may have more marks than its text', 'rust', 'r##"a"# b"## + c', ['r##"a"# b"##', '+', 'c']],
  ['a raw C string is a string', 'rust', 'cr#"a "b" c"# d', ['cr#"a "b" c"#', 'd']],
  ['bytes are strings', 'rust', `b"a" br"b\\" b'c' c"d"`, ['b"a"', 'br"b\\"', "b'c'", 'c"d"']],
  ['a comment of Rust nests', 'rust', '/* a /* b */ c */ d', ['d']],
  ['a string of Rust has several lines', 'rust', '"a\n// b" c', ['"a\n// b"', 'c']],
  ['an attribute is made of signs and names', 'rust', '#[test] fn a', ['#', '[', 'test', ']', 'fn', 'a']],
  ['a range is no number with a point', 'rust', '0..10', ['0', '..', '10']],
])('%s', (_what, language, text, tokens) => {
  expect(texts(language, text)).toEqual(tokens);
});

test('a documentation comment of Rust keeps the third slash, by which it is known', () => {
  const { comments } = lex('/// adds\n//! crate\n// plain\n', LANGUAGES.rust);
  expect(comments.map(({ text }) => text)).toEqual(['/ adds', '! crate', ' plain']);
});
