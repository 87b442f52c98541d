import { type Html, html } from './html.ts';

export interface Bar {
  readonly name: string;
  /** What its length stands for. */
  readonly value: number;
  /** The same in words, and what else is to be known. */
  readonly text: string;
}

/**
 * Bars below one another, the names beside or above them.
 *
 * @param style class that colours them
 */
export function barPlot(bars: readonly Bar[], style: string): Html {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return html`<ol class="bars">${bars.map(
    ({ name, value, text }) => html`
<li><span class="name" title="${name}">${name}</span> <span class="value">${text}</span>
<svg height="10" aria-hidden="true"><rect class="${style}" width="${Math.round((value / most) * 1000) / 10}%" height="10" rx="2"/></svg></li>`,
  )}
</ol>`;
}
