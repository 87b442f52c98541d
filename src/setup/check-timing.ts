import { type HookTimeout, type KnownHost, timeoutSeconds } from '../hosts/host.ts';
import { defaultDeadlineSeconds } from '../hosts/hosts.ts';
import type { FoundHook } from './find-hooks.ts';
import type { Finding, MakeFinding } from './finding.ts';
import { parseHookCommand } from './hook-command.ts';

/**
 * Whether a hook answers before its host gives up on it, and its gates have the time that they may take.
 *
 * @param gateSeconds seconds that all gates together may take at most; infinite where one has no limit
 */
export function checkTiming(
  host: KnownHost,
  { file, event, command, timeout }: FoundHook,
  gateSeconds: number,
  finding: MakeFinding,
): Finding[] {
  const again = `ralph-loop init --host ${host.name}`;
  const { unit, limitSeconds } = host.timeout;
  const waits = timeoutSeconds(host.timeout, timeout);
  const answers = parseHookCommand(command)?.deadlineSeconds ?? defaultDeadlineSeconds(host.name);
  const place = `${file}, ${event}`;
  const said =
    timeout === undefined
      ? 'by default'
      : `timeout ${timeout} in ${unit === 'ms' ? 'milliseconds' : 'seconds'}`;
  if (answers >= waits)
    return [
      finding(
        'error',
        `${place}: the host waits ${waits} s (${said}), and the answer may take ${answers} s: it would let the agent stop.`,
        again,
      ),
    ];
  const odd = timeout === undefined ? undefined : whyOdd(host.timeout, timeout, answers);
  return [
    finding('ok', `${place}: answers within ${answers} s, the host waits ${waits} s.`),
    ...(odd === undefined ? [] : [finding('warning', `${place}: a timeout of ${timeout} ${odd}.`, again)]),
    ...(Number.isFinite(gateSeconds) && gateSeconds > answers
      ? [
          finding(
            'warning',
            `${place}: all gates together may take ${gateSeconds} s; what has not run after ${answers} s counts as not passed.`,
            limitSeconds === undefined
              ? again
              : `${host.title} waits no longer, whatever its settings say: give slow gates a shorter timeout.`,
          ),
        ]
      : []),
  ];
}

/** Why a number may not be in the unit that was meant. */
function whyOdd(
  { unit, secondsBelow = 0 }: HookTimeout,
  timeout: number,
  answers: number,
): string | undefined {
  if (timeout < secondsBelow) return 'is read as seconds by some versions, as milliseconds by others';
  // Slow gates need as many seconds as nobody else asks for.
  const isFarMore = timeout >= 10_000 && timeout > 2 * answers;
  return unit === 's' && isFarMore ? 'is in seconds: milliseconds were probably meant' : undefined;
}
