import type { LanguageName } from '../languages.ts';
import type { Source } from '../lexer.ts';
import { is, stringValue } from '../tests/tokens.ts';
import type { Finding } from '../types.ts';
import { added, type ChangedSource, type Occurrence } from './changed-source.ts';

/** The tokens of what takes a value out of the type system, by language. */
const ESCAPES: Readonly<Partial<Record<LanguageName, readonly (readonly string[])[]>>> = {
  javascript: [
    ['as', 'any'],
    ['as', 'unknown', 'as'],
    ['as', 'never'],
    [':', 'any'],
    ['<', 'any', '>'],
    [',', 'any', '>'],
    ['any', '[', ']'],
  ],
  python: [
    ['cast', '(', 'Any'],
    [':', 'Any'],
    ['->', 'Any'],
    ['[', 'Any', ']'],
  ],
  go: [
    ['interface', '{', '}'],
    ['unsafe', '.', 'Pointer'],
  ],
  rust: [['unsafe', '{'], ['transmute']],
  java: [['(', 'Object', ')']],
  kotlin: [
    ['as', 'Any'],
    [':', 'Any'],
  ],
  csharp: [['dynamic'], ['(', 'object', ')']],
  ruby: [
    ['T', '.', 'untyped'],
    ['T', '.', 'unsafe'],
  ],
  php: [
    [':', 'mixed'],
    ['mixed', '$'],
  ],
};

const WORDS =
  /\bdeclare module\b|\bany\b|\bunknown as\b|\bas never\b|\bAny\b|interface ?\{|unsafe|transmute|\(Object\)|\(object\)|dynamic|untyped|mixed/;

interface Escape extends Occurrence {
  /** What is in front of it on its line. */
  readonly prefix: string;
  /** Whether it is about whole modules of the project. */
  readonly isWide?: boolean;
}

/** Finds types that a change cast away, in code outside of tests. A single one in new code is only listed. */
export function findTypeEscapes(sources: readonly ChangedSource[]): Finding[] {
  const code = sources.filter(({ isTest }) => !isTest);
  return added(code, WORDS, escapesIn).map(({ source, occurrence, count }) => {
    const isInPlace =
      occurrence.prefix.length > 5 &&
      source.before?.text.split('\n').some((line) => line.trim().startsWith(occurrence.prefix)) === true;
    const isGrave = occurrence.isWide === true || (source.before !== undefined && (isInPlace || count > 2));
    return {
      rule: 'type-escaped',
      severity: isGrave ? 'medium' : 'low',
      path: source.path,
      line: occurrence.line,
      message: `\`${occurrence.key}\` takes a value out of the type check${isInPlace ? ', in place of a type' : ''}`,
    };
  });
}

function escapesIn({ tokens, text }: Source, { language, path }: ChangedSource): Escape[] {
  const forms = ESCAPES[language];
  if (!forms || (language === 'javascript' && !/\.(?:[cm]?ts|tsx|vue|svelte)$/.test(path))) return [];
  const found: Escape[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (is(tokens, at, 'declare') && is(tokens, at + 1, 'module')) {
      const name = stringValue(tokens[at + 2]) ?? '';
      if (/^(?:\*|\.{1,2}\/.*)$/.test(name) && !is(tokens, at + 3, '{'))
        found.push({
          key: `declare module '${name}'`,
          line: tokens[at]?.line ?? 0,
          prefix: '',
          isWide: true,
        });
    }
    const form = forms.find((words) => words.every((word, index) => is(tokens, at + index, word)));
    if (!form) continue;
    // catch (error: any)
    if (form[1] === 'any' && is(tokens, at - 2, '(') && is(tokens, at - 3, 'catch')) continue;
    const start = tokens[at]?.start ?? 0;
    found.push({
      key: form.join(' ').replace(/ ?([[\](){}.:<>,]) ?/g, '$1'),
      line: tokens[at]?.line ?? 0,
      prefix: text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim(),
    });
    at += form.length - 1;
  }
  return found;
}
