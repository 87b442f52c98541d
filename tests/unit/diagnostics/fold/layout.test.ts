import { describe, expect, it } from 'vitest';
import { narrowed } from '../../../../src/diagnostics/fold/layout.ts';

const narrow = (...texts: string[]) =>
  narrowed(texts.map((text, at) => ({ at, text }))).map(({ text }) => text);

describe('narrowed', () => {
  it.each([
    [
      'the signs on both sides of a title',
      '________________ test_feed_is_kept _________________',
      '___ test_feed_is_kept ___',
    ],
    ['the signs behind a title', '── 1. Failure: means ───────────────', '── 1. Failure: means ───'],
    [
      'the signs between a title and a place',
      'Error ---------------------- cart.js:4:44',
      'Error --- cart.js:4:44',
    ],
    [
      'the blanks between the columns of a row of a linter',
      "  16:5   error  'x' is not defined             no-undef",
      "  16:5  error  'x' is not defined  no-undef",
    ],
    [
      'what says where a frame is in a binary',
      '    #1 main::run() const /proj/cache.cpp:21:86 (cache+0xd4a27) (BuildId: ac823ba0b6e6)',
      '    #1 main::run() const /proj/cache.cpp:21:86',
    ],
    [
      'the address of a frame of Mono',
      '  at Rooms.Price.Of (System.Int32 seats) [0x00006] in <03f35a31cd2f45b99269846e79054335>:0',
      '  at Rooms.Price.Of (System.Int32 seats)',
    ],
    [
      'a link to a manual',
      'You may need a loader to handle this file type. See https://x.dev/concepts#loaders',
      'You may need a loader to handle this file type.',
    ],
    [
      'a link to a manual in brackets',
      'rsyslogd: omfwd: invalid protocol "tcpp" [v8.2302.0 try https://x.dev/e/2213 ]',
      'rsyslogd: omfwd: invalid protocol "tcpp"',
    ],
    [
      'the signs behind a title in a frame',
      '══╡ EXCEPTION CAUGHT BY SCHEDULER LIBRARY ╞═════════════════════════════',
      '══╡ EXCEPTION CAUGHT BY SCHEDULER LIBRARY ╞═══',
    ],
    [
      'the arguments of a command that a build tool has shortened',
      `ERROR: /p/BUILD:5:11: Linking of rule '//:a' failed: error executing command external/cc_wrapper.sh ${'-lc++ -Wl,-S '.repeat(9)}... (remaining 23 argument(s) skipped)`,
      "ERROR: /p/BUILD:5:11: Linking of rule '//:a' failed: error executing command external/cc_wrapper.sh ... (remaining 23 argument(s) skipped)",
    ],
    [
      'a link alone in brackets',
      "app/jobs/geocode.rb:6: UtilityFunction: Geocode#perform doesn't depend on state [https://x.dev/docs/Utility.md]",
      "app/jobs/geocode.rb:6: UtilityFunction: Geocode#perform doesn't depend on state",
    ],
    [
      'a link to the background of an error',
      'DetachedInstanceError: Parent instance is not bound (Background on this error at: https://x.dev/e/14)',
      'DetachedInstanceError: Parent instance is not bound',
    ],
    [
      'the options of a compiler',
      `cc -Ilibtideway.a.p -I. -I.. ${'-Wall -Wextra -Wpedantic -std=c11 -O0 -g '.repeat(3)}-MF libtideway.a.p/src_chart.c.o.d -o libtideway.a.p/src_chart.c.o -c ../src/chart.c`,
      'cc -Ilibtideway.a.p -I. -I.. -Wall -Wext … .a.p/src_chart.c.o.d -o libtideway.a.p/src_chart.c.o -c ../src/chart.c',
    ],
    [
      'the command that Rake has run',
      `Command failed with status (1): [ruby -w -I"lib" /usr/lib/${'gems/'.repeat(20)}rake_test_loader.rb "test/cart_test.rb" --seed=42]`,
      'Command failed with status (1): [ruby -w … gems/gems/gems/gems/rake_test_loader.rb "test/cart_test.rb" --seed=42]',
    ],
    [
      'the files that a linker is given',
      `gcc -o tool ${'src/part.o '.repeat(12)}src/main.o`,
      'gcc -o tool src/part.o src/part.o src/pa … rt.o src/part.o src/part.o src/part.o src/part.o src/part.o src/main.o',
    ],
  ])('shortens %s', (_, text, short) => {
    expect(narrow(text)).toEqual([short]);
  });

  it('shortens the command of a linker above a sign that points', () => {
    const command = `gcc -o tool ${'src/part.o '.repeat(12)}src/main.o`;

    expect(narrow(command, '    ^')).toEqual([...narrow(command), '    ^']);
  });

  it('names the project of several errors of MSBuild once', () => {
    const error = (line: number, project: string) => `A.cs(${line},9): error CS0103: no x${project}`;

    expect(
      narrow(error(1, ' [/p/A.csproj]'), error(2, ' [/p/A.csproj]'), error(3, ' [/p/B.csproj]')),
    ).toEqual([error(1, ' [/p/A.csproj]'), error(2, ''), error(3, ' [/p/B.csproj]')]);
  });

  it.each([
    ['a rule without a title', '================================'],
    ['signs that underline, and say what', "check:5'0     ~~~~~~~~~~~~~"],
    ['signs that underline code', '   |     ------------- first mutable borrow occurs here'],
    ['the pointer to a column', '  -----------^'],
    ['the conflict of a merge', '=======', '>>>>>>> theirs'],
    ['blanks in a value', 'Expected: "a     b"'],
    ['a link that an error is about', 'fatal: unable to access the remote https://x.dev/a.git/'],
    ['a link that says all', 'See https://x.dev/e/2213'],
    ['a table', 'Name              Stmts   Miss Branch BrPart  Cover   Missing'],
    ['the row above a caret', "  16:5   error  'x'      y", '                  ^'],
    ['the short command line of a compiler', 'gcc -Wall -g -o kvd main.o server.o -lz'],
    ['the only place of a frame', '    #1 0x4011d0 in main (/proj/prog+0x11d0)'],
  ])('does not shorten %s', (_, ...texts) => {
    expect(narrow(...texts)).toEqual(texts);
  });
});
