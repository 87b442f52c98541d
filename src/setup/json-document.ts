import { applyEdits, type FormattingOptions, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
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
    this.#edit(path, value);
  }

  /** Adds an item to a list, which is made where it is missing. */
  append(path: JsonPath, item: unknown): void {
    const length = this.#sizeOf(path);
    if (length === undefined) this.#edit(path, [item]);
    else this.#edit([...path, length], item, true);
  }

  /** Takes a value out, and with it whatever held nothing else; the document itself stays. */
  removeWithHolders(path: JsonPath): void {
    const holder = path.slice(0, -1);
    if (holder.length > 0 && this.#sizeOf(holder) === 1) this.removeWithHolders(holder);
    else this.#edit(path, undefined);
  }

  #sizeOf(path: JsonPath): number | undefined {
    const tree = parseTree(this.text);
    return tree && findNodeAtLocation(tree, path)?.children?.length;
  }

  #edit(path: JsonPath, value: unknown, isArrayInsertion = false): void {
    const formattingOptions = this.#formattingOptions;
    this.text = applyEdits(
      this.text,
      modify(this.text, path, value, { formattingOptions, isArrayInsertion }),
    );
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
