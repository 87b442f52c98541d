export type Outcome = 'passed' | 'failed' | 'no such event' | 'not installed';

export interface HostRow {
  /** The name and the version of the client. */
  readonly client: string;
  /** By the name of the case. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

const SIGNS: Readonly<Record<Outcome, string>> = {
  passed: '✓',
  failed: '✗',
  'no such event': '–',
  'not installed': 'not installed',
};

/** Returns the clients and the cases as a Markdown table; a case that was not run has an empty cell. */
export function hostTable(cases: readonly string[], rows: readonly HostRow[]): string {
  const cells = rows.map(({ client, outcomes }) => [
    client,
    ...cases.map((name) => signOf(outcomes.get(name))),
  ]);
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |\n`;
  return [line(['client', ...cases]), `|${'---|'.repeat(cases.length + 1)}\n`, ...cells.map(line)].join('');
}

function signOf(outcome: Outcome | undefined): string {
  return outcome === undefined ? '' : SIGNS[outcome];
}
