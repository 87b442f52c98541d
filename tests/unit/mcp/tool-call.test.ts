import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callContext } from '../../../src/mcp/tool-call.ts';
import { resultOf, shellGate } from '../../helpers/gate-results.ts';
import { stopContext } from '../../helpers/stop-context.ts';
import { temporaryTree } from '../../helpers/temporary-tree.ts';

/** A call whose events are reported to a client. */
function startCall(progressToken: string | undefined) {
  const sent: unknown[] = [];
  const abort = new AbortController();
  const notify = async ({ params }: { params: unknown }) => void sent.push(params);
  const mcpReq = { _meta: { progressToken }, notify, signal: abort.signal };
  const options = { ...stopContext(), version: '0', cwd: temporaryTree() };
  const context = callContext(options, { mcpReq } as unknown as ServerContext);
  if (!context.ok) throw new Error(context.failure.message);
  const event = (type: 'started' | 'ended', name = 'npm test') =>
    context.value.onEvent(
      type === 'started' ? { type, gate: shellGate(name) } : { type, result: resultOf(name) },
    );
  return { event, sent, abort };
}

describe('the progress of a command', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const message = (progress: number, text: string) => ({ progressToken: 't', progress, message: text });

  test('is sent at its start and every 5 s, until it ends', () => {
    const { event, sent } = startCall('t');
    event('started');
    vi.advanceTimersByTime(10_000);
    event('ended');
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([
      message(1, 'npm test runs'),
      message(2, 'npm test runs, 5 s'),
      message(3, 'npm test runs, 10 s'),
    ]);
  });

  test('names all commands that run at the same time, and how long the first of them has run', () => {
    const { event, sent } = startCall('t');
    event('started', 'lint');
    event('started', 'test');
    vi.advanceTimersByTime(7000);
    event('ended', 'lint');
    vi.advanceTimersByTime(5000);
    event('ended', 'test');
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([
      message(1, 'lint runs'),
      message(2, 'lint, test run'),
      message(3, 'lint, test run, 5 s'),
      message(4, 'test runs, 7 s'),
      message(5, 'test runs, 12 s'),
    ]);
  });

  test('is not sent to a client that did not ask for it', () => {
    const { event, sent } = startCall(undefined);
    event('started');
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([]);
  });

  test('is not sent after the call was cancelled', () => {
    const { event, sent, abort } = startCall('t');
    abort.abort();
    event('started');
    vi.advanceTimersByTime(10_000);
    expect(sent).toEqual([]);
  });
});
