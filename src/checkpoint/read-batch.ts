import { Refusal } from './refusal.ts';

/** Takes one blob, piece by piece. */
export interface BlobSink {
  write(bytes: Buffer): void;
  end(): void;
}

/**
 * Takes apart what `git cat-file --batch` prints, so that no blob need be in memory as a whole: for each blob
 * `<id> blob <size>`, a line break, its bytes, a line break.
 *
 * @param open makes what takes the next blob
 * @returns what takes the output as it comes
 */
export function batchReader(open: () => BlobSink): (bytes: Buffer) => void {
  let header = '';
  let sink: BlobSink | undefined;
  let left = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (sink === undefined) {
        const end = bytes.indexOf('\n', at);
        header += bytes.toString('latin1', at, end === -1 ? bytes.length : end);
        if (end === -1) return;
        left = sizeIn(header);
        sink = open();
        header = '';
        at = end + 1;
      }
      const piece = bytes.subarray(at, at + left);
      if (piece.length > 0) sink.write(piece);
      at += piece.length;
      left -= piece.length;
      if (left > 0 || at === bytes.length) continue;
      // The line break behind the blob.
      at++;
      sink.end();
      sink = undefined;
    }
  };
}

function sizeIn(header: string): number {
  const [, size] = /^[\da-f]+ blob (\d+)$/.exec(header) ?? [];
  if (size === undefined) throw new Refusal(`git does not have what the checkpoint holds: ${header}`);
  return Number(size);
}
