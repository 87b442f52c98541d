import { excerptOf, excerptText } from '../../src/diagnostics/excerpt.ts';
import { Condenser } from '../../src/diagnostics/output/condenser.ts';
import { type FeedbackCase, feedbackCases, lostFacts, outputOf } from '../helpers/feedback-cases.ts';

/** What an excerpt may take of a block with one failed gate. */
export const EXCERPT_CHARACTERS = 5300;

/** A way to shorten an output for an agent. */
export interface Rule {
  readonly name: string;
  /** Undefined if it gives no result. */
  readonly excerpt: (recorded: FeedbackCase) => string | undefined;
}

export const OURS: Rule = {
  name: 'ralph-loop',
  excerpt({ events, exit }) {
    const condenser = new Condenser();
    for (const { fd, text } of events) condenser.write(fd === 1 ? 'stdout' : 'stderr', Buffer.from(text));
    const hung = exit === 'SIGTERM';
    return excerptText(excerptOf(condenser.findings(), EXCERPT_CHARACTERS, { hung }));
  },
};

/** How other stop hooks cut an output. */
export const CUTS: readonly Rule[] = [
  {
    name: 'the first 500 characters of stderr, or of stdout if that is empty',
    excerpt: (recorded) => (outputOf(recorded, 2) || outputOf(recorded, 1)).slice(0, 500),
  },
  { name: 'the last 2,000 of stderr', excerpt: (recorded) => outputOf(recorded, 2).slice(-2000) },
  {
    name: 'the last 5,000 of stdout and stderr',
    excerpt: (recorded) => (outputOf(recorded, 1) + outputOf(recorded, 2)).slice(-5000),
  },
  {
    name: 'the first 2,000 and the last 2,000',
    excerpt(recorded) {
      const text = (outputOf(recorded, 1) + outputOf(recorded, 2)).trimEnd();
      return text.length > 4000 ? `${text.slice(0, 2000)}\n...\n${text.slice(-2000)}` : text;
    },
  },
];

export interface CaseSet {
  readonly name: string;
  readonly cases: readonly FeedbackCase[];
}

/** Common tools with long outputs. The other cases were recorded for what these lack. */
const SHARED = [
  'eslint-400-mixed',
  'make-gcc-2000-warnings',
  'npm-warn-stderr-tsc',
  'pytest-1-of-150',
  'python-traceback',
  'tsc-300',
  'vite-build',
  'vitest-1-of-200',
];

/** The cases of this repository: those that are shared, and all. */
export function recordedSets(): CaseSet[] {
  const cases = feedbackCases();
  const shared = cases.filter(({ name }) => SHARED.includes(name));
  return [
    { name: `${shared.length} shared cases`, cases: shared },
    { name: `all ${cases.length} cases`, cases },
  ];
}

/** The table of how many facts each rule keeps, and in how many characters. */
export function comparisonTable(rules: readonly Rule[], sets: readonly CaseSet[]): string {
  const heading = [
    'what the agent reads',
    ...sets.flatMap(({ name }) => [`${name}: facts kept`, 'mean characters']),
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [
    line(heading),
    `|${'---|'.repeat(heading.length)}\n`,
    ...rules.map((rule) => line(rowOf(rule, sets))),
  ].join('');
}

function rowOf({ name, excerpt }: Rule, sets: readonly CaseSet[]): string[] {
  const cases = [...new Set(sets.flatMap((set) => set.cases))];
  const texts = new Map(cases.map((recorded) => [recorded, excerpt(recorded)]));
  const cells = sets.flatMap((set) => {
    const made = set.cases.flatMap((recorded) => texts.get(recorded) ?? []);
    if (made.length === 0) return ['–', '–'];
    const kept = mean(set.cases.map((recorded) => shareKept(texts.get(recorded) ?? '', recorded)));
    const characters = Math.round(mean(made.map((text) => text.length)));
    const unfinished = set.cases.length - made.length;
    const note = unfinished > 0 ? ` (${unfinished} without a result)` : '';
    return [`${(100 * kept).toFixed(1)} %${note}`, characters.toLocaleString('en')];
  });
  return [name, ...cells];
}

function shareKept(excerpt: string, recorded: FeedbackCase): number {
  return 1 - lostFacts(excerpt, recorded).length / recorded.facts.length;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length);
}

const SECTION = /(?<=<!-- comparison -->\n)[\s\S]*?(?=<!-- \/comparison -->)/;

/** The table in a page; empty if it has none. */
export function comparisonIn(page: string): string {
  return SECTION.exec(page)?.[0].trimStart() ?? '';
}

/** The page with another table. */
export function withComparison(page: string, table: string): string {
  return page.replace(SECTION, () => `\n${table}\n`);
}
