/**
 * What Testing Library prints of a page in which it has not found an element: the roles of all elements, and the page. The
 * names of the roles and the texts say what is there instead; the tags and their attributes do not.
 */

import { indentOf } from '../lines/structure.ts';
import type { Line } from './failure.ts';

const ROLES = /^\s*Here are the (?:accessible|available) roles:$/;
const PAGE = /^\s*Ignored nodes: comments, script, style$/;
const ROLE = /^\s+[a-z]+:$/;
/** An element without a name is one of many that only give the page its form. */
const NAME = /^\s+Name "[^"].*":$/;
/** A tag, its end, or an attribute of it; not an element with its text on one line. */
const TAG = /^\s*(?:<(?!.*[^>]<\/).*|\/?>|[\w:-]+=(?:".*"|\{.*\}))$/;
const END = /^\s*<\//;
/** So many texts of a page say what it shows. */
const MAX_TEXTS = 10;

/** The positions of the lines of such pages that say nothing. @param lines all lines of an output, or of its failures */
export function emptyOfPagesIn(lines: readonly Line[]): number[] {
  const empty: number[] = [];
  let part: 'roles' | 'page' | undefined;
  let indent = 0;
  let texts = 0;
  for (const { at, text } of lines) {
    if (ROLES.test(text) || PAGE.test(text)) {
      part = ROLES.test(text) ? 'roles' : 'page';
      indent = indentOf(text);
      texts = 0;
      if (part === 'page') empty.push(at);
      continue;
    }
    // The code of the test is less deep, or has numbers.
    if (part !== undefined && text !== '' && !isInside(text, indent, part)) part = undefined;
    if (part === undefined) continue;
    const says = part === 'roles' ? ROLE.test(text) || NAME.test(text) : !TAG.test(text) && text !== '';
    if (!says || (part === 'page' && ++texts > MAX_TEXTS)) empty.push(at);
    if (part === 'page' && indentOf(text) === indent && END.test(text)) part = undefined;
  }
  return empty;
}

/** The page begins in the column of its heading, and ends with the same tag. */
function isInside(text: string, indent: number, part: 'roles' | 'page'): boolean {
  if (/^\s*>? *\d+ \|/.test(text)) return false;
  const own = indentOf(text);
  return own > indent || (part === 'page' && own === indent && /^\s*(?:<|\/?>)/.test(text));
}
