import { describe, expect, it } from 'vitest';
import { LANGUAGES, type LanguageName } from '../../../src/integrity/languages.ts';
import { lex } from '../../../src/integrity/lexer.ts';

/** Line ends are `⏎`, blocks are between `→` and `←`. */
function tokensOf(language: LanguageName, text: string): string {
  const signs: Readonly<Record<string, string>> = { newline: '⏎', indent: '→', dedent: '←' };
  return lex(text, LANGUAGES[language])
    .tokens.map(({ kind, text }) => signs[kind] ?? text)
    .join(' ');
}

describe('lex cuts Python into tokens', () => {
  it.each([
    ['blocks by indentation', 'if a:\n  b\nc', 'if a : ⏎ → b ⏎ ← c ⏎'],
    ['a block on the line of its colon', 'if a: b\nc', 'if a : → b ⏎ ← c ⏎'],
    ['a lambda in the head of a block', 'with f(lambda: 1): b', 'with f ( lambda : 1 ) : → b ⏎ ←'],
    ['an annotation and a slice', 'x: int = y[1:2]', 'x : int = y [ 1 : 2 ] ⏎'],
    ['a block after a comment', 'if a:  # b\n  c', 'if a : ⏎ → c ⏎ ←'],
    ['a dictionary on several lines', 'a = {\n  "b": 1,\n}\nc', 'a = { "b" : 1 , } ⏎ c ⏎'],
    ['joined lines', 'assert a \\\n  == b', 'assert a == b ⏎'],
    ['strings with prefixes', 'f"{a!r}" + rb\'\\\' + 1', 'f"{a!r}" + rb\'\\\' + 1 ⏎'],
    ['an f-string with its own quotes inside', 'f"{a["b"]}" == c', 'f"{a["b"]}" == c ⏎'],
    ['doubled braces in an f-string', 'f"{{" == b', 'f"{{" == b ⏎'],
    ['triple quotes', '"""a "b"\n  def c(): """\nd', '"""a "b"\n  def c(): """ ⏎ d ⏎'],
    ['a comment at a lower column', 'if a:\n  b\n# c\n  d', 'if a : ⏎ → b ⏎ d ⏎ ←'],
    ['decorators', '@a.b("c")\ndef d(): pass', '@ a . b ( "c" ) ⏎ def d ( ) : → pass ⏎ ←'],
    ['numbers', '.5 + 1e-9 + 1_000j', '.5 + 1e-9 + 1_000j ⏎'],
    ['a name that begins like a keyword', 'iffy: x = 1', 'iffy : x = 1 ⏎'],
  ])('%s', (_, text, tokens) => {
    expect(tokensOf('python', text)).toBe(tokens);
  });
});

describe('lex cuts Ruby into tokens', () => {
  it.each([
    ['blocks up to end', 'it "a" do\n  b\nend\nc', 'it "a" do → b ⏎ ← ⏎ c ⏎'],
    ['a modifier', 'return if a\nb', 'return if a ⏎ b ⏎'],
    ['a condition as a value', 'a = if b then c end\nd', 'a = if → b then c ← ⏎ d ⏎'],
    [
      'symbols and keys like keywords',
      'a :end, do: :if, b: :class\nc',
      'a : end , do : : if , b : : class ⏎ c ⏎',
    ],
    ['a method without end', 'def a(b) = b + 1\nc', 'def a ( b ) = b + 1 ⏎ c ⏎'],
    ['a setter', 'def a=(b)\n  c\nend\nd', 'def → a = ( b ) ⏎ c ⏎ ← ⏎ d ⏎'],
    ['a loop with do', 'while a do\n b\nend\nc', 'while → a do ⏎ b ⏎ ← ⏎ c ⏎'],
    ['a heredoc with what it holds', 'a <<~SQL, 1\n  do "\n  SQL\nb', 'a <<~SQL\n  do "\n  SQL , 1 ⏎ b ⏎'],
    ['a word in a heredoc that begins like its end', 'a = <<~E\n  E f\nE\nb', 'a = <<~E\n  E f\nE ⏎ b ⏎'],
    ['a shift', 'a << b\nc', 'a << b ⏎ c ⏎'],
    ['lists of words', '%w[a do] + %i(b)', '%w[a do] + %i(b) ⏎'],
    ['a remainder', 'a % b', 'a % b ⏎'],
    ['a pattern as an argument', "match /it's/\na / b", "match /it's/ ⏎ a / b ⏎"],
    ['a pattern with other delimiters', "%r{it's\\d{2}}i", "%r{it's\\d{2}} i ⏎"],
    ['a chain on several lines', 'expect(a)\n  # b\n  .to eq(1)\nc', 'expect ( a ) . to eq ( 1 ) ⏎ c ⏎'],
    ['arguments on several lines', 'a 1,\n  2\nb', 'a 1 , 2 ⏎ b ⏎'],
    ['an interpolation', '"#{a["b"]} do" + c', '"#{a["b"]} do" + c ⏎'],
    ['a comment of several lines', 'a\n=begin\nit "b" do\n=end\nc', 'a ⏎ c ⏎'],
    ['what follows __END__', 'a\n__END__\nit "b" do\n', 'a ⏎'],
    ['predicates', 'a.nil? ? b! : c', 'a . nil? ? b! : c ⏎'],
  ])('%s', (_, text, tokens) => {
    expect(tokensOf('ruby', text)).toBe(tokens);
  });
});

describe('lex cuts PHP into tokens', () => {
  it.each([
    ['what is outside of the marks', "it's <?php a(); ?> don't <?= b ?>\n", 'a ( ) ; b'],
    ['attributes and comments', "<?php #[Test]\n#it's\n// it's ?>\n<?php a", '# [ Test ] a'],
    ['names', '<?php $this->a(B::class, \\C\\D::$e)', '$this -> a ( B :: class , \\ C \\ D :: $e )'],
    ['a heredoc', '<?php echo <<<EOT\n it\'s "{$a}"\n EOT . b;', 'echo <<<EOT\n it\'s "{$a}"\n EOT . b ;'],
    ['a nowdoc', "<?php a(<<<'X'\nX\n);", "a ( <<<'X'\nX ) ;"],
    ['closures', '<?php fn ($a) => $a ?? null', 'fn ( $a ) => $a ?? null'],
    ['strings of several lines', '<?php "a\n{$b["c"]}" . \'\\\'\'', '"a\n{$b["c"]}" . \'\\\'\''],
  ])('%s', (_, text, tokens) => {
    expect(tokensOf('php', text)).toBe(tokens);
  });
});
