import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/integrity/languages.ts';
import { lex } from '../../../src/integrity/lexer.ts';

type Language = 'java' | 'kotlin' | 'csharp';

/** The tokens of a text, with `¶` for the end of a line that ends a statement. */
function tokensOf(language: Language, text: string): string {
  const { tokens } = lex(text, LANGUAGES[language]);
  return tokens.map(({ kind, text: word }) => (kind === 'newline' ? '¶' : word)).join(' ');
}

test.each<[language: Language, what: string, text: string, tokens: string]>([
  [
    'java',
    'a text block with quotes, comment signs and braces',
    'String s = """\n  a "b" // { \\""" c\n  """;\nx();',
    'String s = """\n  a "b" // { \\""" c\n  """ ; x ( ) ;',
  ],
  ['java', 'characters that are quotes', `f('"', '\\'', '{'); g();`, `f ( '"' , '\\'' , '{' ) ; g ( ) ;`],
  [
    'java',
    'an annotation with arguments',
    '@a.b.Test(x = {1}) void f() {}',
    '@a . b . Test ( x = { 1 } ) void f ( ) { }',
  ],
  ['java', 'generics that close twice', 'Map<String, List<X>> m;', 'Map < String , List < X > > m ;'],
  ['java', 'a lambda and a method reference', '() -> A::b', '( ) -> A :: b'],
  ['java', 'a comment in a string', 'f("/* x"); /* "y */ g();', 'f ( "/* x" ) ; g ( ) ;'],
  ['java', 'a string that is not closed', 'f("x\ng();', 'f ( "x g ( ) ;'],
  ['kotlin', 'nested comments', '/* a /* b */ c */ f()', 'f ( ) ¶'],
  ['kotlin', 'a name with blanks', 'fun `adds (up)`() {}', 'fun `adds (up)` ( ) { } ¶'],
  [
    'kotlin',
    'a template with a string and braces',
    'f("a \x24{m["k"]!!.let { "}" }} b", 1)',
    'f ( "a \x24{m["k"]!!.let { "}" }} b" , 1 ) ¶',
  ],
  ['kotlin', 'a raw string that ends with a backslash', 'f("""C:\\""", 1)', 'f ( """C:\\""" , 1 ) ¶'],
  ['kotlin', 'a raw string that ends with a quote', 'f("""say "x"""", 1)', 'f ( """say "x"""" , 1 ) ¶'],
  [
    'kotlin',
    'an annotation on a use site',
    '@file:Suppress("x")\n@Test fun f() = 1',
    '@file : Suppress ( "x" ) ¶ @Test fun f ( ) = 1 ¶',
  ],
  ['kotlin', 'a return to a label', 'return@runTest', 'return @runTest ¶'],
  ['kotlin', 'safe and asserted calls', 'a?.b!!.c ?: d', 'a ?. b !! . c ? : d ¶'],
  ['csharp', 'a verbatim string', 'f(@"C:\\", @"a ""b"" c");', 'f ( @"C:\\" , @"a ""b"" c" ) ;'],
  [
    'csharp',
    'an interpolated string with a string in it',
    'f($"a {d["k"]} {{b}} {x:F2}", 1);',
    'f ( $"a {d["k"]} {{b}} {x:F2}" , 1 ) ;',
  ],
  [
    'csharp',
    'an interpolated verbatim string',
    'f($@"a {d["k"]} ""b""", @$"\\{x}");',
    'f ( $@"a {d["k"]} ""b""" , @$"\\{x}" ) ;',
  ],
  [
    'csharp',
    'raw strings',
    'f("""a "b" ""c""", $$"""{{x["y"]}} "z" """);',
    'f ( """a "b" ""c""" , $$"""{{x["y"]}} "z" """ ) ;',
  ],
  ['csharp', 'raw strings of four quotes', 'f(""""a """ b"""", 1);', 'f ( """"a """ b"""" , 1 ) ;'],
  ['csharp', 'an empty string', 'f("", @"", 1);', 'f ( "" , @"" , 1 ) ;'],
  ['csharp', 'characters that are quotes', `f('"', '\\'', '\\\\');`, `f ( '"' , '\\'' , '\\\\' ) ;`],
  ['csharp', 'a name that is a keyword', 'var @class = 1;', 'var @class = 1 ;'],
  ['csharp', 'regions with an apostrophe', "#region don't\nf();\n#endregion\n", 'f ( ) ;'],
  [
    'csharp',
    'code that is never compiled',
    'a();\n#if false\nb(");\n#if X\nc();\n#endif\n#else\nd();\n#endif\ne();',
    'a ( ) ; d ( ) ; e ( ) ;',
  ],
  [
    'csharp',
    'code on a condition and its opposite',
    '#if NET8_0\na();\n#elif false\nb();\n#else\nc();\n#endif',
    'a ( ) ; c ( ) ;',
  ],
  [
    'csharp',
    'what follows code that is always compiled',
    '#if true\na();\n#else\nb();\n#endif\nc();',
    'a ( ) ; c ( ) ;',
  ],
])('the lexer of %s reads %s', (language, _what, text, tokens) => {
  expect(tokensOf(language, text)).toBe(tokens);
});

test('the lexer keeps the line of what follows code that is never compiled', () => {
  const { tokens } = lex('#if false\nb();\n#endif\ne();', LANGUAGES.csharp);

  expect(tokens[0]).toMatchObject({ text: 'e', line: 4 });
});
