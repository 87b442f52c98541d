import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readStopEvent } from '../../../src/hosts/claude-code.ts';

const directory = fileURLToPath(new URL('../../../../shared/events', import.meta.url));
const isThere = existsSync(directory);

interface Recorded {
  readonly event: string;
  readonly stdin: Record<string, unknown>;
  readonly env: Record<string, string>;
}

const files = isThere ? readdirSync(directory).filter((name) => name.endsWith('.jsonl')) : [];
const rows = files.flatMap((file) =>
  readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => ({ file, line: index + 1, recorded: JSON.parse(line) as Recorded })),
);

describe.skipIf(!isThere)(`recorded events (skipped where ${directory} is absent)`, () => {
  test('are there', () => {
    expect(rows.length).toBeGreaterThan(30);
  });

  test.each(rows)('$file:$line is read', ({ file, recorded: { stdin, env } }) => {
    const read = readStopEvent(stdin, env);
    const name = stdin.hook_event_name;

    if (name !== 'Stop' && name !== 'SubagentStop') {
      expect(read).toEqual({ why: expect.stringContaining('is no stop') });
      return;
    }
    expect(read).toEqual({
      event: {
        host: file.startsWith('claude-') ? 'claude-code' : file.startsWith('codex-') ? 'codex' : 'unknown',
        isMain: name === 'Stop',
        agent: name === 'Stop' ? 'main' : (stdin.agent_type ?? ''),
        agentId: stdin.agent_id,
        sessionId: stdin.session_id,
        cwd: '/repo',
        message: stdin.last_assistant_message ?? '',
        finishPhase: false,
        continuing: stdin.stop_hook_active,
      },
    });
  });
});
