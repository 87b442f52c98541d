import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measureJsonCommand } from './measure-json-command.ts';

const BYTES = 1024 ** 3;
/** The transcript of a session that goes on for weeks. */
const FILE_BYTES = 32 * 1024 ** 2;
const DAY = '2026-11-22';

/** Where the client of a host keeps its transcripts, and the call whose output is large. */
const HOSTS = [
  { host: 'claude-code', path: (n: number) => `.claude/projects/p/${n}.jsonl` },
  { host: 'codex', path: (n: number) => `.codex/sessions/2026/11/22/rollout-${n}.jsonl` },
  { host: 'gemini', path: (n: number) => `.gemini/tmp/p/chats/session-${n}.jsonl` },
  { host: 'qwen', path: (n: number) => `.qwen/projects/p/chats/${n}.jsonl` },
  { host: 'copilot', path: (n: number) => `.copilot/session-state/${n}/events.jsonl` },
] as const;

/** `ralph-loop history` over 1 GB of transcripts: the recorded ones, with outputs of the sizes that agents read. */
export async function measureHistory(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'ralph-history-'));
  try {
    for (const { host, path } of HOSTS) writeTranscripts(home, host, path);
    for (let run = 0; run < 3; run++) {
      const { ms, peakKb, document } = await measureJsonCommand('history', home);
      console.log(
        `  1 GB of transcripts: ${(ms / 1000).toFixed(1)} s, ${Math.round(peakKb / 1024)} MB, ${document.claims} claims`,
      );
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeTranscripts(home: string, host: string, path: (n: number) => string): void {
  const turns = ['verified', 'stale', 'failed', 'never', 'piped'].map((name) =>
    readFileSync(`tests/fixtures/transcripts/${host}/${name}.jsonl`, 'utf8'),
  );
  const files = Math.ceil(BYTES / HOSTS.length / FILE_BYTES);
  let turn = 0;
  for (let n = 0; n < files; n++) {
    const file = join(home, path(n));
    mkdirSync(dirname(file), { recursive: true });
    const out = openSync(file, 'w');
    for (let written = 0; written < FILE_BYTES; turn++)
      written += writeSync(out, enlarged(turns[turn % turns.length] ?? '', turn));
    closeSync(out);
  }
}

const LINE =
  'src/cart/total.ts:31:24 - the total of \\"a cart\\" is expected to include the shipping costs ✓\\n';

/** A turn at a time of its own, with output of 0 to 200 kB in the result of each call. */
function enlarged(turn: string, n: number): string {
  const at = new Date(Date.parse(DAY) - n * 60_000).toISOString().slice(0, 17);
  const output = LINE.repeat((n * 37) % 2000);
  return turn
    .replaceAll(/2026-11-22T19:\d\d:/g, at)
    .replaceAll('1 test passed', `${output}1 test passed`)
    .replaceAll('export const sum = (a, b) => a + b;\\n', `${output}\\n`);
}
