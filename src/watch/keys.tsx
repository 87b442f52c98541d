import { type Key, useInput } from 'ink';
import type { ReactNode } from 'react';

/** Tells of each key that is pressed, by its character or its name. */
export function Keys({ press, children }: { press: (key: string) => void; children: ReactNode }): ReactNode {
  useInput((input, key) => {
    for (const name of namesOf(input, key)) press(name);
  });
  return children;
}

/** Keys that are characters, too: they come with others where people type fast. */
const NAMED: Readonly<Record<string, string>> = { '\r': 'enter', '\n': 'enter', '\x03': 'ctrl-c' };

function namesOf(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : [];
  if (key.upArrow) return ['up'];
  if (key.downArrow) return ['down'];
  if (key.leftArrow) return ['left'];
  if (key.rightArrow) return ['right'];
  if (key.pageUp) return ['pageup'];
  if (key.pageDown) return ['pagedown'];
  if (key.return) return ['enter'];
  if (key.escape) return ['escape'];
  return [...input].map((character) => NAMED[character] ?? character);
}
