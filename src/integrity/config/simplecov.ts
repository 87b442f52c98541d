// What a helper of Ruby's specs says about coverage → data. Everything else in it is code.

import { LANGUAGES } from '../languages.ts';
import { lex } from '../lexer.ts';

/** `minimum_coverage line: 90` as `{'minimum_coverage.line': '90'}`; without a kind, it is of lines. */
export function parseSimpleCov(text: string): Readonly<Record<string, unknown>> {
  if (!text.includes('SimpleCov')) return {};
  const { tokens } = lex(text, LANGUAGES.ruby);
  const found: Record<string, string[]> = {};
  const add = (key: string, value: string) => {
    const known = found[key];
    if (known) known.push(value);
    else found[key] = [value];
  };
  for (const [index, { text: name, line }] of tokens.entries()) {
    if (!/^(?:minimum_coverage(?:_by_file)?|maximum_coverage_drop|add_filter)$/.test(name)) continue;
    let key = `${name}.line`;
    for (const token of tokens.slice(index + 1, index + 20)) {
      if (token.line !== line || token.text === '}') break;
      if (name === 'add_filter' && token.kind === 'string') add(name, token.text.slice(1, -1));
      else if (token.kind === 'name' && token.text !== 'do') key = `${name}.${token.text}`;
      else if (token.kind === 'number' && name !== 'add_filter') add(key, token.text);
    }
  }
  return found;
}
