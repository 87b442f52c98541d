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

/** One expression for many forms, so that a line is looked through once. */
function anyOf(flags: '' | 'i', ...forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => source).join('|'), flags);
}

// Compilers speak the user's language: German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese, Korean.
const ERROR = '(?:error|fehler|erreur|errore|erro|ошибка|错误|錯誤|エラー|오류)';
const WARN = '(?:warning|warn|warnung|avertissement|advertencia|avviso|aviso|предупреждение|警告|경고)';

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

/** `file:12:3`, `file(12,3)`, `file:[12,3]`, `"file", line 12`: said of a place, before what is wrong there. */
const PLACE =
  '(?:(?:[A-Za-z_)\\]"]|\\.[a-z]+\\d+):\\d+(?:[:.]\\d+)?(?:-\\d+(?::\\d+)?)?|\\w\\(\\d+(?:[,:]\\d+)?\\)|\\w:\\[\\d+,\\d+\\]|\\bline \\d+)';
const AFTER_PLACE = '\\s*(?::|-|–|\\))?\\s*(?:\\[?\\w+\\]?[: ]\\s*)?\\[?';
const LOCATED_ERROR = new RegExp(
  `${PLACE}${AFTER_PLACE}(?:fatal |internal |syntax |type )?(?:[\\w.]*exception|[\\w.]*${ERROR})(?:\\b|[:\\s\\[：]|$)`,
  'i',
);
const LOCATED_WARNING = new RegExp(
  `${PLACE}${AFTER_PLACE}(?:\\w*${WARN}|note|info|hint|remark|style|refactor|convention|suggestion)(?:\\b|[\\s:：])`,
  'i',
);
/** `  16:5  error  …`, below a heading that names the file. */
const LOCATED_BELOW_FILE = /^\s+\d+:\d+\s+(?:✖|×|error\b|fatal\b)|^[EF]:\s*\d+:/i;
const WARNED_BELOW_FILE = /^\s+\d+:\d+\s+(?:⚠|!|warn|info\b)|^[CIRW]:\s*\d+:/i;
/** A place at the start of a line, and words about it, but none that tells how bad it is. */
const LOCATED_WORDS = anyOf(
  '',
  /^(?:\.{0,2}\/?[\w@.+~\\/()-]*\w\.\w{1,8}|\.{0,2}\/[\w@.+~/-]+)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)|:\[\d+,\d+\])(?::|\s-|\s)\s*\S+\s+\S/,
  /^[\w@.+~\\/-]+: line \d+: \S/,
);

/** `error[E0308]: …`, `error TS2322: …`, `ERROR in ./src/a.js`: compilers and bundlers without a place in the line. */
const ERROR_HEAD = new RegExp(
  `^\\s*(?:${ERROR}(?:\\[[\\w:/-]+\\]|\\s[A-Z]+\\d+)\\s*[:：]?|${ERROR} in \\S|\\[!\\]|CMake Error\\b|\\[[A-Z]+(?:_[A-Z]+)+\\] )`,
  'i',
);

const IS_VERDICT = anyOf(
  '',
  /^\s*[✗✘×✖❌⨯✕]\s*\S/,
  /^\s*●\s+(?!Console$)\S/,
  /^\s*(?:FAIL|FAILED):?\s+(?:\[\s*[\d.]+m?s\]\s*)?[\w./\\@"'[-]|^ERROR:? (?:\w+ \(|\S+::|collecting )/,
  /^\s*--- FAIL\b|^\s*not ok\b(?!.*# (?:TODO|SKIP))|^\s*\[\s*FAILED\s*\]|<<< (?:FAILURE|ERROR)!/,
  /^\s*\d+\) \S/,
  /"(?:[Ss]tatus|[Oo]utcome|[Rr]esult|[Aa]ction)": ?"(?:fail(?:ed|ure)?|error)"/,
  /^\s*(?:#\s+)?Failed (?:test\b|.*:$)/,
  /\b(?:FAILED|FAIL|ERROR)\s*(?:\[\s*\d+%\]|\(.*\)\s*)?$/,
  /(?:\.{3,}|…)\s*\**(?:FAILED|FAIL|ERROR|Failed)\s*(?:$|[\d[(])/,
);

const IS_THROWN = anyOf(
  '',
  // `TypeError: …`, `java.lang.IllegalStateException`, `Foo::BarError [code]: …`, with the prefix of pytest and Node.
  /^\s*(?:E\s{2,7}|> ?|# |Uncaught |Caused by: |\[?cause\]?: )?(?:[\w$]+(?:\.|::|\\))*[\w$]*(?:Error|Exception|Failure|Panic|Interrupt|Exit)\b(?:\s*[[(][\w .:]+[\])])?(?::|\s*$)/,
  /^\s*E\s{2,7}\S/,
  /^(?:Traceback \(most recent|goroutine \d+ \[running|panic:|Caused by:|Exception in thread|Current thread .*most recent call|Uncaught\b|Unhandled\b|Killed\b|Aborted\b)/,
  /\b[Ff]atal (?:error|exception)|^\s*(?:fatal|FATAL|error|Error):? \S/,
  /panicked at|undefined reference to|: command not found|: not found$|No such file or directory|[Pp]ermission denied|[Ss]egmentation fault|core dumped/,
  /[Oo]ut ?[Oo]f ?[Mm]emory|No space left on device|already in use|Could not resolve host|Connection refused|unbound variable|runtime error:|==\d+==\s*ERROR|stack overflow/,
  /^(?:g?make|ninja)\S*: \*\*\*|\bexit(?:ed)?(?: with)?(?: code| status)[ :=]+[1-9]\d*\b|\breturned (?:a )?non-zero|\b[Cc]ommand (?:.* )?failed\b/,
  /\bE(?:ACCES|ADDRINUSE|CONN[A-Z]+|EXIST|ISDIR|MFILE|NOENT|NOSPC|NOTDIR|NOTEMPTY|PERM|PIPE|TIMEDOUT|RESOLVE|404)\b/,
  /^\W*(?:Issue|Problem|Violation|Defect)s?\b\s*[:#\d[]/,
  /^\s*(?:Unable to|Cannot find|Can't|Could not|Cannot)\b/,
  /\b[Aa]ssert(?:ion)?\b.{0,200}\b[Ff]ailed\b|\bFailed assert|^\s*Failure\/Error:/,
);

const IS_TAGGED = anyOf(
  'i',
  /^\s*npm (?:error|err!)/,
  /^\s*\[?(?:error|err|fatal|critical|crit|severe|failure|fail)\]?!?(?=[\s:\]])/,
  /^(?:\S+\s+){1,3}\[?(?:error|fatal|critical|severe)\]?(?=[\s:]).*/,
  /\b(?:level|severity)["']?\s*[=:]\s*["']?(?:error|fatal|critical|2\b)/,
  /^\s*ELIFECYCLE\b|\bERR_[A-Z]+_/,
);

const IS_MENTION =
  /\b(?:errors?|fail(?:ed|ing|s|ures?)?|fatal|exceptions?|cannot|could not|unable to|unresolved|denied|aborted|killed|missing|invalid|unexpected|not found|expected)\b|error\b/i;
const IS_WARNING = new RegExp(
  `(?:^|[\\s\\[(:])\\w*${WARN}s?(?:$|[\\s\\]):\\[])|\\((?:info|style|note|hint)\\)|\\bdeprecat(?:ed|ion)\\b|^\\s*[⚠!]\\s`,
  'i',
);

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
