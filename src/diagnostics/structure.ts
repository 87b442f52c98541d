/** How lines belong together: what a line is beside its neighbours, whatever it says. */

const SEPARATOR = /^\s*([=_*#~⎯─━—-])\1{4,}/;
/** Signs fill the line: behind a long title there are few, and around it one on each side. */
const TITLE = /^([^\s=*#].*) (?:\*{3,}|[=#]{10,})$/;
const LONG_TITLE = /^_+ (?!_)(\S.*[^\s_]) _+$/;
const FRAME =
  /^\s*(?:(?:\S{1,4}\s+)?(?:npm )?(?:error|ERR!)\s+at\s|at\b|(?:Raised|Re-raised|Called) (?:at|by|from)\s.*in file "|by 0x|❯\s|from\s.*:\d+|(?:\|\s+)?File "|#\d+\s|created by \S+(?: in goroutine \d+)?$|(?:\* )?frame #\d+: |async \S+ \(\S+:\d+:\d+\)$|in (?:call from|function) .*\.erl, line \d+\)$|[\w.]+!\w+[.:]\w|(?=\S.*\)$)[\w./@$-]+\.[\w.*()$]+\(|\[+[\w.$]+ \w+ "[\w.]+" \d+\]|\S+:\d+ \+0x|\d+:\s+(?:0x|[\w<])|@ +0x[\da-f]+ |(?:\*\* )?\[*\{\w+,'?[a-z_-][^,]*,\d+,(?:$|\s*\[\{file,)|\[\{file,"\w+\.erl"\},\{line,|\.{3} \d+ more|(?:# )?\S+:\d+(?::\d+)?(?:$|:\s?in\b)|\S+\s\(\S+:\d+(?::\d+)?\)$|\S.*\[0x[\da-f]+\]$|\[\d+\] \S.*\sat \S+:\d+(?: \[inlined\])?$|@ \w[\w.]* \S+:\d+(?: \[inlined\])?$|\S+\(\) at \S+:\d+$)/;
/** Where the code of packages, runtimes and test runners is. */
const EXTERNAL_PLACE =
  /node_modules|\(?node:|internal\/|site-packages|dist-packages|lib\/python\d|\/usr\/(?:lib|share|include|local\/(?:lib|go))|\/pkg\/mod\/|\/rustc\/|java\.base[@/]|goroot\/src|\/gems\/|<frozen |vendor\/|\/stdlib\/v\d|\/julia\/base\/|(?:\bat|@ Base) \.\/\w+\.jl:\d|\bat none:\d|\/go\/src\/(?:testing|runtime)|\b_testmain\.go|\.\.\/csu\/|\bsysdeps\/|\bnptl\/|\blibsanitizer\/|\blib(?:c|pthread)[.-][\w.]*so\b|\/lib\/gcc\/|\/home\/iojs\/|<null> (?:<null>|\(\S+\+0x)|"\/usr\/(?:local\/)?s?bin\/|\bin \?\?\?$|\(ext:\w|\((?:clone\d?\.S|clone-internal\.c|pthread_\w+\.c|libc[-_]start\w*\.[ch]|vfprintf-[\w-]+\.c):\d+\)|^\?\?:\?|\bpackage:(?:flutter(?:_test)?|test(?:_api|_core)?|matcher|stack_trace|async)[/ ]|\bdart:(?:async|core|isolate|_)/;
/** What such code is called in a frame; a name of the project's code may have types of theirs in brackets. */
const EXTERNAL_NAME =
  /(?:\bat |^\s*\[*)(?:[\w.]+\/{1,2})?(?:java|javax|jdk|sun|com\.sun|sbt|scala|kotlin|kotlinx|groovy|clojure|System|Microsoft|Xunit|NUnit|org\.(?:junit|testng|scalatest|specs2|gradle|codehaus|apache\.groovy|springframework|hibernate|mockito|apache\.(?:maven|tomcat|catalina|coyote)))\.|^\s*\d+: <unknown>$|^[^(<]*(?:\s<)?\b(?:core|std)::|\((?:eunit|gen|proc|ct|test_server|supervisor)\w*\.erl, |\b(?:System|Microsoft)[\w.]*!|\((?:<|&lt;)anonymous>\)(?: \{)?$|^\s*\d+: _Z+N4node|(?:^\s*(?:\*\* )?\[*\{|\[\{file,")(?:eunit\w*|ct|ct_\w+|test_server\w*|gen|gen_\w+|proc_lib|supervisor|erl_eval|init|timer)(?:,|\.erl")|\$eval\d+[. ]|\$(?!fn__)\w+[. ]invoke [("]|@ +0x\S+ +(?:google::|absl::|folly::|\(unknown\)$|__libc_\w+$|_start$)|\(_start\+0x|File "<string>", line \d+, in (?!<module>)|\bat \(wrapper |\bat <Jasmine>$|\bPromise\.\w+ \(index \d+\)(?:,| \{)?$|\bat <unknown> \(https?:\S+[^\d)]\)$|\bv\d::|\[node\]$|\b(?:Raised|Called) (?:at|by|from) (?:primitive operation )?(?:Stdlib|Alcotest|OUnit|Lwt)/;
/**
 * Frames that are no calls of the project's: how Tcl came to one (`"uplevel #0 source a.tcl"`), what a macro of Lisp has
 * become, with the names that it generates (`(let ((value-202 …`), a long form of Lisp around a call, what signals an error in it, the parts of Lua and Go that
 * are no source, what Racket runs, and the start of a binary.
 */
const RUNTIME_FRAME =
  /^\s*(?:invoked from within$|\("(?:uplevel|eval|foreach|for|while|if)" body line \d+\)$|"(?:uplevel|catch) .*"$|"source \S+"$|\((?:let\*?|if|setq|progn|closure|unwind-protect|condition-case) .*[a-z]-\d+\b|\((?:let\*?|if|or|and|cond|when|unless|progn|closure) .{120}|(?:apply|eval)\((?:\S+ )?\((?:closure|let) |(?:apply\()?(?:signal|ert-[\w-]+|command-line(?:-1)?|normal-top-level)[( ][()"#\w-]|\[C\]: in |panic\(\{?0x|body of (?:top-level$|\(submod "\/usr\/)|from (?:\?\?\?$|\S+ in '(?:\?\?|_start|__libc_start_main|main)'$))|^\s+\/usr\/\S+:\d+:\d+: \S+$/;
/** The innermost frame, with the message of what was thrown there. */
const THROWN_FRAME = /:\d+:in [`'][^']*': \S/;
/** A code frame, a caret, a pointer. */
const CODE = /^\s*(?:(?:>\s*)?\d+\s*(?:[|│┃]|:(?!\d))|[|│┃╭╰├└]|-->|:::|[~^¯─-]+\s*$|[\^~]|>\s)/;
/** What was expected and what was received; a diff; a note on the lines above. */
const DETAIL =
  /^\s*(?:[+-](?![+-]{3})|@@ -\d|E\s{2,}|\?\s|#\s|→|·|•|(?:=\s|\*\s)?(?:note|help|hint|info|expected|received|actual|got|want|wanted|but was|left|right|diff|difference|caused by|cause|reason|details?|stack|symbol|location|required|found|message|code|suppressed|operator|comparison|solution|possible|see|fix)\b.{0,40}?[:=]|(?:during handling|the above exception|direct cause|nested exception|when\b.{1,60}\bstack(?=:$)|\[cause\]|did you mean|called from|instead of|referenced by|caused by|in:)\b)/i;

export const NUMBERED_PLACE =
  /^(?:\[\d+\]|#?\d+[.)]) (?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7}:\d+/;
const TEST_LOG = /^\s*● Console$|^(?:stdout|stderr) \| /;
const WARNINGS_AS_ERRORS =
  /warnings? (?:being |are )?treated as errors|max-warnings|too many warnings|finished with problems, \d+ warnings?|code style issues/i;
/** A caret, and what underlines with it; words may follow. */
const CARET = /^\s*~*\s*\^/;
const PLACE_ONLY = /^\s*(?:File ".*", line \d+|(?:In )?\S+:\d+(?::\d+)?:?$|(?:In )?\S+ line \d+:?\s*$)/;
const PLACE_POINTER = /^\s*-->\s/;
const PLACE = /(?<![\w./\\-])[\w./\\-]+\.\w+(?:\?\w+)?(?::\d+|\(\d+|"(?:, line)? \d+)/;
const LINE = /\bline \d|[A-Za-z]\w{0,7}:\d|\w\(\d+[,)]|^\s*\d+:\d/i;
const MEMBER = /^\s+"[\w-]+": ?(?:[^{[]+|\[[^{[\]]*\],?)$/;

/** What was expected or received: named as such, a line of a diff, or what a test says behind its place. */
const VALUE =
  /^\s*(?:E\s{2,}|[#|]\s+)?(?:[+-](?![+-]{2})|\W{0,3}(?:expected|received|actual|got|want(?:ed)?|but was|left|right|which is|with expansion)\b.{0,40}?[:=<\s]|[\w./-]+\.\w+:\d+: \S)/i;
/** A line of source with its number, or with two in a diff. */
const NUMBERED = /^\s*(?:>\s*)?\d+(?:\s*[|│┃]|\t|\s+\d+\s*[│┃]|\s[+~]\s|\s-\s{2,})/;
const SUGGESTION = /^\s*(?:[=|│]\s*)?(?:help|hint|tip|suggestion):\s/i;
const USAGE = /(?:^|\s)Usage:$/i;
/** A runner of tests prints the content of a text, and the place of any other file. */
const ATTACHMENT = /^\s*attachment #\d+: .* \((?!text\/)[\w.+-]+\/[\w.+-]+\)(?: |$)/;
const EXCEPTION = /^(?:[\w$]+(?:\.|::|\\))*[\w$]*(?:Error|Exception)\b(?: \[\w+\])?(?::|$)|^Traceback \(/;
const COMMENT = /^# \S/;
const FILE_HEADING = /^\S*\w\.\w+: (?!.*:\d).*:$/;
const THREAD =
  /^(?:goroutine \d+ (?:\S+=\S+ )*\[[^\]]*\]:|(?:Current )?[Tt]hread (?:0x)?[\da-f]+ .*\)(?::| *: ".*")|Thread \(0x[\dA-F]+\):|Thread \d+(?: ".*")?(?: [Cc]rashed)?:|"[^"]*" .*\b(?:tid|nid)=|#\d+ "[^"]*"(?: virtual)?$|Coroutine "?\S+"?:.*\bstate: \w+|[* ] thread #\d+\b|~+ Stack of \S+ \(\d+\) ~+)/;
const TEST_NAME = /^\s*(?:test(?: ?case)?|scenario|example): +\S/i;
const NOTE = /^\S.*?(?::\d+|\(\d+(?:,\d+)?\)): note: /i;

/** A program, its version, and where it is from, or what it does first. */
const BANNER =
  /^\W*(?:[A-Za-z@][\w@./-]* +(?:- +)?){1,8}?["(]?v?\d+\.\d+[\w.+~-]*[")]?(?: *[[(][^\])]*[\])])?(?: +[-–|] .*| for \S+| \/\S*| by [A-Z].*| \w+ing\b.*(?:\.{3}|…)| [\d-]+)?$|^(?:Copyright \(|https?:\/\/\S+$|Using [A-Z][\w.-]*\d\.\d)|^[A-Z].* \(build \d.*\)$|^[A-Z]\w*: v?\d+\.\d+\.\d+$/i;

/** A level of a logger, below that of a warning. */
const LOGGED = /\b(?:INFO|DEBUG|TRACE|VERBOSE|NOTICE)\b/;

/** What a compiler has inserted, and where, before an error in it. */
const INSTANTIATION = /^\S+: In (?:instantiation|substitution) of |^\S+:\d+:\s+required (?:from|by) /;
/** A function that does not fit a call. */
const CANDIDATE = /\bnote: candidate\b|^\s+\w+ .* is not applicable$|^\s+where .*\btype-variables:$/;
/** A line of a frame of text; a table has more columns. */
const FRAMED = /^\s*[|│║](?:\s[^|│║]*)?[|│║]$/;
const NUMBERED_ITEM = /^\s*\d+\)\s/;
const NUMBERED_STEP = /^\[\s*\d+\/\d+\] \S/;
/** Begins with a word such as `Compiling`, also behind the name of a program; one of those here says how something is. */
const PROGRESS =
  /^\W*(?:info\W+)?(?:[a-z][\w.-]*(?:\[\d+\])?: )?(?!(?:(?:no|some|every)th|accord|break|clash|collid|conflict|contradict|crash|dangl|differ|dur|exceed|exist|expect|fail|follow|giv|hang|includ|interest|lead|leak|mismatch|miss|outstand|overlapp|pend|refus|reject|remain|str|trail|violat|warn)ing\b)\w+ing\b/i;
const INTRODUCTION = /^[^\p{L}\d]{0,6}(?:\d+ )?\p{L}[\p{L}\d ,()'’-]*[\p{L}\d)]:$/u;
/** A letter or a dot for each test. */
const TEST_LETTERS = /^(?=(?:\w?\.){10})[.FESUWXsx]+$|^[.FESXsx]+\s+\[\s*\d+%\]$/;

/** Where a manual explains the rule, also in the next line, and how a command prints more: the same after each failure. */
const MANUAL =
  /^(?:\S+:\d+: )?[^\w✗✘×✖❌⨯✕]*(?:(?:help|hint|note|info): )?(?:(?:for|see|read|learn|more|further|docs?|documentation|reference|background|refer|get help)\b[\w ,.'’-]{0,60}[:\s]\s*<?https?:\/\/\S+(?: for (?:more |further )?(?:information|details|help)\b.*)?|https?:\/\/\S*(?:\/docs?\/|\/reference\/|\/guides?\/|\/wiki|\/rules?\/|\/help\b|troubleshooting|\/messages\/)\S*|(?:please |you can )?(?:see|find|read|visit|learn|more)\b[^.:]{0,80}\b(?:here|page|link|docs|documentation|guide|manual)\b[^.:]{0,80}:|see the .{0,60}\b(?:manual|documentation)\b.{0,40}\bfor explanation\.?|type +\S+ +(?:<\w+> +)?for immediate help\.)$/i;
/** A command that repairs, or the option of one. */
const REPAIR =
  /\b(?:run|re-?run|use|try|execute|with)\b.{0,60}(?:--?(?:fix|write|update|force|install)\b|\b(?:fix|format|fmt|install|update|upgrade|regenerate|generate|migrate|rebuild)\b)/i;
const MORE_OUTPUT =
  /^\W*(?:E\s+)?(?:(?:help|hint|note|info): )?(?:(?!.*\blimit\b)[\w ,]{3,60}[;,.] )?(?:(?:please |you can )?(?:also )?(?:run|re-?run|(?:re)?compile|use|see|set|read|add|try)\b.{0,60}(?:\s|[`'"(])(?:-{1,2}[a-z?]|[A-Z][A-Z_]+=).{0,80}\b(?:to|for) (?:get|see|show|display|print|view|find|obtain|gain|increase|where|options|re-?run|(?:en|dis)able .{0,30}\b(?:debug|log|trace|verbose|backtrace|output))|for [\w ,]{3,60} (?:re-?run|run|use|try) (?:with:? -|[`'"]\S+ --)|see (?:full|also) .*(?:--trace|\.log"?)|to override .* add\b)/i;
/** How to have the command ignore what is wrong: it repairs nothing. */
const SILENCER =
  /^\W*(?:(?:hint|note|help|tip): )?(?:if (?:this|that|it) is (?:expected|intended|intentional)\b|if you (?:prefer|want) to (?:skip|ignore)\b|to (?:suppress|ignore|disable|silence)\b|to restore the original branch\b|re-?run with \S+ to (?:skip|ignore)\b|(?:alternatively, )?you can (?:also |instead )?(?:skip|ignore|suppress|silence|disable|mark .* as external|(?:re-?)?run .* to (?:\w+ )?ignore)\b)/i;

/** Everything that this file looks for. */
export const STRUCTURE: readonly RegExp[] = [
  SEPARATOR,
  TITLE,
  LONG_TITLE,
  FRAME,
  EXTERNAL_PLACE,
  EXTERNAL_NAME,
  RUNTIME_FRAME,
  THROWN_FRAME,
  CODE,
  DETAIL,
  TEST_LOG,
  WARNINGS_AS_ERRORS,
  CARET,
  PLACE_ONLY,
  PLACE_POINTER,
  PLACE,
  LINE,
  MEMBER,
  NUMBERED,
  SUGGESTION,
  VALUE,
  USAGE,
  ATTACHMENT,
  EXCEPTION,
  COMMENT,
  FILE_HEADING,
  NUMBERED_PLACE,
  THREAD,
  TEST_NAME,
  NOTE,
  LOGGED,
  INSTANTIATION,
  CANDIDATE,
  NUMBERED_ITEM,
  FRAMED,
  MANUAL,
  REPAIR,
  MORE_OUTPUT,
  SILENCER,
  BANNER,
  TEST_LETTERS,
  INTRODUCTION,
];

/** A line of one repeated character, or a title between such characters, or before them. */
export function separatorIn(text: string): { readonly title: string } | null {
  const title = (TITLE.exec(text) ?? LONG_TITLE.exec(text))?.[1];
  if (title !== undefined) return { title };
  const [start, sign = ''] = SEPARATOR.exec(text) ?? [];
  if (start === undefined) return null;
  const [between = ''] = text.slice(start.length).split(sign.repeat(3), 1);
  return { title: between.trim() };
}

/** The heading of what a test logged: it is no part of a failure, however deep it is indented. */
export function startsTestLog(text: string): boolean {
  return TEST_LOG.test(text);
}

/** The heading of a list of options, which a command prints below its error. */
export function startsUsage(text: string): boolean {
  return USAGE.test(text);
}

/** The heading of a file that was recorded of a test, such as a picture; a line ends what is said of it. */
export function startsAttachment(text: string): boolean {
  return ATTACHMENT.test(text);
}

/**
 * The line above the stack of one thread, by its id, its name or its state: Go, Python, the JVM and its coroutines, gdb,
 * LLDB, Swift, .NET.
 */
export function isThreadHeading(text: string): boolean {
  return THREAD.test(text);
}

/** A frame of a stack. */
export function isFrame(text: string): boolean {
  return FRAME.test(text);
}

/** A frame of code that is not the project's. */
export function isExternalFrame(text: string): boolean {
  if (RUNTIME_FRAME.test(text)) return true;
  if (THROWN_FRAME.test(text)) return false;
  return FRAME.test(text) && (EXTERNAL_PLACE.test(text) || EXTERNAL_NAME.test(text));
}

/** Names a place in code that is not the project's. */
export function isExternalPlace(text: string): boolean {
  return EXTERNAL_PLACE.test(text);
}

/** A frame of a package that the project depends on, with its place. */
export function isDependencyFrame(text: string): boolean {
  return (
    FRAME.test(text) && /(?:node_modules|(?:site|dist)-packages|pkg\/mod|gems)\/.*(?::\d|line \d)/.test(text)
  );
}

/** An exception, or the start of its stack. */
export function isException(text: string): boolean {
  return EXCEPTION.test(text);
}

/** A comment: the name of the tests below it in TAP, of the package in Go. */
export function isComment(text: string): boolean {
  return COMMENT.test(text);
}

/** Where a template is used, above an error in it. */
export function isInstantiation(text: string): boolean {
  return INSTANTIATION.test(text);
}

/** A function that a compiler has tried for a call, and why it does not fit. */
export function isCandidate(text: string): boolean {
  return CANDIDATE.test(text);
}

/** A statement that warnings made the command fail. */
export function treatsWarningsAsErrors(text: string): boolean {
  return WARNINGS_AS_ERRORS.test(text);
}

/** A place and nothing else: the next line says what is wrong there. */
export function isPlaceOnly(text: string): boolean {
  return PLACE_ONLY.test(text);
}

/** A place with an ordinal: the title of one of several failures. */
export function isNumberedPlace(text: string): boolean {
  return NUMBERED_PLACE.test(text);
}

/** A file, and what in it the next line is about: `a.c: In function ‘f’:`. */
export function isFileHeading(text: string): boolean {
  return FILE_HEADING.test(text);
}

/** An item of a list: of tests, it is no result, but may name one that was skipped long before. */
export function isNumbered(text: string): boolean {
  return NUMBERED_ITEM.test(text);
}

/** A line of text in a frame. */
export function isFramed(text: string): boolean {
  return FRAMED.test(text);
}

/** A pointer to the place that the line above is about. */
export function isPlacePointer(text: string): boolean {
  return PLACE_POINTER.test(text);
}

/** Names a place in code that is not external. */
export function namesPlace(text: string): boolean {
  return PLACE.test(text) && !EXTERNAL_PLACE.test(text) && !isExternalFrame(text);
}

/** Names a line of a file, also apart from the name of the file. */
export function namesLine(text: string): boolean {
  return LINE.test(text);
}

/** A member of an object in expanded JSON: its neighbours describe the same thing. */
export function isMember(text: string): boolean {
  return MEMBER.test(text);
}

/** The name of the test that the lines below are about, where it is on a line of its own. */
export function namesTest(text: string): boolean {
  return TEST_NAME.test(text);
}

/** What a compiler notes about the error above, at a place of its own. */
export function isNote(text: string): boolean {
  return / note: /i.test(text) && NOTE.test(text);
}

/** Quoted or suggested text: its words say nothing about the run. */
export function isQuoted(text: string): boolean {
  return NUMBERED.test(text) || SUGGESTION.test(text);
}

/** Names a command that repairs what is wrong. */
export function repairs(text: string): boolean {
  return REPAIR.test(text);
}

/** Points to a manual, to an option that prints more, or to one that has the command ignore what is wrong. */
export function pointsElsewhere(text: string): boolean {
  return SILENCER.test(text) || (!repairs(text) && (MANUAL.test(text) || MORE_OUTPUT.test(text)));
}

/** Points into the line of source above it. */
export function isCaret(text: string): boolean {
  return CARET.test(text);
}

export function isCode(text: string): boolean {
  return CODE.test(text);
}

export function isValue(text: string): boolean {
  return VALUE.test(text);
}

export function isDetail(text: string): boolean {
  return DETAIL.test(text);
}

/** The start of a step: `[2/3] lint packages/web`, `Checking packages/web`. Lines of one form differ in this. */
export function startsStep(text: string): boolean {
  return NUMBERED_STEP.test(text) || (PROGRESS.test(text) && /\w\s+\w/.test(text));
}

/** What is being done, not what is wrong: `Compiling a`, `checking for b... yes`, `..F..`. */
export function isProgress(text: string): boolean {
  return PROGRESS.test(text) || TEST_LETTERS.test(text);
}

/** What a program says of itself when it starts. */
export function isBanner(text: string): boolean {
  return BANNER.test(text.trim());
}

/** A record of a log that is no failure; its members may follow. */
export function isLogged(text: string): boolean {
  return LOGGED.test(text);
}

/** Words, at most with a bullet, and a colon: other signs may name a file or a value. */
export function isIntroduction(text: string): boolean {
  return INTRODUCTION.test(text);
}

/** A line that introduces the next one. */
export function introducesNext(text: string): boolean {
  return text.endsWith(':');
}

/** Ends within brackets: the lines below go on with what is in them. */
export function opensBracket(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if ('([{'.includes(character)) open++;
    else if (')]}'.includes(character)) open--;
  }
  return open > 0;
}

/** The indent of a line of a stack, beside the bars of an exception group of Python. */
export function stackIndentOf(text: string): number {
  return text.search(/[^\s|]/);
}

/** Characters before the first that is not blank; -1 in a blank line. */
export function indentOf(text: string): number {
  return text.search(/\S/);
}
