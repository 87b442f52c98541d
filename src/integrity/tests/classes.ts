import {
  afterBracket,
  canonical,
  find,
  inside,
  is,
  isName,
  type Span,
  split,
  type Tokens,
  trimmed,
} from './tokens.ts';

// The declarations of Java, Kotlin and C#: types, and the methods in them with their annotations or attributes.

export type Syntax = 'java' | 'kotlin' | 'csharp';

/** An annotation or attribute. */
export interface Mark {
  /** Without `@`, its package, and the suffix `Attribute`. */
  readonly name: string;
  readonly args: readonly Span[];
  readonly line: number;
}

export interface TypeDeclaration {
  readonly name: string;
  readonly line: number;
  readonly marks: readonly Mark[];
  readonly modifiers: ReadonlySet<string>;
  /** From its name to its body: parameters, what it extends. */
  readonly header: Span;
  readonly body: Span;
  readonly outer: TypeDeclaration | undefined;
}

export interface Parameter {
  readonly name: string;
  /** Canonical text. */
  readonly type: string;
  readonly marks: readonly Mark[];
}

export interface Method {
  readonly name: string;
  readonly line: number;
  readonly marks: readonly Mark[];
  readonly modifiers: ReadonlySet<string>;
  /** Canonical text of its type; empty for a constructor, and where Kotlin infers it. */
  readonly returns: string;
  readonly parameters: readonly Parameter[];
  /** Without braces; of `=> x` and `= x` the expression. */
  readonly body: Span;
  readonly type: TypeDeclaration | undefined;
  /** With its marks. */
  readonly span: Span;
}

export interface Field {
  readonly name: string;
  readonly marks: readonly Mark[];
  readonly value: Span;
}

export interface Declarations {
  readonly types: readonly TypeDeclaration[];
  readonly methods: readonly Method[];
  readonly fields: readonly Field[];
}

const MODIFIERS = new Set(
  'public private protected internal static final abstract sealed open override virtual async suspend inline partial readonly const new synchronized default inner companion data unsafe extern required'.split(
    ' ',
  ),
);
const TYPES = new Set(['class', 'interface', 'enum', 'record', 'struct', 'object']);
const NO_TYPES = new Set(['new', 'return', 'throw', 'else', 'await', 'yield', 'in', 'is', 'as']);

export function declarationsIn(tokens: Tokens, syntax: Syntax): Declarations {
  const declarations: Reading = { types: [], methods: [], fields: [] };
  readMembers(tokens, syntax, { from: 0, end: tokens.length }, undefined, declarations);
  return declarations;
}

interface Reading {
  readonly types: TypeDeclaration[];
  readonly methods: Method[];
  readonly fields: Field[];
}

function readMembers(
  tokens: Tokens,
  syntax: Syntax,
  span: Span,
  outer: TypeDeclaration | undefined,
  into: Reading,
): void {
  let marks: Mark[] = [];
  let modifiers = new Set<string>();
  /** Where the member begins; -1 before its first token. */
  let begin = -1;
  /** Where its type begins, after marks and modifiers. */
  let type = -1;
  const reset = () => {
    marks = [];
    modifiers = new Set();
    begin = -1;
    type = -1;
  };
  for (let at = span.from; at < span.end; ) {
    const token = tokens[at];
    if (!token || token.kind === 'newline') {
      // `package shop`, or a call
      if (type !== -1) reset();
      at++;
      continue;
    }
    if (token.text === '#') {
      // `#pragma warning disable`
      while (at < span.end && tokens[at]?.line === token.line) at++;
      continue;
    }
    const mark = type === -1 ? marksAt(tokens, syntax, at) : undefined;
    if (begin === -1) begin = at;
    if (mark) {
      marks.push(...mark.marks);
      at = mark.end;
    } else if (token.text === ';' || token.text === '}' || token.text === ',') {
      reset();
      at++;
    } else if (is(tokens, at, 'namespace') && syntax === 'csharp') {
      const open = find(tokens, { from: at, end: span.end }, '{', ';');
      reset();
      if (is(tokens, open, '{')) readMembers(tokens, syntax, inside(tokens, open), outer, into);
      at = open === -1 ? span.end : afterBlock(tokens, open);
    } else if (token.text === '{') {
      // An initializer, or the accessors of a property.
      if (type !== -1 && isName(tokens, at - 1))
        into.fields.push({ name: tokens[at - 1]?.text ?? '', marks, value: inside(tokens, at) });
      at = afterBracket(tokens, at);
      if (!is(tokens, at, '=')) reset();
    } else if (token.text === '=' || token.text === '=>') {
      const end = endOfValue(tokens, syntax, at + 1, span.end);
      const name = fieldName(tokens, at);
      if (name !== undefined && begin !== -1)
        into.fields.push({ name, marks, value: trimmed(tokens, { from: at + 1, end }) });
      reset();
      at = end;
    } else if (TYPES.has(token.text) && token.kind === 'name' && beginsType(tokens, at)) {
      if (syntax === 'csharp' && is(tokens, at + 1, 'class', 'struct')) at++;
      if (syntax === 'kotlin' && is(tokens, at + 1, 'class')) at++;
      const declared = typeAt(tokens, syntax, at, span.end, { marks, modifiers, outer });
      into.types.push(declared);
      readMembers(tokens, syntax, declared.body, declared, into);
      reset();
      at = Math.max(at + 1, declared.body.end + (is(tokens, declared.body.end, '}') ? 1 : 0));
    } else if (MODIFIERS.has(token.text) && token.kind === 'name' && !is(tokens, at + 1, '(')) {
      modifiers.add(token.text);
      at++;
    } else {
      const method = methodAt(tokens, syntax, at, span.end, type);
      if (method) {
        into.methods.push({
          ...method,
          line: tokens[at]?.line ?? token.line,
          marks,
          modifiers,
          type: outer,
          span: { from: begin, end: method.end },
        });
        reset();
        at = method.end;
      } else {
        if (type === -1) type = at;
        at = token.partner > at ? token.partner + 1 : at + 1;
      }
    }
  }
}

function afterBlock(tokens: Tokens, at: number): number {
  return is(tokens, at, '{') ? afterBracket(tokens, at) : at + 1;
}

/** `record` and `object` are names, too. */
function beginsType(tokens: Tokens, at: number): boolean {
  if (is(tokens, at, 'object')) return isName(tokens, at + 1) || is(tokens, at + 1, '{', ':');
  return isName(tokens, at + 1) && !is(tokens, at + 2, '=', ';', ',', ')');
}

/** The annotations or attributes that begin at a token. */
function marksAt(tokens: Tokens, syntax: Syntax, at: number): { marks: Mark[]; end: number } | undefined {
  if (syntax === 'csharp') {
    if (!is(tokens, at, '[')) return undefined;
    const marks = split(tokens, inside(tokens, at)).map((part) => {
      const from = is(tokens, part.from + 1, ':') ? part.from + 2 : part.from;
      return markIn(tokens, from).mark;
    });
    return { marks, end: afterBracket(tokens, at) };
  }
  const { kind, text = '' } = tokens[at] ?? {};
  if (kind !== 'name' || !text.startsWith('@') || text === '@interface') return undefined;
  const { mark, end } = markIn(tokens, is(tokens, at + 1, ':') ? at + 2 : at);
  return { marks: [mark], end };
}

function markIn(tokens: Tokens, from: number): { mark: Mark; end: number } {
  let at = from;
  while (is(tokens, at + 1, '.') && isName(tokens, at + 2)) at += 2;
  const name = (tokens[at]?.text ?? '').replace(/^@/, '').replace(/(.)Attribute$/, '$1');
  const open = afterTypes(tokens, at + 1);
  const hasArgs = is(tokens, open, '(');
  const args = hasArgs ? split(tokens, inside(tokens, open)) : [];
  return {
    mark: { name, args, line: tokens[at]?.line ?? 0 },
    end: hasArgs ? afterBracket(tokens, open) : open,
  };
}

function typeAt(
  tokens: Tokens,
  syntax: Syntax,
  at: number,
  end: number,
  { marks, modifiers, outer }: Pick<TypeDeclaration, 'marks' | 'modifiers' | 'outer'>,
): TypeDeclaration {
  const hasName = isName(tokens, at + 1);
  const name = hasName ? (tokens[at + 1]?.text ?? '') : 'Companion';
  const from = at + (hasName ? 2 : 1);
  let open = from;
  while (open < end && !is(tokens, open, '{', ';')) {
    const token = tokens[open];
    // A class of Kotlin may have no body.
    if (
      syntax === 'kotlin' &&
      token?.kind === 'newline' &&
      !is(tokens, open + 1, ':', '{', ',', '(') &&
      !is(tokens, open - 1, ':', ',')
    )
      break;
    open = token && token.partner > open ? token.partner + 1 : open + 1;
  }
  const body = is(tokens, open, '{') ? inside(tokens, open) : { from: open, end: open };
  return {
    name,
    line: tokens[at]?.line ?? 0,
    marks,
    modifiers,
    header: { from, end: Math.min(open, end) },
    body,
    outer,
  };
}

type Shape = Pick<Method, 'name' | 'returns' | 'parameters' | 'body'> & { readonly end: number };

function methodAt(tokens: Tokens, syntax: Syntax, at: number, end: number, type: number): Shape | undefined {
  if (syntax === 'kotlin') return is(tokens, at, 'fun') ? functionAt(tokens, at, end) : undefined;
  if (!isName(tokens, at)) return undefined;
  const open = syntax === 'csharp' ? afterTypes(tokens, at + 1) : at + 1;
  if (!is(tokens, open, '(')) return undefined;
  const before = tokens[at - 1];
  const isConstructor = type === -1;
  const isTyped =
    type !== -1 &&
    (before?.kind === 'name' ? !NO_TYPES.has(before.text) : /^[>\]?)*.]$|^>>>?$/.test(before?.text ?? ''));
  if (!isConstructor && !isTyped) return undefined;
  const bodyAt = find(tokens, { from: afterBracket(tokens, open), end }, '{', ';', '=>');
  if (bodyAt === -1) return undefined;
  const isExpression = is(tokens, bodyAt, '=>');
  const stop = isExpression ? find(tokens, { from: bodyAt, end }, ';') : bodyAt;
  const body = isExpression
    ? { from: bodyAt + 1, end: stop === -1 ? end : stop }
    : is(tokens, bodyAt, '{')
      ? inside(tokens, bodyAt)
      : { from: bodyAt, end: bodyAt };
  return {
    name: tokens[at]?.text ?? '',
    returns: type === -1 ? '' : canonical(tokens, { from: type, end: at }),
    parameters: parametersIn(tokens, syntax, inside(tokens, open)),
    body,
    end: is(tokens, bodyAt, '{') ? afterBracket(tokens, bodyAt) : body.end + 1,
  };
}

/** `fun <T> Cart.total(x: Int): Int = …` */
function functionAt(tokens: Tokens, at: number, end: number): Shape | undefined {
  let name = afterTypes(tokens, at + 1);
  while (is(tokens, afterTypes(tokens, name + 1), '.')) name = afterTypes(tokens, name + 1) + 1;
  const open = afterTypes(tokens, name + 1);
  if (!is(tokens, open, '(')) return undefined;
  let bodyAt = afterBracket(tokens, open);
  while (bodyAt < end && !is(tokens, bodyAt, '{', '=')) {
    if (tokens[bodyAt]?.kind === 'newline' && !is(tokens, bodyAt + 1, '{', '=', ':')) break;
    const { partner = -1 } = tokens[bodyAt] ?? {};
    bodyAt = partner > bodyAt ? partner + 1 : bodyAt + 1;
  }
  const isBlock = is(tokens, bodyAt, '{');
  const body = isBlock
    ? inside(tokens, bodyAt)
    : is(tokens, bodyAt, '=')
      ? trimmed(tokens, { from: bodyAt + 1, end: endOfValue(tokens, 'kotlin', bodyAt + 1, end) })
      : { from: bodyAt, end: bodyAt };
  return {
    name: (tokens[name]?.text ?? '').replace(/`/g, ''),
    returns: canonical(tokens, { from: afterBracket(tokens, open), end: bodyAt }).replace(/^: ?/, ''),
    parameters: parametersIn(tokens, 'kotlin', inside(tokens, open)),
    body,
    end: isBlock ? afterBracket(tokens, bodyAt) : Math.max(body.end, bodyAt),
  };
}

function parametersIn(tokens: Tokens, syntax: Syntax, span: Span): Parameter[] {
  return joined(tokens, split(tokens, span)).map((part) => {
    const marks: Mark[] = [];
    let { from } = part;
    for (;;) {
      const found = marksAt(tokens, syntax, from);
      if (!found) break;
      marks.push(...found.marks);
      from = found.end;
    }
    const equals = find(tokens, { from, end: part.end }, '=');
    const end = equals === -1 ? part.end : equals;
    const colon = syntax === 'kotlin' ? find(tokens, { from, end }, ':') : -1;
    return colon === -1
      ? { name: tokens[end - 1]?.text ?? '', type: canonical(tokens, { from, end: end - 1 }), marks }
      : {
          name: tokens[colon - 1]?.text ?? '',
          type: canonical(tokens, { from: colon + 1, end }),
          marks,
        };
  });
}

/** Joins what a comma between type arguments has separated: `Map<String, Integer> m`. */
function joined(tokens: Tokens, parts: readonly Span[]): Span[] {
  const whole: Span[] = [];
  let depth = 0;
  for (const part of parts) {
    const last = whole.at(-1);
    if (depth > 0 && last) whole[whole.length - 1] = { from: last.from, end: part.end };
    else whole.push(part);
    for (let at = part.from; at < part.end; at++) {
      if (is(tokens, at, '<')) depth++;
      else if (is(tokens, at, '>')) depth--;
      else if (is(tokens, at, '>>>')) depth -= 3;
    }
  }
  return whole;
}

/** The index after type arguments that begin at an index; the same index if none do. */
export function afterTypes(tokens: Tokens, at: number): number {
  if (!is(tokens, at, '<')) return at;
  let depth = 0;
  for (let index = at; index < Math.min(at + 80, tokens.length); index++) {
    const { text = '', kind } = tokens[index] ?? {};
    if (text === '<') depth++;
    else if (/^>+$/.test(text)) depth -= text.length;
    else if (kind === 'string' || kind === 'number' || /^(?:;|\{|\}|&&|\|\|)$/.test(text)) return at;
    if (depth <= 0) return index + 1;
  }
  return at;
}

/** The name of a field in front of `=`, also with a type after it as in Kotlin. */
export function fieldName(tokens: Tokens, equals: number): string | undefined {
  if (is(tokens, equals - 2, ':') && isName(tokens, equals - 3)) return tokens[equals - 3]?.text;
  return isName(tokens, equals - 1) ? tokens[equals - 1]?.text : undefined;
}

/** Where a value ends: at its semicolon, or the end of its line in Kotlin. */
export function endOfValue(tokens: Tokens, syntax: Syntax, from: number, end: number): number {
  let at = from;
  if (syntax === 'kotlin') while (tokens[at]?.kind === 'newline') at++;
  while (at < end) {
    const token = tokens[at];
    if (token?.text === ';' && token.kind === 'sign') return at;
    if (token?.kind === 'newline' && !CONTINUES.test(nextText(tokens, at))) return at;
    if (/^[)\]}]$/.test(token?.text ?? '') && token?.kind === 'sign') return at;
    at = token && token.partner > at ? token.partner + 1 : at + 1;
  }
  return end;
}

/** What a line of Kotlin begins with that goes on with the one before. */
const CONTINUES = /^(?:\.|\?\.|\?|&&|\|\||:)$/;

function nextText(tokens: Tokens, at: number): string {
  let next = at;
  while (tokens[next]?.kind === 'newline') next++;
  return tokens[next]?.kind === 'string' ? '' : (tokens[next]?.text ?? '');
}
