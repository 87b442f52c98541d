/** How lines hang together: what a line belongs to can be told from its form. */

const RULER = /^\s*([=_*#~⎯─━—-])\1{4,}\s*(.*?)\s*(?:\1{3,}.*)?$/u;
const FRAME =
  /^\s*(?:at\b|by 0x|❯\s|from\s.*:\d+|File "|#\d+\s|created by \S+$|[\w./-]+\.[\w.*()]+\(.*\)$|\S+:\d+ \+0x|\d+:\s+(?:0x|[\w<])|\.{3} \d+ more|\S+:\d+(?::\d+)?(?:$|:in\b)|\S+\s\(\S+:\d+(?::\d+)?\)$)/;
const FOREIGN =
  /node_modules|\(?node:|internal\/|site-packages|dist-packages|lib\/python\d|\/usr\/(?:lib|share|include|local\/lib)|\/rustc\/|\bat (?:[\w.]+\/{1,2})?(?:java|javax|jdk|sun|com\.sun|scala|kotlin|kotlinx|groovy|clojure|System|Microsoft|Xunit|NUnit|org\.(?:junit|testng|gradle|springframework|hibernate|mockito|apache\.(?:maven|tomcat|catalina|coyote)))\.|java\.base\/|goroot\/src|\/gems\/|<frozen |vendor\/|\bcore::|\bstd::|\/go\/src\/(?:testing|runtime)/;
/** A wrapper or a build tool that tells how the command it called ended: why, the lines above say. */
const ENDED =
  /^(?:g?make|ninja)\S*: \*\*\*|\bexit(?:ed)?(?: with)?(?: code| status)?[ :=]+[1-9]\d*\b|\breturned (?:a )?non-zero|\b[Cc]ommand (?:.* )?failed\b|ELIFECYCLE/;
/** A code frame, a caret, a pointer. */
const CODE = /^\s*(?:>?\s*\d+\s*(?:[|│┃]|:(?!\d))|[|│┃╭╰├└]|-->|:::|[~^¯─-]+\s*$|[\^~]|>\s)/;
/** What was expected and what came; a diff; a note on the above. */
const DETAIL =
  /^\s*(?:[+-](?![+-]{3})|@@ -\d|E\s{2,}|\?\s|#\s|→|·|•|(?:=\s|\*\s)?(?:note|help|hint|info|expected|received|actual|got|want|wanted|but was|left|right|diff|difference|caused by|cause|reason|details?|stack|symbol|location|required|found|message|code|suppressed|operator|comparison|solution|possible|see|fix)\b.{0,40}?[:=]|(?:during handling|the above exception|direct cause|nested exception|\[cause\]|did you mean|called from|instead of|referenced by|caused by|in:)\b)/i;

/** A line of one repeated sign, or a title between such signs. */
export function rulerIn(text: string): { readonly title: string } | undefined {
  const ruler = RULER.exec(text);
  return ruler ? { title: ruler[2] ?? '' } : undefined;
}

/** What a test logged follows, however deep below the failed file's name it stands. */
export function beginsLog(text: string): boolean {
  return /^\s*● Console$|^(?:stdout|stderr) \| /.test(text);
}

/** A frame of a stack. */
export function isFrame(text: string): boolean {
  return FRAME.test(text);
}

/** A wrapper's word on how the command it called ended. */
export function tellsEnd(text: string): boolean {
  return ENDED.test(text);
}

/** Where warnings made the command fail, this says so. */
export function saysThatWarningsCount(text: string): boolean {
  return /warnings? (?:being |are )?treated as errors|max-warnings|too many warnings/i.test(text);
}

/** A place and nothing else: what is wrong there stands on the next line. */
export function isPlace(text: string): boolean {
  return /^\s*(?:File ".*", line \d+|(?:In )?\S+:\d+(?::\d+)?:?$|(?:In )?\S+ line \d+:?\s*$)/.test(text);
}

/** A member of an object that is laid out as JSON: its neighbours tell of the same thing. */
export function isMember(text: string): boolean {
  return /^\s+"[\w-]+": ?[^{[]+$/.test(text);
}

/** A line of source, quoted with its number. */
export function isQuotedCode(text: string): boolean {
  return /^\s*>?\s*\d+(?:\s*[|│┃]|\t)/.test(text);
}

/** A place in code that is not foreign. */
export function namesPlace(text: string): boolean {
  return /[\w./\\-]+\.\w+(?::\d+|\(\d+)/.test(text) && !FOREIGN.test(text);
}

/** A pointer to the place of what the line above says. */
export function pointsBack(text: string): boolean {
  return /^\s*-->\s/.test(text);
}

/** A frame of code that nobody here can repair. */
export function isForeignFrame(text: string): boolean {
  return FRAME.test(text) && FOREIGN.test(text);
}

export function isCode(text: string): boolean {
  return CODE.test(text);
}

export function isDetail(text: string): boolean {
  return DETAIL.test(text);
}

/** An unfinished line: what it announces follows. */
export function announces(text: string): boolean {
  return text.endsWith(':');
}

export function indentOf(text: string): number {
  return text.search(/\S/);
}
