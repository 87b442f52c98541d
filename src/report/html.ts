import { printable } from '../base/text.ts';

/** Markup, in contrast to text, which is escaped. */
export interface Html {
  readonly markup: string;
}

type Content = Html | string | number | undefined | readonly Content[];

/** A template tag for markup. It escapes text for elements and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { markup: String.raw({ raw: parts }, ...contents.map(markupOf)) };
}

function markupOf(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'object')
    return 'markup' in content ? content.markup : content.map(markupOf).join('');
  return printable(String(content)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
