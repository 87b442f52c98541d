import { homedir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { jsonText } from '../../base/text.ts';
import { type ClaimCounts, countHistory, type History } from '../../history/count-history.ts';
import { historyText } from '../../history/history-text.ts';
import { EVIDENCE } from '../../history/judge-turn.ts';
import { readSince } from '../since-option.ts';
import { EXIT, fail, forStdout, liveLine, print, stdoutPaint } from '../terminal.ts';

interface HistoryCommandOptions {
  /** As typed; undefined: everything that is kept. */
  readonly since?: string | undefined;
  readonly json?: boolean;
}

/**
 * `ralph-loop history`: what was behind the claims of agents, from the transcripts that their hosts keep.
 *
 * @returns the exit code: 0 counted, 2 usage
 */
export async function history({ since: typed, json }: HistoryCommandOptions): Promise<number> {
  const since = readSince(typed, new Date());
  if (!since.ok) return fail(since.failure.message, EXIT.usage);
  const counted = await countWithProgress(since.value);
  if (json) print(jsonText(historyAsJson(counted, since.value)));
  else process.stdout.write(forStdout(historyText(counted, since.value, stdoutPaint())));
  return EXIT.ok;
}

/** So often the line of progress is drawn, in milliseconds. */
const DRAW_MS = 100;

async function countWithProgress(since: Date | undefined): Promise<History> {
  const live = liveLine(process.stderr, stdoutPaint());
  const startedAt = Date.now();
  let drawnAt = startedAt;
  try {
    return await countHistory({
      home: homedir(),
      env: process.env,
      since,
      async onTranscript(title) {
        if (live === undefined || Date.now() - drawnAt < DRAW_MS) return;
        drawnAt = Date.now();
        live.start([`reading the transcripts of ${title}`], startedAt);
        await setImmediate();
      },
    });
  } finally {
    live?.stop();
  }
}

function historyAsJson(history: History, since: Date | undefined): object {
  const { hosts, total, before, span, leftOut, unread, bytes } = history;
  return {
    since: since ?? null,
    from: span?.from ?? null,
    to: span?.to ?? null,
    ...countsAsJson(total),
    before_ralph_loop: countsAsJson(before),
    since_ralph_loop: countsAsJson(history.since),
    hosts: hosts.map((host) => ({
      host: host.host,
      transcripts: host.transcripts,
      turns: host.turns,
      ...countsAsJson(host),
    })),
    left_out: Object.fromEntries(Object.entries(leftOut).map(([key, n]) => [key.replace('-', '_'), n])),
    bytes,
    unread: unread.map(({ kind, ...rest }) => ({ kind: kind.replace('-', '_'), ...rest })),
  };
}

function countsAsJson(counts: ClaimCounts): object {
  return { claims: counts.claims, ...Object.fromEntries(EVIDENCE.map((each) => [each, counts[each]])) };
}
