import sax from 'sax';
import { detachString } from '../lines/line-text.ts';

interface XmlHandlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
}

/** No report is deeper. */
const MAX_DEPTH = 200;
/** Something that has more mistakes is not XML. */
const MAX_MISTAKES = 20;
const CHUNK_CHARACTERS = 64 * 1024;
/** What the parser collects a character at a time until it is whole, in 32 bytes each. It would refuse longer ones. */
const COLLECTED = [
  'attribName',
  'attribValue',
  'comment',
  'doctype',
  'entity',
  'procInstBody',
  'sgmlDecl',
  'tagName',
] as const;
const MAX_COLLECTED = 128 * 1024;

/**
 * Reads XML, as far as it goes. An entity that the document declares stays as it is: nothing is expanded or fetched.
 *
 * @returns whether it is whole
 */
export function readXml(xml: string, { open, text, close }: XmlHandlers): boolean {
  // The parser would refuse attributes of more than 64 kB, such as the message of a large difference.
  const parser = Object.assign(sax.parser(true), { bufferCheckPosition: Number.POSITIVE_INFINITY });
  const collected = parser as unknown as Partial<Record<(typeof COLLECTED)[number], string>>;
  let depth = 0;
  let mistakes = 0;
  parser.onopentag = ({ name, attributes }) => {
    depth++;
    open(name, attributes as Record<string, string>);
  };
  parser.ontext = text;
  parser.oncdata = text;
  parser.onclosetag = (name) => {
    depth--;
    close(name);
  };
  parser.onerror = () => {
    mistakes++;
    // The parser reads on only without its error.
    (parser as { error: Error | null }).error = null;
  };
  for (let at = 0; at < xml.length; at += CHUNK_CHARACTERS) {
    parser.write(xml.slice(at, at + CHUNK_CHARACTERS)).flush();
    for (const name of COLLECTED) {
      const text = collected[name] ?? '';
      if (text.length > MAX_COLLECTED) collected[name] = detachString(text.slice(0, MAX_COLLECTED));
    }
    if (depth > MAX_DEPTH || mistakes > MAX_MISTAKES) return false;
  }
  parser.close();
  return mistakes === 0;
}
