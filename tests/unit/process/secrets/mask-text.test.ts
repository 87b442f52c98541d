import { describe, expect, test } from 'vitest';
import { maskText, maskTexts } from '../../../../src/process/secrets/masker.ts';

/** Made up here, so that no scanner of this repository takes one for real. */
const letters = (length: number) => 'aB3dE6gH9'.repeat(length).slice(0, length);
const bits = (length: number) => 'ABCDEFG234567'.repeat(length).slice(0, length);
const PEM = (label: string, lines: readonly string[]) =>
  [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');

describe('a well-known kind of token is masked, and what stands around it is not', () => {
  test.each([
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start) => [start, start + letters(36)]),
    ['github_pat_', `github_pat_${letters(22)}_${letters(59)}`],
    ['glpat-', `glpat-${letters(20)}`],
    ['a routable glpat-', `glpat-${letters(27)}.01.${letters(9)}`],
    ['npm_', `npm_${letters(36)}`],
    ['OpenAI, old', `sk-${letters(48)}`],
    ['OpenAI', `sk-proj-${letters(40)}-_${letters(40)}`],
    ['Anthropic', `sk-ant-api03-${letters(60)}_-${letters(30)}`],
    ['OpenRouter', `sk-or-v1-${letters(64)}`],
    ['Stripe', `sk_live_${letters(24)}`],
    ['Stripe, restricted', `rk_live_${letters(99)}`],
    ['AWS', `AKIA${bits(16)}`],
    ['AWS, temporary', `ASIA${bits(16)}`],
    ...['a', 'b', 'e', 'o', 'p', 'r', 's'].map((kind) => [
      `Slack, ${kind}`,
      `xox${kind}-123456-${letters(24)}`,
    ]),
    ['Google', `AIza${letters(33)}-_`],
    ['Hugging Face', `hf_${letters(34)}`],
    ['PyPI', `pypi-AgEI${letters(150)}`],
    ['JWT', `eyJ${letters(20)}.eyJ${letters(60)}.${letters(43)}`],
    ['JWT without a signature', `eyJ${letters(20)}.eyJ${letters(60)}.`],
  ])('%s', (_, token) => {
    for (const [before, after] of [
      ['', ''],
      ['token ', ' is wrong'],
      ['{"a":"', '"}'],
      ['\x1b[31m', '\x1b[0m'],
      ['A=', '\nB=c'],
      ['é: ', ' – é'],
    ])
      expect(maskText(`${before}${token}${after}`, [])).toBe(`${before}***${after}`);
  });

  test.each([
    ['Authorization: Bearer ', `${letters(16)}.-_~+/==`, '\r\n'],
    ['"authorization": "bearer ', letters(16), '"'],
    ["-H 'Authorization: Basic ", 'QWxhZGRpbjpv==', "'"],
    ['> Proxy-Authorization: basic ', 'QWxhZGRpbjpv', ''],
    ['with Bearer ', letters(16), ', refused'],
    ['{"a":"b\\n', `eyJ${letters(20)}.eyJ${letters(60)}.${letters(43)}`, '\\n"}'],
    ['postgres://me:', 'p%40ss-w.rd!', '@host:5432/db'],
    ['redis://:', 'x', '@host'],
    [
      '{"key":"-----BEGIN PRIVATE KEY-----',
      `\\n${letters(64)}\\n${letters(20)}==\\n`,
      '-----END PRIVATE KEY-----\\n"}',
    ],
  ])('%s… up to its value, and from its end', (before, secret, after) => {
    expect(maskText(before + secret + after, [])).toBe(`${before}***${after}`);
  });
});

describe('ordinary text is no token', () => {
  test.each([
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    '123e4567-e89b-12d3-a456-426614174000',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    '.sk-folding-cube .sk-cube-grid-of-nine-cubes { animation: sk-foldCubeAngle 2s }',
    'task-3f786850e387550fdab836ed7e6dc881de23001b risk-proj-management-of-a-very-large-new-company-in-town',
    'let task_live_migrations, mask_live_view_components_of_this_page;',
    'npm_config_registry npm_package_json npm_lifecycle_event',
    'glpat-short ghp_short hf_hub_download xoxb- AKIA SLOVAKIA eyJust.eyJohn',
    'SLOVAKIAABCDEFGHIJKLMNOPQ',
    'Bearer authentication, Bearer undefined, Basic understanding, basic internationalization',
    'Authorization: Bearer <token>',
    'https://registry.npmjs.org/@scope/name http://localhost:3000/@vite/client git+ssh://git@github.com:a/b',
    'http://localhost:8080?to=me@example.com http://localhost:8080 a@b',
    'webpack-internal:///./src/index.ts:3:5',
    '-----BEGIN CERTIFICATE-----\nMIIBhTCCASugAwIBAgIQIRi6zePL6mKjOipn\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
    'a PRIVATE KEY, they say\nthat\nnobody\nhas',
  ])('%s', (text) => {
    expect(maskText(text, [])).toBe(text);
  });
});

describe('a private key is masked line by line', () => {
  const key = [letters(64), letters(64), `${letters(10)}==`];
  const masked = ['***', '***', '***'];

  test.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])(
    '%s',
    (label) => {
      expect(maskText(`a\n${PEM(label, key)}b\nword\n`, [])).toBe(`a\n${PEM(label, masked)}b\nword\n`);
    },
  );

  test.each([
    ['below headers', ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,AB12', '']],
    ['of PGP, below a blank line', ['']],
  ])('%s', (_, headers) => {
    expect(maskText(PEM('RSA PRIVATE KEY', [...headers, ...key]), [])).toBe(
      PEM('RSA PRIVATE KEY', [...headers, ...masked]),
    );
  });

  test.each([
    ['indented', '    ', ''],
    ['with CRLF', '', '\r'],
    ['in a diff', '-', ''],
    ['as node prints a string', "    '", "\\n' +"],
    ['quoted in a mail', '> ', ''],
  ])('%s', (_, before, after) => {
    const wrap = (text: string) => text.replaceAll(/^(?=.)/gm, before).replaceAll(/$(?<=.)/gm, after);
    expect(maskText(wrap(PEM('EC PRIVATE KEY', key)), [])).toBe(wrap(PEM('EC PRIVATE KEY', masked)));
  });

  test('without its end, up to the first line that is none of it', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${letters(64)}\nthat was all\nword\n`;
    expect(maskText(text, [])).toBe('-----BEGIN PRIVATE KEY-----\n***\nthat was all\nword\n');
  });

  test('as the last words, without a newline', () => {
    expect(maskText(`-----BEGIN PRIVATE KEY-----\n${letters(64)}`, [])).toBe(
      '-----BEGIN PRIVATE KEY-----\n***',
    );
  });
});

describe('a given secret is masked', () => {
  test.each([
    ['everywhere', ['hunter2-hunter2'], 'hunter2-hunter2 xhunter2-hunter2y', '*** x***y'],
    ['twice in a row', ['abcdefg1'], 'abcdefg1abcdefg1', '******'],
    ['inside of another', ['cdefghi2', 'abcdefghi2jk'], 'x abcdefghi2jk cdefghi2', 'x *** ***'],
    ['that begins like another', ['abcdefg1', 'abcdefg1hijk'], 'abcdefg1hijk abcdefg1hij', '*** ***hij'],
    ['that overlaps another', ['abcdefg1', 'g1hijklm'], 'abcdefg1hijklm', '***'],
    ['that overlaps a token', [`${letters(9)}/rest`], `sk-${letters(63)}/rest.`, '***.'],
    ['with characters of several bytes', ['pässwörd-😀'], 'é pässwörd-😀 é', 'é *** é'],
    ['with an @ in a URL', ['p@ss/w0rd'], 'x://me:p@ss/w0rd@host', 'x://me:***@host'],
    ['not in other letters', ['abcdefg1'], 'ABCDEFG1', 'ABCDEFG1'],
    ['not by a part of it', ['abcdefg1'], 'abcdefg', 'abcdefg'],
    ['in a text of a few bytes', ['abcdefg1'], 'a', 'a'],
  ])('%s', (_, secrets, text, masked) => {
    expect(maskText(text, secrets)).toBe(masked);
  });
});

test('every text in a value is masked, and nothing else', () => {
  const value = { a: 'x hunter2-hunter2', b: ['hunter2-hunter2', 5, null, true], c: { d: 'fine' } };
  expect(maskTexts(value, ['hunter2-hunter2'])).toEqual({
    a: 'x ***',
    b: ['***', 5, null, true],
    c: { d: 'fine' },
  });
});
