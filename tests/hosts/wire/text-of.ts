/** The text in a message's content: a string, or blocks that have `text` or nest `content`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  if (typeof content !== 'object' || content === null) return '';
  const block = content as { text?: unknown; content?: unknown };
  return textOf(block.text ?? block.content);
}
