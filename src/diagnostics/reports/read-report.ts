import { readAnnotations } from './annotations.ts';
import { readJson } from './json.ts';
import { readJsonLines } from './json-lines.ts';
import { readJunit } from './junit.ts';
import { readTap } from './tap.ts';
import type { Report } from './types.ts';

/**
 * Reads a report, whatever its format is: its content shows it, not the name of the file.
 *
 * @returns undefined if it has none of the formats
 */
export function readReport(bytes: Buffer): Report | undefined {
  const text = decoded(bytes);
  const start = text.search(/^[<{[]|^[ \t]*(?:TAP version|1\.\.\d|(?:not )?ok\b|::(?:error|warning)\b)/m);
  const content = text.slice(Math.max(0, start)).trimStart();
  if (content.startsWith('<')) return /<testsuites?[\s>/]/.test(content) ? readJunit(content) : undefined;
  if (/^[{[]/.test(content)) return readAnyJson(content);
  if (/^::/.test(content)) return readAnnotations(content);
  return start === -1 ? undefined : readTap(text);
}

function readAnyJson(text: string): Report | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return /^\{.*\}\r?$/m.test(text) ? readJsonLines(text) : undefined;
  }
  const failures = readJson(value);
  return failures ? { failures, isWhole: true } : readJsonLines(text);
}

/** Some tools declare another encoding than UTF-8; shells of Windows write UTF-16. */
function decoded(bytes: Buffer): string {
  const declared = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1];
  const isUtf16 = bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe);
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : declared).decode(bytes);
  } catch {
    return bytes.toString();
  }
}
