/**
 * What Testing Library prints of a page in which it has not found an element: the roles of all elements, and the page. The
 * names of the roles and the texts say what is there instead; the tags and their attributes do not.
 */

import { indentOf } from '../lines/structure.ts';
import type { Line } from './failure.ts';

const HEADING =
  /^\s*(?:(Here are the (?:accessible|available) roles:)|Ignored nodes: comments, script, style)$/;
const ROLE = /^\s+[a-z]+:$/;
/** The role that an element should have. */
const ASKED = /\bwith the role "([a-z]+)"/;
/** An element without a name is one of many that only give the page its form. */
const NAME = /^\s+Name "[^"].*":$/;
/** A tag, its end, or an attribute of it; not an element with its text on one line. */
const TAG = /^\s*(?:<(?!.*[^>]<\/).*|\/?>|[\w:-]+=(?:".*"|\{.*\}))$/;
const END = /^\s*<\//;
/** So many texts of a page say what it shows. */
const MAX_TEXTS = 10;

/** Reads such pages. */
export class RenderedPage {
  #part: 'roles' | 'page' | undefined;
  #indent = 0;
  #texts = 0;

  /** @returns whether the next line is the form of a page, or where one begins or ends; undefined if it says something */
  read(text: string): 'form' | 'edge' | undefined {
    const heading = HEADING.exec(text);
    if (heading) {
      this.#part = heading[1] === undefined ? 'page' : 'roles';
      this.#indent = indentOf(text);
      this.#texts = 0;
      return this.#part === 'page' ? 'edge' : undefined;
    }
    // The code of the test is less deep, or has numbers.
    if (this.#part !== undefined && text !== '' && !isInside(text, this.#indent, this.#part))
      this.#part = undefined;
    if (this.#part === undefined) return undefined;
    if (this.#part === 'roles') return ROLE.test(text) || NAME.test(text) ? undefined : 'form';
    if (indentOf(text) === this.#indent && END.test(text)) {
      this.#part = undefined;
      return 'edge';
    }
    return TAG.test(text) || text === '' || ++this.#texts > MAX_TEXTS ? 'form' : undefined;
  }
}

/**
 * The positions of the lines of such pages that say nothing. Where elements have the role that was asked for, the others do
 * not say what is there instead.
 *
 * @param lines all lines of an output, or of its failures
 */
export function emptyOfPagesIn(lines: readonly Line[]): number[] {
  const page = new RenderedPage();
  const empty: number[] = [];
  let asked: string | undefined;
  let role: string | undefined;
  let named = new Map<string, number[]>();
  const endRoles = () => {
    const others = [...named].filter(([name]) => name !== asked);
    if (named.size > others.length) empty.push(...others.flatMap(([, all]) => all));
    named = new Map();
    role = undefined;
  };
  for (const { at, text } of lines) {
    if (page.read(text) !== undefined) empty.push(at);
    asked = ASKED.exec(text)?.[1] ?? asked;
    if (HEADING.test(text)) endRoles();
    else if (ROLE.test(text)) role = text.trim().slice(0, -1);
    if (role !== undefined && (ROLE.test(text) || NAME.test(text)))
      named.set(role, [...(named.get(role) ?? []), at]);
  }
  endRoles();
  return empty;
}

/** The page begins in the column of its heading, and ends with the same tag. */
function isInside(text: string, indent: number, part: 'roles' | 'page'): boolean {
  if (/^\s*>? *\d+ \|/.test(text)) return false;
  const own = indentOf(text);
  return own > indent || (part === 'page' && own === indent && /^\s*(?:<|\/?>)/.test(text));
}
