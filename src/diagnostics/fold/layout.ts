import type { Line } from '../failures/failure.ts';
import { classificationOf } from '../lines/classify.ts';
import { formTable } from '../lines/forms.ts';
import { isFrame } from '../lines/stack-frames.ts';
import { isCaret } from '../lines/structure.ts';

/** A longer line is no title, and no row. */
const MAX_CHARACTERS = 500;
/** Signs before a title, and as many behind it; hyphens behind one may underline, unless a place follows. */
const TITLE =
  /^([=_*#~⎯─━═—-])\1{5,}(?=.*\p{L})|(?<=[\s╞])([=_*⎯─━═—])\2{5,}$(?<=\p{L}.*)|(?<=^\p{L}+ )(-)\3{5,}(?= \S+:\d+$)/gu;
/** The place of a rule's message in the file above. */
const ROW = /^\s*(?:\S\s+)?(?:\d+|-):(?:\d+|-)(?:-\d+:\d+)?\s/;
const COLUMN = /(?<=\S) {3,}(?=\S)/g;
/** Where the code of a frame is in a binary, behind its place: the offset, and the identifier of the build. */
const BINARY =
  /(?<=\.\w+:\d+(?::\d+)?) \([\w.+/-]*\+0x[\da-f]+\)(?: \(BuildId: [\da-f]+\))?$| \[0x[\da-f]+\] in <[\da-f]+>:0$/;
/** Where to read about it, behind what is wrong. */
const LINK = formTable(/(?<=\w.{15,}[.:;,'"`)\]]?)\s+/i, {
  'in brackets': {
    pattern: /\[https?:\/\/[^\s\]]+\]$/,
    example: 'Unexpected console call [https://lint.example/a]',
  },
  'in brackets, with words': {
    pattern: /[[(][^[\]()]{0,40}\b(?:see|try|at|refer to):? <?https?:\/\/[^\s)\]]+ ?[)\]]\.?$/,
    example: 'The loader is missing. (For help see: https://pack.example/loaders)',
  },
  'a sentence': {
    pattern:
      /(?:see|refer to|(?:read|learn|find out|for) more(?: \w+){0,3}(?: at| here)?:?) <?https?:\/\/\S+(?: for (?:more )?(?:information|details|help)\.?)?["']?$/,
    example: 'The hook is called in a loop. Learn more: https://hooks.example/rules',
  },
});
export const LAYOUT_TABLES = { LINK };
/** The arguments of a command that a build tool has shortened itself. */
const ARGUMENTS = /(?<= executing command(?: \([^)]*\))? \S+) .{60,}(?= \.{3} \(remaining \d+ argument)/;
/** The command line of a compiler, or of what Rake has run: the program and the files say which one it is. */
const COMPILER =
  /^(?:\S*\/)?(?:\w+-)*(?:g?cc|[gc]\+\+|clang(?:\+\+)?)(?:-\d+)?(?: .*)? -[co] |^Command failed with status \(\d+\): \[/;
/** What MSBuild was building, behind what is wrong. */
const PROJECT = / \[[^[\]]+\.\w*proj(?:::[^[\]]*)?\]$/;
/** What compilers and debuggers print for a string of C++. */
const STRING =
  /std::(?:__cxx11::|__1::)?basic_string<char, std::(?:__1::)?char_traits<char>, std::(?:__1::)?allocator<char> ?>/g;
const MAX_COMMAND = 120;
const COMMAND = { start: 40, end: 70 } as const;

/**
 * Without what makes lines wide and says nothing: signs around titles, blanks between columns, addresses behind places,
 * links to manuals, and most options of a compiler.
 */
export function narrowed<L extends Line>(lines: readonly L[]): L[] {
  let project: string | undefined;
  return lines.map((line, index) => {
    const above = project;
    project = PROJECT.exec(line.text)?.[0];
    const own = project !== undefined && project === above ? line.text.slice(0, -project.length) : line.text;
    const text = narrow(own, lines[index + 1]?.text ?? '');
    return text === line.text ? line : { ...line, text };
  });
}

/** What loggers note of each request besides its method and its path. */
const OF_REQUEST =
  /,?"(?:headers|query|params)":\{[^{}]*\}|,?"remote(?:Address|Port)":(?:"[^"]*"|\d+)|(?<=^\{.*),"(?:pid|hostname)":(?:"[^"]*"|\d+)/g;

/** A line before it is cropped: the name of a type that has a shorter one, and the record of a request. */
export function compacted<L extends Line>(line: L): L {
  const { text } = line;
  if (text.includes('basic_string<char,')) return { ...line, text: text.replace(STRING, 'std::string') };
  if (text.includes('"headers":{')) return { ...line, text: text.replace(OF_REQUEST, '') };
  return line;
}

function narrow(text: string, next: string): string {
  if (text.length > MAX_CHARACTERS) return text;
  if (text.includes(' executing command ')) return text.replace(ARGUMENTS, '');
  if (text.length > MAX_COMMAND && COMPILER.test(text))
    return `${text.slice(0, COMMAND.start)} … ${text.slice(-COMMAND.end)}`.toWellFormed();
  // What the sign below points at stays in its place.
  if (isCaret(next)) return text;
  if (isFrame(text)) return text.replace(BINARY, '');
  if (text.includes('://')) return text.replace(LINK.pattern, '');
  if (ROW.test(text) && ['located', 'warning'].includes(classificationOf(text)))
    return text.replace(COLUMN, '  ');
  return text.replace(TITLE, '$1$1$1$2$2$2$3$3$3');
}
