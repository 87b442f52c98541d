import { type Failure, VALUE } from './failure.ts';
import { WEIGHT } from './line-meaning.ts';

/** `TS2339`, `E0308`, `[arg-type]`, `(line-too-long)`, `  no-undef`: how a tool calls the kind of an error. */
const CODE = /\b([A-Z]{1,6}\d{2,6})\b|[[(]([a-z][\w/-]+)[\])]\s*$|\s\s(@?[a-z][\w-]*(?:\/[\w-]+)*)\s*$/;
const FILE = /((?:[\w@.+~-]*[\\/])*[\w@+~-][\w@.+~-]*\.[A-Za-z]\w{0,7})(?=[:(\s"',)]|$)/;
/** What differs between two failures of one kind: names, numbers, places. */
const PARTICULAR = /`[^`]*`|\w*_\w*|"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”|«[^»]*»|\S*[\\/.]\S*|\d+/g;

/** The mark of a failed test or target: which one it is makes no kind. */
const VERDICT_MARK = /^\s*(\d+\)|[^\w\s]|[A-Z]{4,}:?(?=\s))/;

/** What a failure has in common with others of its kind: its code, or its words without names, numbers and places. */
/** What a structured log line says: `{"level":"error","msg":"…"}`, `level=error msg="…"`. */
const LOGGED = /\b(?:msg|message|error|err)["']?\s*[:=]\s*["']([^"']+)/;

export function kindOf({ headline: { at, text: headline }, lines, weight }: Failure): string {
  const code = codeOf(headline);
  if (code !== undefined) return code;
  if (weight === WEIGHT.verdict) {
    const mark = (VERDICT_MARK.exec(headline)?.[1] ?? '').replace(/\d+/, '#');
    const reason = lines.find(({ at: below, value }) => below > at && value === VALUE.error);
    return `${mark} ${generalised(reason?.text ?? '')}`;
  }
  return generalised(LOGGED.exec(headline)?.[1] ?? headline);
}

/** What it says, whatever the place. */
export function messageOf(headline: string): string {
  return headline
    .replace(/^\s*\S*[/.]\S*[:(]\d\S*|^\s*\d+:\d+/, '')
    .replace(/\d+/g, '#')
    .trim()
    .slice(0, 120);
}

function generalised(text: string): string {
  return text.replace(PARTICULAR, '¤').replace(/\s+/g, ' ').trim().slice(0, 60);
}

export function codeOf(headline: string): string | undefined {
  const code = CODE.exec(headline);
  return code?.[1] ?? code?.[2] ?? code?.[3];
}

export function fileOf(text: string): string | undefined {
  return FILE.exec(text)?.[1];
}
