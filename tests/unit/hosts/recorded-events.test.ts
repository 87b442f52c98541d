import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEvent } from '../../../src/hosts/hosts.ts';

/** What real clients wrote on their hooks' stdin, with the variables by which they can be known. */
const EVENTS = new URL('../../fixtures/events/', import.meta.url);

interface Recorded {
  readonly event: string;
  readonly stdin: Record<string, unknown>;
  readonly env: Record<string, string>;
}

const HOSTS: Readonly<Record<string, string>> = { claude: 'claude-code' };
const rows = readdirSync(EVENTS).flatMap((file) =>
  readFileSync(new URL(file, EVENTS), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const [name = ''] = file.split('-');
      return { file, line: index + 1, host: HOSTS[name] ?? name, recorded: JSON.parse(line) as Recorded };
    }),
);

/** Why a recorded event is not judged, though it is a stop. */
function whyExempt(host: string, { event, stdin }: Recorded): string | undefined {
  const [task] = Array.isArray(stdin.background_tasks) ? stdin.background_tasks : [];
  if (event === 'Stop' && task?.status === 'running') return 'it waits for 1 agent in the background';
  if (host === 'copilot' && event === 'Stop' && stdin.agent_id !== undefined)
    return "it is a subagent's, whose own event comes too";
  if (host === 'droid' && event === 'SubagentStop')
    return "Droid honours no block here; the child session's own stop is judged";
  return undefined;
}

test.each(rows)('$file:$line is known for that of $host, and read', ({ host, recorded }) => {
  const { event, stdin, env } = recorded;
  const isMain = event === 'Stop' || event === 'AfterAgent';
  const transcript = isMain ? (stdin.transcript_path ?? stdin.transcriptPath) : stdin.agent_transcript_path;
  expect(readEvent(stdin, env)).toEqual({
    event: {
      host,
      isMain,
      agent: isMain ? 'main' : (stdin.agent_type ?? ''),
      agentId: stdin.agent_id,
      sessionId: stdin.session_id ?? stdin.sessionId,
      cwd: '/repo',
      message: stdin.last_assistant_message ?? stdin.prompt_response ?? '',
      isWholeTurn: host === 'gemini',
      transcriptPath: transcript,
      finishPhase: false,
      skipReason: whyExempt(host, recorded),
      // What Gemini and Qwen say of it is not so.
      continuing: host === 'gemini' || host === 'qwen' ? undefined : stdin.stop_hook_active,
    },
  });
});

test('every host that was recorded is among them, and each of the reasons', () => {
  expect([...new Set(rows.map(({ host }) => host))]).toEqual([
    'claude-code',
    'codex',
    'copilot',
    'droid',
    'gemini',
    'qwen',
  ]);
  expect(new Set(rows.map(({ host, recorded }) => whyExempt(host, recorded))).size).toBe(4);
});
