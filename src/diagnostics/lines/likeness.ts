import { isNamedNumber, isNamedWord, MAX_NUMBER_CHARACTERS } from './named-words.ts';

// How lines are alike, as hashes: a text with its names replaced would cost several times as much.
//   form      no expression of this folder distinguishes them: they differ in numbers, and in words that none contains
//   template  they say the same: they differ in numbers and in random identifiers
//   wording   they say the same about other things: they differ in quoted names, paths and numbers
//   shape     they look alike: words, numbers and blanks are at the same places

const DIGIT = 1;
const LOWER = 2;
const UPPER = 4;
const KIND = DIGIT | LOWER | UPPER;
/** A letter that is no hexadecimal digit. */
const NO_HEX = 8;
/** The kind of each byte; 0 if it is part of no word. */
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return DIGIT;
  const letter = /[a-z]/.test(character) ? LOWER : /[A-Z]/.test(character) ? UPPER : 0;
  return letter !== 0 && /[^a-f]/i.test(character) ? letter | NO_HEX : letter;
});

const TAB = 9;
const BLANK = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const BRACKET = 40;
const HYPHEN = 45;
const DOT = 46;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const EQUALS = 61;
const BACKSLASH = 92;
const UNDERSCORE = 95;
const BACKQUOTE = 96;
const LETTER = 97;
const X = 120;
/** In a hash, what is no character: a word, by its kinds; a random identifier; a number that is named. */
const WORD = 1 << 16;
const IDENTIFIER = 1 << 17;
const NUMBER = 1 << 18;
const YEAR = 1 << 19;

/** http://www.isthe.com/chongo/tech/comp/fnv/, as a signed number: V8 allocates memory for each larger one. */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
/** Of a second hash of this kind. */
const OTHER_OFFSET = 0x1b873593;
const OTHER_PRIME = 0x85ebca6b;

/** The hashes of a line; signed, 32 bits each. */
export interface LineHashes {
  /** The same for all lines of one form; with the check, hardly ever for others. */
  form: number;
  formCheck: number;
  /** The same for all lines of one template. */
  template: number;
}

/**
 * Hashes a line. Every byte of a long output comes through here: no text is made.
 *
 * @param bytes UTF-8
 * @returns false at the first control character that is no tab; the hashes are then as they were
 */
export function hashLine(hashes: LineHashes, bytes: Buffer, lineStart: number, end: number): boolean {
  let one = FNV_OFFSET;
  let two = OTHER_OFFSET;
  let template = FNV_OFFSET;
  for (let i = lineStart; i < end; ) {
    const start = i;
    const firstCode = bytes[i++] as number;
    const first = KINDS[firstCode] as number;
    let inForm = firstCode;
    let inTemplate = firstCode;
    if (first === 0) {
      if (firstCode < BLANK && firstCode !== TAB) return false;
    } else {
      let word = Math.imul(FNV_OFFSET ^ (first === DIGIT ? NINE : firstCode), FNV_PRIME);
      let kinds = first;
      let last = first;
      let changes = 0;
      for (; i < end; i++) {
        const code = bytes[i] as number;
        const kind = KINDS[code] as number;
        if (kind === 0) break;
        if (kind !== DIGIT) word = Math.imul(word ^ code, FNV_PRIME);
        else if (last !== DIGIT) word = Math.imul(word ^ NINE, FNV_PRIME);
        if (((kind ^ last) & KIND) !== 0) changes++;
        kinds |= kind;
        last = kind;
      }
      let isHash = i - start === 8 && isUuid(bytes, start, end);
      if (isHash) {
        i = start + UUID_CHARACTERS;
        kinds |= DIGIT | LOWER;
        last = KINDS[bytes[i - 1] as number] as number;
      }
      if (kinds === DIGIT) {
        inTemplate = NINE;
        inForm = numberClass(bytes, start, i, end);
      } else if ((kinds & DIGIT) === 0) {
        inTemplate = word;
        inForm = isNamedWord(word, bytes, start, i) ? word : WORD | ((first & KIND) << 3) | (kinds & KIND);
      } else {
        const isAddress = firstCode === ZERO && i - start > 1 && bytes[start + 1] === X;
        isHash ||= isAddress || ((kinds & NO_HEX) === 0 && i - start >= MIN_HASH);
        inTemplate = isHash || changes >= MIN_CHANGES ? IDENTIFIER : word;
        // Of `E404`, the number is named too.
        if (!isHash && isNamedWord(word, bytes, start, i))
          inForm = word ^ numberClass(bytes, start + 1, i, end);
        else {
          inForm = isHash ? IDENTIFIER | Number(isAddress) : WORD | (kinds & KIND);
          // Where a number may be looked for, it matters what the word begins and ends with: `line 3a`, `.mp3:7`.
          if (start === lineStart || !isJoint(bytes[start - 1] as number)) inForm |= (first & KIND) << 3;
          if (i < end && isPlaceStart(bytes[i] as number))
            inForm |= ((last & KIND) << 6) | (Math.min(changes, 2) << 9);
        }
      }
    }
    one = Math.imul(one ^ inForm, FNV_PRIME);
    two = Math.imul(two ^ inForm, OTHER_PRIME);
    template = Math.imul(template ^ inTemplate, FNV_PRIME);
  }
  hashes.form = one;
  hashes.formCheck = two;
  hashes.template = template;
  return true;
}

/** The same for all texts of one template. */
export function templateOf(text: string): number {
  const hashes = { form: 0, formCheck: 0, template: 0 };
  const bytes = Buffer.from(text);
  hashLine(hashes, bytes, 0, bytes.length);
  return hashes.template;
}

/** A hexadecimal number with letters in it that has fewer characters may be a name. */
const MIN_HASH = 7;
/** From letters to digits and back: in a name there are fewer. */
const MIN_CHANGES = 6;

const UUID_CHARACTERS = 36;

function isUuid(bytes: Buffer, start: number, end: number): boolean {
  if (start + UUID_CHARACTERS > end) return false;
  for (let i = 0; i < UUID_CHARACTERS; i++) {
    const code = bytes[start + i] as number;
    const isHyphen = i === 8 || i === 13 || i === 18 || i === 23;
    if (isHyphen ? code !== HYPHEN : !isHexDigit(code)) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whether a character joins a word to the one before it, or quotes it. */
function isJoint(code: number): boolean {
  return code === SLASH || code === HYPHEN || code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

function isPlaceStart(code: number): boolean {
  return code === COLON || code === BRACKET;
}

function isHexDigit(code: number): boolean {
  const kind = KINDS[code] as number;
  return kind !== 0 && (kind & NO_HEX) === 0;
}

/** A date begins with four digits. */
const YEAR_CHARACTERS = 4;

function numberClass(bytes: Buffer, start: number, end: number, lineEnd: number): number {
  if (end - start === YEAR_CHARACTERS && end < lineEnd && isDateSign(bytes[end] as number)) return YEAR;
  if (end - start > MAX_NUMBER_CHARACTERS) return NINE;
  if (end - start > 1 && bytes[start] === ZERO) return NINE;
  // The level of a record of journald.
  const mayBeQuoted = end - start === 1 && start > 0 && end < lineEnd;
  if (mayBeQuoted && bytes[start - 1] === DOUBLE_QUOTE && bytes[end] === DOUBLE_QUOTE)
    return NUMBER | (bytes[start] as number);
  let number = 0;
  for (let i = start; i < end; i++) number = number * 10 + (bytes[i] as number) - ZERO;
  // A count of nothing is named anywhere, and so is a status; of the other short ones, the level of a record.
  const mayBeNamed = number === 0 || end - start === MAX_NUMBER_CHARACTERS || isValue(bytes, start);
  return mayBeNamed && isNamedNumber(number) ? NUMBER | number : NINE;
}

/** Whether a number follows a key and a sign, `"level": 30` or `level=30`, unlike one of a place, `a.ts:30`. */
function isValue(bytes: Buffer, start: number): boolean {
  const at = bytes[start - 1] === BLANK ? start - 2 : start - 1;
  const sign = bytes[at];
  return sign === EQUALS || (sign === COLON && (at < start - 1 || isJoint(bytes[at - 1] as number)));
}

function isDateSign(code: number): boolean {
  return code === HYPHEN || code === SLASH;
}

/** The same for all texts of one wording; 32 bits. */
export function wordingOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; ) {
    const quoteEnd = isQuote(text.charCodeAt(i)) ? text.indexOf(text.charAt(i), i + 1) : -1;
    let word = IDENTIFIER;
    if (quoteEnd !== -1) i = quoteEnd + 1;
    else {
      let hasPath = false;
      let wasNumber = false;
      word = FNV_OFFSET;
      do {
        const code = text.charCodeAt(i++);
        const isNumber = isDigit(code);
        if (!isNumber || !wasNumber) word = Math.imul(word ^ (isNumber ? NINE : code), FNV_PRIME);
        if (code === SLASH || code === BACKSLASH || code === DOT) hasPath = true;
        wasNumber = isNumber;
      } while (i < text.length && text.charCodeAt(i) !== BLANK && !isQuote(text.charCodeAt(i)));
      if (hasPath) word = IDENTIFIER;
    }
    hash = Math.imul(hash ^ word, FNV_PRIME);
  }
  return hash;
}

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === BACKQUOTE;
}

/** Longer lines look like their start. */
const SHAPE_CHARACTERS = 48;

/**
 * The same for all lines of one shape: words, numbers and blanks each count as one character, and so does an identifier of
 * letters and digits. Lines of one list have one shape; a line with a rare shape is likely to matter.
 */
export function shapeOf(text: string): number {
  let hash = FNV_OFFSET;
  let last = 0;
  for (let i = 0, characters = 0; i < text.length && characters < SHAPE_CHARACTERS; i++) {
    let character = shapeCharacter(text.charCodeAt(i));
    while (isPartOfWord(character)) {
      const next = shapeCharacter(text.charCodeAt(i + 1));
      if (!isPartOfWord(next)) break;
      if (next === LETTER) character = LETTER;
      i++;
    }
    if (character === last && character !== DOT) continue;
    last = character;
    characters++;
    hash = Math.imul(hash ^ character, FNV_PRIME);
  }
  return hash;
}

function shapeCharacter(code: number): number {
  if ((code | 32) >= 97 && (code | 32) <= 122) return LETTER;
  if (code >= ZERO && code <= NINE) return ZERO;
  if (code === BLANK || code === TAB) return BLANK;
  // A hyphen and an underscore join words; letters outside ASCII are letters.
  return code === HYPHEN || code === UNDERSCORE || code > 127 ? LETTER : code;
}

function isPartOfWord(character: number): boolean {
  return character === LETTER || character === ZERO;
}
