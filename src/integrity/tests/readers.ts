import type { LanguageName } from '../languages.ts';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript/reader.ts';
import { kotlin } from './kotlin.ts';
import type { TestReader } from './model.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

/** The reader of each language's tests. */
export const READERS: Readonly<Partial<Record<LanguageName, TestReader>>> = {
  csharp,
  go,
  java,
  javascript,
  kotlin,
  php,
  python,
  ruby,
  rust,
};
