import { Condenser } from '../../src/diagnostics/condenser.ts';
import { excerptOf } from '../../src/diagnostics/excerpt.ts';
import { CUTS, comparisonTable, EXCERPT_CHARACTERS, OURS, recordedSets } from './compare-excerpts.ts';

const CHUNK_BYTES = 64 * 1024;
const MB = 1e6;

/** The share of indispensable facts that excerpts keep, beside plain ways to cut an output; then the speed. */
export function measureFeedback(): void {
  console.log(comparisonTable([OURS, ...CUTS], recordedSets()));
  for (const [name, line] of Object.entries(LOGS)) measureSpeed(name, line);
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
