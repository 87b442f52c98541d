import { relative } from 'node:path';
import type { KnownHost } from '../../hosts/host.ts';
import { ago, answerOf } from '../../messages/loop-lines.ts';
import type { Finding } from '../../setup/finding.ts';
import { existingDirectory, whyReadOnly } from '../../setup/write-changes.ts';
import type { LogRecord } from '../../state/execution-log.ts';
import { ralphDirectory } from '../../state/paths.ts';
import { hasTimedOut, leftoverFiles, readStopLoop, stopLoopFiles } from '../../state/stop-loop.ts';

const ABOUT = 'State';

/** Whether the count can be kept, and what is left over from loops that nobody will go on with. */
export function checkState(root: string, timeoutMinutes: number, now: Date): Finding[] {
  const directory = ralphDirectory(root);
  const why = whyReadOnly(existingDirectory(directory));
  const place = relative(root, directory);
  const old = stopLoopFiles(root).flatMap((path) => {
    const state = readStopLoop(path);
    const isOld = state && state.iteration > 0 && hasTimedOut(state.started_at, timeoutMinutes, now);
    return isOld ? [state.task] : [];
  });
  const broken = leftoverFiles(root).filter((path) => path.includes('.broken-'));
  return [
    why === undefined
      ? { about: ABOUT, level: 'ok', what: `${place} can be written.` }
      : {
          about: ABOUT,
          level: 'error',
          what: `${place} cannot be written: ${why}. Tries are counted in the temporary directory, and nothing is logged.`,
          mend: 'Make it writable for whoever runs the agent.',
        },
    ...(old.length > 0 ? [leftover(`Loops that ended long ago: ${listed(old)}.`, 'ralph-loop reset')] : []),
    ...(broken.length > 0
      ? [
          leftover(
            `State files that could not be read: ${listed(broken.map((path) => relative(root, path)))}.`,
            'ralph-loop reset --all',
          ),
        ]
      : []),
  ];
}

/** When a host last called the hook: that it never did, and that it did and was let go, are different answers. */
export function checkCalls(host: KnownHost, log: readonly LogRecord[], now: Date): Finding {
  const last = log.findLast((record) => record.host === host.name);
  const about = host.title;
  if (last) {
    const seconds = Math.round((now.getTime() - Date.parse(last.time)) / 1000);
    return { about, level: 'ok', what: `Last called the hook ${ago(seconds)}: ${answerOf(last)}.` };
  }
  return {
    about,
    level: 'warning',
    what: 'It has never called the hook here.',
    mend: host.trust ?? 'Let an agent finish something here, then look again; --fire tries the hook now.',
  };
}

function leftover(what: string, mend: string): Finding {
  return { about: ABOUT, level: 'warning', what, mend };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
