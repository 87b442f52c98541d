import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../../helpers/typed-prompt.ts';

const EXAMPLE = 'expected verify:"npm test"';
const OPTIONS = 'expected one of max, timeout, loop, checkpoint, rollback, workingDir';
const MAX = 'expected a whole number from 1 to 100';
const TIMEOUT = 'expected a whole number of seconds from 1 to 86400 (a day)';
const DIRECTORY = 'expected a directory inside the project, as "./sub"';
const NO_TASK = 'without a task, expected what the agent should do';

type Row = readonly [prompt: string, ...problems: string[]];

const commands: Row[] = [
  ['fix :: verify:""', `1:15: found an empty command, ${EXAMPLE}`],
  ['fix :: verify:" \t "', `1:15: found an empty command, ${EXAMPLE}`],
  ['fix :: verify:"npm test', '1:15: found a quote that is not closed, expected another " in the same line'],
  ["fix :: verify:'it", "1:15: found a quote that is not closed, expected another ' in the same line"],
  ['fix :: verify:"a\' b', '1:15: found a quote that is not closed, expected another " in the same line'],
  [
    'fix :: verify:"npm test and\nsay "hi" max:3',
    '1:15: found a quote that is not closed, expected another " in the same line',
  ],
  [
    String.raw`fix :: verify:"C:\"`,
    '1:15: found a quote that is not closed, expected another " in the same line',
  ],
  ['fix :: verify:"', '1:15: found a quote that is not closed, expected another " in the same line'],
  [
    'fix :: verify:"echo "hi"" max:3',
    String.raw`1:22: found "h" directly after the closing quote, expected a blank, or \" for a quote inside`,
  ],
  [
    'fix :: verify:"cat "./a""',
    String.raw`1:21: found "." directly after the closing quote, expected a blank, or \" for a quote inside`,
  ],
  [
    "fix :: verify:'it''s'",
    String.raw`1:19: found "'" directly after the closing quote, expected a blank, or \' for a quote inside`,
  ],
  [
    'fix :: verify:"a"🎉',
    String.raw`1:18: found "🎉" directly after the closing quote, expected a blank, or \" for a quote inside`,
  ],
  [
    'fix :: verify:"a":fast',
    String.raw`1:18: found ":" directly after the closing quote, expected a blank, or \" for a quote inside`,
  ],
  ['fix :: verify:"a\0b"', '1:17: found a NUL character, expected text'],
  [
    `fix :: verify:"${'x'.repeat(131_072)}"`,
    '1:15: found a command of 131072 bytes, expected at most 131071; put it into a script',
  ],
  [
    `fix :: verify:"${'x'.repeat(2 ** 20)}"`,
    '1:15: found a command of 1048576 bytes, expected at most 131071; put it into a script',
  ],
  [
    `fix :: verify:"${'ä'.repeat(70_000)}"`,
    '1:15: found a command of 140000 bytes, expected at most 131071; put it into a script',
  ],
  ['fix :: verify:“npm test” max:3', `1:15: found the typographic quote “, expected a plain one, " or '`],
  ['fix :: verify:“npm test', `1:15: found the typographic quote “, expected a plain one, " or '`],
  ['fix :: verify:«npm»', `1:15: found the typographic quote «, expected a plain one, " or '`],
  ['fix ::verify:‘npm’', `1:14: found the typographic quote ‘, expected a plain one, " or '`],
  ['fix :: verify:npm test', `1:15: found "npm" after "verify:", ${EXAMPLE}`],
  ['fix :: verify: npm test', `1:16: found "npm" after "verify:", ${EXAMPLE}`],
  ['fix :: verify:`npm test`', `1:15: found "\`npm" after "verify:", ${EXAMPLE}`],
  ['fix :: verify:', `1:8: found nothing after "verify:", ${EXAMPLE}`],
  ['fix :: verify: \nnpm', `1:8: found nothing after "verify:", ${EXAMPLE}`],
  ['fix :: verify "npm test"', `1:8: found "verify" without its colon, ${EXAMPLE}`],
  ['fix :: verify"npm test"', `1:8: found "verify" without its colon, ${EXAMPLE}`],
  ['fix :: verify="npm test"', `1:8: found "verify" without its colon, ${EXAMPLE}`],
];

const MISSPELLED = 'expected verify:"npm test" or the name of a criterion';
const misspelled: Row[] = [
  ['fix :: verfy:"npm test" max:3', `1:8: found "verfy", ${MISSPELLED}; did you mean "verify"?`],
  ['fix :: Verify:"npm test"', `1:8: found "Verify", ${MISSPELLED}; did you mean "verify"?`],
  ['fix :: vreify: npm test', `1:8: found "vreify", ${MISSPELLED}; did you mean "verify"?`],
  ['fix :: gate-action:retry', `1:8: found "gate-action", ${MISSPELLED}; did you mean "gate_action"?`],
  ['fix :: gateAction:"retry"', `1:8: found "gateAction", ${MISSPELLED}; did you mean "gate_action"?`],
];

const options: Row[] = [
  ['max:0', `1:22: found "0" for "max", ${MAX}`],
  ['max:101', `1:22: found "101" for "max", ${MAX}`],
  ['max:-1', `1:22: found "-1" for "max", ${MAX}`],
  ['max:1.5', `1:22: found "1.5" for "max", ${MAX}`],
  ['max:1e1', `1:22: found "1e1" for "max", ${MAX}`],
  ['max:three', `1:22: found "three" for "max", ${MAX}`],
  ['max:3,timeout:5', `1:22: found "3,timeout:5" for "max", ${MAX}`],
  ['max:３', `1:22: found "３" for "max", ${MAX}`],
  [`max:${'9'.repeat(400)}`, `1:22: found "${'9'.repeat(39)}…" for "max", ${MAX}`],
  ['max:"0"', `1:22: found "0" for "max", ${MAX}`],
  ['max:""', `1:18: found "" for "max", ${MAX}`],
  ['max: 3', `1:18: found "" for "max", ${MAX}`],
  ['max:', `1:18: found "" for "max", ${MAX}`],
  ['max:\n3', `1:18: found "" for "max", ${MAX}`],
  ['max=3', '1:18: found "max=", expected "max:"'],
  ['max:"3', '1:22: found a quote that is not closed, expected another " in the same line'],
  ['max:“3”', `1:22: found the typographic quote “, expected a plain one, " or '`],
  ['max:3 timeout:5 max:4', '1:34: found "max:4" though "max" is set already, expected it once'],
  ['max:3 max:3', '1:24: found "max:3" though "max" is set already, expected it once'],
  ['timeout:0', `1:26: found "0" for "timeout", ${TIMEOUT}`],
  ['timeout:86401', `1:26: found "86401" for "timeout", ${TIMEOUT}`],
  ['timeout:30s', `1:26: found "30s" for "timeout", ${TIMEOUT}`],
  ['loop:maybe', '1:23: found "maybe" for "loop", expected true or false'],
  ['loop:True', '1:23: found "True" for "loop", expected true or false'],
  ['checkpoint:1', '1:29: found "1" for "checkpoint", expected true or false'],
  ['rollback:yes', '1:27: found "yes" for "rollback", expected true or false'],
  ['workingDir:""', `1:18: found "" for "workingDir", ${DIRECTORY}`],
  ['workingDir:" "', `1:29: found " " for "workingDir", ${DIRECTORY}`],
  ['workingDir:".."', `1:29: found ".." for "workingDir", ${DIRECTORY}`],
  ['workingDir:"../p"', `1:29: found "../p" for "workingDir", ${DIRECTORY}`],
  ['workingDir:"a/../../b"', `1:29: found "a/../../b" for "workingDir", ${DIRECTORY}`],
  ['workingDir:/etc', `1:29: found "/etc" for "workingDir", ${DIRECTORY}`],
  ['workingDir:"~/src"', `1:29: found "~/src" for "workingDir", ${DIRECTORY}`],
  ['workingDir:a\0b', `1:29: found "a\\u0000b" for "workingDir", ${DIRECTORY}`],
  ['workingDir:"a\0b"', '1:31: found a NUL character, expected text'],
  ['mx:3', `1:18: found unknown option "mx", ${OPTIONS}; did you mean "max"?`],
  ['Max:3', `1:18: found unknown option "Max", ${OPTIONS}; did you mean "max"?`],
  ['workingdir:a', `1:18: found unknown option "workingdir", ${OPTIONS}; did you mean "workingDir"?`],
  ['retries:3', `1:18: found unknown option "retries", ${OPTIONS}`],
  ['retries:"3 times" and', `1:18: found unknown option "retries", ${OPTIONS}`],
  ['constructor:3', `1:18: found unknown option "constructor", ${OPTIONS}`],
  ['verify:"b"', '1:18: found "verify" among the options of a gate, expected "::" before it'],
  ['gate_action:skip', '1:18: found "gate_action" among the options of a gate, expected "::" before it'],
  [':fst', '1:18: found unknown preset "fst", expected one of :fast, :full, :extended; did you mean "fast"?'],
  [':slow', '1:18: found unknown preset "slow", expected one of :fast, :full, :extended'],
  [':toString', '1:18: found unknown preset "toString", expected one of :fast, :full, :extended'],
  [':fast :full', '1:24: found ":full" though "preset" is set already, expected it once'],
  [':fast :fast', '1:24: found ":fast" though "preset" is set already, expected it once'],
  [':: max:3', '1:18: found "::" before an option, expected it before a gate'],
  ['::timeout:3', '1:18: found "::" before an option, expected it before a gate'],
  [':: :fast', '1:18: found "::" before an option, expected it before a gate'],
  [
    'mx:3 loop:maybe :fst max:0 text',
    `1:18: found unknown option "mx", ${OPTIONS}; did you mean "max"?`,
    '1:28: found "maybe" for "loop", expected true or false',
    '1:34: found unknown preset "fst", expected one of :fast, :full, :extended; did you mean "fast"?',
    `1:43: found "0" for "max", ${MAX}`,
  ],
];

const NO_OPTIONS = 'found options after a criterion, expected them after verify:"…" only';
const criteria: Row[] = [
  ['fix :: rest:""', '1:13: found an empty text for "rest", expected a criterion'],
  ['fix :: rest:" "', '1:13: found an empty text for "rest", expected a criterion'],
  ['fix :: rest:"a b', '1:13: found a quote that is not closed, expected another " in the same line'],
  ['fix :: rest:"a\0b"', '1:15: found a NUL character, expected text'],
  ['fix :: rest:“a b”', `1:13: found the typographic quote “, expected a plain one, " or '`],
  ['fix :: "a b', '1:8: found a quote that is not closed, expected another " in the same line'],
  ['fix :: “a b”', `1:8: found the typographic quote “, expected a plain one, " or '`],
  ['fix :: x:"1" :: "a b" :: x:"2"', '1:23: found the criterion "x" again, expected it once in a step'],
  [
    'fix :: code-quality :: code-quality',
    '1:21: found the criterion "code-quality" again, expected it once in a step',
  ],
  ['fix :: "a b" max:3', `1:14: ${NO_OPTIONS}`],
  ['fix :: rest:"a b"  :fast', `1:20: ${NO_OPTIONS}`],
  ['fix :: code-quality timeout:30', `1:21: ${NO_OPTIONS}`],
  ['fix :: quality loop:true', `1:16: ${NO_OPTIONS}`],
];

const actions: Row[] = [
  [
    ':: gate_action:retri',
    '1:4: found "retri" for "gate_action", expected retry, skip or abort; did you mean "retry"?',
  ],
  [':: gate_action:', '1:4: found nothing for "gate_action", expected retry, skip or abort'],
  ['fix :: gate_action:retry :: gate_action:skip', '1:26: found "gate_action" again, expected it once'],
];

const steps: Row[] = [
  [':: verify:"a"', `1:1: found a gate ${NO_TASK}`],
  ['\n\n  :: code-quality', `3:3: found a gate ${NO_TASK}`],
  ['>>empty :: verify:"a"', `1:9: found a gate ${NO_TASK}`],
  ['>>a --> :: verify:"a"', `1:5: found a step ${NO_TASK}`],
  [':: verify:"a" --> b', `1:15: found a step ${NO_TASK}`],
  ['--> >>b :: verify:"a"', `1:1: found a step ${NO_TASK}`],
  ['>>b :: verify:"a" -->', `1:19: found a step ${NO_TASK}`],
  ['>>b :: verify:"a" --> --> >>c', `1:23: found a step ${NO_TASK}`],
  [':: gate_action:skip --> >>c', `1:21: found a step ${NO_TASK}`],
  ['>>empty --> >>c :: verify:"a"', `1:9: found a step ${NO_TASK}`],
];

const several: Row[] = [
  [
    'fix\r\n  `::` :: verify:"\r\nb: :: verify:"x" max:0\n 🎉 :: verify:npm --> y :: z:"',
    '2:18: found a quote that is not closed, expected another " in the same line',
    `3:22: found "0" for "max", ${MAX}`,
    `4:15: found "npm" after "verify:", ${EXAMPLE}`,
    '4:30: found a quote that is not closed, expected another " in the same line',
  ],
  [
    ':: x:"" --> y :: verify:"a" max:0',
    '1:6: found an empty text for "x", expected a criterion',
    `1:9: found a step ${NO_TASK}`,
    `1:33: found "0" for "max", ${MAX}`,
  ],
];

describe('each problem is reported with its place in', () => {
  const reports = ([prompt, ...problems]: Row) => expect(problemsOf(prompt)).toEqual(problems);
  test.for(commands)('a command: %j', reports);
  test.for(misspelled)('a misspelled word: %j', reports);
  test.for(options)('an option: %j', ([option, ...problems]) =>
    reports([`do :: verify:"a" ${option}`, ...problems]),
  );
  test.for(criteria)('a criterion: %j', reports);
  test.for(actions)('a gate action: %j', reports);
  test.for(steps)('a step: %j', reports);
  test.for(several)('a prompt with several problems: %j', reports);
});
