import { anyOf } from './any-of.ts';
import {
  ERROR_HEAD,
  IS_MENTION,
  IS_TAGGED,
  IS_THROWN,
  IS_VERDICT,
  IS_WARNING,
  LOCATED_BELOW_FILE,
  LOCATED_ERROR,
  LOCATED_WARNING,
  LOCATED_WORDS,
  WARNED_BELOW_FILE,
} from './failure-signs.ts';

/** What a line of output says to whoever has to repair a failure. */
export type Meaning =
  | { readonly kind: 'failure'; readonly weight: Weight }
  | { readonly kind: 'passed' | 'summary' | 'chatter' | 'plain' };

/** How surely a line tells of a failure, and how much it tells: from a line's name of a test down to a mere warning. */
export const WEIGHT = {
  /** A test, a check or a target that failed, by name. */
  verdict: 6,
  /** Which place in which file is wrong, and what. */
  located: 5,
  /** What was thrown, and what a program says when it gives up. */
  thrown: 4,
  /** A log line of the level "error", a wrapper's line about a failure. */
  tagged: 3,
  /** The word, somewhere. */
  mentioned: 2,
  warning: 1,
} as const;
export type Weight = (typeof WEIGHT)[keyof typeof WEIGHT];

const PLAIN: Meaning = { kind: 'plain' };
const PASSED: Meaning = { kind: 'passed' };
const CHATTER: Meaning = { kind: 'chatter' };
const SUMMARY: Meaning = { kind: 'summary' };
const failureOf = (weight: Weight): Meaning => ({ kind: 'failure', weight });
const VERDICT = failureOf(WEIGHT.verdict);
const LOCATED = failureOf(WEIGHT.located);
const THROWN = failureOf(WEIGHT.thrown);
const TAGGED = failureOf(WEIGHT.tagged);
const MENTIONED = failureOf(WEIGHT.mentioned);
const WARNING = failureOf(WEIGHT.warning);

/** One look that most lines do not pass: without any of these, a line is plain. */
const CANDIDATE = anyOf(
  'i',
  /err|fail|fatal|panic|exception|assert|trace|warn|not ok|cannot|can't|could not|unable|undefined|unresolved|unbound|denied|abort/,
  /killed|terminated|signal|segm|memory|no space|in use|problem|issue|pass|skip|expected|missing|invalid|unexpected|unknown|not found|no such/,
  /[✗✘×✖❌⨯✕●✓✔√☑✅○↓!]|\bok\b|\d%|[\w)\]"]:\d|\w\(\d+,|:\[\d|line \d|^\s*\d+\)|^\s*#|deprecat|notice|\(info|\(style|recent call|load|fetch|funding|=== |\bE\s/,
  /fehler|ошибка|错误|錯誤|エラー|오류|警告|경고|предупреждение|avertissement|aviso|avviso|advertencia/,
);

/** A thing that passed or was skipped, whatever it is called: `✓ throws an error`, `ok 3 - fails`, `… PASSED [ 4%]`. */
const IS_PASSED = anyOf(
  'i',
  /^\s*[✓✔√☑✅○↓]\s/,
  /^\s*\[?\s*(?:ok|pass|passed|skip|skipped|success)\s*\]?(?:[\s:](?!\s*\d)|$)/,
  /"(?:status|outcome|result|action)": ?"(?:pass(?:ed)?|ok|success|skip(?:ped)?)"/,
  /^\s*ok \d+\b|^\s*--- (?:pass|skip)\b/,
  /^\s*\[\s*(?:run|ok|passed|-+)\s*\]/,
  /(?:\.{3,}|…)\s*(?:ok|passed|skipped|ignored|xfail|expected failure)\b.{0,40}$/,
  /(?<!\d\s)\b(?:PASSED|XFAIL|SKIPPED)\b(?:\s*[[(].*|\s*)$/,
);

/** What package managers, downloads and progress bars say on the way. */
const IS_CHATTER = anyOf(
  'i',
  /^\s*npm (?:notice|http|timing|verb|sill|info)\b/,
  /^\s*\[?(?:debug|trace|verbose)\b/,
  /^\s*(?:down|up)load(?:ing|ed)\b|^\s*(?:fetching|resolving|unpacking|selecting|progress)\b/,
  /^\s*=== (?:run|pause|cont|name)\b/,
  /^\s*[[|]?[#=>.█▓▒░━╸\s-]{6,}[\]|]?\s*\d{1,3}(?:\.\d+)?%|^\s*\d{1,3}%\s*[|[]/,
  /A complete log of this run|\bfunding\b|^\s*(?:\[\w+\] )?(?:-> )?\[Help \d/,
);

/** Counts of nothing: `0 errors`, `no problems found`, `errors=0`. */
const NOTHING_WRONG =
  /\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|failures?|failed|failing|problems?|issues?|warnings?|exceptions?)\b|\b(?:errors?|failures?|failed|problems?|issues?|warnings?)["']?\s*[=:]\s*(?:0\b|none\b|\[\])|\b(?:errors?|failures?|failed|problems?|issues?|warnings?) 0\b|\berror-free\b/gi;

/** Numbers at once: `✖ 5 problems`, `3 errors`. */
const IS_COUNT =
  /^\W*\d+ (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|passed|passing|warnings?|tests?)\b|^(?:FAILED|FAIL|OK)(?: \(.*\))?$/i;
/** How a run ended, in numbers. */
const IS_SUMMARY = anyOf(
  'i',
  /(?<![:.\d])\b\d+ (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|passed|passing|warnings?|tests?|suites?|specs?|examples?|assertions?|vulnerabilities)\b/,
  /^\s*#\s(?:tests|pass|fail|suites)\s\d|^\s*(?:ℹ )?(?:tests|pass|fail|suites|duration_ms) \d/,
  /^(?:\[\w+\] )?BUILD (?:FAILURE|FAILED)\b|^ninja\b.*build stopped|^(?:FAILED|FAIL|OK)(?: \(.*\))?$/,
  /\b(?:tests?|errors?|failures?|failed)\s*[=:]\s*[1-9]\d*\b/,
);

/** @param text a line without escape sequences and without the prefix that a wrapper gave it */
export function meaningOf(text: string): Meaning {
  if (!CANDIDATE.test(text)) return PLAIN;
  if (IS_PASSED.test(text)) return PASSED;
  if (IS_CHATTER.test(text)) return CHATTER;
  const rest = text.replace(NOTHING_WRONG, '');
  if (LOCATED_WARNING.test(rest) || WARNED_BELOW_FILE.test(rest)) return WARNING;
  if (LOCATED_ERROR.test(rest) || LOCATED_BELOW_FILE.test(rest)) return LOCATED;
  if (IS_COUNT.test(text)) return SUMMARY;
  if (IS_VERDICT.test(rest)) return VERDICT;
  if (ERROR_HEAD.test(rest)) return LOCATED;
  if (IS_THROWN.test(rest)) return THROWN;
  if (IS_SUMMARY.test(text)) return SUMMARY;
  if (IS_WARNING.test(rest)) return WARNING;
  if (LOCATED_WORDS.test(rest)) return THROWN;
  if (IS_TAGGED.test(rest)) return TAGGED;
  return IS_MENTION.test(rest) ? MENTIONED : PLAIN;
}
