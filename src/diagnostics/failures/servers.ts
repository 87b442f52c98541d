/** Servers that did not answer, and where one listens. */

import { SEVERITY } from '../lines/rules.ts';
import type { Line, StoredFailure } from './failure.ts';
import type { Outline } from './outline.ts';

const UNREACHED =
  /\bECONNREFUSED\b|\bERR_CONNECTION_|connection refused|(?:failed|unable|couldn't|could not) to connect|timed out waiting (?:for|from)/i;
const LISTENS =
  /\b(?:listen\w*|ready|running|serv\w+|started|local)\b.*(?::\/\/[^\s/]+:\d|\bport\W{1,3}\d|\w:\d{4})/i;
/** Says itself that it does; an error may name a server, and its address. */
const BEGINS = /\b(?:listening|ready|running|serving|started)\b/i;
/** Behind the name or the address of a host: a time has colons, too. */
const PORT = /(?:\bport |(?:[a-z][\w.-]*|\d+\.\d+\.\d+\.\d+|\[?::1\]?):)(\d{2,5})\b/;
const NUMBERS = /\d+/g;
const MAX_ADDRESSES = 3;

/** Where servers listen, if one did not answer: it may be another place. */
export function addressesFor(failures: readonly StoredFailure[], { all, tail }: Outline): Line[] {
  const isUnreached = failures.some(({ block }) => UNREACHED.test(block.headline.text));
  return isUnreached ? (all ?? tail).filter(({ text }) => LISTENS.test(text)).slice(0, MAX_ADDRESSES) : [];
}

/**
 * The failures to reach a server that has begun to listen since then, before something else went wrong: a script waits for it.
 *
 * @param lines of the output, as far as known
 */
export function awaitedIn(
  failures: readonly StoredFailure[],
  lines: readonly Line[],
): ReadonlySet<StoredFailure> {
  const isAwaited = ({ block: { headline } }: StoredFailure) => {
    const port = UNREACHED.test(headline.text) ? PORT.exec(headline.text)?.[1] : undefined;
    if (port === undefined) return false;
    const begins = ({ at, text }: Line) =>
      at > headline.at && BEGINS.test(text) && text.match(NUMBERS)?.includes(port);
    const start = lines.find(begins)?.at;
    const isBelow = ({ severity, block }: StoredFailure) =>
      start !== undefined && severity >= SEVERITY.thrown && block.headline.at > start;
    return failures.some(isBelow);
  };
  return new Set(failures.filter(isAwaited));
}
