import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';
import type { JsonPath } from './read-hook-file.ts';

/** A JSON document that is changed by the least edits, in its own indentation and with its comments. */
export class JsonDocument {
  text: string;
  readonly #formattingOptions: FormattingOptions;

  /**
   * @param text valid JSON, comments allowed; blank: the document begins here
   * @param head what a document says that begins here
   */
  constructor(text: string, head: object = {}) {
    this.text = text.trim() === '' ? `${JSON.stringify(head, null, 2)}\n` : text;
    this.#formattingOptions = formattingOf(text);
  }

  /** @param value undefined takes the key away */
  set(path: JsonPath, value: unknown): void {
    if (value === undefined) this.#remove(path);
    else this.#edit(path, value);
  }

  /** Adds an item to a list, which is made where it is missing. */
  append(path: JsonPath, item: unknown): void {
    const length = this.sizeOf(path);
    if (length === undefined) this.#edit(path, [item]);
    else this.#edit([...path, length], item, true);
  }

  /** Takes a value out, and with it whatever held nothing else; the document itself stays. */
  removeWithHolders(path: JsonPath): void {
    const holder = path.slice(0, -1);
    if (holder.length > 0 && this.sizeOf(holder) === 1) this.removeWithHolders(holder);
    else this.#remove(path);
  }

  /** How many a list or an object holds; undefined where there is none. */
  sizeOf(path: JsonPath): number | undefined {
    return this.#nodeAt(path)?.children?.length;
  }

  #nodeAt(path: JsonPath): Node | undefined {
    const tree = parseTree(this.text);
    return tree && findNodeAtLocation(tree, path);
  }

  /** The library would lay the whole line out anew, with all that others have on it: here only what comes in is. */
  #edit(path: JsonPath, value: unknown, isArrayInsertion = false): void {
    const isOnItsLine = typeof value !== 'object' && this.#standsOnOneLine(path.slice(0, -1));
    const [edit] = modify(this.text, path, value, { isArrayInsertion });
    if (!edit) return;
    this.text = applyEdits(this.text, [edit]);
    const { offset, length, content } = edit;
    if (length > 0 || isOnItsLine) return;
    const [closing = ''] = /^[ \t]*[\]}]/.exec(this.text.slice(offset + content.length)) ?? [];
    const range = { offset: offset - 1, length: 1 + content.length + closing.length };
    this.text = applyEdits(this.text, format(this.text, range, this.#formattingOptions));
  }

  #standsOnOneLine(path: JsonPath): boolean {
    const node = this.#nodeAt(path);
    return node !== undefined && !this.text.slice(node.offset, endOf(node)).includes('\n');
  }

  /** The library would leave half of the last item of a list that stands on one line. */
  #remove(path: JsonPath): void {
    const node = this.#nodeAt(path);
    const member = node?.parent?.type === 'property' ? node.parent : node;
    const siblings = member?.parent?.children;
    if (!member || !siblings) return;
    const index = siblings.indexOf(member);
    const [previous, next] = [siblings[index - 1], siblings[index + 1]];
    const before = this.text.slice(0, previous ? endOf(previous) : member.offset);
    const after = this.text.slice(!previous && next ? next.offset : endOf(member));
    // Behind the last that goes, a comma would be one too many.
    this.text =
      previous || next ? before + after : before.replace(/[ \t]+$/, '') + after.replace(/^\s*,?\s*/, '');
  }
}

/** By the first line that is indented; two blanks where none is. */
function formattingOf(text: string): FormattingOptions {
  const [, indentation = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return {
    insertSpaces: !indentation.startsWith('\t'),
    tabSize: indentation.startsWith('\t') ? 1 : indentation.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
