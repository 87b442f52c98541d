/**
 * Escape sequences of terminals: commands that end with a letter, strings that end with BEL or ST, single characters.
 * None can be looked through twice, so that a megabyte of beginnings takes a moment, unlike by Node 24's own function.
 */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/g;

/** A text without the escape sequences that colour it, or link it. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, '');
}
