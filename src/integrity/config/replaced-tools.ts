// The programs that package managers link into `node_modules/.bin`, which git ignores. Loads no parser, because it is
// asked for at each stop.

import type { Finding, ProjectChange } from '../types.ts';

/** The files whose words may be programs. */
const SCRIPTS = ['package.json', 'worktree.yaml', '.trellis/worktree.yaml', 'gate.config.json'];
/** As pnpm and npm on Windows write it: it starts a file of the package. */
const WRITTEN_BY_MANAGER = /^#!\/bin\/sh\r?\nbasedir=\$\(dirname/;
const MAX_WORDS = 300;

/** The tools of the project's scripts whose link in `node_modules/.bin` is a file, or leads out of `node_modules`. */
export function findReplacedTools({ read, readLink }: ProjectChange): Finding[] {
  if (!readLink) return [];
  const words = new Set(
    SCRIPTS.flatMap((file) => read(file)?.match(/(?<![\w./@-])[a-z][\w-]*(?![\w./@-])/g) ?? []),
  );
  return [...words].slice(0, MAX_WORDS).flatMap((name): Finding[] => {
    const path = `node_modules/.bin/${name}`;
    const target = readLink(path);
    const text = target === undefined ? read(path) : undefined;
    const isReplaced =
      target === undefined ? text !== undefined && !WRITTEN_BY_MANAGER.test(text) : leadsOut(target);
    if (!isReplaced) return [];
    const what =
      target === undefined
        ? 'is a file, not a link to the package'
        : `is a link to \`${target}\`, not to the package`;
    return [
      {
        rule: 'tool-shadowed',
        severity: 'high',
        path,
        message: `\`${name}\` in \`node_modules/.bin\` ${what}`,
      },
    ];
  });
}

/** Whether a link from `node_modules/.bin` ends outside of every `node_modules`. */
function leadsOut(target: string): boolean {
  if (target.includes('node_modules/')) return false;
  return target.startsWith('/') || target.startsWith('../../') || !target.startsWith('../');
}
