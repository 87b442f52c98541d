import { describe, expect, test } from 'vitest';
import { parsePrompt } from '../../../../src/chain/parse/parse-prompt.ts';
import { mayHaveGates } from '../../../../src/state/chain-location.ts';
import { LIBRARY } from '../../../helpers/typed-prompt.ts';

/** Prompts with colons in code or prose, as people paste them: most without backticks. */
const UNTOUCHED = {
  nothing: [
    '',
    ' ',
    '\n',
    '::',
    ' :: ',
    ':: ::',
    'fix the auth bug',
    'what does :: do',
    'use a double colon ::',
  ],
  'C++': [
    'std::vector<int> v; why is v.size() 0?',
    'Foo::bar() crashes: int Foo::bar() { return ::baz(); }',
    'std :: vector < std :: string > parsed badly',
    'explain template <class T> using X = typename T::type; and ::operator new',
    'class A { public: A() : a("x") {} }; A::a :: missing',
    'what is ::std::move("a b")',
  ],
  Rust: [
    'use crate::x::{self, y}; does not compile',
    'let v = "1 2".parse::<Vec<i32>>();',
    'impl Trait for crate :: module :: Type',
    'error[E0308]: mismatched types\n --> src/main.rs:4:5\n  |\n4 |     Foo::new("a b")\n  |     ^^^ expected `u8`',
  ],
  Haskell: [
    'why does a :: Int -> Int not typecheck',
    'lookup :: Eq a => a -> [(a, b)] -> Maybe b',
    "xs :: 'Just 'True -> a",
    "xs :: '[Int, Bool] -> String",
    "f :: forall a. Proxy 'Z -> a",
    'x = (read "1" :: Int)',
    'data T = T { name :: !String, size :: {-# UNPACK #-} !Int }',
    'verify :: Token -> Either String ()',
    'check :: verify',
    'loop :: IO ()',
  ],
  'OCaml, F# and Scala': [
    'let xs = 1 :: 2 :: []',
    'let xs = "a" :: "b" :: []',
    'let xs = "first one" :: "second one" :: [] in',
    'list := "a b" :: "c \\" :: d" :: \'e f\' :: Nil',
    'match xs with "a b" :: "c d" :: [x] -> x',
    "'a' :: 'b' :: Nil",
    'match xs with | x :: rest -> f rest | [] -> ()',
    'n-1 :: rest',
    'x :: n-1 :: rest',
    'a :: foo_bar :: tail',
  ],
  Elixir: [
    '@spec parse(binary) :: {:ok, term} | {:error, atom}',
    '@type mode :: :fast | :full',
    '<<size::8, rest::binary>> = data',
    '@type t :: %{name: String.t()}',
    '@spec f(x :: integer, y :: integer) :: [name: "a b"]',
  ],
  Ruby: ['Foo::Bar.new("a b")', 'ActiveRecord::Base fails', '::Rails.root', 'class A::B < C::D; end'],
  Perl: ['use Foo::Bar;', 'my $x = $Foo::bar{"a b"};', '&::main("x y")', 'print $main::{"a b"};'],
  'PHP, Tcl, Julia, Fortran': [
    'App\\Models\\User::find(1)',
    'set ::name "a b"',
    'f(x::Int64, y :: Float64) :: Bool = x > y',
    'integer :: i, j',
    'character(len=5) :: name = "a b"',
    'real, dimension(:) :: verify_all',
  ],
  CSS: [
    'a::before { content: "a b" }',
    '::after { content: "x" }',
    '::file-selector-button',
    'input::file-selector-button { color: red }',
    'style the ::first-letter',
    '::-webkit-scrollbar :: hidden',
  ],
  'YAML, Puppet and SQL': [
    'profile::verify: "a b"',
    'profile::verify:"a b"',
    'profile:: verify:"a b"',
    'profile::timeout: 30',
    'key: "::"',
    "SELECT 'a b'::text, now() ::date, x :: int",
    'SELECT a::"my type"',
  ],
  'addresses and numbers': [
    'listen on ::1',
    'ping ::',
    '[::1]:8080 or fe80::1',
    '2001:db8::8a2e:370:7334',
    '::ffff:1.2.3.4',
  ],
  'batch files': [
    ':: this is a comment',
    ':: build everything',
    ':: re-run the setup',
    ':: verify that it works',
    ':: Note: "a b"',
    ':: -----------',
  ],
  Lua: ['goto done ::done::', 'for i = 1, 2 do ::continue:: end'],
  shell: [
    'cat a >>b',
    '>>log echo "a b"',
    'echo "a :: b"',
    'npm test && echo ::group::"a b"',
    '::error file=a.js,line=1::Missing "x y"',
  ],
  prose: [
    'Programming Language :: Python :: 3',
    'Programming Language :: Emacs-Lisp',
    'License :: OSI Approved :: MIT License',
    'Guide :: getting-started with the app',
    'Docs :: the "quick" start',
    'AsciiDoc:: "a b"',
    'CPU:: quality',
    '12:00 ERROR :: request failed: "timeout"',
    '12:00 ERROR :: user: "bob smith"',
    '12:00 WARN :: timeout:30s exceeded',
    'Tables:\n| a :: b | c |\n|::--|--::|',
    ':::warning\n"a b"\n:::',
    '::: verify "a b"',
  ],
  arrows: ['A --> B --> C', '<!-- x --> y', '>>fix a --> >>fix b', 'a --> :: --> b'],
  'inline code': [
    'explain `x :: "y z"`',
    'explain `fix :: verify:"npm test"` and ``a ` :: verify:"b"``',
    '`a` `:: verify:"b"` `c`',
    '``` :: verify:"a" ```',
    'what does `::verify:"x"` do',
  ],
  fences: [
    'explain\n```\nfix :: verify:"npm test"\n```',
    'explain\n```hs\nx :: "a b"\n```\nplease',
    '~~~\n:: code-quality\n~~~',
    '````md\n```\n:: verify:"a"\n```\n:: verify:"b"\n````',
    '  ```\n  :: verify:"a"\n  ```',
    '```\n:: verify:"a"',
    '```\n~~~\n:: verify:"a"\n~~~\n```',
    '```\n```js\n:: verify:"a"\n```',
    '```\r\n:: verify:"a"\r\n```\r\n',
    '~~~ `x`\n:: verify:"a"\n~~~',
  ],
  'quoted lines': [
    '> fix :: verify:"a"',
    'He said:\n  > :: code-quality\n>> fix :: verify:"b"\n> > x :: "a b"\n>',
    '>\t:: verify:"a"',
  ],
};

describe('parsePrompt finds no gates in', () => {
  for (const [kind, prompts] of Object.entries(UNTOUCHED)) {
    test.for(prompts)(`${kind}: %j`, (prompt) => {
      expect(parsePrompt(prompt, LIBRARY)).toBeUndefined();
      expect(parsePrompt(`Please fix this:\n\n${prompt}`, LIBRARY)).toBeUndefined();
    });
  }
});

describe('mayHaveGates', () => {
  test.for([
    'fix it',
    'a: b : c',
    'std::vector',
    'Foo::bar() and ::baz',
    'a::before { }',
    'x::Int64',
    '::1 and fe80::1',
    '::',
    'name:: x',
    'name ::x',
  ])('is false for %j', (prompt) => {
    expect(mayHaveGates(prompt)).toBe(false);
  });

  test.for([
    'a :: Int',
    ':: verify:"a"',
    'x\n:: y',
    'fix::verify:"a"',
    'fix ::gate_action:skip',
    '`x :: "y z"`',
    'x :: \ny',
  ])('is true for %j', (prompt) => {
    expect(mayHaveGates(prompt)).toBe(true);
  });
});
