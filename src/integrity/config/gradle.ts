// A Gradle build → its settings: assignments and calls, below the names of the blocks around them.

import { LANGUAGES } from '../languages.ts';
import { lex, type Token } from '../lexer.ts';

/** `test { ignoreFailures = true; exclude 'a' }` as `{test: {ignoreFailures: ['true'], exclude: ['a']}}`. */
export function parseGradle(text: string): Readonly<Record<string, unknown>> {
  const { strings } = LANGUAGES.java;
  const { tokens } = lex(text, {
    ...LANGUAGES.java,
    strings: strings.filter(({ open }) => open !== '"""'),
    newlines: true,
  });
  const root: Record<string, unknown> = {};
  read(tokens, 0, tokens.length, root);
  return root;
}

function read(tokens: readonly Token[], begin: number, end: number, into: Record<string, unknown>): void {
  for (let index = begin; index < end; ) {
    let next = index;
    while (
      next < end &&
      tokens[next]?.kind !== 'newline' &&
      tokens[next]?.text !== ';' &&
      tokens[next]?.text !== '{'
    )
      next = (tokens[next]?.partner ?? -1) > next ? (tokens[next]?.partner as number) + 1 : next + 1;
    const statement = tokens.slice(index, next);
    const block = tokens[next]?.text === '{' ? tokens[next] : undefined;
    if (block) {
      const close = block.partner > next ? block.partner : end;
      // `tasks.named('test') {` and `tasks.withType(Test)` are blocks of the tests.
      const name = statement
        .map(({ text }) => text.replace(/^(["'])(.*)\1$/, '$2'))
        .filter(
          (word) =>
            /\w/.test(word) &&
            !/^(?:tasks|named|register|withType|configureEach|project|allprojects|subprojects|java|class)$/.test(
              word,
            ),
        )
        .join('.');
      const inner = (into[name] as Record<string, unknown> | undefined) ?? {};
      if (name !== '') into[name] = inner;
      read(tokens, next + 1, close, name === '' ? into : inner);
      next = close + 1;
    } else {
      add(statement, into);
      next++;
    }
    index = next;
  }
}

function add(statement: readonly Token[], into: Record<string, unknown>): void {
  const split = statement.findIndex(
    ({ text, kind }, index) =>
      index > 0 && (text === '=' || text === '(' || text === '+=' || kind === 'string'),
  );
  if (split === -1) {
    // `ignoreFailures true`, and the name alone.
    const [name, value] = statement;
    if (name?.kind === 'name' && statement.length === 2) into[name.text] = value?.text;
    if (statement.length === 1 && /^(?:true|false)$/.test(name?.text ?? '')) into.value = name?.text;
    return;
  }
  const names = statement
    .slice(0, split)
    .filter(({ kind }) => kind === 'name')
    .map(({ text }) => text);
  const key = names.filter((name) => name !== 'set').join('.');
  const values = statement
    .slice(split)
    .filter(({ text }) => /\w/.test(text))
    .map(({ text }) => text.replace(/^(["'])(.*)\1$/, '$2'));
  if (key === '') return;
  const known = into[key];
  if (!Array.isArray(known)) into[key] = values;
  else for (const value of values) known.push(value);
}
