import { Condenser } from '../../src/diagnostics/condenser.ts';

import { excerptOf } from '../../src/diagnostics/excerpt.ts';
import type { OutputStream } from '../../src/process/output.ts';
import { CUTS, comparisonTable, EXCERPT_CHARACTERS, OURS, recordedSets } from './compare-excerpts.ts';
import { piecesOf, type VariedLog, variedLogs } from './varied-logs.ts';

const CHUNK_BYTES = 64 * 1024;
const MB = 1e6;

/** The share of indispensable facts that excerpts keep, beside plain ways to cut an output; then the speed. */
export function measureFeedback(): void {
  console.log(comparisonTable([OURS, ...CUTS], recordedSets()));
  for (const [name, line] of Object.entries(LOGS)) measureSpeed(name, line);
  for (const log of variedLogs()) measureVaried(log);
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

const VARIED_BYTES = 100 * MB;
/** Generated before they are read: the time of the generator does not count. */
const BATCH_BYTES = 4 * MB;

function measureVaried(log: VariedLog): void {
  const condenser = new Condenser();
  let bytes = 0;
  let ms = 0;
  let batch: (readonly [OutputStream, Buffer])[] = [];
  let batchBytes = 0;
  const readBatch = () => {
    const startedAt = performance.now();
    for (const [stream, piece] of batch) condenser.write(stream, piece);
    ms += performance.now() - startedAt;
    bytes += batchBytes;
    batch = [];
    batchBytes = 0;
  };
  for (const piece of chunksOf(log, VARIED_BYTES)) {
    batch.push(piece);
    batchBytes += piece[1].length;
    if (batchBytes >= BATCH_BYTES) readBatch();
  }
  readBatch();
  excerptOf(condenser.findings(), EXCERPT_CHARACTERS, { hung: false });
  const memory = Math.round(process.memoryUsage.rss() / MB);
  console.log(
    `  ${Math.round(bytes / MB)} MB of ${log.name}: ${Math.round(bytes / MB / (ms / 1000))} MB/s, ${memory} MB memory`,
  );
}

/** The pieces of one stream that follow each other, joined: as from a pipe. */
function* chunksOf(log: VariedLog, bytes: number): Generator<readonly [OutputStream, Buffer]> {
  let joined: Buffer[] = [];
  let length = 0;
  let last: OutputStream = 'stdout';
  for (const [stream, piece] of piecesOf(log, bytes)) {
    if (length > 0 && (stream !== last || length >= CHUNK_BYTES)) {
      yield [last, Buffer.concat(joined)];
      joined = [];
      length = 0;
    }
    last = stream;
    joined.push(piece);
    length += piece.length;
  }
  if (length > 0) yield [last, Buffer.concat(joined)];
}
