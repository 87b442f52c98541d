import { describe, expect, test } from 'vitest';
import { excerptOf, excerptText } from '../../../../src/diagnostics/excerpt.ts';
import { SEVERITY } from '../../../../src/diagnostics/lines/rules.ts';
import { isThreadHeading } from '../../../../src/diagnostics/lines/stack-frames.ts';
import { condensed } from '../../../helpers/condensed.ts';

const many = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i)).join('\n');
const of = (output: string) => excerptText(excerptOf(condensed(output), 6000, { hung: false }));

test.each([
  ['goroutine 39 [semacquire, 5 minutes]:', true],
  ['goroutine 1 gp=0xc0000061c0 m=nil [chan receive]:', true],
  ['Thread 0x00007f2a38ff96c0 (most recent call first):', true],
  ['Thread 0x00007f2a38ff96c0 [ThreadPoolExecuto] (most recent call first):', true],
  ['Current thread 0x00007f2a38ff96c0 (most recent call first):', true],
  ['~~~~~~~~ Stack of worker-1 (140021) ~~~~~~~~', true],
  ['Thread 4711 (idle): "MainThread"', true],
  ['"main" #1 prio=5 os_prio=0 cpu=34.15ms tid=0x00007fabc4017ed0 nid=0x744f in Object.wait()', true],
  ['"G1 Conc#0" os_prio=0 cpu=0.03ms elapsed=1.96s tid=0x00007fabc404f7f0 nid=0x7456 runnable', true],
  ['#22 "main"', true],
  ['Coroutine "request#2":StandaloneCoroutine{Active}@1b2c3d, state: SUSPENDED', true],
  ['Thread 25 (Thread 0x7fffec5ba6c0 (LWP 30214) "work"):', true],
  ['* thread #1, name = "work", stop reason = signal SIGSEGV', true],
  ['Thread 0 "main" crashed:', true],
  ['Thread 2:', true],
  ['Thread (0x1C2F):', true],
  ['Thread 25 "work" received signal SIGSEGV, Segmentation fault.', false],
  ['Thread T1 (tid=12, running) created by main thread at:', false],
  ["thread 'main' panicked at src/main.rs:3:5:", false],
  ['Thread 3 failed: no answer', false],
  ['Exception in thread "main" java.lang.NullPointerException', false],
  ['goroutines are asleep', false],
  ['"transfer": 3', false],
])('isThreadHeading recognizes the heading of a stack: %j is %s', (text, expected) => {
  expect(isThreadHeading(text)).toBe(expected);
});

/** A dump of each form: how the threads that wait look, and the one that differs. */
const DUMPS: [string, (i: number) => string, string][] = [
  [
    'Go',
    (i) =>
      `goroutine ${i + 20} [select]:\nsync.runtime_Semacquire(0xc0000${i})\n\t/usr/lib/go-1.19/src/runtime/sema.go:62 +0x25\nexample.com/pool.(*Pool).work(0xc000${i}, 0x${i})\n\t/p/pool.go:25 +0x7b\ncreated by example.com/pool.New in goroutine ${i}\n\t/p/pool.go:17 +0xa5\n`,
    'goroutine 9 [chan send]:\nexample.com/pool.(*Pool).send()\n\t/p/pool.go:32 +0x70\n',
  ],
  [
    'Python',
    (i) =>
      `Thread 0x00007f2a38f${i} (most recent call first):\n  File "/usr/lib/python3.11/threading.py", line 327 in wait\n  File "/p/pool.py", line 25 in work\n`,
    'Thread 0x00007f2a39f (most recent call first):\n  File "/p/pool.py", line 32 in send\n',
  ],
  [
    'the JVM',
    (i) =>
      `"worker-${i}" #${i} prio=5 os_prio=0 cpu=${i}ms tid=0x00007fabc4${i} nid=0x7476 waiting on condition  [0x00007fab${i}]\n   java.lang.Thread.State: WAITING (parking)\n\tat jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)\n\t- parking to wait for  <0x00${i}> (a java.util.concurrent.Queue)\n\tat shop.Pool.work(Pool.java:25)\n`,
    '"sender" #32 prio=5 os_prio=0 tid=0x00007 nid=0x747a runnable\n   java.lang.Thread.State: RUNNABLE\n\tat shop.Pool.send(Pool.java:32)\n',
  ],
  [
    'gdb',
    (i) =>
      `Thread ${i + 3} (Thread 0x7ffff${i} (LWP ${i + 3000}) "pool"):\n#0  0x00007f${i} in __futex_wait (op=${i}) at ./nptl/futex-internal.c:57\n#1  0x000055${i} in work (pool=0x7ff${i}, n=${i}) at pool.c:25\n`,
    'Thread 2 (Thread 0x7ffff8 (LWP 2999) "pool"):\n#0  0x0000558 in send (pool=0x7ff) at pool.c:32\n',
  ],
  [
    '.NET',
    (i) =>
      `Thread (0x1C${i}):\n  [Native Frames]\n  System.Private.CoreLib!System.Threading.Monitor.Wait(class System.Object)\n  Shop!Shop.Pool.Work(int32)\n`,
    'Thread (0x2A00):\n  Shop!Shop.Pool.Send()\n',
  ],
];

describe.each(DUMPS)('a dump of %s', (_, waiting, differing) => {
  const shown = of(
    `panic: timed out after 2s\n\n${many(150, waiting)}\n${differing}\n${many(150, (i) => waiting(i + 200))}\nexit status 2\n`,
  );

  test('shows threads with equal stacks once, with their count', () => {
    expect(shown).toContain(' (×300)\n');
    expect(shown.match(/Pool\.Work|pool\.py", line 25|Pool\.java:25|pool\.(?:c|go):25/g)).toHaveLength(1);
  });

  test('shows the thread that differs', () => {
    expect(shown).toContain(`\n${differing.trimEnd()}`);
  });

  test('has no frames of packages and runtimes', () => {
    expect(shown).not.toMatch(/runtime_Semacquire|sema\.go|threading\.py|Unsafe\.park|futex|CoreLib/);
  });

  test('still shows what comes before and after it', () => {
    expect(shown).toMatch(/^panic: timed out after 2s\n/);
    expect(shown).toMatch(/\nexit status 2$/);
  });
});

test('the thread that crashed is part of the error above it', () => {
  const { failures } = condensed(
    'panic: boom\n\ngoroutine 7 [running]:\nmain.parse()\n\t/p/main.go:14 +0x1\n\ngoroutine 8 [select]:\nmain.wait()\n\t/p/main.go:3 +0x1\n',
  );

  expect(failures.map(({ block, severity }) => [block.lines.length, severity])).toEqual([
    [3, SEVERITY.thrown],
    [3, SEVERITY.mentioned],
  ]);
});

test('of the goroutine that panicked, the frames of the project are shown below the error, without a mark', () => {
  const [first] = condensed(
    'panic: boom\n\ngoroutine 7 [running]:\npanic({0x5a5ca0, 0x5fff40})\n\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212\nexample.com/shop/cart.add(0x0)\n\t/p/cart.go:14 +0x1\ntesting.tRunner(0xc0000a04e0, 0x535368)\n\t/usr/lib/go-1.19/src/testing/testing.go:1446 +0x10b\n',
  ).failures;

  expect(first?.block.lines.map(({ at }) => at)).toEqual([0, 5, 6]);
  expect(first?.block.dropped?.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 7, 8]);
});

test('the thread of a test, and the one that crashed, are more than the others', () => {
  const severities = condensed(
    'goroutine 7 [select]:\npool.TestAdd()\n\t/p/pool_test.go:14 +0x1\n\ngoroutine 8 [select]:\nmain.wait()\n\t/p/main.go:3 +0x1\n\nCurrent thread 0x1 (most recent call first):\n  File "/p/a.py", line 3 in a\n',
  ).failures.map(({ severity }) => severity);

  expect(severities).toEqual([SEVERITY.thrown, SEVERITY.mentioned, SEVERITY.thrown]);
});

test('a dump of ten thousand different stacks is bounded', () => {
  const { failures } = condensed(
    many(10_000, (i) => `goroutine ${i} [select]:\nmain.wait${i}()\n\t/p/main.go:${i} +0x1\n`),
  );

  expect(failures.length).toBeLessThan(1500);
});

test('a stack of ten thousand frames keeps the innermost', () => {
  const [stack] = condensed(
    `Current thread 0x1 (most recent call first):\n${many(10_000, (i) => `  File "/p/a.py", line ${i} in a`)}\n`,
  ).failures;

  expect(stack?.block.lines.length).toBeLessThan(200);
  expect(stack?.block.lines[1]?.text).toBe('  File "/p/a.py", line 0 in a');
});

test('a line that is underlined is one with what is below the line', () => {
  const { failures } = condensed(
    'Found one Java-level deadlock:\n=============================\n"transfer":\n  waits for a lock,\n  which is held by "audit"\n',
  );

  expect(failures.map(({ block }) => block.lines.length)).toEqual([5]);
});

test.each([
  ['a short output', ''],
  ['a long output', `${many(400, (i) => `row ${i} of ${i * 7} is copied`)}\n`],
])('behind the bars of an exception group, frames of packages are left out: %s', (_, before) => {
  const group = [
    '  + Exception Group Traceback (most recent call last):',
    '  |   File "/p/sync.py", line 13, in main',
    '  |     async with trio.open_nursery() as n:',
    '  |   File "/usr/lib/python3.11/site-packages/trio/_run.py", line 881, in __aexit__',
    '  |     raise combined_error',
    '  | ExceptionGroup: unhandled errors (1 sub-exception)',
    '  +-+---------------- 1 ----------------',
    '    | Traceback (most recent call last):',
    '    |   File "/usr/lib/python3.11/site-packages/trio/_run.py", line 99, in start',
    '    |     return await task()',
    '    |            ^^^^^^^^^^^^',
    '    |   File "/p/sync.py", line 4, in fetch',
    "    |     raise KeyError('etag')",
    "    | KeyError: 'etag'",
    '    +------------------------------------',
  ];
  const isOwn = (line: string) => !/_run\.py|combined_error$|await task|\^\^/.test(line);
  const shown = of(`${before}${group.join('\n')}\n`);

  expect(shown.slice(shown.indexOf('  + Exception'))).toBe(group.filter(isOwn).join('\n'));
});

test('the panic that a server of Go has logged has the frames of what panicked, not of what recovered from it', () => {
  const [first, ...others] = condensed(
    '=== RUN   TestCreate\n2026/11/27 21:31:02 http: panic serving POST /deposits: assignment to entry in nil map\ngoroutine 21 [running]:\nruntime/debug.Stack()\n\t/usr/lib/go-1.19/src/runtime/debug/stack.go:24 +0x65\nexample.com/api.recovery.func1.1()\n\t/p/api/api.go:117 +0x66\npanic({0x5ebf00, 0x680d60})\n\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212\nexample.com/store.(*Memory).Put(0xc0)\n\t/p/store/store.go:37 +0x11b\n2026/11/27 21:31:02 http: POST /deposits -> 500 (176.22µs)\n',
  ).failures;

  expect(others).toEqual([]);
  expect(first?.block.lines.map(({ text }) => text).slice(-3)).toEqual([
    '2026/11/27 21:31:02 http: panic serving POST /deposits: assignment to entry in nil map',
    'example.com/store.(*Memory).Put(0xc0)',
    '\t/p/store/store.go:37 +0x11b',
  ]);
});
