import type { Lexicon, StringForm } from './lexer.ts';

const DOUBLE: StringForm = { open: '"', close: '"', escapes: true };
const SINGLE: StringForm = { open: "'", close: "'", escapes: true };
const TRIPLE_DOUBLE: StringForm = { open: '"""', close: '"""', escapes: true, multiline: true };
const C_COMMENTS = { lineComments: ['//'], blockComments: [['/*', '*/']] } as const;

/** What distinguishes the languages for the lexer. */
export const LANGUAGES = {
  javascript: {
    ...C_COMMENTS,
    strings: [DOUBLE, SINGLE, { open: '`', close: '`', escapes: true, multiline: true, interpolation: '${' }],
    nameStarts: '#@',
    regexes: true,
  },
  python: {
    lineComments: ['#'],
    blockComments: [],
    strings: [
      {
        open: /(?:[rR][fFtT]|[fFtT][rR]?)("""|''')/y,
        close: '\\1',
        escapes: true,
        multiline: true,
        interpolation: '{',
      },
      { open: /(?:[rR][fFtT]|[fFtT][rR]?)(["'])/y, close: '\\1', escapes: true, interpolation: '{' },
      { open: /(?:[rR][bB]?|[bBuU][rR]?)?("""|''')/y, close: '\\1', escapes: true, multiline: true },
      { open: /(?:[rR][bB]?|[bBuU][rR]?)?(["'])/y, close: '\\1', escapes: true },
    ],
    newlines: true,
    indentation: new Set(
      'if elif else for while with try except finally def class async match case'.split(' '),
    ),
  },
  go: {
    ...C_COMMENTS,
    strings: [DOUBLE, SINGLE, { open: '`', close: '`', escapes: false, multiline: true }],
    newlines: true,
  },
  rust: {
    ...C_COMMENTS,
    nestedComments: true,
    strings: [
      { open: /[bc]?r(#*)"/y, close: '"\\1', escapes: false, multiline: true },
      { open: /[bc]?"/y, close: '"', escapes: true, multiline: true },
      // A character, not a lifetime.
      { open: /b?'(?=\\.[^']{0,8}'|[^\\'\n]')/uy, close: "'", escapes: true },
    ],
    nameStarts: "'",
  },
  java: { ...C_COMMENTS, strings: [TRIPLE_DOUBLE, DOUBLE, SINGLE], nameStarts: '@' },
  kotlin: {
    ...C_COMMENTS,
    nestedComments: true,
    strings: [
      { open: '"""', close: '"""', escapes: false, multiline: true, interpolation: '${' },
      { ...DOUBLE, interpolation: '${' },
      SINGLE,
      // A name with blanks: fun `adds up`().
      { open: '`', close: '`', escapes: false },
    ],
    nameStarts: '@',
    newlines: true,
  },
  csharp: {
    ...C_COMMENTS,
    strings: [
      { open: /\${0,9}("{3,})/y, close: '\\1', escapes: false, multiline: true },
      {
        open: /(?:\$@|@\$)"/y,
        close: '"',
        escapes: false,
        multiline: true,
        doubled: true,
        interpolation: '{',
      },
      { open: '@"', close: '"', escapes: false, multiline: true, doubled: true },
      { open: '$"', close: '"', escapes: true, interpolation: '{' },
      DOUBLE,
      SINGLE,
    ],
    nameStarts: '@',
    directives: true,
  },
  ruby: {
    lineComments: ['#'],
    blockComments: [['=begin', '=end']],
    strings: [
      { ...DOUBLE, multiline: true, interpolation: '#{' },
      { ...SINGLE, multiline: true },
      { open: '`', close: '`', escapes: true },
      { open: /%[qQwWiIrsx]([([{<|!/])/y, close: '\\1', escapes: true, multiline: true },
    ],
    nameStarts: '@$',
    regexes: true,
    newlines: true,
    endBlocks: {
      always: ['do', 'def', 'class', 'module', 'begin', 'case'],
      statement: ['if', 'unless', 'while', 'until', 'for'],
    },
    // Without a sign it may be a shift.
    heredocs:
      /<<(?:[~-]|(?<=(?:[(=,[{|&]|\b(?:puts|print|raise|return|eval|exec))[ \t]*<<)(?=["'A-Z]))(["'`]?)(?<close>[A-Za-z_]\w*)\1/y,
    endMark: '__END__',
  },
  php: {
    lineComments: ['//', '#'],
    notComment: '[',
    blockComments: [['/*', '*/']],
    strings: [
      { ...DOUBLE, multiline: true, interpolation: '{$' },
      { ...SINGLE, multiline: true },
    ],
    nameStarts: '$',
    heredocs: /<<<[ \t]*(["']?)(?<close>[A-Za-z_]\w*)\1/y,
    code: { open: /<\?(?:php\b|=)/gi, close: '?>' },
  },
} as const satisfies Readonly<Record<string, Lexicon>>;

export type LanguageName = keyof typeof LANGUAGES;

const EXTENSIONS: Readonly<Record<string, LanguageName>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'javascript',
  mts: 'javascript',
  cts: 'javascript',
  tsx: 'javascript',
  vue: 'javascript',
  svelte: 'javascript',
  py: 'python',
  pyi: 'python',
  go: 'go',
  rs: 'rust',
  java: 'java',
  groovy: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  cs: 'csharp',
  rb: 'ruby',
  php: 'php',
};

/** The language of a file, by its name; undefined if no reader knows it. */
export function languageOf(path: string): LanguageName | undefined {
  return EXTENSIONS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
}
