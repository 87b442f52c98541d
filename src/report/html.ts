/** Markup, as opposed to text that may hold anything. */
export interface Html {
  readonly markup: string;
}

type Content = Html | string | number | undefined | readonly Content[];

/** Markup with contents put in: texts are escaped, so that they stay texts in elements and in quoted attributes. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return { markup: String.raw({ raw: parts }, ...contents.map(markupOf)) };
}

function markupOf(content: Content): string {
  if (content === undefined) return '';
  if (typeof content === 'object')
    return 'markup' in content ? content.markup : content.map(markupOf).join('');
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
