import {
  afterBracket,
  find,
  inside,
  is,
  isName,
  type Span,
  split,
  stringValue,
  type Tokens,
} from '../tokens.ts';

// The parts of the syntax of JavaScript that the reader looks for.

/** A name that a file gets from a module. */
export interface Import {
  /** As it is called here. */
  readonly local: string;
  /** As it is called there; `*` for the whole module, `default`. */
  readonly imported: string;
  readonly module: string;
  readonly line: number;
}

/** The imports and requires of a file. */
export function importsIn(tokens: Tokens): Import[] {
  const imports: Import[] = [];
  const add = (index: number, imported: string, module: string, local = tokens[index]?.text ?? '') =>
    imports.push({ local, imported, module, line: tokens[index]?.line ?? 1 });
  const addMembers = (open: number, module: string, renames: string) => {
    for (const part of split(tokens, inside(tokens, open))) {
      const from = is(tokens, part.from, 'type') && part.end - part.from > 1 ? part.from + 1 : part.from;
      const renamed = find(tokens, part, renames);
      add(renamed === -1 ? from : renamed + 1, tokens[from]?.text ?? '', module);
    }
  };
  for (let at = 0; at < tokens.length; at++) {
    if (!isName(tokens, at)) continue;
    if (is(tokens, at, 'import') && !is(tokens, at + 1, '(', '.')) {
      let index = at + 1;
      if (is(tokens, index, 'type') && !is(tokens, index + 1, 'from', ',')) index++;
      const from = find(tokens, { from: index, end: Math.min(index + 8, tokens.length) }, 'from', '=');
      const module = stringValue(tokens[is(tokens, from, '=') ? from + 3 : from + 1]);
      if (from === -1 || module === undefined) continue;
      for (const part of split(tokens, { from: index, end: from })) {
        if (is(tokens, part.from, '{')) addMembers(part.from, module, 'as');
        else if (is(tokens, part.from, '*')) add(part.from + 2, '*', module);
        else add(part.from, 'default', module);
      }
      at = from;
    } else if (is(tokens, at, 'const', 'let', 'var')) {
      const after = is(tokens, at + 1, '{') ? afterBracket(tokens, at + 1) : at + 2;
      if (!is(tokens, after, '=')) continue;
      const call = is(tokens, after + 1, 'await') ? after + 2 : after + 1;
      if (!is(tokens, call, 'require', 'import') || !is(tokens, call + 1, '(')) continue;
      const module = stringValue(tokens[call + 2]);
      if (module === undefined) continue;
      const member = is(tokens, call + 4, '.') ? (tokens[call + 5]?.text ?? '') : undefined;
      if (is(tokens, at + 1, '{')) addMembers(at + 1, module, ':');
      else add(at + 1, member ?? '*', module);
    }
  }
  return imports;
}

/** A name that is declared with a value: `const name: Type = value`. */
export interface Declaration {
  readonly name: string;
  readonly at: number;
  readonly value: Span;
  readonly isConst: boolean;
}

/** The variables that a span declares with a value, and the members that a pattern takes out of one. */
export function declarationsIn(tokens: Tokens, { from, end }: Span): Declaration[] {
  const found: Declaration[] = [];
  for (let at = from; at < end; at++) {
    if (!isName(tokens, at) || !isName(tokens, at + 1) || !is(tokens, at, 'const', 'let', 'var')) continue;
    // A type may be between the name and the value.
    let equals = at + 2;
    while (equals < end && !is(tokens, equals, '=', ';', 'of', 'in', ')'))
      equals = is(tokens, equals, '(', '[', '{') ? afterBracket(tokens, equals) : equals + 1;
    if (!is(tokens, equals, '=')) continue;
    found.push({
      name: tokens[at + 1]?.text ?? '',
      at,
      value: { from: equals + 1, end: endOfExpression(tokens, equals + 1, end) },
      isConst: is(tokens, at, 'const'),
    });
  }
  return found;
}

/** The index after an expression: at a separator, a closing bracket, or where a line begins a statement. */
function endOfExpression(tokens: Tokens, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const token = tokens[at];
    if (!token || is(tokens, at, ';', ',', ')', ']', '}')) return at;
    const before = tokens[at - 1];
    const beginsLine = at > from && before !== undefined && token.line > before.line;
    if (beginsLine && (token.kind === 'name' || token.text === '[') && endsValue(before.text, before.kind))
      if (!is(tokens, at, 'instanceof', 'in', 'as', 'satisfies')) return at;
    if (token.partner > at) at = token.partner;
  }
  return limit;
}

function endsValue(text: string, kind: string): boolean {
  return kind !== 'sign'
    ? !/^(?:await|return|typeof|new|void|yield|in|of|as)$/.test(text)
    : /^[)\]}]$/.test(text);
}

/** Members and calls of the longest chain that is read from one of its links. */
const MAX_LINKS = 200;

/** The index of the first token of the chain of members and calls that ends before `at`. */
export function beginOfChain(tokens: Tokens, at: number, limit: number): number {
  let index = at;
  for (let links = 0; index > limit && links < MAX_LINKS; links++) {
    const before = index - 1;
    const { partner = -1, kind } = tokens[before] ?? {};
    if (is(tokens, before, ')', ']') && partner !== -1 && partner < before) {
      index = partner;
      // The name of a call or of what is indexed belongs to it; a bracket alone is the beginning.
      if (!isName(tokens, index - 1) && !is(tokens, index - 1, ')', ']')) return index;
      if (
        isName(tokens, index - 1) &&
        /^(?:await|return|if|of|in|typeof)$/.test(tokens[index - 1]?.text ?? '')
      )
        return index;
    } else if (kind === 'name' || kind === 'string') {
      index = before;
      if (is(tokens, index - 1, 'new')) index--;
      if (!is(tokens, index - 1, '.', '?.')) return index;
      index--;
    } else return index;
  }
  return index;
}

/** A function expression: its parameters and its body, without braces. */
export interface FunctionParts {
  readonly parameters: Span;
  readonly body: Span;
}

/** Reads a function expression that is the whole of an argument or a value; undefined if it is none. */
export function functionIn(tokens: Tokens, span: Span): FunctionParts | undefined {
  if (is(tokens, span.from, '(') && afterBracket(tokens, span.from) >= span.end)
    return functionIn(tokens, inside(tokens, span.from));
  const from = is(tokens, span.from, 'async') ? span.from + 1 : span.from;
  if (is(tokens, from, 'function')) {
    const open = find(tokens, { from, end: span.end }, '(');
    const brace = open === -1 ? -1 : find(tokens, { from: afterBracket(tokens, open), end: span.end }, '{');
    return brace === -1 ? undefined : { parameters: inside(tokens, open), body: inside(tokens, brace) };
  }
  const arrow = find(tokens, { from, end: span.end }, '=>');
  if (arrow === -1 || find(tokens, { from, end: arrow }, '=', '?', '.') !== -1) return undefined;
  const parameters = is(tokens, from, '(') ? inside(tokens, from) : { from, end: arrow };
  const body = is(tokens, arrow + 1, '{')
    ? inside(tokens, arrow + 1)
    : { from: arrow + 1, end: endOfExpression(tokens, arrow + 1, span.end) };
  return { parameters, body };
}

/** The functions that a span declares by name: declarations, and constants with a function. */
export function functionsIn(
  tokens: Tokens,
  span: Span,
  declarations: readonly Declaration[] = declarationsIn(tokens, span),
): Map<string, FunctionParts> {
  const found = new Map<string, FunctionParts>();
  for (let at = span.from; at < span.end; at++) {
    if (!isName(tokens, at) || !isName(tokens, at + 1) || !is(tokens, at, 'function')) continue;
    const parts = functionIn(tokens, { from: at, end: span.end });
    if (parts) found.set(tokens[at + 1]?.text ?? '', parts);
  }
  for (const { name, value } of declarations) {
    const parts = functionIn(tokens, value);
    if (parts) found.set(name, parts);
  }
  return found;
}

/** The keys of an object literal with their values; a method's value begins at its name. */
export function membersOf(tokens: Tokens, span: Span): Map<string, Span> {
  const members = new Map<string, Span>();
  if (!is(tokens, span.from, '{')) return members;
  for (const part of split(tokens, inside(tokens, span.from))) {
    const colon = find(tokens, part, ':', '(');
    const from = is(tokens, part.from, 'async') && part.end - part.from > 1 ? part.from + 1 : part.from;
    const key = stringValue(tokens[from]) ?? tokens[from]?.text ?? '';
    members.set(key, is(tokens, colon, ':') ? { from: colon + 1, end: part.end } : { from, end: part.end });
  }
  return members;
}

/** The body of a method of an object: `fn() {…}`. */
export function methodBody(tokens: Tokens, { from, end }: Span): FunctionParts | undefined {
  if (!isName(tokens, from) || !is(tokens, from + 1, '(')) return undefined;
  const brace = find(tokens, { from: afterBracket(tokens, from + 1), end }, '{');
  return brace === -1 ? undefined : { parameters: inside(tokens, from + 1), body: inside(tokens, brace) };
}

/** The index after type arguments, or the same index if there are none. */
export function afterTypes(tokens: Tokens, at: number): number {
  if (!is(tokens, at, '<')) return at;
  let depth = 0;
  for (let index = at; index < Math.min(at + 200, tokens.length); index++) {
    if (is(tokens, index, '<')) depth++;
    else if (is(tokens, index, '>', '>>>')) {
      depth -= tokens[index]?.text.length ?? 1;
      if (depth <= 0) return index + 1;
    } else if (is(tokens, index, ';')) return at;
    if (is(tokens, index, '(', '[', '{')) index = afterBracket(tokens, index) - 1;
  }
  return at;
}

/** The files that an import with a relative path may mean. */
export function modulePaths(from: string, module: string): string[] {
  const parts = from.split('/').slice(0, -1);
  for (const part of module.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  const path = parts.join('/');
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  const extensions = ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs', 'cjs', 'vue', 'svelte'];
  return [path, ...extensions.flatMap((extension) => [`${bare}.${extension}`, `${path}/index.${extension}`])];
}
