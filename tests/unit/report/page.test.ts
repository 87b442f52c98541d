import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeReport } from '../../../src/report/make-report.ts';
import { reportPage } from '../../../src/report/page.ts';
import type { IterationRecord, LogRecord } from '../../../src/state/execution-log.ts';
import { logRecord } from '../../helpers/log-record.ts';
import { iterationRecord, loggedGate, sampleLog } from '../../helpers/sample-log.ts';

const MADE_AT = new Date(2026, 2, 14, 12);
const time = new Date(2026, 2, 1, 12).toISOString();

function pageOf(records: readonly (LogRecord | IterationRecord)[], project = 'shop', since?: Date): string {
  const stops = records.filter((record): record is LogRecord => 'answer' in record);
  const iterations = records.filter((record): record is IterationRecord => 'loop' in record);
  return reportPage(makeReport({ stops, iterations }, { project, since, madeAt: MADE_AT }));
}

/** The cells of each row in the table below a heading. */
function rowsBelow(heading: string, page: string): string[] {
  const [, table = ''] =
    new RegExp(String.raw`<h2>${heading}</h2>(?:(?!<h2>)[\s\S])*?<table[^>]*>([\s\S]*?)</table>`).exec(
      page,
    ) ?? [];
  const rows = table.split('<tr>').slice(2);
  return rows.map((row) =>
    [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell]) => cell).join(' | '),
  );
}

test('the page escapes all texts of the log', () => {
  const evil = `</title></style><script>x()</script><img src=x onerror="y()">'"&amp;`;
  const page = pageOf(
    [
      logRecord({ time, task: evil, answer: 'allow', why: evil, gates: [loggedGate(evil, 'failed')] }),
      iterationRecord({
        time,
        task_id: evil,
        stage: evil,
        why: evil,
        outcome: 'denied',
        gates: [loggedGate(evil)],
      }),
    ],
    evil,
  );
  expect(page.match(/<(script|img)|<\/style>/g)).toEqual(['</style>']);
  const escaped =
    '&#60;/title&#62;&#60;/style&#62;&#60;script&#62;x()&#60;/script&#62;&#60;img src=x onerror=&#34;y()&#34;&#62;&#39;&#34;&#38;amp;';
  // The title and the heading; the loop and its reason, twice; the gate's bars and its row.
  expect(page.split(escaped).length - 1).toBeGreaterThanOrEqual(2 + 4 + 3);
  expect(page).toContain(`title="${escaped}"`);
});

test('the page has no address and no script, and only the style sheet of its policy', () => {
  const page = pageOf(sampleLog(300));
  expect(page).not.toMatch(/https?:|url\(|@import|<script|<link|\bsrc=|\bhref=|\bstyle=|\son\w+=/);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">`,
  );
});

describe('the page', () => {
  test.for([
    { lines: 0, days: 1, unit: undefined },
    { lines: 1, days: 1, unit: 'day' },
    { lines: 10, days: 1, unit: 'day' },
    { lines: 5000, days: 40, unit: 'day' },
    { lines: 5000, days: 300, unit: 'week' },
    { lines: 5000, days: 3000, unit: 'month' },
  ])('is short and complete for $lines lines of $days days', ({ lines, days, unit }) => {
    const page = pageOf(sampleLog(lines, days));
    expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
    expect(page.length).toBeLessThan(150_000);
    if (unit) expect(page).toContain(`<h2>Loops per ${unit}</h2>`);
    else expect(page).toContain('The execution log of shop, .trellis/.ralph/log.jsonl, has no loops yet.');
  });

  test('has no sections without content', () => {
    const page = pageOf([logRecord({ time })]);
    expect([...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual([
      'Loops',
      'Loops per day',
    ]);
    expect(page).not.toContain('Cost');
  });
});

test('the tables show the figures', () => {
  const allowed = (fields: Partial<LogRecord>) =>
    logRecord({ time, answer: 'allow', why: 'commands-passed', ...fields });
  const page = pageOf([
    allowed({ task: 'a', gates: [loggedGate('lint', 'passed', 1000)] }),
    allowed({ task: 'b', iteration: 3, gates: [loggedGate('lint', 'passed', 3000)] }),
    allowed({ task: 'c', why: 'cap-reached', iteration: 5, gates: [loggedGate('lint', 'failed', 8000)] }),
    iterationRecord({ time, cost_usd: 0.125 }),
  ]);
  expect(rowsBelow('Loops', page)).toEqual([
    'stop loops | 3 | 1 | 1 | 1 | 0',
    'agent runs | 1 | 1 | 0 | 0 | 0',
  ]);
  expect(rowsBelow('Ended unverified', page)).toEqual([
    '2026-03-01 12:00 | c | limit reached, iteration 5/5: lint failed, exit 1',
  ]);
  expect(rowsBelow('Gates', page)).toEqual(['lint | 3 | 1 | 33 % | 3 s | 8 s']);
  const last = (heading: string) => rowsBelow(heading, page.slice(page.indexOf('<h2>Ended unverified')));
  expect(last('Loops per day')).toEqual(['2026-03-01 | 2 | 1 | 1 | $0.125']);
  expect(last('Iterations to pass').slice(0, 3)).toEqual(['1 | 2 | 67 %', '2 | 0 | 0 %', '3 | 1 | 33 %']);
});

test('the page shows what was reused, also of a gate that never ran', () => {
  const reused = { reused: '2026-01-31T10:27:00.000Z' } as const;
  const page = pageOf([
    logRecord({ time, gates: [loggedGate('lint', 'failed', 3000)] }),
    logRecord({
      time,
      gates: [loggedGate('test', 'passed', 60_000, reused), loggedGate('lint', 'passed', 1, reused)],
    }),
    logRecord({ time, why: 'still-running' }),
  ]);
  expect(rowsBelow('Reused and flaky', page)).toEqual(['lint | 1 | 1 | 0', 'test | 0 | 1 | 0']);
  expect(rowsBelow('Gates', page)).toEqual(['lint | 1 | 1 | 100 % | 3 s | 3 s', 'test | 0 | 0 | – | – | –']);
  expect(page).toContain('<dt>Saved</dt><dd>1 min 0 s<small>2 reused</small></dd>');
  expect(page).toContain('<dt>Asked to wait</dt><dd>1<small>stop</small></dd>');
  expect(page).not.toMatch(/NaN|undefined/);
});

test('the page shows a cancelled run apart from those that ended unverified', () => {
  const page = pageOf([iterationRecord({ time, outcome: 'cancelled', why: 'by a person' })]);
  expect(rowsBelow('Loops', page)).toEqual(['agent runs | 1 | 0 | 0 | 0 | 1 | 0']);
  expect(rowsBelow('Cancelled or interrupted', page)).toEqual([
    '2026-03-01 12:00 | TASK-001 | cancelled, coder, iteration 1/15: by a person',
  ]);
  expect(page).not.toContain('Ended unverified</h2>');
});

test('a long list shows its length and its first entries', () => {
  const gates = Array.from({ length: 1234 }, (_, n) => loggedGate(`gate ${n}`, 'failed', n + 1));
  const page = pageOf([logRecord({ time, gates })]);
  expect(page).toContain(' The first 10 of 1,234.');
  expect(page).toContain(' The first 200 of 1,234.');
  expect(rowsBelow('Gates', page)).toHaveLength(200);
});

test('the page names the time from which loops are included', () => {
  const page = pageOf([logRecord({ time })], 'shop', new Date(2026, 1, 28, 9, 5));
  expect(page).toContain(
    '1 loop, 2026-03-01. Made by ralph-loop report on 2026-03-14 12:00, for loops since 2026-02-28 09:05.',
  );
});

test('the page shows escalated loops by day, and a flaky gate', () => {
  const page = pageOf([
    logRecord({
      time,
      answer: 'allow',
      why: 'escalated',
      escalated: { reason: 'it needs a network' },
      gates: [{ ...loggedGate('test', 'passed', 1000), flaky: 1 }],
    }),
  ]);
  expect(page).toContain('<i class="escalated"></i>escalated');
  expect(rowsBelow('Reused and flaky', page)).toEqual(['test | 1 | 0 | 1']);
  expect(rowsBelow('Loops per day', page.slice(page.indexOf('<details>')))).toEqual([
    '2026-03-01 | 0 | 0 | 1 | 0',
  ]);
});

test('the bar of a rate ends at 100 %, and figures of plots are folded', () => {
  const gates = [loggedGate('lint', 'failed', 1000)];
  const page = pageOf([
    logRecord({ time, gates }),
    logRecord({ time, gates: [loggedGate('lint', 'passed', 1000)] }),
  ]);
  expect(page).toMatch(/<rect class="unverified" width="50%"/);
  const [visible = ''] = page.split('<details>');
  const titles = [...visible.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
  expect(titles).toEqual([...new Set(titles)]);
});
