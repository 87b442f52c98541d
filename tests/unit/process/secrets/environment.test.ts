import { describe, expect, test } from 'vitest';
import { secretsIn } from '../../../../src/process/secrets/environment.ts';

const VALUE = 'hunter2-hunter2';

describe('a name tells that its value is secret, or not', () => {
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
  ])('secret: %s', (name) => {
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
  ])('none: %s', (name) => {
    expect(secretsIn({ [name]: VALUE })).toEqual([]);
  });

  test('nor is a variable that is not set', () => {
    expect(secretsIn({ TOKEN: undefined })).toEqual([]);
  });
});

describe('a value is long enough, and looks like a secret, or not', () => {
  test.each([
    ['twelve letters', 'abcdefghijkl'],
    ['eight of several kinds', 'abcdefg1'],
    ['eight digits', '12345678'],
    ['a path character in it', 'a/bcdefgh'],
    ['base64 with a slash in front', '/9jAbCdEfGhIjKlMnOp4'],
    ['base64 with a slash and a plus', '/+abcdefghijklm'],
    ['an address with a path', 'https://hooks.example.com/T0/B0'],
  ])('secret: %s', (_, value) => {
    expect(secretsIn({ A_TOKEN: value })).toContain(value);
  });

  test.each([
    ['nothing', ''],
    ['eleven lower-case letters', 'abcdefghijk'],
    ['the word that everything is called', 'postgres'],
    ['seven of several kinds', 'abcdef1'],
    ['a truth value', 'true'],
    ['a number', '1234567'],
    ['an absolute path', '/home/someone/.config/tokens/main.json'],
    ['a path with a changing name', '/tmp/ssh-XXXXaB3dE9/agent.1234'],
    ['a path in the home directory', '~/.ssh/id_ed25519'],
    ['a relative path', './keys/some-long-name.pem'],
    ['a path of a parent', '../keys/some-long-name.pem'],
    ['an address', 'http://localhost:3000/'],
  ])('none: %s', (_, value) => {
    expect(secretsIn({ A_TOKEN: value })).toEqual([]);
  });

  test('line by line, without blanks around', () => {
    const lines = ['-----BEGIN X-----', '  FirstLine1', 'short', 'SecondLine2 ', '-----END X-----'];
    expect(secretsIn({ A_KEY: lines.join('\r\n') })).toEqual(['FirstLine1', 'SecondLine2']);
  });

  test('the password in an address is one, whatever its variable is called', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres://me:Passw0rd.1@host:5432/db' })).toEqual(['Passw0rd.1']);
    expect(secretsIn({ DATABASE_URL: 'postgres://postgres:postgres@host/db' })).toEqual([]);
    expect(secretsIn({ PAGE: 'http://localhost:3000/some/where@home' })).toEqual([]);
  });
});

test.each([
  ['as it stands alone', 'abc-def-123', ['abc-def-123']],
  ['as JSON has it', 'say "hi" now', ['say "hi" now', 'say \\"hi\\" now', 'say%20%22hi%22%20now']],
  ['as a URL has it', 'p@ss/wörd', ['p@ss/wörd', 'p%40ss%2Fw%C3%B6rd']],
  ['though it is broken', 'half-\ud83d-pair', ['half-\ufffd-pair', 'half-%EF%BF%BD-pair']],
])('a secret is told %s', (_, value, forms) => {
  expect(secretsIn({ A_SECRET: value })).toEqual(forms);
});

test('the same secret is told once', () => {
  expect(secretsIn({ A_TOKEN: VALUE, B_TOKEN: VALUE })).toEqual([VALUE]);
});
