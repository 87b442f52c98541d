import { execFileSync } from 'node:child_process';
import { excerptOf } from '../../src/diagnostics/excerpt.ts';
import { Condenser } from '../../src/diagnostics/output/condenser.ts';
import type { OutputStream } from '../../src/process/output.ts';
import { CUTS, comparisonTable, EXCERPT_CHARACTERS, OURS, recordedSets } from './compare-excerpts.ts';
import { alikeLogs, type Log, piecesOf, variedLogs } from './logs.ts';

const CHUNK_BYTES = 64 * 1024;
const MB = 1e6;

/** The share of indispensable facts that excerpts keep, beside plain ways to cut an output; then the speed. */
export function measureFeedback(): void {
  console.log(comparisonTable([OURS, ...CUTS], recordedSets()));
  const [program = ''] = process.argv.slice(1);
  // In a process of its own, as in a hook: what V8 has compiled for one log does not fit another.
  for (const { name } of [...alikeLogs(), ...variedLogs()])
    execFileSync(process.execPath, [program, READ_LOG, name], { stdio: 'inherit' });
}

/** The command for the process that reads one log. */
export const READ_LOG = 'read-log';
const LOG_BYTES = 100 * MB;
/** Generated before they are read: the time of the generator does not count. */
const BATCH_BYTES = 4 * MB;

/** Measures how fast one log is read. */
export function measureLog(name: string): void {
  const log = [...alikeLogs(), ...variedLogs()].find((one) => one.name === name);
  if (!log) throw new Error(`no log has the name ${name}`);
  const condenser = new Condenser();
  let bytes = 0;
  let ms = 0;
  let batch: (readonly [OutputStream, Buffer])[] = [];
  let batchBytes = 0;
  const readBatch = () => {
    const startedAt = performance.now();
    for (const [stream, chunk] of batch) condenser.write(stream, chunk);
    ms += performance.now() - startedAt;
    bytes += batchBytes;
    batch = [];
    batchBytes = 0;
  };
  for (const chunk of chunksOf(log, LOG_BYTES)) {
    batch.push(chunk);
    batchBytes += chunk[1].length;
    if (batchBytes >= BATCH_BYTES) readBatch();
  }
  readBatch();
  excerptOf(condenser.findings(), EXCERPT_CHARACTERS, { hung: false });
  const speed = Math.round(bytes / MB / (ms / 1000));
  const memory = Math.round(process.memoryUsage.rss() / MB);
  console.log(`  ${Math.round(bytes / MB)} MB of ${name}: ${speed} MB/s, ${memory} MB memory`);
}

/** The pieces of one stream that follow each other, joined: as from a pipe. */
function* chunksOf(log: Log, bytes: number): Generator<readonly [OutputStream, Buffer]> {
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
