import { listAt, numberAt, parsedJson, textAt, valueAt } from './json-values.ts';
import { addFailure, linesIn, type Report, type ReportedFailure } from './types.ts';

/** Of what one test printed, this much is kept. */
const MAX_OUTPUT = 32 * 1024;

/** Reads a report with one value of JSON a line: `go test -json`, `cargo … --message-format=json`. */
export function readJsonLines(text: string): Report {
  const failures: ReportedFailure[] = [];
  const ofGo = new GoEvents(failures);
  let isWhole = true;
  for (const line of linesIn(text)) {
    if (!line.startsWith('{')) continue;
    const event = parsedJson(line);
    isWhole = event !== undefined;
    ofGo.take(event);
    for (const failure of readCargoMessage(event)) addFailure(failures, failure);
  }
  return { failures, isWhole };
}

/** What `go test` prints around a test itself. */
const FRAMING = /^\s*(?:===|---|FAIL\b|ok\b|PASS\b|exit status)/;

/** The events of `go test -json` (`go doc test2json`): what a test printed, then how it ended. */
class GoEvents {
  readonly #failures: ReportedFailure[];
  readonly #outputs = new Map<string, string>();
  /** The packages with a test that has failed: they have failed for no other reason. */
  readonly #explained = new Set<string>();

  constructor(failures: ReportedFailure[]) {
    this.#failures = failures;
  }

  take(event: unknown): void {
    const action = textAt(event, 'Action');
    const where = textAt(event, 'Package') ?? textAt(event, 'ImportPath');
    if (action === undefined || where === undefined) return;
    const test = textAt(event, 'Test');
    const name = test === undefined ? where : `${where} > ${test}`;
    const output = textAt(event, 'Output');
    if (output !== undefined && !FRAMING.test(output))
      this.#outputs.set(name, ((this.#outputs.get(name) ?? '') + output).slice(0, MAX_OUTPUT));
    const details = this.#outputs.get(name);
    if (['pass', 'skip', 'fail'].includes(action)) this.#outputs.delete(name);
    if (action !== 'fail' && action !== 'build-fail') return;
    if (test === undefined && this.#explained.has(where)) return;
    this.#explained.add(where);
    addFailure(this.#failures, { kind: 'test', name, details });
  }
}

/** What the compiler says, as `cargo` and `rustc` pass it on. */
function readCargoMessage(event: unknown): ReportedFailure[] {
  const message = valueAt(event, 'message');
  const level = textAt(message, 'level');
  const kind = level?.startsWith('error') ? 'error' : 'warning';
  if (textAt(event, 'reason') !== 'compiler-message' || (kind === 'warning' && level !== 'warning'))
    return [];
  const text = textAt(message, 'message');
  if (text?.startsWith('aborting due to')) return [];
  const span = listAt(message, 'spans').find((each) => valueAt(each, 'is_primary') === true);
  return [
    {
      kind,
      file: textAt(span, 'file_name'),
      line: numberAt(span, 'line_start'),
      column: numberAt(span, 'column_start'),
      rule: textAt(message, 'code', 'code'),
      message: text,
      details: textAt(message, 'rendered'),
    },
  ];
}
