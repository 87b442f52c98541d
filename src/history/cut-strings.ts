/** A string of so many bytes is cut. */
const LONG = 32 * 1024;
/** So many bytes of its start stay, and as many of its end: exit codes are there, and what is said first and last. */
const KEPT = 8 * 1024;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `\u00e9` */
const ESCAPE_BYTES = 6;
const GAP = Buffer.from(' … ');

/**
 * A line of JSON whose long strings have no middle. Outputs are most of a transcript, and as text and parsed they would take
 * several times their memory.
 */
export function withoutLongStrings(line: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let start = line.indexOf(QUOTE); start !== -1; ) {
    const end = endOfString(line, start + 1);
    if (end - start > LONG) {
      const cut = outsideOfEscapes(line, start + KEPT);
      const resumed = outsideOfEscapes(line, end - KEPT);
      if (cut < resumed && resumed < end) {
        parts.push(line.subarray(from, cut), GAP);
        from = resumed;
      }
    }
    start = line.indexOf(QUOTE, end + 1);
  }
  return from === 0 ? line : Buffer.concat([...parts, line.subarray(from)]);
}

/** The index of the quotation mark that ends a string; the end of the line without one. */
function endOfString(line: Buffer, from: number): number {
  for (let end = line.indexOf(QUOTE, from); end !== -1; end = line.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (line[before - 1] === BACKSLASH) before -= 1;
    // An even number of them are backslashes of the text.
    if ((end - before) % 2 === 0) return end;
  }
  return line.length;
}

/**
 * The first index from here on that is in no escape sequence and in no character of several bytes; the end of the line if
 * none is near.
 */
function outsideOfEscapes(line: Buffer, from: number): number {
  const last = Math.min(line.length, from + KEPT / 2);
  for (let at = from; at < last; at++) {
    const escaping = line.subarray(at - ESCAPE_BYTES, at).lastIndexOf(BACKSLASH);
    const isContinuation = ((line[at] ?? 0) & 0xc0) === 0x80;
    if (escaping === -1 && !isContinuation) return at;
  }
  return line.length;
}
