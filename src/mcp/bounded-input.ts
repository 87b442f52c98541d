import { Transform } from 'node:stream';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** The SDK closes the connection at a longer message, without an answer. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Of a message that is too long, what is kept to find its id. */
const KEPT_BYTES = 4096;
const LINE_END = 0x0a;

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)`;
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${ID}`);
const ID_LAST = new RegExp(String.raw`${ID}\s*\}\s*$`);

/**
 * The id of a request of which only the beginning and the end are known.
 *
 * @returns null if it is in neither
 */
export function idOf(beginning: string, end: string): string | number | null {
  const [, id] = ID_FIRST.exec(beginning) ?? ID_LAST.exec(end) ?? [];
  return id === undefined ? null : JSON.parse(id);
}

/**
 * A stream that passes on lines of at most so many bytes. Longer ones are dropped.
 *
 * @param onDropped is given the first and the last bytes of such a line, once it has ended
 */
export function boundedLines(
  maxBytes: number,
  onDropped: (beginning: string, end: string) => void,
): Transform {
  let pieces: Buffer[] = [];
  let length = 0;
  /** The last bytes of a line that is too long; undefined for other lines. */
  let end: Buffer | undefined;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (end === undefined && length <= maxBytes) {
      pieces.push(piece);
      return;
    }
    // Of a dropped line, only its beginning and its end are kept.
    const all = end === undefined ? Buffer.concat([...pieces, piece]) : Buffer.concat([end, piece]);
    if (end === undefined) pieces = [Buffer.from(all.subarray(0, KEPT_BYTES))];
    end = Buffer.from(all.subarray(-KEPT_BYTES));
  };
  const finish = (stream: Transform) => {
    if (end !== undefined) onDropped(String(pieces[0]), String(end));
    else if (length > 0) stream.push(Buffer.concat(pieces));
    pieces = [];
    length = 0;
    end = undefined;
  };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, from)) {
        add(chunk.subarray(from, at + 1));
        finish(this);
        from = at + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
    flush(done) {
      finish(this);
      done();
    },
  });
}

/** The transport on stdin and stdout, which answers a message that is too long with an error. */
export class BoundedStdioTransport extends StdioServerTransport {
  constructor() {
    const input = boundedLines(MAX_MESSAGE_BYTES, (beginning, end) => {
      const message = `The message is longer than ${MAX_MESSAGE_BYTES} bytes, and was not read. Send less, for example the path of a file instead of its text.`;
      const error = { code: ProtocolErrorCode.InvalidRequest, message };
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: idOf(beginning, end), error })}\n`);
    });
    process.stdin.on('error', (error) => input.destroy(error)).pipe(input);
    super(input, process.stdout, { maxBufferSize: 2 * MAX_MESSAGE_BYTES });
  }

  override async close(): Promise<void> {
    await super.close();
    // The process would wait for more input.
    process.stdin.unpipe();
    process.stdin.pause();
  }
}
