// Lists of known problems that grew: what is new in them is no longer reported.

import { BASELINE_FILE } from '../../gates/known-failures.ts';
import type { Finding, ProjectChange } from '../types.ts';
import { dataOf, isTable } from './data.ts';

const LISTS =
  /(?:^|\/)(?:[\w.-]*baseline[\w.-]*\.(?:neon|xml|json|php|ya?ml|txt|toml)|\.rubocop_todo\.yml|\.?eslint[\w.-]*(?:suppressions|todo)[\w.-]*\.json|\.secrets\.baseline|\.betterer\.results|\.todo|knip-ignore\.json|\.basedpyright\/baseline\.json|reek_todo\.yml|\.standard_todo\.yml|\.erb_lint_todo\.yml|known_failures[\w.-]*|brakeman\.ignore|[\w-]*(?:suppressions?|exclude(?:-?filter)?)\.xml|xfail(?:ures)?[\w.-]*\.txt)$/i;

/** Baselines of a change that have more entries than before. */
export function findGrownBaselines({ changes }: ProjectChange): Finding[] {
  return changes.flatMap(({ path, before, after }): Finding[] => {
    if (after === undefined || !LISTS.test(path) || /schema/i.test(path)) return [];
    const isOwn = path === BASELINE_FILE || path.endsWith(`/${BASELINE_FILE}`);
    const [old, now] = [entriesIn(path, before), entriesIn(path, after)];
    const added = [...now].filter(([entry, count]) => count > (old.get(entry) ?? 0)).length;
    if (added === 0 || (!isOwn && sum(now) <= sum(old))) return [];
    const what = `${added} ${added === 1 ? 'entry' : 'entries'} of known problems ${added === 1 ? 'was' : 'were'} added`;
    return isOwn
      ? [{ rule: 'gate-changed', severity: 'high', path, message: what }]
      : [{ rule: 'suppression-added', severity: 'medium', path, message: what }];
  });
}

function sum(entries: ReadonlyMap<string, number>): number {
  return [...entries.values()].reduce((total, count) => total + count, 0);
}

/** The entries of a list by what they say, with their counts; lines where the format is not known. */
function entriesIn(path: string, text: string | undefined): Map<string, number> {
  const found = new Map<string, number>();
  if (text === undefined) return found;
  const add = (entry: string, count = 1) => found.set(entry, (found.get(entry) ?? 0) + count);
  const collect = (value: unknown, keys: string): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, keys);
    else if (isTable(value)) {
      const { count, line: _, line_number: __, generated_at: ___, ...rest } = value;
      const scalars = Object.entries(rest).filter(([, member]) => typeof member !== 'object');
      if (scalars.length > 0 || typeof count === 'number')
        add(`${keys} ${JSON.stringify(scalars)}`, typeof count === 'number' ? count : 1);
      for (const [key, member] of Object.entries(rest))
        if (typeof member === 'object') collect(member, `${keys}.${key}`);
    } else if (value !== null && value !== undefined) add(`${keys} ${String(value)}`);
  };
  const data = dataOf(path, text);
  if (data !== undefined && /\.(?:json|baseline)$/.test(path)) collect(data, '');
  else
    for (const line of text.split('\n'))
      if (/\S/.test(line) && !/^\s*(?:#|\/\/|<\?|<!--|\*)/.test(line)) add(line.trim().replace(/\d+/g, '0'));
  return found;
}
