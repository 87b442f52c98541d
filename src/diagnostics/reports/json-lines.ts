import { listAt, numberAt, textAt, valueAt } from './json-values.ts';
import type { Report, ReportedFailure } from './types.ts';

/** Of what one test printed, this much is kept. */
const MAX_OUTPUT = 32 * 1024;

/** Reads a report with one value of JSON a line: `go test -json`, `cargo … --message-format=json`. */
export function readJsonLines(text: string): Report {
  const events: unknown[] = [];
  let last = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue;
    last = line;
    const event = parsed(line);
    if (event !== undefined) events.push(event);
  }
  return {
    failures: [...readGoEvents(events), ...events.flatMap(readCargoMessage)],
    isWhole: last === '' || parsed(last) !== undefined,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** What `go test` prints around a test itself. */
const FRAMING = /^\s*(?:===|---|FAIL\b|ok\b|PASS\b|exit status)/;

/** The events of `go test -json` (`go doc test2json`): what a test printed, then how it ended. */
function readGoEvents(events: readonly unknown[]): ReportedFailure[] {
  const outputs = new Map<string, string>();
  const failures: ReportedFailure[] = [];
  /** The packages with a test that has failed: they have failed for no other reason. */
  const explained = new Set<string>();
  for (const event of events) {
    const action = textAt(event, 'Action');
    const where = textAt(event, 'Package') ?? textAt(event, 'ImportPath');
    if (action === undefined || where === undefined) continue;
    const test = textAt(event, 'Test');
    const name = test === undefined ? where : `${where} > ${test}`;
    const output = textAt(event, 'Output');
    if (output !== undefined && !FRAMING.test(output))
      outputs.set(name, ((outputs.get(name) ?? '') + output).slice(0, MAX_OUTPUT));
    if (action === 'pass' || action === 'skip') outputs.delete(name);
    if (action !== 'fail' && action !== 'build-fail') continue;
    if (test === undefined && explained.has(where)) continue;
    explained.add(where);
    failures.push({ kind: 'test', name, details: outputs.get(name) });
  }
  return failures;
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
