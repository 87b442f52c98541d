import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../../base/files.ts';
import { PAGE_START } from '../../report/report-page.ts';

/** Why a page was not written: what was asked for cannot be, or it failed. */
export interface NotWritten {
  readonly why: string;
  readonly fault: 'usage' | 'failed';
}

/**
 * Writes a page, whole or not at all, and never over a file that is not an earlier one.
 *
 * @param path where; an earlier page there is replaced, and a link to it stays one
 */
export function writePage(path: string, page: string): NotWritten | { readonly written: true } {
  const target = existsSync(path) ? realpathSync(path) : path;
  try {
    const unfit = whyUnfit(path);
    if (unfit !== undefined) return { why: unfit, fault: 'usage' };
    writeFileAtomic(target, page);
    return { written: true };
  } catch (error) {
    return { why: (error as Error).message, fault: 'failed' };
  }
}

function whyUnfit(path: string): string | undefined {
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    return `there is no directory ${dirname(path)}.`;
  const present = statSync(path, { throwIfNoEntry: false });
  if (!present) return undefined;
  if (present.isDirectory()) return 'it is a directory. Name a file in it.';
  if (!present.isFile()) return 'it is no file.';
  const isOurs = present.size === 0 || readFileSync(path, 'utf8').startsWith(PAGE_START);
  return isOurs ? undefined : 'it is a file that ralph-loop report did not make. Remove it, or name another.';
}
