import type { EventFields } from './host.ts';

/**
 * What an agent said last, by the end of its transcript: one JSON document a line, of which the first may be cut.
 * Hosts write the message bare, or below `message`, `data` or `payload`; its text is a string or blocks.
 *
 * @returns empty where the lines tell of no message of an agent
 */
export function lastMessageIn(tail: string): string {
  for (const line of tail.split('\n').reverse()) {
    const entry = objectIn(line);
    if (entry === undefined) continue;
    const message = [entry.message, entry.data, entry.payload].find(isObject) ?? entry;
    if (![message.role, message.type, entry.type].some(isAgents)) continue;
    const text = textOf(message.content ?? message.parts ?? message.text).trim();
    if (text !== '') return text;
  }
  return '';
}

/** `assistant`, Copilot's `assistant.message`, and what Gemini calls its model. */
function isAgents(role: unknown): boolean {
  return typeof role === 'string' && /^(?:assistant|model|gemini)(?:\.message)?$/.test(role);
}

/** Blocks of tools and of thoughts hold no `text`, or are said to be thoughts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n');
  return isObject(content) && content.thought !== true && typeof content.text === 'string'
    ? content.text
    : '';
}

function objectIn(line: string): EventFields | undefined {
  // Whoever wrote the line wrote the role into it: only then is it worth parsing.
  if (!/assistant|model|gemini/.test(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is EventFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
