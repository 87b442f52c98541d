import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { RULES, ZERO_COUNTS } from '../../src/diagnostics/lines/rules.ts';

/** What is known of the texts that a part of an expression matches, in lower case. */
interface Matches {
  /** All of them, if they are few. */
  readonly all?: readonly string[] | undefined;
  /** Each contains one of these. */
  readonly some?: readonly string[] | undefined;
}

const MAX_TEXTS = 24;
/** More would not make a text rarer, and the package larger. */
const MAX_CHARACTERS = 7;
const EMPTY: Matches = { all: [''] };
const parser = new RegExpParser({ ecmaVersion: 2024 });

/**
 * Reads from an expression what each text has that it matches.
 *
 * @returns texts in lower case, of which each match has one; none if nothing longer than a sign is certain
 */
export function requiredTexts({ source, flags }: RegExp): readonly string[] {
  const texts = best(matchesOfAny(parser.parsePattern(source, 0, source.length, flags.includes('u')))) ?? [];
  if (texts.some((text) => weightOf(text) <= 1)) return [];
  const short = [...new Set(texts.map((text) => text.slice(0, MAX_CHARACTERS)))];
  return short.filter((text) => !short.some((other) => other !== text && text.includes(other))).toSorted();
}

function matchesOfAny({ alternatives }: Pick<AST.Pattern, 'alternatives'>): Matches {
  const [first, ...others] = alternatives.map(({ elements }) => matchesInRow(elements.map(matchesOf)));
  if (first && others.length === 0) return first;
  return united(alternatives.map(({ elements }) => matchesInRow(elements.map(matchesOf))));
}

function united(parts: readonly Matches[]): Matches {
  const all = parts.map((part) => part.all);
  const some = parts.map(best);
  return {
    all: all.every((texts) => texts !== undefined) ? few(all.flat()) : undefined,
    some: some.every((texts) => texts !== undefined) ? [...new Set(some.flat())] : undefined,
  };
}

function matchesInRow(parts: readonly Matches[]): Matches {
  const candidates: Matches[] = [];
  let row: readonly string[] = [''];
  let isWhole = true;
  for (const { all, some } of parts) {
    candidates.push({ some });
    const longer = all && few(row.flatMap((text) => all.map((next) => text + next)));
    if (longer) row = longer;
    else {
      candidates.push({ some: row });
      isWhole = false;
      row = all ?? [''];
    }
  }
  if (isWhole) return { all: row, some: best({ some: bestOf(candidates) }) };
  return { some: bestOf([...candidates, { some: row }]) };
}

function matchesOf(element: AST.Element): Matches {
  switch (element.type) {
    case 'Character':
      return { all: [String.fromCodePoint(element.value).toLowerCase()] };
    case 'CharacterClass':
      return matchesOfClass(element);
    case 'Group':
    case 'CapturingGroup':
      return matchesOfAny(element);
    case 'Quantifier':
      return matchesRepeated(element, matchesOf(element.element));
    case 'Assertion': {
      const isRequired = (element.kind === 'lookahead' || element.kind === 'lookbehind') && !element.negate;
      return isRequired ? { ...EMPTY, some: best(matchesOfAny(element)) } : EMPTY;
    }
    default:
      return {};
  }
}

function matchesOfClass({ negate, elements }: AST.CharacterClass): Matches {
  const parts = elements.map((element): Matches => {
    if (element.type === 'Character') return matchesOf(element);
    if (element.type !== 'CharacterClassRange' || element.max.value - element.min.value > 4) return {};
    const codes = Array.from(
      { length: element.max.value - element.min.value + 1 },
      (_, i) => element.min.value + i,
    );
    return { all: codes.map((code) => String.fromCodePoint(code).toLowerCase()) };
  });
  return negate ? {} : united(parts);
}

function matchesRepeated({ min, max }: AST.Quantifier, once: Matches): Matches {
  if (min === 0) return max === 1 && once.all ? { all: few(['', ...once.all]) } : {};
  return max === 1 ? once : { some: best(once) };
}

function few(texts: readonly string[]): readonly string[] | undefined {
  const different = [...new Set(texts)];
  return different.length <= MAX_TEXTS ? different : undefined;
}

/** The texts that the fewest lines are likely to have. */
function best({ all, some }: Matches): readonly string[] | undefined {
  return bestOf([{ some }, { some: all }]);
}

function bestOf(candidates: readonly Matches[]): readonly string[] | undefined {
  return candidates
    .map(({ some }) => some)
    .filter((texts) => texts !== undefined && texts.length > 0 && !texts.includes(''))
    .toSorted((a = [], b = []) => rarityOf(b) - rarityOf(a))[0];
}

/** More if each text is longer, then if there are fewer. */
function rarityOf(texts: readonly string[]): number {
  return 100 * Math.min(...texts.map(weightOf)) - texts.length;
}

/** Hardly any line has a sign outside ASCII; blanks and digits are in most. */
function weightOf(text: string): number {
  const weights = [...text].map((sign) => (sign > '\x7f' ? 3 : /[\s\d]/.test(sign) ? 0.5 : 1));
  return Math.min(
    6,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
}

/** The file with the texts of all rules. */
export function ruleTextsFile(): string {
  const texts = (pattern: RegExp) => JSON.stringify(requiredTexts(pattern));
  return `${HEAD}
export const RULE_TEXTS: readonly (readonly string[])[] = [
${RULES.map(({ id, pattern }) => `  /* ${id} */ ${texts(pattern)},`).join('\n')}
];

/** The same of counts of nothing. */
export const ZERO_COUNT_TEXTS: readonly string[] = ${texts(ZERO_COUNTS)};
`;
}

const IGNORE = ['biome-ignore-all', 'format'].join(' ');
const HEAD = `// Made by \`npm run docs\` from the patterns of the rules.
// ${IGNORE}: a row for each rule

/** Of each rule, in their order: a line that it matches has one of these texts, in any case. Of a rule without texts, nothing is known. */`;
