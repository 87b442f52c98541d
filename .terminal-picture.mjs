// An SVG picture of what a program prints in a terminal, colours included. Lines with a time appear at that time, once;
// where pictures do not move, all of them are there.

const CHARACTER = { width: 8.4, height: 20 };
const MARGIN = 18;
const TITLE_BAR = 30;
const ESC = '\x1b';
const STYLE = new RegExp(`${ESC}\\[([\\d;]*)m`);
const COLOURS = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow' };

/** @param lines the `text` of each, with escape sequences, and when it appears in `ms` @param columns of the terminal @param label for readers of screens */
export function terminalPicture(lines, { columns, label }) {
  const width = Math.ceil(columns * CHARACTER.width + 2 * MARGIN);
  const height = TITLE_BAR + lines.length * CHARACTER.height + MARGIN;
  const on = new Set();
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d6deeb; white-space: pre; }
.bold { font-weight: bold; } .dim { fill: #7f8c98; } .red { fill: #ff7b72; } .green { fill: #7ee787; } .yellow { fill: #e3b341; }
@keyframes appear { from { opacity: 0; } }
[style] { animation: appear 0.2s backwards; }
@media (prefers-reduced-motion: reduce) { [style] { animation: none; } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1520"/>
<circle cx="20" cy="16" r="5" fill="#ff5f56"/><circle cx="38" cy="16" r="5" fill="#ffbd2e"/><circle cx="56" cy="16" r="5" fill="#27c93f"/>
${lines
  .map((line, row) => textElement(line, row, on))
  .filter(Boolean)
  .join('\n')}
</svg>
`;
}

function textElement({ text: line, ms }, row, on) {
  const spans = spansIn(line, on);
  if (spans.length === 0) return '';
  const y = TITLE_BAR + (row + 0.8) * CHARACTER.height;
  const content = spans.map(({ text, classes }) =>
    classes.length > 0 ? `<tspan class="${classes.join(' ')}">${escaped(text)}</tspan>` : escaped(text),
  );
  const delay = ms === undefined ? '' : ` style="animation-delay: ${(ms / 1000).toFixed(1)}s"`;
  return `<text x="${MARGIN}" y="${y}"${delay} xml:space="preserve">${content.join('')}</text>`;
}

/** The parts of a line between escape sequences, each with the styles that are on; they last until they are turned off. */
function spansIn(line, on) {
  // The odd parts are the codes between the texts.
  return line.split(STYLE).flatMap((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [{ text: part, classes: [...on] }];
    for (const code of part.split(';')) turn(code, on);
    return [];
  });
}

function turn(code, on) {
  const style = COLOURS[code];
  if (style) on.add(style);
  else if (code === '39') for (const colour of ['red', 'green', 'yellow']) on.delete(colour);
  else if (code === '22') for (const weight of ['bold', 'dim']) on.delete(weight);
  else if (code !== '49') on.clear();
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
