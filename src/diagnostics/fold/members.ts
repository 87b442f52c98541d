import type { Line } from '../failures/failure.ts';
import { classificationOf } from '../lines/classify.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { indentOf, isValue } from '../lines/structure.ts';

/** A shorter value may be part of a line by chance. */
const MIN_VALUE = 16;
/** A member of an object that a runtime has printed, or of YAML, and its value. */
const MEMBER = /^\s+(?:[a-z_$][\w$]*|\[\w+\]|'[^']*'): (\S.*?),?$/;
/** What goes on below, and where that ends. */
const OPENS = /^(?:[[{]|[|>]-?)$/;
const BLOCK = /^[|>]/;
const CLOSES = /^\s*[\]}]+,?$/;
const EMPTY = /^(?:\[\]|\{\})$/;
/** A part of a list. */
const NOTHING = /^(?:''|undefined|null)$/;
const QUOTED = /^(["'`])(.*)\1$/;
/** What the source is around a place that another member has. */
const SOURCE = /^\s+source: [|>]-?$/;
/** Further above, a value is about something else. */
const OF_SAME = 60;

/** Without the members of an error that are empty, or have what it says above. What was expected and received stays. */
export function withoutSaidMembers(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as Line;
    const value = isValue(line.text) ? undefined : MEMBER.exec(line.text)?.[1];
    if (value === undefined) {
      kept.push(line);
      continue;
    }
    const above = aboveOf(kept);
    if (!OPENS.test(value)) {
      const isSaid =
        EMPTY.test(value) || (value.length > 2 && QUOTED.test(value) && isSaidAbove(value, above));
      if (!isSaid) kept.push(line);
      continue;
    }
    const end = endOfMember(lines, index);
    const parts = lines.slice(index + 1, end).filter(({ text }) => text !== '' && !CLOSES.test(text));
    const isSaid = parts.every(({ text }) => isSaidAbove(MEMBER.exec(text)?.[1] ?? text, above));
    // Of a text in YAML, nothing may be shown: frames of packages are left out.
    const isText = BLOCK.test(value);
    if ((parts.length > 0 || isText) && (isSaid || SOURCE.test(line.text))) index = end - 1;
    else kept.push(line);
  }
  return kept;
}

/** The lines of the same failure. */
function aboveOf(lines: readonly Line[]): Line[] {
  const above = lines.slice(-OF_SAME);
  return above.slice(
    Math.max(
      0,
      above.findLastIndex(({ text }) => classificationOf(text) === 'failedTest'),
    ),
  );
}

function isSaidAbove(text: string, above: readonly Line[]): boolean {
  const value = text.trim().replace(/,$/, '');
  if (EMPTY.test(value) || NOTHING.test(value)) return true;
  const said = value.replace(QUOTED, '$2').replace(/^(?:Error: |at )/, '');
  return said.length >= MIN_VALUE && above.some((line) => line.text.includes(said));
}

/** Where what is in a member ends. */
function endOfMember(lines: readonly Line[], start: number): number {
  const indent = indentOf(lines[start]?.text ?? '');
  const isPart = ({ text }: Line) => text === '' || indentOf(text) > indent;
  const rest = lines.slice(start + 1).findIndex((line) => !isPart(line));
  const end = rest === -1 ? lines.length : start + 1 + rest;
  return CLOSES.test(lines[end]?.text ?? '') ? end + 1 : end;
}

/** How deep the members of a member are, in Node's print of an error. */
const DEEP = 4;
/** An object with more such members is one of a library, and has the request, the sockets and the settings. */
const MAX_DEEP = 12;
/** What a value deep in it may say of the error. */
const SAYS_WHY =
  /^\s+["']?(?:url|method|path|status\w*|code|message|data|body|errors?|reason|details?|cause|address|port|host(?:name)?)["']?: (?!undefined|null|\[|\{$|.*\[(?:Function|Object|Array|\w*Socket)\b)/;
/** A part of such an object, and no part of a diff or of source. */
const OF_OBJECT =
  /^\s+(?:(?:[\w$]+|'[^']*'|\[[^\]]+\]): .*|[\]}]+,?|[[{]|\{ .* \},?|'.*'(?:,| \+)?|(?:<ref \*\d+> )?\w+ \{|\[(?:Function|Object|Array|Socket|Getter|Circular)\b.*)$/;
/** What an object of a library has, and data does not: handlers, state that is private, and what refers to itself. */
const INTERNAL = /\[(?:Function|Symbol|Circular|Socket|Getter)\b|<ref \*|\bSocket\b|<Buffer|^\s+'?_\w+'?: /;
/** Most lines of an object, and few others. */
const GOES_ON = /[,{[]$/;

/** Without what is deep in a large object that was printed with an error, except for what may say why. */
export function withoutDeepMembers(lines: readonly Line[]): Line[] {
  const deep = lines.map(({ text }) => indentOf(text) >= DEEP && OF_OBJECT.test(text) && !isFrame(text));
  const isLarge = new Array<boolean>(lines.length).fill(false);
  for (let start = 0, end = 0; start < lines.length; start = end + 1) {
    end = start;
    while (end < lines.length && isOfDump(lines[end]?.text ?? '')) end++;
    const members = lines.slice(start, end).filter((_, index) => deep[start + index]);
    const isObject = members.filter(({ text }) => GOES_ON.test(text)).length > members.length / 2;
    const isOfLibrary = members.some(({ text }) => INTERNAL.test(text));
    isLarge.fill(isObject && isOfLibrary && members.length > MAX_DEEP, start, end);
  }
  return lines.filter(({ text }, index) => !(isLarge[index] && deep[index]) || SAYS_WHY.test(text));
}

function isOfDump(text: string): boolean {
  return indentOf(text) >= 2 && (OF_OBJECT.test(text) || isFrame(text));
}

/** A schema, in what a validator says of a value that does not match it. */
const SCHEMA = /^\s+(parentSchema|schema): [[{]$/;

/** The positions of the schemas that a validator has printed with an error; data may have a member of this name. */
export function schemasIn(lines: readonly Line[]): number[] {
  const names = lines.map(({ text }) => SCHEMA.exec(text)?.[1]);
  if (!names.includes('parentSchema')) return [];
  return lines.flatMap((_, index) =>
    names[index] === undefined ? [] : lines.slice(index, endOfMember(lines, index)).map(({ at }) => at),
  );
}
