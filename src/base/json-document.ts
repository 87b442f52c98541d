import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';

/** The keys and indices that lead to a value in a JSON document. */
export type JsonPath = (string | number)[];

/** A JSON document whose edits keep the rest of the text: its indentation, comments and order. */
export class JsonDocument {
  text: string;
  readonly #formattingOptions: FormattingOptions;

  /**
   * @param text valid JSON, comments allowed; if blank, a new document
   * @param head the content of a new document
   */
  constructor(text: string, head: object = {}) {
    this.text = text.trim() === '' ? `${JSON.stringify(head, null, 2)}\n` : text;
    this.#formattingOptions = formattingOf(text);
  }

  /** @param value undefined removes the key */
  set(path: JsonPath, value: unknown): void {
    if (value === undefined) this.#remove(path);
    else this.#edit(path, value);
  }

  /** Adds an item to a list, and creates the list if it is missing. */
  append(path: JsonPath, item: unknown): void {
    const length = this.sizeOf(path);
    if (length === undefined) this.#edit(path, [item]);
    else this.#edit([...path, length], item, true);
  }

  /** Removes a value, and the parents that have no other value; the root stays. */
  removeWithEmptyParents(path: JsonPath): void {
    const parent = path.slice(0, -1);
    if (parent.length > 0 && this.sizeOf(parent) === 1) this.removeWithEmptyParents(parent);
    else this.#remove(path);
  }

  /** The number of items of a list or keys of an object; undefined if the path leads to neither. */
  sizeOf(path: JsonPath): number | undefined {
    return this.#nodeAt(path)?.children?.length;
  }

  #nodeAt(path: JsonPath): Node | undefined {
    const tree = parseTree(this.text);
    return tree && findNodeAtLocation(tree, path);
  }

  /** The library would format the whole line again, with everything else on it; this formats the inserted text alone. */
  #edit(path: JsonPath, value: unknown, isArrayInsertion = false): void {
    const staysOnLine = typeof value !== 'object' && this.#isOnOneLine(path.slice(0, -1));
    const [edit] = modify(this.text, path, value, { isArrayInsertion });
    if (!edit) return;
    this.text = applyEdits(this.text, [edit]);
    const { offset, length, content } = edit;
    if (length > 0 || staysOnLine) return;
    const [closing = ''] = /^[ \t]*[\]}]/.exec(this.text.slice(offset + content.length)) ?? [];
    const range = { offset: offset - 1, length: 1 + content.length + closing.length };
    this.text = applyEdits(this.text, format(this.text, range, this.#formattingOptions));
  }

  #isOnOneLine(path: JsonPath): boolean {
    const node = this.#nodeAt(path);
    return node !== undefined && !this.text.slice(node.offset, endOf(node)).includes('\n');
  }

  /** The library would leave a part of the last item of a list that is written on one line. */
  #remove(path: JsonPath): void {
    const node = this.#nodeAt(path);
    const member = node?.parent?.type === 'property' ? node.parent : node;
    const siblings = member?.parent?.children;
    if (!member || !siblings) return;
    const index = siblings.indexOf(member);
    const [previous, next] = [siblings[index - 1], siblings[index + 1]];
    const before = this.text.slice(0, previous ? endOf(previous) : member.offset);
    const after = this.text.slice(!previous && next ? next.offset : endOf(member));
    // A comma after the only item goes too.
    this.text =
      previous || next ? before + after : before.replace(/[ \t]+$/, '') + after.replace(/^\s*,?\s*/, '');
  }
}

/** Indents like the first indented line; by two spaces if there is none. */
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
