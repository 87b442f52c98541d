/** What a line of output says to whoever has to repair a failure. */
export type Meaning =
  /** Something failed. The weight tells how surely, and how much it tells. */
  | { readonly kind: 'failure'; readonly weight: Weight }
  | { readonly kind: 'warning' | 'passed' | 'summary' | 'chatter' | 'plain' };

/** From "this test failed" down to a line that happens to hold the word. */
export const WEIGHT = {
  /** A test, a check or a target that failed, by name. */
  verdict: 6,
  /** Which place in which file is wrong, and what. */
  located: 5,
  /** What was thrown, and what a runtime says when it gives up. */
  thrown: 4,
  /** A log line or a wrapper's line of the level "error". */
  tagged: 3,
  /** The word, somewhere. */
  mentioned: 2,
} as const;
export type Weight = (typeof WEIGHT)[keyof typeof WEIGHT];

const PLAIN: Meaning = { kind: 'plain' };
const PASSED: Meaning = { kind: 'passed' };
const CHATTER: Meaning = { kind: 'chatter' };
const SUMMARY: Meaning = { kind: 'summary' };
const WARNING: Meaning = { kind: 'warning' };
const failureOf = (weight: Weight): Meaning => ({ kind: 'failure', weight });
const VERDICT = failureOf(WEIGHT.verdict);
const LOCATED = failureOf(WEIGHT.located);
const THROWN = failureOf(WEIGHT.thrown);
const TAGGED = failureOf(WEIGHT.tagged);
const MENTIONED = failureOf(WEIGHT.mentioned);

/** "Error" as compilers say it where the user's language is not English. */
const ERROR_WORD = '(?:error|erreur|fehler|errore|erro|ошибка|错误|錯誤|エラー|오류)';
const WARNING_WORD = '(?:warning|warn|avertissement|warnung|advertencia|предупреждение|警告|경고)';

/** One look that most lines do not pass: without any of these, a line is plain. */
const CANDIDATE = new RegExp(
  `error|fail|fatal|panic|exception|assert|traceback|warn|not ok|cannot|can't|could not|undefined|unresolved|denied|` +
    `abort|killed|terminated|signal|segm|memory|problem|issue|pass|expected|missing|invalid|unexpected|unknown|not found|no such|` +
    `[✗✘×✖❌⨯✕●✓✔√▲!]|\\bok\\b|%|[\\w)\\]"]:\\d|[(\\[]\\d+,|:\\[\\d|line \\d|^\\d+\\)|deprecat|notice|download|` +
    `erreur|fehler|erro|ошибка|错误|錯誤|エラー|오류|警告|경고|предупреждение|avertissement|warnung`,
  'i',
);

/** A thing that passed or was skipped, whatever it is called: `✓ throws an error`, `ok 3 - fails`, `… PASSED [ 4%]`. */
const IS_PASSED =
  /^\s*(?:[✓✔√☑✅○↓]\s|\[?\s*(?:OK|PASS|PASSED|SKIP|SKIPPED|SUCCESS)\s*\]?(?:\s|:|$)|ok \d+\b|ok\s+\S+\s+[\d.(]|--- (?:PASS|SKIP)|\[\s*(?:RUN|OK|-+)\s*\])|(?:\.\.\.|…|\.{3,})\s*(?:ok|passed|skipped|ignored|xfail|expected failure)\b.{0,40}$|\b(?:PASSED|XFAIL|SKIPPED)\b(?:\s*[[(].*|\s*)$/i;
/** Counts of nothing: `0 errors`, `no problems found`, `errors=0`. */
const NOTHING_WRONG =
  /\b(?:0|no|zero|without)\s+(?:\w+\s+)?(?:errors?|failures?|failed|failing|problems?|issues?|warnings?|exceptions?)\b|\b(?:errors?|failures?|failed|problems?|issues?|warnings?)\s*[=:]\s*(?:0\b|none\b|\[\])|\berror-free\b/gi;
const IS_CHATTER =
  /^\s*(?:npm (?:notice|http|timing|verb|sill|info)\b|\[?(?:debug|trace|verbose)\b|(?:down|up)load(?:ing|ed)\b|fetching\b|resolving\b|progress\b|=== (?:RUN|PAUSE|CONT|NAME)\b|(?:un)?packing\b|get:\d|selecting\b)|^\s*[[|]?[#=>.█▓▒░━╸\s-]{6,}[\]|]?\s*\d{1,3}(?:\.\d+)?%|^\s*\d{1,3}%\s*[|[]|A complete log of this run|^\s*(?:npm (?:error|ERR!)|)\s*\[?-> \[Help|\bfunding\b/i;

/** `file:12:3`, `file(12,3)`, `file:[12,3]`, `"file", line 12`: said of a place, before what is wrong there. */
const PLACE =
  '(?:[\\w)\\]"]:\\d+(?:[:.]\\d+)?(?:-\\d+(?::\\d+)?)?|\\w\\(\\d+(?:[,:]\\d+)?\\)|\\w:\\[\\d+,\\d+\\]|line \\d+)';
const LOCATED_ERROR = new RegExp(
  `${PLACE}\\s*(?::|-|–|\\))?\\s*(?:\\[?\\w+\\]?[: ]\\s*)?\\[?(?:fatal |internal |syntax |type )?(?:[\\w.]*exception|[\\w.]*${ERROR_WORD})(?:\\b|[:\\s\\[：]|$)`,
  'i',
);
const LOCATED_WARNING = new RegExp(
  `${PLACE}\\s*(?::|-|–)?\\s*\\[?(?:${WARNING_WORD}|note|info|hint|remark|style|refactor|convention|suggestion)\\b`,
  'i',
);
/** A place at the start of a line, and words about it. */
const LOCATED_WORDS =
  /^(?:\.{0,2}\/?[\w@.+~\\/() -]*\w\.\w{1,8}|\.{0,2}\/[\w@.+~/-]+)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)|:\[\d+,\d+\])(?::|\s-|\s)\s*\S+\s+\S/;
/** A place in the file that a heading above it names: `  16:5  error  …`. */
const PLACE_UNDER_HEADING = /^\s+\d+:\d+\s+(?:✖|×|error\b|fatal\b)/i;
/** `error: …`, `error[E0308]: …`, `error TS2322: …`, `ERROR in ./src/a.js`. */
const ERROR_HEAD = new RegExp(
  `^\\s*(?:${ERROR_WORD}(?:\\[[\\w:-]+\\]|\\s[A-Z]+\\d+)?\\s*[:：]\\s*\\S|${ERROR_WORD} in \\S|\\[!\\]|✘ \\[ERROR\\]|CMake Error\\b|\\*\\*\\* )`,
  'i',
);
const IS_VERDICT =
  /^\s*(?:[✗✘×✖❌⨯✕]\s*\S|●\s+\S|(?:FAIL|FAILED|ERROR):?\s+(?:\[\s*[\d.]+m?s\]\s*)?[\w./\\@"'[-]|--- FAIL|not ok\b|\[\s*FAILED\s*\]|\d+\) (?=\S)(?!.*\bpass)|#\s+Failed test)|\b(?:FAILED|ERROR)\s*(?:\[\s*\d+%\]|\(.*\)\s*)?$|(?:\.\.\.|…)\s*(?:\*+)?(?:FAILED|FAIL|ERROR|Failed)\b|<<< (?:FAILURE|ERROR)!|^\s*(?:FAILED|ERROR)\s+\S+::/;
const IS_THROWN =
  /^\s*(?:E\s{2,}|>?\s*(?:[\w$]+[.:]{1,2})*[\w$]*(?:Error|Exception|Failure|Panic|Interrupt|Exit)\b(?:\s*[[(][\w .:]+[\])])?(?::|\s*$)|Traceback \(most recent|goroutine \d+ \[running|panic:|fatal\b.*:|Caused by:|Exception in thread|Uncaught\b|Unhandled\b|Unable to\b|Cannot find\b|Can't\b|Could not\b)|^.{0,120}(?:panicked at|undefined reference to|: command not found|: not found$|No such file or directory|Permission denied|Segmentation fault|core dumped|Out ?of ?memory\b|out of memory\b|No space left on device|already in use|^Killed\b|Aborted\b|\b(?:E[A-Z]{4,12})\b: )|==\d+==\s*ERROR|\bassert(?:ion)?\b.{0,200}\bfailed\b|runtime error:|Failed assert/i;
const IS_TAGGED =
  /^\s*(?:npm (?:error|ERR!)|\[?(?:error|err|fatal|critical|severe|failure)\]?!?(?=[\s:\]])|\S+\s+\S*\s*\[?(?:ERROR|FATAL|CRITICAL|SEVERE)\]?\b)|\blevel["']?\s*[=:]\s*["']?(?:error|fatal|critical)|["']?severity["']?\s*[=:]\s*["']?error|^\s*ELIFECYCLE\b|^\s*\|?\s*ERR_\w+/i;
const IS_MENTION =
  /\b(?:error|errors|fail|failed|failing|fails|failure|failures|fatal|exceptions?|cannot|could not|unable to|unresolved|denied|aborted|killed|missing|invalid|unexpected|not found)\b/i;
const IS_WARNING = new RegExp(`(?:^|[\\s\\[(:])${WARNING_WORD}s?(?:$|[\\s\\]):\\[])|\\bdeprecat`, 'i');
/** How a run ended, in numbers. */
const IS_SUMMARY =
  /\b\d+ (?:\w+ )?(?:failed|failing|failures?|errors?|problems?|issues?|passed|passing|warnings?|tests?|suites?|specs?|examples?|assertions?|vulnerabilities)\b|^\s*#\s(?:tests|pass|fail|suites)\s\d|^\s*(?:ℹ )?(?:tests|pass|fail|suites|duration_ms) \d|\bBUILD (?:FAILURE|FAILED)\b|^(?:g?make|ninja)\b.*(?:\*\*\*|build stopped)|^(?:FAILED|FAIL|OK)(?: \(.*\))?$|\b(?:tests?|errors?|failures?|failed)\s*[=:]\s*[1-9]\d*\b|\d+ of \d+/i;

/**
 * @param text a line without escape sequences and without the prefix that a wrapper gave it
 */
export function meaningOf(text: string): Meaning {
  if (!CANDIDATE.test(text)) return PLAIN;
  if (IS_PASSED.test(text)) return PASSED;
  if (IS_CHATTER.test(text)) return CHATTER;
  const rest = text.replace(NOTHING_WRONG, '');
  if (LOCATED_WARNING.test(rest)) return WARNING;
  if (LOCATED_ERROR.test(rest) || PLACE_UNDER_HEADING.test(rest)) return LOCATED;
  const isSummary = IS_SUMMARY.test(text);
  if (IS_VERDICT.test(rest) && !isSummary) return VERDICT;
  if (ERROR_HEAD.test(rest) && !isSummary) return LOCATED;
  if (IS_THROWN.test(rest) && !isSummary) return THROWN;
  if (isSummary) return SUMMARY;
  if (IS_WARNING.test(rest)) return WARNING;
  if (LOCATED_WORDS.test(rest)) return THROWN;
  if (IS_TAGGED.test(rest)) return TAGGED;
  return IS_MENTION.test(rest) ? MENTIONED : PLAIN;
}
