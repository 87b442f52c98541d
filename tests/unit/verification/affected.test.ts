import { describe, expect, test } from 'vitest';
import type { CommandGate, Gate } from '../../../src/gates/types.ts';
import { applyChanges } from '../../../src/verification/affected.ts';
import { markerGate, shellGate } from '../../helpers/gate-results.ts';

const ROOT = '/the/project';

interface Situation {
  readonly changed?: readonly string[] | 'unknown';
  readonly deleted?: readonly string[];
}

/** What becomes of the gates: `runs`, their batches, or their settled outcome. */
function outcomesOf(gates: readonly Gate[], { changed = [], deleted = [] }: Situation) {
  const found =
    changed === 'unknown'
      ? { ok: false as const, failure: { message: 'git is slow' } }
      : { ok: true as const, value: changed };
  const applied = applyChanges(gates, found, { root: ROOT, isFile: (path) => !deleted.includes(path) });
  return applied.gates.map((gate) => {
    const outcome = applied.settled.get(gate)?.outcome;
    if (outcome) return outcome.reason === 'not-started' ? outcome.message : outcome.reason;
    return (gate as CommandGate).batches ?? 'runs';
  });
}

const outcomeOf = (gate: Gate, situation: Situation) => outcomesOf([gate], situation)[0];
const withPaths = (...paths: readonly string[]) => shellGate('check', { paths });

describe('a gate with paths', () => {
  test.for<readonly [paths: readonly string[], situation: Situation, outcome: string]>([
    [['src/**'], { changed: ['src/a'] }, 'runs'],
    [['src/**'], { changed: ['docs/a', 'src/a'] }, 'runs'],
    [['src/**'], { changed: ['docs/a'] }, 'unaffected'],
    [['src/**'], { changed: [] }, 'unaffected'],
    [['src/**', '!**/*.md'], { changed: ['src/a.md'] }, 'unaffected'],
    [['!**/*.md'], { changed: ['src/a.md'] }, 'unaffected'],
    [['!**/*.md'], { changed: ['src/a'] }, 'runs'],
    // The old name of a file that was moved out of src.
    [['src/**'], { changed: ['lib/a', 'src/a'], deleted: ['src/a'] }, 'runs'],
    [['src/**'], { changed: 'unknown' }, 'runs'],
    // Bytes of UTF-8 and of Latin-1.
    [['\u00fc*'], { changed: ['\xc3\xbcber'] }, 'runs'],
    [['caf?'], { changed: ['caf\xe9'] }, 'runs'],
  ])('%j is decided by the changes %j: %s', ([paths, situation, outcome]) => {
    expect(outcomeOf(withPaths(...paths), situation)).toEqual(outcome);
  });

  test('is the only one that the changes decide about', () => {
    const gates = [shellGate('test'), markerGate('DONE'), withPaths('src/**')];

    expect(outcomesOf(gates, { changed: [] })).toEqual(['runs', 'runs', 'unaffected']);
  });
});

describe('{changed_files} in a command', () => {
  const lint = (fields: Partial<CommandGate> = {}) =>
    shellGate('lint', { command: 'lint {changed_files}', cwd: ROOT, ...fields });

  test.for<readonly [what: string, gate: Partial<CommandGate>, situation: Situation, outcome: unknown]>([
    ['becomes all changed files', {}, { changed: ['a.js', 'src/b.js'] }, ['lint a.js src/b.js']],
    ['becomes those that match', { paths: ['*.js'] }, { changed: ['a.js', 'b.md'] }, ['lint a.js']],
    ['leaves out deleted files', {}, { changed: ['a', 'b'], deleted: ['a'] }, ['lint b']],
    ['is never empty', {}, { changed: ['a'], deleted: ['a'] }, 'unaffected'],
    ['is never empty without a match', { paths: ['*.js'] }, { changed: ['a'] }, 'unaffected'],
    ['is never empty without a change', {}, {}, 'unaffected'],
    [
      'is relative to the directory of the gate',
      { cwd: `${ROOT}/web` },
      { changed: ['api/x', 'web/y'] },
      ['lint ../api/x y'],
    ],
    [
      'quotes each name',
      {},
      { changed: [' a', '"', "it's", '$(x)', '`x`', 'a\nb', '*', 'a\\b', '\xc3\xbc', ';', '!a', '~', '#'] },
      [`lint ' a' '"' 'it'\\''s' '$(x)' '\`x\`' 'a\nb' '*' 'a\\b' '\u00fc' ';' '!a' '~' '#'`],
    ],
    [
      'names no option and no list of files',
      {},
      { changed: ['-rf', '@types/a.d.ts', 'src/-x'] },
      ["lint ./-rf './@types/a.d.ts' src/-x"],
    ],
    ['keeps $& in a name', {}, { changed: ['$&'] }, ["lint '$&'"]],
    [
      'may be used twice, and after quotes',
      { command: "echo \"it's\" 'x' \\' {changed_files} # don't\nlint {changed_files}" },
      { changed: ['a'] },
      ["echo \"it's\" 'x' \\' a # don't\nlint a"],
    ],
    ...[
      'lint "{changed_files}"',
      "sh -c 'lint {changed_files}'",
      '`lint {changed_files}`',
      'x # {changed_files}',
      'cat <<E\n{changed_files}\nE',
      'lint "{changed_files}',
    ].map(
      (command) =>
        [
          `is refused in ${command}`,
          { command },
          { changed: ['a'] },
          '{changed_files} is in quotes, in a comment or in a here-document: remove them, each path is quoted already',
        ] as const,
    ),
    [
      'is refused for a name that is not UTF-8',
      {},
      { changed: ['caf\xe9'] },
      '{changed_files} cannot name caf\ufffd: the name is not UTF-8',
    ],
    [
      'is refused where the changes are not known',
      {},
      { changed: 'unknown' },
      'the files for {changed_files} are not known: git is slow',
    ],
    [
      'is quoted for any $SHELL',
      { inUserShell: true },
      { changed: [' a', '"', '$(x)', '\xc3\x9f'] },
      [`lint ' a' '"' '$(x)' '\u00df'`],
    ],
    ...["it's", 'a\\b', 'a!b', 'a\nb'].map(
      (name) =>
        [
          `is refused for ${JSON.stringify(name)} in any $SHELL`,
          { inUserShell: true },
          { changed: [name] },
          expect.stringMatching(/^\{changed_files\} cannot name .*: not every \$SHELL quotes it/),
        ] as const,
    ),
  ])('%s', ([, gate, situation, outcome]) => {
    expect(outcomeOf(lint(gate), situation)).toEqual(outcome);
  });

  test.for([
    { command: 'lint {changed_files}', uses: 1 },
    { command: 'lint {changed_files}; test {changed_files}', uses: 2 },
  ])('of 10,000 files makes batches that the system accepts: $command', ({ command, uses }) => {
    const changed = Array.from({ length: 10_000 }, (_, n) => `${'long directory/'.repeat(4)}${n}.js`);
    const batches = outcomeOf(lint({ command }), { changed }) as string[];

    expect(Math.max(...batches.map((batch) => Buffer.byteLength(batch)))).toBeLessThanOrEqual(100_000);
    expect(batches.length).toBeLessThan(uses * 10);
    const first = batches.flatMap((batch) => batch.split(';')[0]?.match(/'[^']+'/g) ?? []);
    expect(first).toEqual(changed.map((path) => `'${path}'`));
  });

  test('of a name that is longer than a batch makes a batch of its own', () => {
    const changed = ['a', 'x'.repeat(120_000), 'b'];

    expect(outcomeOf(lint(), { changed })).toHaveLength(3);
  });
});
