import { readAnnotations } from './annotations.ts';
import { readJson } from './json.ts';
import { readJsonLines } from './json-lines.ts';
import { isTooComplex, parsedJson } from './json-values.ts';
import { readJunit } from './junit.ts';
import { readTap } from './tap.ts';
import type { Report } from './types.ts';

/**
 * Reads a report, whatever its format is: its content shows it, not the name of the file.
 *
 * @returns a clause about why it was not read, where it was not
 */
export function readReport(bytes: Buffer): Report | string {
  const text = decoded(bytes);
  const start = text.search(/^[<{[]|^[ \t]*(?:TAP version|1\.\.\d|(?:not )?ok\b|::(?:error|warning)\b)/m);
  const content = text.slice(Math.max(0, start)).trimStart();
  if (content.startsWith('<')) return /<testsuites?[\s>/]/.test(content) ? readJunit(content) : UNKNOWN;
  if (/^[{[]/.test(content)) return readAnyJson(content);
  if (/^::/.test(content)) return readAnnotations(content);
  return start === -1 ? UNKNOWN : readTap(text);
}

const UNKNOWN = 'is in no known format';

function readAnyJson(text: string): Report | string {
  const value = parsedJson(text);
  const failures = value === undefined ? undefined : readJson(value);
  if (failures) return { failures, isWhole: true };
  if (value !== undefined || /^\{.*\}\r?$/m.test(text)) return readJsonLines(text);
  return isTooComplex(text) ? 'has too many values to be read' : UNKNOWN;
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
