import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Condenser } from '../../src/diagnostics/condenser.ts';
import { excerptOf, excerptText } from '../../src/diagnostics/excerpt.ts';

/** What an excerpt may take of a block with one failed gate. */
const EXCERPT_CHARACTERS = 5300;
const CORPUS = '../shared/feedback-corpus';
const CHUNK_BYTES = 64 * 1024;
const MB = 1e6;

interface Case {
  readonly name: string;
  readonly combined: string;
  readonly expect: { readonly must: readonly unknown[] };
  readonly events: readonly { readonly fd: 1 | 2; readonly text: string }[];
}

/** The corpus's own scorer. */
interface Scorer {
  readonly loadCase: (name: string) => Case;
  readonly scoreText: (text: string, must: readonly unknown[]) => { readonly score: number };
  readonly BASELINES: Readonly<Record<string, readonly [string, (recorded: Case) => string]>>;
}

/** The share of indispensable facts that excerpts keep, beside plain ways to cut an output; then the speed. */
export async function measureFeedback(): Promise<void> {
  const directory = resolve(process.env.FEEDBACK_CORPUS ?? CORPUS);
  if (existsSync(directory)) await scoreCorpus(directory);
  else console.log(`  no corpus in ${CORPUS}: nothing to score`);
  for (const [name, line] of Object.entries(LOGS)) measureSpeed(name, line);
}

async function scoreCorpus(directory: string): Promise<void> {
  const scorer: Scorer = await import(pathToFileURL(resolve(directory, 'score.mjs')).href);
  const names = readdirSync(directory).filter((name) => existsSync(resolve(directory, name, 'expect.json')));
  const width = Math.max(...names.map((name) => name.length));
  const baselines = Object.keys(scorer.BASELINES);
  console.log(
    `  ${'case'.padEnd(width)}  ours  characters  ${baselines.map((id) => id.padStart(4)).join('')}`,
  );
  const rows = names.map((name) => {
    const recorded = scorer.loadCase(name);
    const text = excerptOfCase(recorded);
    const score = (excerpt: string) => scorer.scoreText(excerpt, recorded.expect.must).score;
    const others = baselines.map((id) => score(scorer.BASELINES[id]?.[1](recorded) ?? ''));
    return { name, ours: score(text), characters: text.length, others };
  });
  for (const { name, ours, characters, others } of rows)
    console.log(
      `  ${name.padEnd(width)}  ${percent(ours)}  ${String(characters).padStart(10)}  ${others.map(percent).join('')}`,
    );
  const ours = mean(rows.map((row) => row.ours));
  const characters = Math.round(mean(rows.map((row) => row.characters)));
  const others = baselines.map((_, index) => mean(rows.map((row) => row.others[index] ?? 0)));
  console.log(
    `  ${'mean'.padEnd(width)}  ${percent(ours)}  ${String(characters).padStart(10)}  ${others.map(percent).join('')}`,
  );
}

function excerptOfCase({ events }: Case): string {
  const condenser = new Condenser();
  for (const { fd, text } of events) condenser.write(fd === 1 ? 'stdout' : 'stderr', Buffer.from(text));
  return excerptText(excerptOf(condenser.findings(), EXCERPT_CHARACTERS, { hung: false }));
}

const ERRORS = [
  "2339: Property 'total' does not exist on type 'Order'.",
  "2322: Type 'string' is not assignable to type 'number'.",
  "7006: Parameter 'row' implicitly has an 'any' type.",
  "2345: Argument of type 'undefined' is not assignable to parameter of type 'Order'.",
];

/** Logs of 200 MB, by what their lines look like. */
const LOGS: Readonly<Record<string, (i: number) => string>> = {
  'passing tests': (i) =>
    ` ✓ tests/file-${i % 300}.test.ts > suite ${i % 17} > handles error ${i} (${i % 9} ms)`,
  'build log': (i) => `[${i}/90000] Compiling module_${i} into build/out/module_${i}.o with -O2 -g -Wall`,
  warnings: (i) => `src/file_${i % 900}.c:${i % 400}:7: warning: unused variable 'v${i}' [-Wunused-variable]`,
  errors: (i) => `src/file${i % 900}.ts(${1 + (i % 400)},7): error TS${ERRORS[i % ERRORS.length]}`,
};

function measureSpeed(name: string, line: (i: number) => string): void {
  const text = Array.from({ length: 40_000 }, (_, i) => line(i)).join('\n');
  const unit = Buffer.from(`${text}\n`);
  const condenser = new Condenser();
  const startedAt = performance.now();
  let bytes = 0;
  while (bytes < 200 * MB)
    for (let at = 0; at < unit.length; at += CHUNK_BYTES) {
      const chunk = unit.subarray(at, at + CHUNK_BYTES);
      condenser.write('stdout', chunk);
      bytes += chunk.length;
    }
  excerptOf(condenser.findings(), EXCERPT_CHARACTERS, { hung: false });
  const seconds = (performance.now() - startedAt) / 1000;
  const memory = Math.round(process.memoryUsage.rss() / MB);
  console.log(`  200 MB of ${name}: ${Math.round(bytes / MB / seconds)} MB/s, ${memory} MB memory`);
}

function percent(share: number): string {
  return `${Math.round(share * 100)}`.padStart(4);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length);
}
