// One lexer for all languages, driven by a table. It knows strings, comments, nesting and blocks, and no grammar: readers
// look for tests and assertions in the tokens. Broken code gives tokens too.

export type TokenKind =
  /** An identifier or keyword; in Rust also a lifetime, in Ruby and PHP with `@` or `$`. */
  | 'name'
  | 'number'
  /** With its quotes; of a template, with everything in it. */
  | 'string'
  | 'regex'
  /** An operator, a bracket, or a separator. */
  | 'sign'
  /** The end of a logical line, in languages where it ends a statement. */
  | 'newline'
  /** The beginning and the end of a block that has no brackets: by indentation, or a keyword such as `do` and `end`. */
  | 'indent'
  | 'dedent';

export interface Token {
  readonly kind: TokenKind;
  /** As in the source; of `indent` and `dedent` empty. */
  readonly text: string;
  /** Offset in the source. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** The index of the matching bracket or block end, or of its beginning; -1 for any other token, or if it is missing. */
  partner: number;
}

export interface Comment {
  /** Without its delimiters. */
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
  /** Whether code precedes it on its line. */
  readonly trailing: boolean;
}

export interface Source {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
}

/** A form of string. */
export interface StringForm {
  /** What begins it; a pattern is matched at the position (sticky), and its first group, if any, is in `close` as `\1`. */
  readonly open: string | RegExp;
  /** What ends it; `\1` is the first group of `open`. */
  readonly close: string;
  /** Whether a backslash hides the next character. */
  readonly escapes: boolean;
  /** Without it, the string ends with its line at the latest. */
  readonly multiline?: boolean;
  /** What begins an interpolated expression, which ends with its closing brace; a doubled `{` is none. */
  readonly interpolation?: '${' | '#{' | '{$' | '{';
  /** Whether the quote doubled is the quote itself, as in C#'s `@"…"`. */
  readonly doubled?: boolean;
}

/** How the texts of a language are cut into tokens. */
export interface Lexicon {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Whether block comments nest, as in Rust and Kotlin. */
  readonly nestedComments?: boolean;
  /** The first that matches counts. */
  readonly strings: readonly StringForm[];
  /** Further characters that names may begin with, such as `$` or `@`. */
  readonly nameStarts?: string;
  /** Whether `/` begins a regular expression where no value precedes it. */
  readonly regexes?: boolean;
  /** Whether the end of a line ends a statement, outside of brackets. */
  readonly newlines?: boolean;
  /** Where blocks are made by indentation after a colon: the keywords that begin the line of such a colon. */
  readonly indentation?: ReadonlySet<string>;
  /** Keywords that begin a block which `end` ends; `statement` only where a statement begins. */
  readonly endBlocks?: { readonly always: readonly string[]; readonly statement: readonly string[] };
  /** Ruby's and PHP's strings of several lines. */
  readonly heredocs?: RegExp;
  /** What follows a comment's sign where it begins no comment: PHP's attributes `#[…]`. */
  readonly notComment?: string;
  /** What begins and ends the code in a text of another language. */
  readonly code?: { readonly open: RegExp; readonly close: string };
  /** The line after which no code follows. */
  readonly endMark?: string;
  /** Whether lines such as `#if` decide what is compiled: what never is gives no tokens. They are comments, as regions are. */
  readonly directives?: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
const OPERATORS =
  /===|!==|\.\.\.|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|\.\.=|<=>|=>|->|::|:=|==|!=|<=|>=|&&|\|\||\?\?|\?\.|!!|\+\+|--|\+=|-=|\*=|\/=|%=|\|=|&=|\^=|<<|\*\*|\.\.|=~|!~|<-|[\s\S]/y;
const NUMBER =
  /0[xXbBoO][\da-fA-F_]+\w*|(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?[a-zA-Z_\d]*/y;
const NAME = /[\p{L}\p{N}_$\p{M}]+/uy;

// What is looked ahead or back at each token is bounded, so that no text takes longer than its length.

/** Characters of the longest regular expression. */
const MAX_REGEX = 2000;

/** Signs that a name begins with, such as `@@` in Ruby. */
const MAX_NAME_STARTS = 4;

/** Brackets and blocks that are never closed within one that is. */
const MAX_UNCLOSED = 100;

/** Interpolated expressions within each other; deeper ones are text. */
const MAX_INTERPOLATIONS = 50;

/** Cuts a text into tokens. Never throws. */
export function lex(text: string, lexicon: Lexicon): Source {
  return new Lexer(text, lexicon).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly comments: Comment[] = [];
  /** Indexes of the open brackets and blocks. */
  private readonly open: number[] = [];
  /** The columns of the open blocks by indentation. */
  private readonly columns: number[] = [0];
  private at = 0;
  private line = 1;
  /** Whether nothing but blanks precedes on this line. */
  private lineBegins = true;
  /** The heredocs that begin on this line: what ends them, and the index of their token. */
  private heredocs: { close: string; index: number }[] = [];
  /** The index of the first token of this logical line. */
  private lineStart = 0;
  /** Whether a block began after a colon on this line: it ends with the line. */
  private isInlineBlock = false;
  /** The line of the last keyword of a loop that began a block. */
  private lineOfLoop = 0;
  /** The open `#if`s: whether a branch that is always compiled has begun. */
  private readonly branches: boolean[] = [];

  private readonly text: string;
  private readonly lexicon: Lexicon;

  /** By character code: whether a comment or a string may begin with it. */
  private readonly beginsComment: Uint8Array;
  private readonly beginsString: Uint8Array;

  constructor(text: string, lexicon: Lexicon) {
    this.text = text;
    this.lexicon = lexicon;
    const { comments, strings } = beginnings(lexicon);
    this.beginsComment = comments;
    this.beginsString = strings;
  }

  run(): Source {
    const { text } = this;
    if (text.startsWith('#!') && text[2] !== '[') this.at = endOfLine(text, 0);
    if (this.lexicon.code) this.skipToCode(this.lexicon.code.open);
    const end = this.endOfCode();
    while (this.at < end) this.step();
    if (this.lexicon.newlines) this.endLine();
    while (this.columns.length > 1) this.dedent();
    return { text, tokens: this.tokens, comments: this.comments };
  }

  private endOfCode(): number {
    const { text, lexicon } = this;
    const end = lexicon.endMark === undefined ? -1 : text.search(new RegExp(`^${lexicon.endMark}\\s*$`, 'm'));
    return end === -1 ? text.length : end;
  }

  private skipToCode(open: RegExp): void {
    const { text } = this;
    open.lastIndex = this.at;
    const match = open.exec(text);
    const end = match ? match.index + match[0].length : text.length;
    this.line += linesIn(text, this.at, end);
    this.at = end;
  }

  private step(): void {
    const { text, lexicon } = this;
    const char = text.charCodeAt(this.at);
    if (char === 10) this.newline();
    else if (char === 32 || char === 9 || char === 13 || char === 12 || char === 0xfeff) this.at++;
    else if (char === 92 && /\\\r?\n/y.test(text.slice(this.at, this.at + 3))) {
      // A backslash at the end of a line joins the lines.
      this.at = endOfLine(text, this.at) + 1;
      this.line++;
    } else if (lexicon.code && text.startsWith(lexicon.code.close, this.at)) {
      this.skipToCode(lexicon.code.open);
    } else if (char === 35 && lexicon.directives && this.lineBegins && this.directive()) return;
    else if (this.beginsComment[char] !== 1 || !this.comment()) {
      if (this.lineBegins) {
        this.lineBegins = false;
        if (lexicon.indentation && this.isOutside()) {
          this.indentTo(this.column());
          this.lineStart = this.tokens.length;
        }
      }
      this.token(char);
    }
  }

  private token(char: number): void {
    const { text, lexicon } = this;
    if (this.beginsString[char] === 1 && this.string()) return;
    if ((char >= 48 && char <= 57) || (char === 46 && this.isFraction())) this.take('number', NUMBER);
    else if (isNameStart(char) || lexicon.nameStarts?.includes(text[this.at] as string)) this.name();
    else if (char !== 47 || !lexicon.regexes || !this.regex()) this.sign();
  }

  /** `.5`, and no member of a value. */
  private isFraction(): boolean {
    return /\d/.test(this.text[this.at + 1] ?? '') && !this.precededByValue();
  }

  /** Whether no bracket is open, so that the end of the line counts. */
  private isOutside(): boolean {
    const inner = this.tokens[this.open.at(-1) ?? -1];
    return inner === undefined || inner.kind === 'indent' || (!this.lexicon.indentation && isBrace(inner));
  }

  private newline(): void {
    this.at++;
    if (this.lexicon.newlines && this.isOutside()) this.endLine();
    this.line++;
    this.lineBegins = true;
    for (const heredoc of this.heredocs.splice(0)) this.skipHeredoc(heredoc);
  }

  private endLine(): void {
    const last = this.tokens.at(-1);
    if (last && last.kind !== 'newline' && last.kind !== 'indent' && !this.goesOn(last))
      this.push('newline', this.at, this.at);
    if (!this.isInlineBlock) return;
    this.isInlineBlock = false;
    this.close('dedent', this.at, this.at);
  }

  /** Whether the statement goes on after an operator at the end of the line. Python's lines end all the same. */
  private goesOn({ kind, text }: Token): boolean {
    // Ruby's symbol `:+` is no operator.
    return (
      !this.lexicon.indentation && kind === 'sign' && GOES_ON.has(text) && this.tokens.at(-2)?.text !== ':'
    );
  }

  private column(): number {
    const begin = this.text.lastIndexOf('\n', this.at - 1) + 1;
    let column = 0;
    for (let index = begin; index < this.at; index++)
      column = this.text[index] === '\t' ? (Math.floor(column / 8) + 1) * 8 : column + 1;
    return column;
  }

  private indentTo(column: number): void {
    if (column > (this.columns.at(-1) ?? 0)) {
      this.columns.push(column);
      this.open.push(this.tokens.length);
      this.push('indent', this.at, this.at);
    }
    while (column < (this.columns.at(-1) ?? 0)) this.dedent();
  }

  private dedent(): void {
    this.columns.pop();
    while (this.open.length > 0 && this.tokens[this.open.at(-1) as number]?.kind !== 'indent')
      this.open.pop();
    this.close('dedent', this.at, this.at);
  }

  private comment(): boolean {
    const { text, lexicon, at } = this;
    for (const open of lexicon.lineComments) {
      if (!text.startsWith(open, at)) continue;
      if (lexicon.notComment && text.startsWith(lexicon.notComment, at + open.length)) continue;
      const line = text.slice(at, endOfLine(text, at));
      const close = lexicon.code ? line.indexOf(lexicon.code.close) : -1;
      const comment = close === -1 ? line : line.slice(0, close);
      this.pushComment(comment.slice(open.length), this.line);
      this.at = at + comment.length;
      return true;
    }
    for (const [open, close] of lexicon.blockComments) {
      if (!text.startsWith(open, at)) continue;
      // Ruby's =begin is a comment at the beginning of a line only.
      if (open.startsWith('=') && at > 0 && text[at - 1] !== '\n') continue;
      const end = this.endOfBlock(open, close);
      const line = this.line;
      const inner = text.slice(at + open.length, Math.max(at + open.length, end - close.length));
      this.line += linesIn(text, at, end);
      this.pushComment(inner, line);
      this.at = end;
      return true;
    }
    return false;
  }

  /** Whether a line decides what is compiled, or only names a region. */
  private directive(): boolean {
    const { text, at, branches } = this;
    const end = endOfLine(text, at);
    const [, word, condition = ''] =
      /^#\s*(if|elif|else|endif|region|endregion)\b\s*([^/]*)/.exec(text.slice(at, end)) ?? [];
    if (word === undefined) return false;
    this.pushComment(text.slice(at, end).trimEnd(), this.line);
    this.at = end;
    const isBranch = word === 'elif' || word === 'else';
    if (word === 'endif') branches.pop();
    else if (isBranch && branches.at(-1)) this.skipBranch();
    else if (word === 'if' || isBranch) {
      if (isBranch) branches.pop();
      branches.push(/^(?:true|! ?false)\s*$/.test(condition));
      if (/^(?:false|! ?true)\s*$/.test(condition)) this.skipBranch();
    }
    return true;
  }

  /** To the beginning of the line that ends the branch. */
  private skipBranch(): void {
    const { text } = this;
    let depth = 0;
    while (this.at < text.length) {
      this.at++;
      this.line++;
      const word = /^[ \t]*#\s*(if|elif|else|endif)\b/.exec(
        text.slice(this.at, endOfLine(text, this.at)),
      )?.[1];
      if (word !== undefined && word !== 'if' && depth === 0) return;
      if (word === 'if') depth++;
      else if (word === 'endif') depth--;
      this.at = endOfLine(text, this.at);
    }
  }

  private endOfBlock(open: string, close: string): number {
    const { text, lexicon } = this;
    let depth = 1;
    let end = this.at;
    let inner = this.at;
    let index = this.at + open.length;
    while (depth > 0) {
      // Each is searched again only where the last one found is passed.
      if (end < index) end = indexIn(text, close, index);
      if (end === text.length) return end;
      if (inner < index) inner = lexicon.nestedComments ? indexIn(text, open, index) : text.length;
      depth += inner < end ? 1 : -1;
      index = inner < end ? inner + open.length : end + close.length;
    }
    return index;
  }

  private pushComment(text: string, line: number): void {
    this.comments.push({ text, line, endLine: this.line, trailing: !this.lineBegins });
  }

  private string(): boolean {
    const { text, at, lexicon } = this;
    if (lexicon.heredocs) {
      lexicon.heredocs.lastIndex = at;
      const match = lexicon.heredocs.exec(text);
      if (match) return this.heredoc(match);
    }
    // Most names begin with a letter that a prefix of a string may be, and few are one.
    if (isNameStart(text.charCodeAt(at)) && !/["'#]/.test(text.slice(at + 1, at + 4))) return false;
    for (const form of lexicon.strings) {
      let begin: string;
      let { close } = form;
      if (typeof form.open === 'string') {
        if (!text.startsWith(form.open, at)) continue;
        begin = form.open;
      } else {
        form.open.lastIndex = at;
        const match = form.open.exec(text);
        if (!match) continue;
        begin = match[0];
        if (match[1] !== undefined) close = close.replace('\\1', () => closingOf(match[1] as string));
      }
      const last = begin[begin.length - 1] as string;
      const nested = closingOf(last) === last ? undefined : last;
      const end = endOfString(text, at + begin.length, { ...form, close, nested });
      this.push('string', at, end);
      this.line += linesIn(text, at, end);
      this.at = end;
      return true;
    }
    return false;
  }

  private heredoc(match: RegExpExecArray): boolean {
    const close = match.groups?.close ?? '';
    this.heredocs.push({ close, index: this.tokens.length });
    const end = this.at + match[0].length;
    this.push('string', this.at, end);
    this.at = end;
    return true;
  }

  /** The text of a heredoc belongs to the token that begins it. */
  private skipHeredoc({ close, index }: { close: string; index: number }): void {
    const { text, at } = this;
    // PHP may go on after the word.
    const mark = new RegExp(`^[ \\t]*${close}${this.lexicon.endBlocks ? '[ \\t\\r]*$' : '(?!\\w)'}`, 'gm');
    mark.lastIndex = at;
    const match = mark.exec(text);
    this.at = match ? match.index + match[0].length : text.length;
    this.line += linesIn(text, at, this.at);
    const token = this.tokens[index] as Token;
    this.tokens[index] = { ...token, text: `${token.text}\n${text.slice(at, this.at)}` };
  }

  private regex(): boolean {
    const { text } = this;
    if (this.precededByValue() && !this.isArgument()) return false;
    let inClass = false;
    const limit = Math.min(text.length, this.at + MAX_REGEX);
    for (let index = this.at + 1; index < limit; index++) {
      const char = text[index];
      if (char === '\n') return false;
      if (char === '\\') index++;
      else if (char === '[') inClass = true;
      else if (char === ']') inClass = false;
      else if (char === '/' && !inClass) {
        let end = index + 1;
        while (/[a-z]/i.test(text[end] ?? '')) end++;
        this.push('regex', this.at, end);
        this.at = end;
        return true;
      }
    }
    return false;
  }

  /** Whether the token before is a value, so that `/` divides and `<<` shifts. */
  private precededByValue(): boolean {
    const last = this.tokens.at(-1);
    if (!last) return false;
    if (last.kind === 'number' || last.kind === 'string' || last.kind === 'regex') return true;
    if (last.kind === 'name') return !BEFORE_VALUE.has(last.text);
    return last.kind === 'sign' && (last.text === ')' || last.text === ']' || last.text === '}');
  }

  /** Ruby's `match /x/`: a blank before, and none after. */
  private isArgument(): boolean {
    const { text, at, lexicon } = this;
    return (
      lexicon.endBlocks !== undefined &&
      this.tokens.at(-1)?.kind === 'name' &&
      text[at - 1] === ' ' &&
      /[^\s=]/.test(text[at + 1] ?? ' ')
    );
  }

  private name(): void {
    const { text, at, lexicon } = this;
    let from = at;
    const mayStart = Math.min(text.length, at + MAX_NAME_STARTS);
    while (
      from < mayStart &&
      !isNamePart(text.charCodeAt(from)) &&
      lexicon.nameStarts?.includes(text[from] ?? ' ')
    )
      from++;
    let end = from;
    while (isNamePart(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) > 127) {
      NAME.lastIndex = from;
      end = from + (NAME.exec(text)?.[0].length ?? 0);
    }
    if (end === from) {
      this.sign();
      return;
    }
    // Ruby's predicates, and macros of Rust: the sign belongs to the name.
    if (lexicon.endBlocks && /[?!]/.test(text[end] ?? '') && text[end + 1] !== '=') end++;
    const word = text.slice(at, end);
    if (lexicon.endBlocks) this.blockWord(word, end);
    else this.push('name', at, end);
    this.at = end;
  }

  private blockWord(word: string, end: number): void {
    const { always = [], statement = [] } = this.lexicon.endBlocks ?? {};
    const last = this.tokens.at(-1);
    const isMember = last?.kind === 'sign' && (last.text === '.' || last.text === '&.');
    const isKey = this.text[end] === ':' && this.text[end + 1] !== ':';
    const isSymbol = last?.kind === 'sign' && last.text === ':' && last.end === this.at;
    if (isMember || isKey || isSymbol || (word === 'def' && this.isEndless(end)))
      this.push('name', this.at, end);
    else if (word === 'end') {
      while (this.open.length > 0 && this.tokens[this.open.at(-1) as number]?.kind !== 'indent')
        this.open.pop();
      this.close('dedent', this.at, end);
    } else {
      this.push('name', this.at, end);
      // `while x do`: the `do` belongs to the `while` of the same line.
      const isLoopDo = word === 'do' && this.lineOfLoop === this.line;
      if (!isLoopDo && (always.includes(word) || (statement.includes(word) && beginsStatement(last)))) {
        if (LOOPS.has(word)) this.lineOfLoop = this.line;
        this.open.push(this.tokens.length);
        this.push('indent', end, end);
      }
    }
    this.at = end;
  }

  /** `def a(b) = b + 1` has no `end`. */
  private isEndless(end: number): boolean {
    ENDLESS.lastIndex = end;
    return ENDLESS.test(this.text);
  }

  private take(kind: TokenKind, pattern: RegExp): void {
    pattern.lastIndex = this.at;
    const end = this.at + (pattern.exec(this.text)?.[0].length ?? 1);
    this.push(kind, this.at, end);
    this.at = end;
  }

  private sign(): void {
    const next = this.text.charCodeAt(this.at + 1);
    let sign = this.text[this.at] as string;
    if (next < 128 && OPERATOR_PARTS[next] === 1) {
      OPERATORS.lastIndex = this.at;
      sign = OPERATORS.exec(this.text)?.[0] ?? sign;
    }
    const end = this.at + Math.max(1, sign.length);
    // A line that begins so goes on with the statement before.
    if (this.tokens.at(-1)?.kind === 'newline' && (LEADS_ON.has(sign) || this.text.startsWith('&.', this.at)))
      this.tokens.pop();
    if (sign === '(' || sign === '[' || sign === '{') {
      this.open.push(this.tokens.length);
      this.push('sign', this.at, end);
    } else if (CLOSING[sign] !== undefined) this.closeBracket(sign, end);
    else this.push('sign', this.at, end);
    this.at = end;
    if (sign === ':' && this.lexicon.indentation && this.beginsInlineBlock(this.lexicon.indentation)) {
      this.isInlineBlock = true;
      this.open.push(this.tokens.length);
      this.push('indent', end, end);
    }
  }

  /** Whether a colon ends the head of a block that is on the same line. */
  private beginsInlineBlock(keywords: ReadonlySet<string>): boolean {
    const first = this.tokens[this.lineStart];
    if (this.isInlineBlock || first?.kind !== 'name' || !keywords.has(first.text) || !this.isOutside())
      return false;
    LINE_ENDS.lastIndex = this.at;
    return !LINE_ENDS.test(this.text);
  }

  /** An opening bracket that is never closed does not hide the ones around it. */
  private closeBracket(sign: string, end: number): void {
    const wanted = CLOSING[sign];
    const outermost = Math.max(0, this.open.length - MAX_UNCLOSED);
    let depth = this.open.length - 1;
    while (depth >= outermost && this.tokens[this.open[depth] as number]?.text !== wanted) depth--;
    if (depth >= outermost) {
      this.open.length = depth + 1;
      this.close('sign', this.at, end);
    } else this.push('sign', this.at, end);
  }

  private close(kind: TokenKind, start: number, end: number): void {
    const opened = this.open.pop();
    const index = this.tokens.length;
    this.push(kind, start, end);
    const partner = opened === undefined ? undefined : this.tokens[opened];
    if (opened === undefined || !partner) return;
    partner.partner = index;
    (this.tokens[index] as Token).partner = opened;
  }

  private push(kind: TokenKind, start: number, end: number): void {
    const text =
      kind === 'indent' || kind === 'dedent' || kind === 'newline' ? '' : this.text.slice(start, end);
    this.tokens.push({ kind, text, start, end, line: this.line, partner: -1 });
  }
}

/** Operators at the end of a line after which a statement goes on, and those at the beginning of its next line. */
const GOES_ON = new Set([',', '.', '&&', '||', '=', '==', '!=', '+', '+=']);
const LEADS_ON = new Set(['.', '?.', '&&', '||']);
const LOOPS = new Set(['while', 'until', 'for']);
const LINE_ENDS = /[ \t]*(?:#|\r?\n|$)/y;
const ENDLESS = /[ \t]+(?:self\.)?\w+[?!]?(?:\([^()\n]*\))?[ \t]+=(?![=~>])/y;

/** The characters that an operator may go on with. */
const OPERATOR_PARTS = charTable('=.<>&|?!+-*/:~');

function charTable(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

interface Beginnings {
  readonly comments: Uint8Array;
  readonly strings: Uint8Array;
}

const known = new WeakMap<Lexicon, Beginnings>();

function beginnings(lexicon: Lexicon): Beginnings {
  const found = known.get(lexicon);
  if (found) return found;
  const { lineComments, blockComments, strings, heredocs } = lexicon;
  const opens = strings.map(({ open }) => open);
  const made = {
    comments: charTable(
      [...lineComments, ...blockComments.map(([open]) => open)].map((text) => text[0]).join(''),
    ),
    // A pattern may begin with any character of a quote or its prefixes.
    strings: charTable(
      opens.map((open) => (typeof open === 'string' ? open[0] : `"'$@%rRbBfFtTuUcC`)).join('') +
        (heredocs ? '<' : ''),
    ),
  };
  known.set(lexicon, made);
  return made;
}

/** Keywords after which a value begins. */
const BEFORE_VALUE = new Set(
  'return case typeof instanceof in of new delete void throw do else yield await and or not if unless while until when then puts'.split(
    ' ',
  ),
);

function beginsStatement(last: Token | undefined): boolean {
  if (!last) return true;
  if (last.kind === 'newline' || last.kind === 'indent') return true;
  if (last.kind === 'sign') return !/^(?:\)|\]|\})$/.test(last.text);
  return last.kind === 'name' && /^(?:then|else|and|or|not)$/.test(last.text);
}

function isBrace(token: Token | undefined): boolean {
  return token?.kind === 'sign' && token.text === '{';
}

function isNameStart(char: number): boolean {
  return (
    (char >= 97 && char <= 122) || (char >= 65 && char <= 90) || char === 95 || char === 36 || char > 127
  );
}

function isNamePart(char: number): boolean {
  return (
    (char >= 97 && char <= 122) ||
    (char >= 65 && char <= 90) ||
    (char >= 48 && char <= 57) ||
    char === 95 ||
    char === 36
  );
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The offset of a part from `from` on; the length of the text if there is none. */
function indexIn(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index === -1 ? text.length : index;
}

function linesIn(text: string, start: number, end: number): number {
  // In the whole text, the search would go on to the end of a long line.
  const part = text.slice(start, end);
  let lines = 0;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) lines++;
  return lines;
}

const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

function closingOf(open: string): string {
  return BRACKETS[open] ?? open;
}

/** The offset after a string that begins before `from`. */
function endOfString(
  text: string,
  from: number,
  form: StringForm & { close: string; nested?: string | undefined },
  level = 0,
): number {
  const { close, escapes, multiline, doubled, nested } = form;
  const interpolation = level < MAX_INTERPOLATIONS ? form.interpolation : undefined;
  const first = close.charCodeAt(0);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (escapes && char === 92) at++;
    else if (char === 10 && !multiline) return at;
    else if (nested !== undefined && text[at] === nested) depth++;
    else if (char === first && depth > 0) depth--;
    else if (char === first && text.startsWith(close, at)) {
      if (doubled && text.startsWith(close, at + close.length)) at += close.length * 2 - 1;
      // Of four quotes at the end of a raw string, the first belongs to it.
      else if (!(close === '"""' && !escapes && text[at + 3] === '"')) return at + close.length;
    } else if (interpolation === '{' && text.startsWith('{{', at)) at++;
    else if (interpolation && text.startsWith(interpolation, at))
      at = endOfInterpolation(text, at + interpolation.length, form, level + 1) - 1;
  }
  return text.length;
}

/** The offset after the brace that ends an interpolated expression, which may contain strings and braces. */
function endOfInterpolation(
  text: string,
  from: number,
  form: StringForm & { close: string },
  level: number,
): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
    else if (char === '`') at = endOfString(text, at + 1, { ...form, close: '`' }, level) - 1;
    else if (char === '/' && /[(,=:[!&|?]$/.test(text.slice(Math.max(from, at - 8), at).trimEnd()))
      at = Math.max(at, endOfString(text, at + 1, { open: '/', close: '/', escapes: true }) - 1);
    else if (char === '"' || char === "'")
      at = endOfString(text, at + 1, { open: char, close: char, escapes: true }) - 1;
    else if (char === '\n' && !form.multiline) return at;
  }
  return text.length;
}
