import { anyOf } from './any-of.ts';

// Compilers speak the user's language: German, French, Spanish, Italian, Portuguese, Russian, Chinese, Japanese, Korean.
const ERROR = '(?:error|fehler|erreur|errore|erro|ошибка|错误|錯誤|エラー|오류)';
const WARN = '(?:warning|warn|warnung|avertissement|advertencia|avviso|aviso|предупреждение|警告|경고)';

/** `file:12:3`, `file(12,3)`, `file:[12,3]`, `"file", line 12`: said of a place, before what is wrong there. */
const PLACE =
  '(?:(?:[A-Za-z_)\\]"]|\\.[a-z]+\\d+):\\d+(?:[:.]\\d+)?(?:-\\d+(?::\\d+)?)?|\\w\\(\\d+(?:[,:]\\d+)?\\)|\\w:\\[\\d+,\\d+\\]|\\bline \\d+)';
const AFTER_PLACE = '\\s*(?::|-|–|\\))?\\s*(?:\\[?\\w+\\]?[: ]\\s*)?\\[?';
export const LOCATED_ERROR = new RegExp(
  `${PLACE}${AFTER_PLACE}(?:fatal |internal |syntax |type )?(?:[\\w.]*exception|[\\w.]*${ERROR})(?:\\b|[:\\s\\[：]|$)`,
  'i',
);
export const LOCATED_WARNING = new RegExp(
  `${PLACE}${AFTER_PLACE}(?:\\w*${WARN}|note|info|hint|remark|style|refactor|convention|suggestion)(?:\\b|[\\s:：])`,
  'i',
);
/** `  16:5  error  …`, below a heading that names the file. */
export const LOCATED_BELOW_FILE = /^\s+\d+:\d+\s+(?:✖|×|error\b|fatal\b)|^[EF]:\s*\d+:/i;
export const WARNED_BELOW_FILE = /^\s+\d+:\d+\s+(?:⚠|!|warn|info\b)|^[CIRW]:\s*\d+:/i;
/** A place at the start of a line, and words about it, but none that tells how bad it is. */
export const LOCATED_WORDS = anyOf(
  '',
  /^(?:\.{0,2}\/?[\w@.+~\\/()-]*\w\.\w{1,8}|\.{0,2}\/[\w@.+~/-]+)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)|:\[\d+,\d+\])(?::|\s-|\s)\s*\S+\s+\S/,
  /^[\w@.+~\\/-]+: line \d+: \S/,
);

/** `error[E0308]: …`, `error TS2322: …`, `ERROR in ./src/a.js`: compilers and bundlers without a place in the line. */
export const ERROR_HEAD = new RegExp(
  `^\\s*(?:${ERROR}(?:\\[[\\w:/-]+\\]|\\s[A-Z]+\\d+)\\s*[:：]?|${ERROR} in \\S|\\[!\\]|CMake Error\\b|\\[[A-Z]+(?:_[A-Z]+)+\\] )`,
  'i',
);

export const IS_VERDICT = anyOf(
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

export const IS_THROWN = anyOf(
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

export const IS_TAGGED = anyOf(
  'i',
  /^\s*npm (?:error|err!)/,
  /^\s*\[?(?:error|err|fatal|critical|crit|severe|failure|fail)\]?!?(?=[\s:\]])/,
  /^(?:\S+\s+){1,3}\[?(?:error|fatal|critical|severe)\]?(?=[\s:]).*/,
  /\b(?:level|severity)["']?\s*[=:]\s*["']?(?:error|fatal|critical|2\b)/,
  /^\s*ELIFECYCLE\b|\bERR_[A-Z]+_/,
);

export const IS_MENTION =
  /\b(?:errors?|fail(?:ed|ing|s|ures?)?|fatal|exceptions?|cannot|could not|unable to|unresolved|denied|aborted|killed|missing|invalid|unexpected|not found|expected)\b|error\b/i;
export const IS_WARNING = new RegExp(
  `(?:^|[\\s\\[(:])\\w*${WARN}s?(?:$|[\\s\\]):\\[])|\\((?:info|style|note|hint)\\)|\\bdeprecat(?:ed|ion)\\b|^\\s*[⚠!]\\s`,
  'i',
);
