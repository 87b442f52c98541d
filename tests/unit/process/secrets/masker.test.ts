import { describe, expect, test } from 'vitest';
import { maskText, maskTexts, SecretMasker } from '../../../../src/process/secrets/masker.ts';

/** Generated, so that secret scanners find no token in this repository. */
const letters = (length: number) => 'aB3dE6gH9'.repeat(length).slice(0, length);
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(length).slice(0, length);
const bits = (length: number) => 'ABCDEFG234567'.repeat(length).slice(0, length);
const PEM = (label: string, lines: readonly string[]) =>
  [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');

describe('maskText masks a well-known token, and nothing around it:', () => {
  test.each([
    ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start) => [start, start + letters(36)]),
    ['github_pat_', `github_pat_${letters(22)}_${letters(59)}`],
    ['glpat-', `glpat-${letters(20)}`],
    ['a routable glpat-', `glpat-${letters(27)}.01.${letters(9)}`],
    ['npm_', `npm_${letters(36)}`],
    ['Cloudflare', `cfut_${letters(40)}${hex(8)}`],
    ['Docker Hub', `dckr_pat_${letters(27)}`],
    ['Databricks', `dapi${hex(32)}-2`],
    ['Figma', `figd_${letters(40)}`],
    ['GitHub, longer than today', `ghp_${letters(60)}`],
    ['GitHub, for a short time', `ghs_123456_${letters(20)}.${letters(300)}.${letters(43)}`],
    ['Grafana Cloud', `glc_${letters(60)}==`],
    ['Grafana, service account', `glsa_${letters(32)}_${hex(8)}`],
    ['Groq', `gsk_${letters(52)}`],
    ['Vault', `hvs.${letters(95)}`],
    ['Vault, batch', `hvb.${letters(150)}`],
    ['Linear', `lin_api_${letters(40)}`],
    ['Notion', `ntn_12345678901${letters(35)}`],
    ['1Password', `ops_ey${letters(200)}fQ==`],
    ['Shopify', `shpat_${letters(32)}`],
    ['Stripe, test', `sk_test_${letters(99)}`],
    ['Tailscale', `tskey-auth-${letters(17)}-${letters(32)}`],
    ['Vercel', `vcp_${letters(40)}`],
    ['SendGrid', `SG.${letters(22)}.${letters(43)}`],
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
      ['{"a":"b\\n', '\\n"}'],
      ['?token%3D', '&b=c'],
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
    ['https://hooks.slack.com/services/', `T0/B0/${letters(24)}`, ' 404'],
    ['POST https://discord.com/api/webhooks/', `123456789012345678/${letters(68)}`, '\n'],
    [
      '{"key":"-----BEGIN PRIVATE KEY-----',
      `\\n${letters(64)}\\n${letters(20)}==\\n`,
      '-----END PRIVATE KEY-----\\n"}',
    ],
  ])('%s…', (before, secret, after) => {
    expect(maskText(before + secret + after, [])).toBe(`${before}***${after}`);
  });
});

describe('maskText does not change ordinary text:', () => {
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
    'SG.user.name MSG.event.type vcr_cassettes_of_requests import_vcr_cassette hvs.test ops_eyes dapi_key rapid dapir',
    'glc_test_helper xvcp_abcdefghijklmnopqrstuvwxyz lin_api_client figd_x tskey-auth-x-y shpat_ cfk_ gsk_model',
    'npm_package_scripts_test_of_a_very_long_name npm_config_registry_of_the_whole_company_and_others',
    '    at Object.<anonymous> (/home/me/node_modules/vitest/dist/chunk-3f786850e387550f.js:12:34)',
    '  "data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 etag W/"5e-0a1b2c3d4e5f67890a1b2c3d4e5f6789"',
    'https://hooks.slack.com/services/ https://api.slack.com/ GET /api/webhooks/list',
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

describe('maskText masks a private key line by line:', () => {
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

  test('without an END border, up to the first line that does not belong to it', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${letters(64)}\nthat was all\nword\n`;
    expect(maskText(text, [])).toBe('-----BEGIN PRIVATE KEY-----\n***\nthat was all\nword\n');
  });

  test('at the end of the text, without a newline', () => {
    expect(maskText(`-----BEGIN PRIVATE KEY-----\n${letters(64)}`, [])).toBe(
      '-----BEGIN PRIVATE KEY-----\n***',
    );
  });
});

describe('maskText, given secrets,', () => {
  test.each([
    ['masks every occurrence', ['hunter2-hunter2'], 'hunter2-hunter2 xhunter2-hunter2y', '*** x***y'],
    ['masks two occurrences in a row', ['abcdefg1'], 'abcdefg1abcdefg1', '******'],
    ['masks a secret inside another', ['cdefghi2', 'abcdefghi2jk'], 'x abcdefghi2jk cdefghi2', 'x *** ***'],
    [
      'masks a secret that begins like another',
      ['abcdefg1', 'abcdefg1hijk'],
      'abcdefg1hijk abcdefg1hij',
      '*** ***hij',
    ],
    ['masks a secret that overlaps another', ['abcdefg1', 'g1hijklm'], 'abcdefg1hijklm', '***'],
    ['masks a secret that overlaps a token', [`${letters(9)}/rest`], `sk-${letters(63)}/rest.`, '***.'],
    ['masks a secret with multi-byte characters', ['pässwörd-😀'], 'é pässwörd-😀 é', 'é *** é'],
    ['masks a secret with an @ in a URL', ['p@ss/w0rd'], 'x://me:p@ss/w0rd@host', 'x://me:***@host'],
    ['respects case', ['abcdefg1'], 'ABCDEFG1', 'ABCDEFG1'],
    ['does not mask a part of a secret', ['abcdefg1'], 'abcdefg', 'abcdefg'],
    ['accepts a text shorter than the secret', ['abcdefg1'], 'a', 'a'],
  ])('%s', (_, secrets, text, masked) => {
    expect(maskText(text, secrets)).toBe(masked);
  });
});

test('maskTexts masks every string in a value, and nothing else', () => {
  const value = { a: 'x hunter2-hunter2', b: ['hunter2-hunter2', 5, null, true], c: { d: 'fine' } };
  expect(maskTexts(value, ['hunter2-hunter2'])).toEqual({
    a: 'x ***',
    b: ['***', 5, null, true],
    c: { d: 'fine' },
  });
});

const SECRETS = ['hunter2-hunter2', 'abcdefg1', 'g1hijklm', 'ends-in-sk-', 'pässwörd-😀'];

/** The output for each chunk and at the end. */
function pieces(chunks: readonly (string | Buffer)[]): string[] {
  const masker = new SecretMasker(SECRETS);
  const out = chunks.map((chunk) => masker.write(Buffer.from(chunk as string)));
  return [...out, masker.end()].map((bytes) => bytes.toString('latin1'));
}

describe('SecretMasker masks the same however the chunks are cut:', () => {
  const texts: [what: string, text: string, masked: string][] = [
    ['secrets', 'a hunter2-hunter2\nb abcdefg1hijklm.', 'a ***\nb ***.'],
    ['a secret with multi-byte characters', 'é pässwörd-😀 é', 'é *** é'],
    ['a secret that only seems to begin', 'hunter2-hunter hunter2-hunter2', 'hunter2-hunter ***'],
    ['a secret that a token begins in', `ends-in-sk-${letters(40)} x`, '*** x'],
    ['a token', `is ghp_${letters(36)}, yes`, 'is ***, yes'],
    ['a token at the end', `is ghp_${letters(36)}`, 'is ***'],
    [
      'the end of a word that is no token',
      `task-${letters(40)} sk-${letters(40)}`,
      `task-${letters(40)} ***`,
    ],
    ['a header', `Authorization: Basic ${letters(20)}\n`, 'Authorization: Basic ***\n'],
    [
      'a URL',
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
  test.each(texts)('%s, cut in two', (_, text, masked) => {
    const bytes = Buffer.from(text);
    const results = Array.from({ length: bytes.length + 1 }, (_, at) =>
      Buffer.from(pieces([bytes.subarray(0, at), bytes.subarray(at)]).join(''), 'latin1').toString(),
    );
    expect(new Set(results)).toEqual(new Set([masked]));
  });

  test.each(texts)('%s, cut at every byte', (_, text, masked) => {
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    expect(Buffer.from(pieces(bytes).join(''), 'latin1').toString()).toBe(masked);
  });
});

describe('SecretMasker immediately passes output that cannot become a secret:', () => {
  test.each([
    ['dots', ['.', '.', '.'], ['.', '.', '.', '']],
    ['a spinner', ['\r|', '\r/', '\r-', '\r\\'], ['\r|', '\r/', '\r-', '\r\\', '']],
    ['a line that grows', ['Test ', '1 of 5', ' 50%'], ['Test ', '1 of 5', ' 50%', '']],
    ['dashes', ['-----', '='], ['-----', '=', '']],
    ['a URL and the text after it', ['at http://localhost:80 ', '.'], ['at http://localhost:80 ', '.', '']],
    ['the start of a secret that turned out to be none', ['a hunter2', '-y'], ['a ', 'hunter2-y', '']],
    ['a whole secret', ['a g1hijklm', ' k'], ['a ***', ' k', '']],
    ['the end of the text', ['a hunter2'], ['a ', 'hunter2']],
    [
      'a finished line of a key',
      ['-----BEGIN PRIVATE KEY-----\nab', 'cd\n'],
      ['-----BEGIN PRIVATE KEY-----\n', '***\n', ''],
    ],
  ])('%s', (_, chunks, out) => {
    expect(pieces(chunks)).toEqual(out);
  });
});

describe('SecretMasker passes binary data unchanged', () => {
  const all = Buffer.from(Array.from({ length: 65_536 }, (_, n) => [n >> 8, n & 0xff]).flat());
  test.each([[all.length], [4096], [7]])('in chunks of %d', (size) => {
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, n) =>
      all.subarray(n * size, (n + 1) * size),
    );
    expect(pieces(chunks).join('') === all.toString('latin1')).toBe(true);
  });
});

describe('SecretMasker holds back a bounded part of', () => {
  test.each([
    ['an endless token', 'eyJ', 'a'],
    ['an endless line of a key', '-----BEGIN PRIVATE KEY-----\n', 'a'],
    ['overlapping secrets', '', 'abcdefg1hijklm'],
  ])('%s', (_, start, rest) => {
    const masker = new SecretMasker(['abcdefg1hijklm', 'abcdefg1hijklmabcdefg1hijklm']);
    masker.write(Buffer.from(start));
    const chunk = Buffer.from(rest.repeat(Math.ceil(4096 / rest.length)));
    const out = Array.from({ length: 100 }, () => masker.write(chunk).length);
    expect(out.slice(10).filter((length) => length > 0).length).toBeGreaterThan(10);
    expect(masker.end().length).toBeLessThan(40_000);
  });
});
