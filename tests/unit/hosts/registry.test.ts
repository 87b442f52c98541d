import { describe, expect, test } from 'vitest';
import { success } from '../../../src/base/result.ts';
import { answerFields, isBlock, writeAnswer } from '../../../src/hosts/format.ts';
import { sampleStopOf, timeoutSeconds } from '../../../src/hosts/host.ts';
import { readPromptEvent, readStopEvent } from '../../../src/hosts/normalize.ts';
import { defaultDeadlineSeconds, HOSTS, sessionIdIn } from '../../../src/hosts/registry.ts';
import type { Answer } from '../../../src/hosts/types.ts';
import { readHookFile } from '../../../src/setup/hook-files.ts';
import { planHooks } from '../../../src/setup/plan-hooks.ts';

/** What a host may inherit from an agent that started it. */
const OUTER = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'outer', CLAUDE_PROJECT_DIR: '/outer' };
const BLOCK: Answer = { decision: 'block', why: 'gates-failed', reason: 'the output', toPerson: 'x' };

describe('every host', () => {
  test('has its own name, title, hook file and program', () => {
    const unique = <T>(values: readonly T[]) => new Set(values).size;
    expect(unique(HOSTS.map(({ name }) => name))).toBe(HOSTS.length);
    expect(unique(HOSTS.map(({ title }) => title))).toBe(HOSTS.length);
    expect(unique(HOSTS.map(({ hookFile }) => hookFile.path))).toBe(HOSTS.length);
    expect(unique(HOSTS.map(({ executable }) => executable))).toBe(HOSTS.length);
  });
});

describe.each(HOSTS)('$name', (host) => {
  const { hookFile, projectFiles, timeout, trust } = host;
  const agents = hookFile.events.subagent === undefined ? ['main'] : ['main', 'check'];

  test.each(agents)('recognizes its own sample stop, and no earlier host does: %s', (agent) => {
    const { event, env } = sampleStopOf(host, agent, '/work', '/root');
    for (const inherited of [{}, OUTER]) {
      const earlier = HOSTS.slice(0, HOSTS.indexOf(host));
      expect(host.recognizes(event, { ...inherited, ...env })).toBe(true);
      expect(earlier.filter((other) => other.recognizes(event, { ...inherited, ...env }))).toEqual([]);
    }
  });

  test.each(agents)('normalizes its sample stop to a stop that is checked: %s', (agent) => {
    const { event, env } = sampleStopOf(host, agent, '/work', '/root');
    const isMain = agent === 'main';
    expect(readStopEvent(event, env)).toMatchObject({
      ok: true,
      value: {
        host: host.name,
        isMain,
        agent,
        sessionId: 'ralph-loop-doctor',
        cwd: '/work',
        projectDirectories: expect.arrayContaining(host.projectVariables ? ['/root'] : []),
        continuing: expect.toSatisfy((continuing) => continuing !== true),
        skipReason: undefined,
        background: undefined,
      },
    });
  });

  test('reads its prompt event', () => {
    const { event, env } = sampleStopOf(host, 'main', '/work', '/root');
    const name = hookFile.events.prompt;
    expect(readPromptEvent({ ...event, hook_event_name: name, prompt: 'go' }, env)).toEqual({
      host: host.name,
      name,
      prompt: 'go',
      byPerson: true,
      sessionId: 'ralph-loop-doctor',
      cwd: '/work',
      projectDirectories: expect.any(Array),
    });
  });

  test('blocks with an answer that is recognized as a block of this host', () => {
    expect(isBlock(writeAnswer(BLOCK, host.name), host.name, 'output')).toBe(true);
    expect(isBlock(writeAnswer({ ...BLOCK, reason: 'other' }, host.name), host.name, 'output')).toBe(false);
  });

  test('allows a stop silently', () => {
    expect(answerFields({ decision: 'allow', why: 'commands-passed' }, host.name)).toEqual({});
  });

  test('runs no hook before it is trusted, if it needs trust', () => {
    const facts = {
      root: '/root',
      hooks: [],
      env: {},
      lookUp: (_: string, ...keys: readonly string[]) => (keys.length === 0 ? {} : undefined),
      isProjectIn: () => false,
      sha256: () => '',
    };
    expect(trust?.findProblem(facts)?.level).toBe(trust && 'error');
  });

  test.skipIf(hookFile.isOfUser)(
    'is detected by files of the project that include the directory of its hook file',
    () => {
      expect(projectFiles.some((path) => hookFile.path.startsWith(`${path}/`))).toBe(true);
    },
  );

  test.skipIf(hookFile.isOfUser)(
    'gets hooks from init that can be read back, with a timeout above the deadline',
    () => {
      const needs = { program: { kind: 'on-path' as const }, agents: ['main', 'check'], gateSeconds: 10 };
      const [change] = planHooks([host], needs, () => success(undefined)).changes;
      expect(change?.path).toBe(hookFile.path);
      const content = readHookFile(change?.after ?? '', hookFile);
      const entries = content.ok ? content.value.entries : [];
      expect(entries.map(({ event }) => event).toSorted()).toEqual(Object.values(hookFile.events).toSorted());
      for (const { event, command, timeout: value } of entries) {
        const [, deadline] = / --deadline (\d+)/.exec(command) ?? [];
        const { prompt, edit } = hookFile.events;
        expect(deadline === undefined).toBe(event === prompt || event === edit);
        expect(timeoutSeconds(timeout, value)).toBeGreaterThan(Number(deadline ?? 0));
      }
    },
  );
});

describe('hostOf', () => {
  const stop = { hook_event_name: 'Stop', session_id: 's' };
  const inside = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'outer' };
  const host = (event: object, env: object, name?: (typeof HOSTS)[number]['name']) => {
    const read = readStopEvent(event, { ...env }, name);
    return read.ok ? read.value.host : undefined;
  };

  test.each([
    ['Claude Code', stop, { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 'claude-code'],
    ['a Claude Code that sets no session id', stop, { CLAUDECODE: '1' }, 'claude-code'],
    ['an unknown host', stop, {}, 'unknown'],
    ['an unknown host with CLAUDECODE=0', stop, { CLAUDECODE: '0' }, 'unknown'],
    ['an unknown host that sets CLAUDE_PROJECT_DIR', stop, { CLAUDE_PROJECT_DIR: '/r' }, 'unknown'],
    ['an unknown host that Claude Code started', stop, inside, 'unknown'],
    [
      'an unknown host without a session id that Claude Code started',
      { hook_event_name: 'Stop' },
      inside,
      'unknown',
    ],
    ['Codex that Claude Code started', { ...stop, turn_id: 't' }, inside, 'codex'],
    ['Droid that Claude Code started', stop, { ...inside, FACTORY_PROJECT_DIR: '/r' }, 'droid'],
    [
      'Claude Code that Droid started',
      stop,
      { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's', FACTORY_PROJECT_DIR: '/r' },
      'claude-code',
    ],
  ])('recognizes %s', (_, event, env, expected) => {
    expect(host(event, env)).toBe(expected);
  });

  test.each(HOSTS.map(({ name }) => name))('prefers the host that the command line names: %s', (name) => {
    expect(host({ ...stop, turn_id: 't' }, {}, name)).toBe(name);
  });
});

test.each([
  ['claude-code', 570],
  ['gemini', 57],
  ['copilot', 27],
  ['unknown', 570],
])('the default deadline of %s is %d s, below its default timeout', (name, seconds) => {
  expect(defaultDeadlineSeconds(name)).toBe(seconds);
});

test('sessionIdIn returns the session that Claude Code sets for an MCP server', () => {
  expect(sessionIdIn({ CLAUDE_CODE_SESSION_ID: 's' })).toBe('s');
  expect(sessionIdIn({ CLAUDE_CODE_SESSION_ID: '' })).toBeNull();
  expect(sessionIdIn({})).toBeNull();
});
