import { describe, expect, test } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { pageText } from '../../../src/hosts/own-files.ts';
import { pageWith } from '../../../src/hosts/plugin-page.ts';
import { HOSTS } from '../../../src/hosts/registry.ts';
import { LAUNCHER } from '../../../src/process/own-command.ts';
import { checkHooks } from '../../../src/setup/check-hooks.ts';
import { compareHooks } from '../../../src/setup/hook-changes.ts';
import { findHooks } from '../../../src/setup/hook-files.ts';
import { launcherText, planLauncher } from '../../../src/setup/launcher.ts';
import { planHookRemoval, planHooks } from '../../../src/setup/plan-hooks.ts';

const NEEDS = { agents: ['main', 'check'], gateSeconds: 10 };
const FOREIGN = "// Starts `ralph-loop hook` by hand.\nexport const mine = () => 'ralph-loop';\n";
const PAGES = HOSTS.filter(({ hookFile }) => hookFile.page !== undefined);

describe.each(PAGES)('the plugin of $name', (host) => {
  const { path, page = '' } = host.hookFile;
  const plan = (text?: string) =>
    planHooks([host], NEEDS, (file) => success(file === path ? text : undefined));
  const written = plan().changes[0]?.after ?? '';
  const compare = (after: string | null, before = written) =>
    compareHooks(
      { [path]: before, [LAUNCHER]: launcherText() },
      { [path]: after, [LAUNCHER]: launcherText() },
    );
  const found = (text: string) => findHooks(host, (file) => (file === path ? text : undefined));

  test('is written with the hooks, and is up to date then', () => {
    expect(written).toContain(`node ${LAUNCHER} hook --host ${host.name} --deadline 570`);
    expect(plan(written)).toEqual({ changes: [], remarks: [], problems: [] });
    expect(plan(written.replaceAll('\n', '\r\n')).problems).toEqual([]);
  });

  test('gets the code of this version, and keeps the flags that a person added', () => {
    const older = written
      .replace('export', '// older\nexport')
      .replace('--deadline 570', '--deadline 570 --verbose');
    expect(plan(older).changes[0]?.after).toBe(written.replace('--deadline 570', '--deadline 570 --verbose'));
  });

  test('does not overwrite a file that ralph-loop has not written', () => {
    expect(plan(FOREIGN)).toMatchObject({
      changes: [],
      problems: [
        `${path}:1:1: found a file that ralph-loop has not written, expected none: move it to another name`,
      ],
    });
    expect(found(FOREIGN)).toMatchObject({ hooks: [], problems: [], misplaced: [path] });
  });

  test('is removed, and a file that ralph-loop has not written is kept', () => {
    const removal = (text: string) =>
      planHookRemoval(
        () => false,
        [],
        (file) => success(file === path ? text : undefined),
      );
    expect(removal(written)).toEqual({
      changes: [{ path, before: written, after: undefined }],
      remarks: [],
      problems: [],
    });
    expect(removal(FOREIGN)).toEqual({ changes: [], remarks: [], problems: [] });
  });

  test.each([
    ['is gone', null, /^the Stop hook of ralph-loop for .* is gone$/],
    ['is another file', FOREIGN, /^the Stop hook of ralph-loop for .* is gone$/],
    ['has no hooks', pageText(page), /^the Stop hook of ralph-loop for .* is gone$/],
    [
      'has another command',
      written.replace(' 570', ' 1'),
      /^the Stop hook of ralph-loop for .* was changed$/,
    ],
    [
      'has other code',
      written.replace('spawn(', 'spawn("true" ||'),
      /^the code of ralph-loop's plugin for .* was changed$/,
    ],
  ])('is a finding if it %s', (_, after, message) => {
    const findings = compare(after);
    expect(findings.map((finding) => finding.message)).toContainEqual(expect.stringMatching(message));
    for (const { rule, severity } of findings)
      expect({ rule, severity }).toEqual({ rule: 'hook-removed', severity: 'high' });
  });

  test.each([
    ['other line ends', written, written.replaceAll('\n', '\r\n')],
    [
      'the code of this version in place of older code',
      written.replace('export', '// older\nexport'),
      written,
    ],
  ])('is no finding if it has %s', (_, before, after) => {
    expect(compare(after, before)).toEqual([]);
  });

  test('is reported by doctor if it has other code', () => {
    const demands = {
      ...NEEDS,
      when: 'changed' as const,
      maxIterations: 5,
      answer: 'block' as const,
      canStart: () => true,
      worktreesWithoutProgram: () => [],
    };
    const warnings = (text: string) =>
      checkHooks(host, found(text), demands)
        .filter(({ level }) => level !== 'ok')
        .map(({ what }) => what);
    expect(warnings(written)).toEqual([]);
    expect(warnings(written.replace('export', '// mine\nexport'))).toEqual([
      `${path} has other code than this version writes.`,
    ]);
  });

  test('reports an error in its settings at the line where it is', () => {
    const broken = pageWith(written, '{\n  "hooks": []\n}');
    const line = broken.split('\n').findIndex((each) => each.includes('"hooks": []')) + 1;
    expect(plan(broken).problems).toEqual([expect.stringContaining(`${path}:${line}:12: `)]);
  });
});

describe("Kimi Code's settings", () => {
  const kimi = HOSTS.filter(({ name }) => name === 'kimi');
  const path = '~/.kimi-code/config.toml';

  test('are not written: the person reads what to add, which is read back', () => {
    const { changes, remarks, problems } = planHooks(kimi, NEEDS, () => success(undefined));
    expect({ changes, problems }).toEqual({ changes: [], problems: [] });
    const [toAdd = ''] = /^\[\[hooks.*/ms.exec(remarks[0] ?? '') ?? [];
    const text = `default_model = "x"\n\n[[hooks]]\nevent = "Stop"\ncommand = "my own"\n\n${toAdd}\n[models.x]\nmodel = "x"\n`;
    const [host] = kimi;
    const { hooks, prompts, problems: found } = findHooks(host as (typeof HOSTS)[number], () => text);
    expect(hooks).toMatchObject([
      {
        file: path,
        event: 'Stop',
        timeout: 600,
        command: expect.stringMatching(/ hook --host kimi --deadline 595 /),
      },
    ]);
    expect(prompts).toMatchObject([{ event: 'UserPromptSubmit', timeout: 30 }]);
    expect(found).toEqual([]);
  });

  test('start the launcher, which is kept', () => {
    const launcher = launcherText();
    const read = (file: string) => success(file === LAUNCHER ? launcher : undefined);
    expect(planLauncher(launcher, read, true).changes).toEqual([]);
    expect(planLauncher(undefined, read).changes).toEqual([
      { path: LAUNCHER, before: launcher, after: undefined },
    ]);
  });
});
