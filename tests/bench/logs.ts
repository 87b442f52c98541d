import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OutputStream } from '../../src/process/output.ts';

/** The same at each run. */
export interface Log {
  readonly name: string;
  /** The next lines of the log. */
  readonly part: (random: Random) => readonly Piece[];
}

/** What one stream prints at once. */
type Piece = readonly [stream: OutputStream, text: string];

/** The recorded outputs of failing tools. */
const RECORDED = 'tests/fixtures/feedback';

const ERRORS = [
  "2339: Property 'total' does not exist on type 'Order'.",
  "2322: Type 'string' is not assignable to type 'number'.",
  "7006: Parameter 'row' implicitly has an 'any' type.",
  "2345: Argument of type 'undefined' is not assignable to parameter of type 'Order'.",
];

/** Logs whose lines differ in their numbers only. */
export function alikeLogs(): Log[] {
  return [
    counted(
      'passing tests',
      (i) => ` ✓ tests/file-${i % 300}.test.ts > suite ${i % 17} > handles error ${i} (${i % 9} ms)`,
    ),
    counted(
      'build log',
      (i) => `[${i}/90000] Compiling module_${i} into build/out/module_${i}.o with -O2 -g -Wall`,
    ),
    counted(
      'warnings',
      (i) => `src/file_${i % 900}.c:${i % 400}:7: warning: unused variable 'v${i}' [-Wunused-variable]`,
    ),
    counted(
      'errors',
      (i) => `src/file${i % 900}.ts(${1 + (i % 400)},7): error TS${ERRORS[i % ERRORS.length]}`,
    ),
  ];
}

function counted(name: string, line: (i: number) => string): Log {
  let count = 0;
  return { name, part: () => [['stdout', `${line(count++)}\n`]] };
}

/** Logs in which hardly two lines are the same: names, times and random identifiers differ too. */
export function variedLogs(): Log[] {
  const recorded = recordedOutputs(RECORDED);
  const repeated = (vary: (text: string, random: Random) => string) => (random: Random) =>
    random.of(recorded).map(([stream, text]): Piece => [stream, vary(text, random)]);
  const lines = (line: (random: Random) => string) => (random: Random) => [
    ['stdout', `${line(random)}\n`] as const,
  ];
  return [
    { name: 'real failures', part: repeated((text) => text) },
    { name: 'real failures, numbers varied', part: repeated(withNumbers) },
    { name: 'real failures, names varied', part: repeated(withNames) },
    { name: 'located errors with UUIDs', part: lines(locatedError) },
    { name: 'errors in JSON', part: lines(jsonError) },
    { name: 'stack traces', part: lines(stackTrace) },
    { name: 'errors in a coloured log', part: lines(colouredError) },
    { name: 'errors of random words', part: lines(wordyError) },
    { name: 'redrawn progress and warnings', part: lines(redrawn) },
  ];
}

/** A log of at least so many bytes. */
export function* piecesOf({ part }: Log, bytes: number): Generator<readonly [OutputStream, Buffer]> {
  const random = new Random();
  for (let left = bytes; left > 0; )
    for (const [stream, text] of part(random)) {
      const piece = Buffer.from(text);
      left -= piece.length;
      yield [stream, piece];
    }
}

function recordedOutputs(directory: string): Piece[][] {
  if (!existsSync(directory)) return [];
  const files = readdirSync(directory)
    .map((name) => join(resolve(directory), name, 'events.jsonl'))
    .filter((file) => existsSync(file));
  return files.map((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .map(({ fd, text }): Piece => [fd === 1 ? 'stdout' : 'stderr', text]),
  );
}

/** A generator of random numbers (mulberry32), and of what logs contain. */
class Random {
  #state = 1;

  /** @returns an integer from 0 up to `limit` */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  digits(length: number): string {
    return Array.from({ length }, () => this.below(10)).join('');
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
  }

  time(): string {
    const two = (limit: number) => String(this.below(limit)).padStart(2, '0');
    return `2025-${two(12)}-${two(28)}T${two(24)}:${two(60)}:${two(60)}.${this.digits(3)}Z`;
  }

  word(): string {
    return this.of(SYLLABLES) + this.of(SYLLABLES) + this.of(SYLLABLES);
  }
}

const SYLLABLES =
  'ba co da el fi gra ho is jo ka lu mo ne or pi qua ro si ta ul ve wa xe yo zu mar ten lor sin pal dex vin'.split(
    ' ',
  );

function withNumbers(text: string, random: Random): string {
  return text.replace(/\b[\da-f]{7,}\b|\d+/g, (number) =>
    /^\d+$/.test(number) ? random.digits(number.length) : random.hex(number.length),
  );
}

/** A word before the end of a file's name, in quotation marks, or with a joint in it is a name. */
const NAME = /\b[A-Za-z]{3,}(?=\.[a-z]{1,4}\b)|(?<=['"`/_.])[a-z]{3,}(?=['"`/_.])|\b[a-z]+[A-Z][A-Za-z]+\b/g;

function withNames(text: string, random: Random): string {
  return withNumbers(text, random).replace(NAME, () => random.word());
}

function locatedError(random: Random): string {
  const place = `src/${random.uuid()}/${random.of(['order', 'cart'])}.ts:${random.below(900)}:${random.below(80)}`;
  return random.of([
    `${place}: error: no member ${random.uuid()} in Order`,
    `${place} - error TS2339: Property '${random.uuid()}' does not exist on type 'Cart'.`,
  ]);
}

function jsonError(random: Random): string {
  return JSON.stringify({
    level: random.of(['error', 'info', 'error', 'warn']),
    time: random.time(),
    requestId: random.uuid(),
    path: `/api/${random.word()}/${random.hex(12)}`,
    msg: `${random.of(['connection to', 'no answer from', 'cannot parse'])} ${random.word()} ${random.hex(8)}`,
  });
}

function stackTrace(random: Random): string {
  const frames = Array.from({ length: 2 + random.below(6) }, () =>
    random.of([
      `    at ${random.word()} (/home/${random.word()}/src/${random.word()}.ts:${random.below(500)}:${random.below(90)})`,
      `    at async ${random.word()} (/home/node_modules/${random.word()}/index.js:${random.below(500)}:3)`,
      `    #${random.below(9)} 0x${random.hex(12)} in ${random.word()} /src/${random.word()}.c:${random.below(900)}`,
    ]),
  );
  return [`TypeError: Cannot read ${random.word()} of 0x${random.hex(12)}`, ...frames].join('\n');
}

function colouredError(random: Random): string {
  const level = random.of(['\x1b[31mERROR\x1b[0m', '\x1b[33mWARN\x1b[39m', '\x1b[32mINFO\x1b[0m']);
  return `\x1b[2m${random.time()}\x1b[0m ${level} [${random.word()}] „${random.word()}“ → ${random.uuid()} konnte nicht gelesen werden\r`;
}

function wordyError(random: Random): string {
  const words = Array.from({ length: 4 + random.below(8) }, () => random.word()).join(' ');
  return `${random.of(['error', 'Error', 'FAIL ', 'fatal', `${random.word()} failed`])}: ${words}`;
}

function redrawn(random: Random): string {
  const states = Array.from({ length: 5 }, (_, i) => `[${'#'.repeat(i)}] ${i * 20}% ${random.word()}`).join(
    '\r',
  );
  return `${states}\nsrc/${random.word()}.c:${random.below(900)}:7: warning: unused variable '${random.word()}'`;
}
