import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { ralphLoop } from '../helpers/bin.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Project, test } from '../helpers/project.ts';
import { canHaveTerminal, inTerminal } from '../helpers/terminal.ts';

const ENTER = '\r';
const CTRL_C = '\x03';
const NODE = { 'package.json': '{"scripts":{"lint":"eslint .","test":"node --test"}}' };

/** `init` in a terminal; `answer` waits for a question and types. */
function asked(project: Project, args = '') {
  const { running, screen } = inTerminal(project, `init ${args}`);
  const shown = () => stripVTControlCharacters(screen());
  return {
    running,
    shown,
    async answer(question: string, keys: string) {
      await eventually(`"${question}" is asked`, () => shown().includes(question));
      running.stdin.write(keys);
    },
  };
}

describe.skipIf(!canHaveTerminal).concurrent('init in a terminal', () => {
  test('asks for hosts, gates and whether to write, each with a proposal', async ({ makeProject }) => {
    const project = makeProject({ ...NODE, '.codex/config.toml': '' });
    const { running, answer, shown } = asked(project);
    await answer('Which agents', ENTER);
    await answer('Which commands', ENTER);
    await answer('Another command', `make lint${ENTER}`);
    await answer('Write these changes?', ENTER);
    await answer('Run the gates now?', 'n');
    expect((await running).exitCode).toBe(0);
    // The commands are shown before the question, cheap ones first.
    expect(shown()).toMatch(
      /lint: npm run lint[\s\S]*make lint[\s\S]*test: npm test[\s\S]*Write these changes\?/,
    );
    expect(project.has('.codex/hooks.json')).toBe(true);
    expect(project.has('.claude/settings.json')).toBe(false);
    expect(project.read('worktree.yaml')).toMatch(/npm run lint[\s\S]*make lint[\s\S]*npm test/);
    expect(shown()).toContain('created  .codex/hooks.json');
  });

  test('explains a command that is no program, and what is no gate', async ({ makeProject }) => {
    const project = makeProject({ 'package.json': '{"scripts":{"lint":"eslint .","test":"nodemon"}}' });
    const { running, answer, shown } = asked(project);
    await answer('Which agents', ENTER);
    await answer('Which commands', ENTER);
    expect(shown()).toMatch(/Script test in package.json never ends/);
    await answer('Another command', `tesst${ENTER}`);
    await answer('it is neither a proposed gate nor', CTRL_C);
    expect((await running).exitCode).toBe(130);
  });

  test('--uninstall shows what goes and asks', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await ralphLoop(project, ['init', '--yes']);
    const no = asked(project, '--uninstall');
    await no.answer('Apply these changes?', 'n');
    expect((await no.running).exitCode).toBe(130);
    expect(no.shown()).toMatch(/removed {2}worktree\.yaml[\s\S]*Apply these changes\?/);
    expect(project.has('worktree.yaml')).toBe(true);
    const yes = asked(project, '--uninstall');
    await yes.answer('Apply these changes?', ENTER);
    expect((await yes.running).exitCode).toBe(0);
    expect(project.has('worktree.yaml')).toBe(false);
  });

  test('does not ask for what the command line names', async ({ makeProject }) => {
    const project = makeProject(NODE);
    const { running, answer, shown } = asked(project, '--host gemini --gates lint');
    await answer('Write these changes?', ENTER);
    await answer('Run the gates now?', 'n');
    expect((await running).exitCode).toBe(0);
    expect(shown()).not.toMatch(/Which agents|Which commands/);
    expect(project.has('.gemini/settings.json')).toBe(true);
  });

  test('does not ask whether to write if nothing changes', async ({ makeProject }) => {
    const project = makeProject(NODE);
    await ralphLoop(project, ['init', '--yes']);
    const { running, answer, shown } = asked(project);
    await answer('Which agents', ENTER);
    expect((await running).exitCode).toBe(0);
    expect(shown()).toContain('Nothing to change');
    expect(shown()).not.toContain('Write these changes?');
  });

  test.for(['Which agents', 'Which commands', 'Another command', 'Write these changes?'])(
    'writes nothing after Ctrl-C at "%s"',
    async (last, { makeProject }) => {
      const project = makeProject(NODE);
      const { running, answer, shown } = asked(project);
      for (const question of ['Which agents', 'Which commands', 'Another command', 'Write these changes?']) {
        await answer(question, question === last ? CTRL_C : ENTER);
        if (question === last) break;
      }
      expect((await running).exitCode).toBe(130);
      expect(shown()).toContain('Nothing was written.');
      expect(project.has('worktree.yaml')).toBe(false);
      expect(project.has('.claude')).toBe(false);
    },
  );
});
