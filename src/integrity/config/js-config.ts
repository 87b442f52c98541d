// A configuration that is written in JavaScript → plain data: its object literals. What is computed stays code.

import { LANGUAGES } from '../languages.ts';
import { lex, type Token } from '../lexer.ts';

/** Begins the text of an expression that is no literal. */
export const CODE = 'code:';

/** The configuration that a module exports; undefined if it exports none that can be read. */
export function jsConfig(text: string): unknown {
  const reader = new Reader(text);
  return reader.exported();
}

class Reader {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  /** Where the values of the module's variables begin. */
  private readonly variables = new Map<string, number>();
  private readonly resolving = new Set<string>();

  constructor(text: string) {
    this.text = text;
    this.tokens = lex(text, LANGUAGES.javascript).tokens;
    for (const [index, { text: word }] of this.tokens.entries()) {
      const name = this.tokens[index + 1];
      if (!/^(?:const|let|var)$/.test(word) || name?.kind !== 'name') continue;
      let equals = index + 2;
      while (equals < this.tokens.length && !this.is(equals, '=') && !this.is(equals, ';')) equals++;
      if (this.is(equals, '=')) this.variables.set(name.text, equals + 1);
    }
  }

  exported(): unknown {
    const { tokens } = this;
    const isAt = (index: number, ...words: string[]) =>
      words.every((word, offset) => this.is(index + offset, word));
    const found = tokens.findIndex(
      (_, index) =>
        isAt(index, 'export', 'default') ||
        isAt(index, 'module', '.', 'exports', '=') ||
        isAt(index, 'export', '='),
    );
    if (found !== -1) return this.value(found + (this.is(found, 'module') ? 4 : 2)).value;
    // Karma and Grunt: `config.set({…})`; Cypress and others: the first call with an object.
    const call = tokens.findIndex((_, index) => this.is(index, '(') && this.is(index + 1, '{'));
    return call === -1 ? undefined : this.value(call + 1).value;
  }

  private is(index: number, text: string): boolean {
    return this.tokens[index]?.text === text;
  }

  /** The value of the expression that begins at a token, and the index after the expression. */
  private value(begin: number): { value: unknown; end: number } {
    const end = this.endOf(begin);
    return { value: this.expression(begin, end), end };
  }

  private endOf(begin: number): number {
    let index = begin;
    while (index < this.tokens.length) {
      const { text, partner, kind } = this.tokens[index] as Token;
      if (kind === 'sign' && (text === ',' || text === ';' || text === '}' || text === ')' || text === ']'))
        return index;
      index = partner > index ? partner + 1 : index + 1;
      // Without a semicolon, a statement ends before the next one.
      if (
        /^(?:export|const|let|var|import|module|function)$/.test(this.tokens[index]?.text ?? '') &&
        this.isNewLine(index) &&
        !this.is(index - 1, '=>')
      )
        return index;
    }
    return index;
  }

  private isNewLine(index: number): boolean {
    const token = this.tokens[index];
    return (
      token !== undefined && this.text.slice(this.tokens[index - 1]?.end ?? 0, token.start).includes('\n')
    );
  }

  private expression(begin: number, end: number): unknown {
    const first = this.tokens[begin];
    if (!first || begin >= end) return undefined;
    const rest = this.tokens[first.partner > begin ? first.partner + 1 : begin + 1];
    const isWhole =
      (first.partner > begin ? first.partner + 1 : begin + 1) >= end ||
      /^(?:as|satisfies|!)$/.test(rest?.text ?? '');
    if (this.isArrow(begin, end)) return this.returned(begin, end);
    if (first.text === '{' && isWhole) return this.object(begin + 1, first.partner);
    if (first.text === '[' && isWhole) return this.list(begin + 1, first.partner);
    if (first.text === '(' && isWhole) return this.value(begin + 1).value;
    if (first.text === 'function' || first.text === 'async') return this.returned(begin, end);
    if (first.text === 'await') return this.expression(begin + 1, end);
    if (isWhole) return this.single(first);
    if (first.text === '-' && this.tokens[begin + 1]?.kind === 'number')
      return -Number(this.tokens[begin + 1]?.text);
    return this.call(begin, end) ?? this.code(begin, end);
  }

  private single({ kind, text }: Token): unknown {
    if (kind === 'string')
      return text.startsWith('`') && text.includes('${') ? CODE + text : unescaped(text.slice(1, -1));
    if (kind === 'number') return Number(text.replaceAll('_', ''));
    if (text === 'true' || text === 'false') return text === 'true';
    if (text === 'null') return null;
    if (text === 'undefined') return undefined;
    const begin = kind === 'name' ? this.variables.get(text) : undefined;
    if (begin === undefined || this.resolving.has(text)) return CODE + text;
    this.resolving.add(text);
    const { value } = this.value(begin);
    this.resolving.delete(text);
    return value;
  }

  private code(begin: number, end: number): string {
    const { start = 0 } = this.tokens[begin] ?? {};
    const last = this.tokens[end - 1];
    return CODE + this.text.slice(start, last?.end ?? this.text.length).replace(/\s+/g, ' ');
  }

  /** `defineConfig({…})`, `tseslint.config(a, b, {…})`: their arguments, where these are literals. */
  private call(begin: number, end: number): unknown {
    let index = begin;
    while (
      index < end &&
      (this.tokens[index]?.kind === 'name' || this.is(index, '.') || this.is(index, '?.'))
    )
      index++;
    const open = this.tokens[index];
    if (open?.text !== '(' || open.partner === -1 || open.partner + 1 < end) return undefined;
    const args = this.list(index + 1, open.partner);
    if (!args.some((arg) => typeof arg === 'object' && arg !== null)) return undefined;
    return args.length === 1 ? args[0] : args;
  }

  private isArrow(begin: number, end: number): boolean {
    const first = this.tokens[begin];
    const at = first?.text === 'async' ? begin + 1 : begin;
    const after = (this.tokens[at]?.partner ?? -1) > at ? (this.tokens[at]?.partner as number) + 1 : at + 1;
    return after < end && this.is(after, '=>');
  }

  /** The literal that a function returns. */
  private returned(begin: number, end: number): unknown {
    for (let index = begin; index < end; index++) {
      if (this.is(index, '=>') && !this.is(index + 1, '{')) return this.value(index + 1).value;
      if (this.is(index, 'return')) return this.value(index + 1).value;
      if (this.is(index, '.') && this.is(index + 1, 'set') && this.is(index + 2, '('))
        return this.value(index + 3).value;
    }
    return undefined;
  }

  private list(begin: number, end: number): unknown[] {
    const values: unknown[] = [];
    for (let index = begin; index < end; ) {
      const isSpread = this.is(index, '...');
      const { value, end: next } = this.value(isSpread ? index + 1 : index);
      if (isSpread && Array.isArray(value)) values.push(...value);
      else values.push(value);
      index = Math.max(next, index) + 1;
    }
    return values;
  }

  private object(begin: number, end: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (let index = begin; index < end; ) {
      const key = this.tokens[index] as Token;
      if (key.text === '...') {
        const { value, end: next } = this.value(index + 1);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          entries.push(...Object.entries(value));
        else entries.push([`...${String(value).replace(CODE, '')}`, true]);
        index = next + 1;
        continue;
      }
      const name = this.tokens[key.text === '[' && key.partner > index ? key.partner + 1 : index + 1];
      const colon = key.text === '[' && key.partner > index ? key.partner + 1 : index + 1;
      const word =
        key.text === '['
          ? this.code(index + 1, key.partner)
          : key.kind === 'string'
            ? unescaped(key.text.slice(1, -1))
            : key.text;
      if (name?.text === ':') {
        const { value, end: next } = this.value(colon + 1);
        entries.push([word, value]);
        index = next + 1;
      } else {
        const next = this.endOf(index);
        // A method, or a shorthand.
        entries.push([word, name?.text === '(' ? this.code(index, next) : this.single(key)]);
        index = Math.max(next, index) + 1;
      }
    }
    return Object.fromEntries(entries);
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(['"`\\])/g, '$1');
}
