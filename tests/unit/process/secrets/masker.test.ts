import { describe, expect, test } from 'vitest';
import { SecretMasker } from '../../../../src/process/secrets/masker.ts';

const SECRETS = ['hunter2-hunter2', 'abcdefg1', 'g1hijklm', 'ends-in-sk-', 'pässwörd-😀'];
const letters = (length: number) => 'aB3dE6gH9'.repeat(length).slice(0, length);

/** What comes out for each chunk, and at the end. */
function pieces(chunks: readonly (string | Buffer)[]): string[] {
  const masker = new SecretMasker(SECRETS);
  const out = chunks.map((chunk) => masker.write(Buffer.from(chunk as string)));
  return [...out, masker.end()].map((bytes) => bytes.toString('latin1'));
}

describe('wherever the chunks are cut, the same is masked', () => {
  const texts: [what: string, text: string, masked: string][] = [
    ['secrets', 'a hunter2-hunter2\nb abcdefg1hijklm.', 'a ***\nb ***.'],
    ['a secret of several bytes a character', 'é pässwörd-😀 é', 'é *** é'],
    ['a secret that only seems to begin', 'hunter2-hunter hunter2-hunter2', 'hunter2-hunter ***'],
    ['a secret that a token begins in', `ends-in-sk-${letters(40)} x`, '*** x'],
    ['a token', `is ghp_${letters(36)}, yes`, 'is ***, yes'],
    ['a token as the last words', `is ghp_${letters(36)}`, 'is ***'],
    [
      'the end of a word that is no token',
      `task-${letters(40)} sk-${letters(40)}`,
      `task-${letters(40)} ***`,
    ],
    ['a header', `Authorization: Basic ${letters(20)}\n`, 'Authorization: Basic ***\n'],
    [
      'an address',
      'to http://me:pass@host and http://host:80/a@b\n',
      'to http://me:***@host and http://host:80/a@b\n',
    ],
    [
      'a private key',
      `x\n-----BEGIN RSA PRIVATE KEY-----\n${letters(64)}\n${letters(8)}\n-----END RSA PRIVATE KEY-----\nword\n`,
      'x\n-----BEGIN RSA PRIVATE KEY-----\n***\n***\n-----END RSA PRIVATE KEY-----\nword\n',
    ],
    [
      'a private key of PGP',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${letters(64)}\n-----END PGP PRIVATE KEY BLOCK-----\n`,
      '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n***\n-----END PGP PRIVATE KEY BLOCK-----\n',
    ],
  ];
  test.each(texts)('in two, %s', (_, text, masked) => {
    const bytes = Buffer.from(text);
    const results = Array.from({ length: bytes.length + 1 }, (_, at) =>
      Buffer.from(pieces([bytes.subarray(0, at), bytes.subarray(at)]).join(''), 'latin1').toString(),
    );
    expect(new Set(results)).toEqual(new Set([masked]));
  });

  test.each(texts)('at every byte, %s', (_, text, masked) => {
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect(Buffer.from(pieces(bytes).join(''), 'latin1').toString()).toBe(masked);
  });
});

describe('what cannot become a secret is out at once', () => {
  test.each([
    ['dots', ['.', '.', '.'], ['.', '.', '.', '']],
    ['a spinner', ['\r|', '\r/', '\r-', '\r\\'], ['\r|', '\r/', '\r-', '\r\\', '']],
    ['a line that grows', ['Test', ' 1 of', ' 5%'], ['Test', ' 1 of', ' 5%', '']],
    ['dashes', ['-----', '='], ['-----', '=', '']],
    [
      'an address, and what follows it',
      ['at http://localhost:80 ', '.'],
      ['at http://localhost:80 ', '.', ''],
    ],
    ['what seemed to be a secret', ['a hunter2', '-y'], ['a ', 'hunter2-y', '']],
    ['a secret that is whole', ['a g1hijklm', ' c'], ['a ***', ' c', '']],
    ['the last words', ['a hunter2'], ['a ', 'hunter2']],
    [
      'a line of a key that ends',
      ['-----BEGIN PRIVATE KEY-----\nab', 'cd\n'],
      ['-----BEGIN PRIVATE KEY-----\n', '***\n', ''],
    ],
  ])('%s', (_, chunks, out) => {
    expect(pieces(chunks)).toEqual(out);
  });
});

describe('bytes that are no text pass unchanged', () => {
  const all = Buffer.from(Array.from({ length: 65_536 }, (_, n) => [n >> 8, n & 0xff]).flat());
  test.each([[all.length], [4096], [7]])('in chunks of %d', (size) => {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
      all.subarray(n * size, (n + 1) * size),
    );
    expect(pieces(chunks).join('') === all.toString('latin1')).toBe(true);
  });
});

describe('what is held back is bounded', () => {
  test.each([
    ['a token that goes on', 'eyJ', 'a'],
    ['a key of one line that goes on', '-----BEGIN PRIVATE KEY-----\n', 'a'],
    ['secrets one in another', '', 'abcdefg1hijklm'],
  ])('%s', (_, start, rest) => {
    const masker = new SecretMasker(['abcdefg1hijklm', 'abcdefg1hijklmabcdefg1hijklm']);
    masker.write(Buffer.from(start));
    const chunk = Buffer.from(rest.repeat(Math.ceil(4096 / rest.length)));
    const out = Array.from({ length: 100 }, () => masker.write(chunk).length);
    expect(out.slice(10).filter((length) => length > 0).length).toBeGreaterThan(10);
    expect(masker.end().length).toBeLessThan(40_000);
  });
});
