import { describe, expect, test } from 'vitest';
import { secretsIn } from '../../../../src/process/secrets/environment.ts';

const VALUE = 'hunter2-hunter2';

describe('secretsIn', () => {
  test.each([
    'TOKEN',
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'github_token',
    'TOKEN_OF_CI',
    'CI_JOB_TOKEN',
    'AWS_SESSION_TOKEN',
    'ACCESSTOKEN',
    'AUTHTOKEN',
    'VAULT_TOKEN_2',
    'API_TOKENS',
    'accessToken',
    'npm_config_//registry.npmjs.org/:_authToken',
    'NPM_AUTH',
    'COMPOSER_AUTH',
    'DOCKER_AUTH_CONFIG',
    'HTTP_AUTHORIZATION',
    'BEARER',
    'OAUTH',
    'KEY',
    'OPENAI_API_KEY',
    'OPENAI_API_KEY_1',
    'OPENAI_API_KEY_PROD',
    'OPENAI_APIKEY',
    'APIKEY',
    'APIKEY2',
    'openaiApiKey',
    'API_KEYS',
    'RAILS_MASTER_KEY',
    'SIGNING_KEY_BASE64',
    'SSHKEY',
    'STORAGEKEY',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'CLIENT_SECRET',
    'CLIENTSECRETS',
    'SECRET_KEY_BASE',
    'JWT_SECRET',
    'SECRETS_URL',
    'PRIVATE_KEY',
    'SSH_PRIVATE',
    'DEPLOY_PRIVATE_KEY_2',
    'POSTGRES_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PASSWD_2',
    'GPG_PASSPHRASE',
    'DB_PASS',
    'DBPASS',
    'DB_PASS_2',
    'SMTP_PASS',
    'SSHPASS',
    'MYSQL_PWD',
    'MYSQLPWD',
    'DB_PWD_1',
    'ADMIN_PW',
    'DB_PSWD',
    'LOGIN_PASSCODE',
    'dbPass',
    'GITHUB_PAT',
    'GH_PAT_2',
    'AZURE_PAT_CI',
    'GOOGLE_CREDENTIALS',
    'A_CREDENTIAL',
    'AWS_CREDS',
    'REGISTRY_CRED',
    'GOOGLECREDENTIALS',
    'SLACK_WEBHOOK',
    'SLACK_WEBHOOK_URL',
    'DISCORD_WEBHOOKS',
    'slackWebhookUrl',
    'JWT',
    'MY_JWT',
    'JWT_2',
    'JWTADMIN',
    'SESSION_COOKIE',
    'COOKIE',
    'COOKIES',
    'WIFI_PSK',
    'SAS_SIG',
    'WALLET_MNEMONIC',
  ])('includes the value of a variable named %s', (name) => {
    expect(secretsIn({ [name]: VALUE })).toEqual([VALUE]);
  });

  test.each([
    'HOME',
    'PATH',
    'PWD',
    'OLDPWD',
    'INIT_CWD',
    'MAX_TOKENS',
    'TOKENIZER',
    'TOKEN_LIMIT',
    'TOKEN_URL',
    'TOKEN_ENDPOINT',
    'KEYBOARD',
    'MONKEY',
    'TURKEY',
    'KEYMAP',
    'KEY_COUNT',
    'KEY_ID',
    'KEY_FILE',
    'PUBLIC_KEY',
    'SSH_PUBKEY',
    'STRIPE_PUBLISHABLE_KEY',
    'AUTHOR',
    'GIT_AUTHOR_NAME',
    'GIT_AUTHOR_EMAIL',
    'XAUTHORITY',
    'SSH_AUTH_SOCK',
    'AUTH_PROVIDER',
    'AUTH0_DOMAIN',
    'OAUTH_CLIENT_ID',
    'NEXTAUTH_URL',
    'GOPRIVATE',
    'BYPASS',
    'COMPASS',
    'GIT_ASKPASS',
    'VSCODE_GIT_ASKPASS_EXTRA_ARGS',
    'PASSENGER_APP',
    'PATTERN',
    'PATCH',
    'PATIENT',
    'COMPAT',
    'SIGNAL',
    'DESIGN',
    'JWT_ISSUER',
    'JWT_ALGORITHM',
    'COOKIE_DOMAIN',
    'COOKIE_NAME',
    'CREDIT',
    'CREDENTIAL_HELPER',
    'XDG_SESSION_ID',
    'TERM',
    'LANG',
    'LS_COLORS',
    'NODE_OPTIONS',
    'npm_config_user_agent',
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
    ['a placeholder of a shell', `$${'{DEPLOY_TOKEN}'}`],
    ['a variable', '$DEPLOY_TOKEN'],
    ['a placeholder of a template', '<your token here>'],
    ['a placeholder of a CI system', '************'],
  ])('excludes %s', (_, value) => {
    expect(secretsIn({ A_TOKEN: value })).toEqual([]);
  });

  test('includes each line by itself, trimmed', () => {
    const lines = ['-----BEGIN X-----', '  FirstLine1', 'short', 'SecondLine2 ', '-----END X-----'];
    expect(secretsIn({ A_KEY: lines.join('\r\n') })).toEqual(['FirstLine1', 'SecondLine2']);
  });

  test.each([
    ['the words of a list', 'abcdefg1, hijklmn2;opqrstu3', ['abcdefg1', 'hijklmn2', 'opqrstu3']],
    ['the token after its scheme', 'Bearer abcdefg1', ['abcdefg1']],
    ['the password after a user', 'someone:abcdefg1', ['abcdefg1']],
    ['the value of a cookie', 'sid=abcdefg1; theme=dark', ['abcdefg1']],
  ])('includes %s', (_, value, secrets) => {
    expect(secretsIn({ A_TOKEN: value })).toEqual(expect.arrayContaining([value, ...secrets]));
  });
});

describe('secretsIn, whatever the name of the variable,', () => {
  test.each([
    ['the password in a URL', 'postgres://me:Passw0rd.1@host:5432/db', ['Passw0rd.1']],
    [
      'the passwords in several URLs',
      'redis://:Passw0rd.1@a,redis://:Passw0rd.2@b',
      ['Passw0rd.1', 'Passw0rd.2'],
    ],
    ['a token in place of a user', 'https://0123456789abcdef@sentry.io/1', ['0123456789abcdef']],
    ['the key of a connection string', 'Endpoint=x;AccountName=me;AccountKey=abc+DEF/12==', ['abc+DEF/12==']],
    ['the password of a connection string', 'host=db user=me password=Passw0rd.1 port=1', ['Passw0rd.1']],
    ['the password after a driver', 'Server=db;User Id=me;Pwd=Passw0rd.1;', ['Passw0rd.1']],
    ['the password in a query', 'jdbc:mysql://db/x?user=me&password=Passw0rd.1&ssl=1', ['Passw0rd.1']],
    ['the signature in a query', 'https://x.example/c?sv=1&sig=abc%2BDEF12', ['abc%2BDEF12']],
    ['a field of JSON', '{"user":"someone-else","auth_token": "Passw0rd.1"}', ['Passw0rd.1']],
  ])('includes %s', (_, value, secrets) => {
    const found = secretsIn({ SETTINGS: value }).filter((secret) => value.includes(secret));
    expect(found.toSorted()).toEqual(secrets);
  });

  test('includes a password that a URL should encode', () => {
    expect(secretsIn({ DATABASE_URL: 'postgres://me:p@ss/w0rd@host/db' })).toContain('p@ss/w0rd');
  });

  test.each([
    'postgres://postgres:postgres@host/db',
    'http://localhost:3000/some/where@home',
    'https://git@github.com/a/b',
    'https://registry.npmjs.org/@scope/name',
    'npm/10.8.2 node/v20.19.0 linux x64 workspaces/false',
    'unix:path=/run/user/1000/bus',
    'rs=0:di=01;34:ln=01;36:*.key=00;31:*.pass=00;32',
    '--max-old-space-size=4096 --import=/opt/token/hook.mjs',
    '{"key_id":"0123456789abcdef","token_url":"https://example.com/token"}',
  ])('excludes everything in %s', (value) => {
    expect(secretsIn({ SETTINGS: value })).toEqual([]);
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
