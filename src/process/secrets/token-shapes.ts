/** The form of a well-known kind of secret. */
interface TokenShape {
  /** Every secret of this kind starts with one of these. */
  readonly starts: readonly string[];
  /**
   * Matches the whole token, on one line and no longer than MAX_TOKEN. A group `kept` at its front is not masked.
   */
  readonly pattern: RegExp;
}

/** An upper bound for the length of a token: no pattern below matches more bytes. */
export const MAX_TOKEN = 8192;

/**
 * The starts and lengths of vendors' tokens follow the default rules of gitleaks (config/gitleaks.toml); a length is a
 * minimum where the vendor may change it. HTTP, URLs, JWTs and PEM follow RFC 6750 and 7617, 3986, 7519 and 7468. The
 * patterns are long enough not to match names in code, CSS classes, hashes and UUIDs. A letter before `sk-` makes it the
 * end of a word, as in `task-`; except `m`, which also ends the escape sequence of a terminal's colour.
 */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  // GitHub
  { starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], pattern: /gh._[A-Za-z0-9_]{36,1000}/y },
  { starts: ['github_pat_'], pattern: /github_pat_\w{22,255}/y },
  // GitLab
  { starts: ['glpat-'], pattern: /glpat-[\w-]{20,300}(?:\.[\w-]{2,300}){0,2}/y },
  // npm
  { starts: ['npm_'], pattern: /npm_[A-Za-z0-9]{36,255}/y },
  // OpenAI, Anthropic, OpenRouter, and vendors that copied OpenAI's first form
  {
    starts: ['sk-'],
    pattern:
      /(?<![a-ln-z])sk-(?:[A-Za-z0-9]{32,255}|(?:proj|svcacct|admin|ant-[a-z]{3,10}\d\d|or-v\d)-[\w-]{40,255})/y,
  },
  // Stripe
  { starts: ['sk_live_', 'rk_live_'], pattern: /[sr]k_live_[A-Za-z0-9]{24,255}/y },
  // AWS
  { starts: ['AKIA', 'ASIA'], pattern: /(?<![A-Za-ln-z0-9+/])A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])/y },
  // Slack
  {
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-'],
    pattern: /xox.-[A-Za-z0-9-]{10,255}/y,
  },
  // Google
  { starts: ['AIza'], pattern: /(?<![A-Za-ln-z0-9+/])AIza[\w-]{35}/y },
  // Hugging Face
  { starts: ['hf_'], pattern: /hf_[A-Za-z0-9]{30,255}/y },
  // PyPI
  { starts: ['pypi-AgEI'], pattern: /pypi-AgEI[\w-]{50,1000}/y },
  // JSON Web Tokens; without the lookbehind, the search would restart at every "eyJ" of a long word
  { starts: ['eyJ'], pattern: /(?<!(?<!\\)[A-Za-ln-z_-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,5000}\.[\w-]{0,1000}/y },
  // HTTP; most words after "Bearer" and "Basic" are no tokens
  {
    starts: ['Bearer ', 'bearer ', 'BEARER '],
    pattern: /(?<kept>(?:[Bb]earer|BEARER) )[\w.~+/-]{16,8000}={0,2}/y,
  },
  {
    starts: ['Basic ', 'basic ', 'BASIC '],
    pattern: /(?<kept>(?<=(?:uthorization|UTHORIZATION)\W{1,6})(?:[Bb]asic|BASIC) )[\w+/-]{8,8000}={0,2}/y,
  },
  // The password in a URL
  {
    starts: ['://'],
    pattern: /(?<kept>:\/\/[^ \t\r\n/:@?#"'<>]{0,256}:)[^ \t\r\n/@?#"'<>]{1,1000}(?=@)/y,
  },
  // A private key on one line, as in JSON; PemMasker masks the others
  {
    starts: ['PRIVATE KEY-----\\'],
    pattern: /(?<kept>PRIVATE KEY-----)(?:\\{1,4}[nr]|[A-Za-z0-9+/=]){16,4000}/y,
  },
];

/** Every well-known token starts with one of these. */
export const TOKEN_STARTS: readonly string[] = TOKEN_SHAPES.flatMap(({ starts }) => starts);
