import { describe, expect, test } from 'vitest';
import { secretsIn } from '../../../../src/process/secrets/environment.ts';

const VALUE = 'hunter2-hunter2';

describe('secretsIn', () => {
  test.each([
    'TOKEN',
    'GITHUB_TOKEN',
    'github_token',
    'TOKEN_OF_CI',
    'npm_config_//registry.npmjs.org/:_authToken',
    'KEY',
    'OPENAI_API_KEY',
    'OPENAI_APIKEY',
    'AWS_SECRET_ACCESS_KEY',
    'APIKEY',
    'openaiApiKey',
    'CLIENT_SECRET',
    'CLIENTSECRETS',
    'POSTGRES_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PASSWD_2',
    'GPG_PASSPHRASE',
    'GOOGLE_CREDENTIALS',
    'A_CREDENTIAL',
    'COMPOSER_AUTH',
    'SSH_PRIVATE',
  ])('includes the value of a variable named %s', (name) => {
    expect(secretsIn({ [name]: VALUE })).toEqual([VALUE]);
  });

  test.each([
    'HOME',
    'MAX_TOKENS',
    'TOKENIZER',
    'KEYBOARD',
    'MONKEY',
    'KEY_COUNT',
    'AUTHOR',
    'GIT_AUTHOR_NAME',
    'GOPRIVATE',
    'PATH',
  ])('excludes the value of a variable named %s', (name) => {
    expect(secretsIn({ [name]: VALUE })).toEqual([]);
  });

  test('excludes a variable that is not set', () => {
    expect(secretsIn({ TOKEN: undefined })).toEqual([]);
  });
});

describe('secretsIn, of a variable with a secret name,', () => {
  test.each([
    ['twelve letters', 'abcdefghijkl'],
    ['eight characters of several kinds', 'abcdefg1'],
    ['eight digits', '12345678'],
    ['a word with a slash', 'a/bcdefgh'],
    ['base64 that begins with a slash', '/9jAbCdEfGhIjKlMnOp4'],
    ['base64 that begins with a slash and a plus', '/+abcdefghijklm'],
    ['a URL with a path', 'https://hooks.example.com/T0/B0'],
  ])('includes %s', (_, value) => {
    expect(secretsIn({ A_TOKEN: value })).toContain(value);
  });

  test.each([
    ['an empty value', ''],
    ['eleven lower-case letters', 'abcdefghijk'],
    ['a short word', 'postgres'],
    ['seven characters of several kinds', 'abcdef1'],
    ['a boolean', 'true'],
    ['a number', '1234567'],
    ['an absolute path', '/home/someone/.config/tokens/main.json'],
    ['a path with a changing name', '/tmp/ssh-XXXXaB3dE9/agent.1234'],
    ['a path in the home directory', '~/.ssh/id_ed25519'],
    ['a relative path', './keys/some-long-name.pem'],
    ['a path in the parent directory', '../keys/some-long-name.pem'],
    ['a URL without a path', 'http://localhost:3000/'],
  ])('excludes %s', (_, value) => {
    expect(secretsIn({ A_TOKEN: value })).toEqual([]);
  });

  test('includes each line by itself, trimmed', () => {
    const lines = ['-----BEGIN X-----', '  FirstLine1', 'short', 'SecondLine2 ', '-----END X-----'];
    expect(secretsIn({ A_KEY: lines.join('\r\n') })).toEqual(['FirstLine1', 'SecondLine2']);
  });

  test('includes the password in a URL under any variable name', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres://me:Passw0rd.1@host:5432/db' })).toEqual(['Passw0rd.1']);
    expect(secretsIn({ DATABASE_URL: 'postgres://postgres:postgres@host/db' })).toEqual([]);
    expect(secretsIn({ PAGE: 'http://localhost:3000/some/where@home' })).toEqual([]);
  });
});

test.each([
  ['as it is', 'abc-def-123', ['abc-def-123']],
  ['as JSON escapes it', 'say "hi" now', ['say "hi" now', 'say \\"hi\\" now', 'say%20%22hi%22%20now']],
  ['as a URL encodes it', 'p@ss/wörd', ['p@ss/wörd', 'p%40ss%2Fw%C3%B6rd']],
  ['with half of a surrogate pair replaced', 'half-\ud83d-pair', ['half-\ufffd-pair', 'half-%EF%BF%BD-pair']],
])('secretsIn includes a secret %s', (_, value, forms) => {
  expect(secretsIn({ A_SECRET: value })).toEqual(forms);
});

test('secretsIn includes the same secret once', () => {
  expect(secretsIn({ A_TOKEN: VALUE, B_TOKEN: VALUE })).toEqual([VALUE]);
});
