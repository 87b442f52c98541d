/** One call of a hook, as the client's `--include-hook-events` stream reports it. */
export interface HookRun {
  readonly event: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly outcome: string;
}

type StreamEvent = Readonly<Record<string, unknown>>;

/** @param stream stdout of the client, one JSON document per line */
export function readHookRuns(stream: string): HookRun[] {
  return stream
    .split('\n')
    .filter((line) => line !== '')
    .map((line): StreamEvent => JSON.parse(line))
    .filter(({ subtype }) => subtype === 'hook_response')
    .map((event) => ({
      event: String(event.hook_event),
      stdout: String(event.stdout),
      stderr: String(event.stderr),
      exitCode: Number(event.exit_code),
      outcome: String(event.outcome),
    }));
}

/**
 * Returns the complaints of the client about a hook. Both records are needed: the stream reports an answer that cannot
 * be parsed as a success, and the debug log may not mention a hook that timed out or failed without output.
 */
export function hookComplaints(runs: readonly HookRun[], debugLog: string): string[] {
  const logged = /Hook JSON output validation failed|Hook \S+ \([^)]*\) error/;
  const failed = runs.filter(
    ({ exitCode, outcome, stderr }) => exitCode !== 0 || outcome !== 'success' || stderr,
  );
  return [
    ...debugLog.split('\n').filter((line) => logged.test(line)),
    // The answer itself is checked, because each release has other messages, and exempts plain text.
    ...runs
      .filter(({ stdout }) => !isAnswer(stdout))
      .map(({ stdout }) => `no JSON object on stdout: ${stdout}`),
    ...failed.map(({ outcome, exitCode, stderr }) => `${outcome}, exit code ${exitCode}: ${stderr}`),
  ];
}

function isAnswer(stdout: string): boolean {
  if (stdout === '') return true;
  try {
    const answer: unknown = JSON.parse(stdout);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  } catch {
    return false;
  }
}
