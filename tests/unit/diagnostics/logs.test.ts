import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../src/diagnostics/excerpt.ts';
import { prefixOf } from '../../../src/diagnostics/lines/prefix.ts';
import { condensed } from '../../helpers/condensed.ts';

const excerpt = (output: string) => excerptText(excerptOf(condensed(output), 5300, { hung: false }));
const many = (count: number, of: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => of(i)).join('\n');

const journald = (level: number, message: string) =>
  `{"_HOSTNAME":"build-7","PRIORITY":"${level}","_PID":"812","MESSAGE":"${message}"}`;
const klog = (level: string, message: string) =>
  `${level}1122 22:53:33.536420   21351 store.cc:4] ${message}`;
const glog = (level: string, message: string) =>
  `${level}20261122 22:53:33.536420 21351 store.cc:4] ${message}`;
const ruby = (level: string, message: string) =>
  `${level.slice(0, 1)}, [2026-11-22T22:56:40.395641 #25317] ${level.padStart(5)} -- : ${message}`;
const celery = (level: string, message: string) =>
  `[2026-11-22 22:52:04,945: ${level}/MainProcess] ${message}`;
const gunicorn = (level: string, message: string) =>
  `[2026-11-22 22:52:14 +0000] [18480] [${level}] ${message}`;

describe.each([
  ['journald', (message: string) => journald(6, message), (message: string) => journald(3, message)],
  ['klog', (message: string) => klog('I', message), (message: string) => klog('E', message)],
  ['glog', (message: string) => glog('I', message), (message: string) => glog('F', message)],
  ['Ruby', (message: string) => ruby('DEBUG', message), (message: string) => ruby('ERROR', message)],
  ['Celery', (message: string) => celery('INFO', message), (message: string) => celery('ERROR', message)],
  [
    'Gunicorn',
    (message: string) => gunicorn('INFO', message),
    (message: string) => gunicorn('ERROR', message),
  ],
])('of a long log in the format of %s', (_, info, error) => {
  const log = (from: number) => many(300, (i) => info(`read the rows of chunk ${from + i}`));
  const shown = excerpt(`${log(0)}\n${error('chunk 300 is from another store')}\n${log(300)}\n`);

  test('the error is shown', () => {
    expect(shown).toContain('chunk 300 is from another store');
  });

  test('what is below a warning is not', () => {
    expect(shown).not.toContain('read the rows');
  });
});

test('a fatal record makes warnings that do not explain it noise', () => {
  const slow = many(9, (i) => `W1122 22:53:3${i}.536420   21351 disk.cc:1${i}] slow write of part ${i}`);
  const fatal = 'F1122 22:54:01.000120   21351 store.cc:4] Check failed: rows == 600 (599 vs. 600)';

  expect(excerpt(`${slow}\n${fatal}\n`)).toBe(`… 9 lines …\n${fatal}`);
});

test('the lines that an informing record introduces are as much noise as it is', () => {
  const setting = many(300, (i) => `  option_${'abcdef'[i % 6]}${i}: ${i}`);
  const shown = excerpt(`${gunicorn('DEBUG', 'Current configuration:')}\n${setting}\nValueError: boom\n`);

  expect(shown).not.toContain('option_a');
  expect(shown).toContain('ValueError: boom');
});

describe('the last record of a log', () => {
  const requests = many(300, (i) => `${gunicorn('INFO', `answered request ${i} of the client`)}`);
  const error = gunicorn('ERROR', 'no table customer');
  const end = gunicorn('INFO', 'Giving up: no answer in 60 s');

  test('is shown if no other is like it: it says how the program ended', () => {
    expect(excerpt(`${error}\n${requests}\n${end}\n`)).toContain('Giving up: no answer in 60 s');
  });

  test.each([
    ['is not shown beside a failure that is sure', gunicorn('INFO', 'Shutting down: Master'), false],
    ['is, if it says that something failed', gunicorn('INFO', 'Reason: Worker failed to boot.'), true],
  ])('%s', (_, last, isShown) => {
    const fatal = 'ValueError: no table customer';

    expect(excerpt(`${fatal}\n${requests}\n${last}\n`).includes(last.slice(-9))).toBe(isShown);
  });

  test('is not shown if others are like it', () => {
    expect(excerpt(`${error}\n${requests}\n`)).not.toContain('answered request');
  });
});

test.each([
  ['a line of syslog', 'Nov 21 03:03:21 build-7 systemd[1]: Started', 'Nov 21 03:03:21 build-7 systemd[1]: '],
  ['a time with a zone', '[2026-11-22 22:52:14 +0000] [18480] [INFO] a', '[2026-11-22 22:52:14 +0000] '],
  ['a time in brackets', '[2026-11-22T22:52:14.123Z] a', '[2026-11-22T22:52:14.123Z] '],
  [
    'a frame of an internal error of pytest',
    'INTERNALERROR>   File "/usr/lib/a.py", line 3',
    'INTERNALERROR> ',
  ],
  ['a time with the level in its brackets', '[2026-11-22 22:52:04,945: INFO/Main] a', ''],
])('%s has a prefix that ends where the message begins', (_, line, prefix) => {
  expect(prefixOf(line)).toBe(prefix);
});

test('steps of three programs by turns that lead to an error are shown once each', () => {
  const record = (i: number) =>
    `Nov 21 03:03:30 build-7 ${['systemd[1]: Started a session', 'shop[2]: (read) a batch', 'cron[3]: [job] done'][i % 3]} ${i}.`;
  const shown = excerpt(`${many(600, record)}\nNov 21 03:03:31 build-7 kernel: Out of memory\n`);

  expect(shown.split('Started a session')).toHaveLength(2);
});

test('the report of a sanitizer, between rulers, is no part of the warning that the program has logged before', () => {
  const { failures } = condensed(
    '[warn] header: crc 886e, expected cfbd\n=================================================================\n==15827==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000040\n    #0 0x562a36bce2e2 in push src/ring.c:30\n',
  );

  expect(failures.map(({ block }) => block.headline.text.slice(0, 16))).toEqual([
    '[warn] header: c',
    '==15827==ERROR: ',
  ]);
});
