import type { Source } from '../lexer.ts';

// What all languages and test libraries have in common: tests, and the assertions in them.

/** How much an assertion says about its subject. Numbers order them: an assertion of a lower one accepts more. */
export const STRENGTHS = {
  /** That something ran, or is there: not null, defined, no error. */
  exists: 1,
  /** A truth value of something that is no comparison. */
  truthy: 1,
  /** It throws, whatever; a mock was called, whatever with. */
  happens: 2,
  /** The type or the class; above, below, one of several. */
  bounded: 2,
  /** A part: contains, matches, has a property, starts with. */
  part: 3,
  /** Equal within a tolerance. */
  near: 3.5,
  /** A snapshot. */
  snapshot: 3.5,
  /** Equal to a list in any order, or but for the case. */
  alike: 3.9,
  /** A number of items or calls, whatever they are. */
  size: 3.8,
  /** A call with these arguments, an error with this message or of this class. */
  exact: 4,
  /** Equal to a value. */
  equal: 4,
} as const;

export type AssertionKind = keyof typeof STRENGTHS;

export interface Assertion {
  /** From 1. */
  readonly line: number;
  readonly kind: AssertionKind;
  /** Whether it asserts the opposite: `not`, `assertNotEqual`, `refute`. */
  readonly negated: boolean;
  /** What it is about, as canonical text (`canonical` of tokens.ts); empty if the reader cannot tell. */
  readonly subject: string;
  /** What is expected of it, as canonical text; empty where nothing is. */
  readonly expected: string;
  /** Why it holds whatever the code does: "it compares constants"; undefined if it may fail. */
  readonly vacuous?: string | undefined;
  /** How far the value may be off, as a number from 0; undefined without a tolerance. */
  readonly tolerance?: number | undefined;
  /** The name of the matcher, where a looser one of the same library is known. */
  readonly matcher?: string | undefined;
  /** The matcher of the same library that accepts less of the same: `toStrictEqual` for `toEqual`. */
  readonly looserThan?: string | undefined;
  /** Whether a promise that it returns is neither awaited nor returned. */
  readonly floating?: boolean;
  /** Whether its failure is caught and dropped. */
  readonly swallowed: boolean;
  /** Whether it never runs. */
  readonly dead: boolean;
  /** The canonical condition on which it runs, of those inside of the test; undefined if it always does. */
  readonly condition?: string | undefined;
}

/** The name of what a file asserts outside of its tests. */
export const OUTSIDE = '(outside of tests)';

/** How a test takes part in a run. */
export type TestState =
  | 'runs'
  /** Skipped, ignored, disabled, excluded, pending. */
  | 'skipped'
  /** Has no body and is reported as to do. */
  | 'todo'
  /** Its failure counts as a pass. */
  | 'expected-to-fail'
  /** Runs only where a condition holds: `skipIf`, an assumption, an environment variable, a platform. */
  | 'conditional';

export interface Test {
  /** Unique in its file, with the names of the suites around it: `Cart > adds an item`. */
  readonly name: string;
  readonly line: number;
  readonly state: TestState;
  /** The canonical condition of a `conditional` test, with which another condition is compared. */
  readonly condition?: string | undefined;
  /** Whether it, or a suite around it, is focused: other tests of the file do not run. */
  readonly focused: boolean;
  /** The rows of its table, if it has one; otherwise 1. */
  readonly cases: number;
  /** Whether its rows are computed, so that `cases` is a guess. */
  readonly dynamic?: boolean;
  /** What the rows of its table expect, where the columns show it. */
  readonly rows?: readonly TableRow[];
  /** The canonical text of its body and its table, without its name and its marks. */
  readonly body: string;
  /** The number of its statements, or of tokens if they cannot be distinguished: 0 for an empty body. */
  readonly statements: number;
  /** Its own, and those of the helpers of its file that it calls. */
  readonly assertions: readonly Assertion[];
  /** The names that it mentions: what it tests is among them. */
  readonly names: ReadonlySet<string>;
  /** The texts of its string and number literals, without quotes. */
  readonly literals: ReadonlySet<string>;
}

/** What a row of a table expects in one of its columns. Canonical texts. */
export interface TableRow {
  /** The columns that expect nothing, without the title. */
  readonly input: string;
  readonly column: string;
  readonly expected: string;
}

/** What a reader finds in a file. */
export interface TestFile {
  readonly tests: readonly Test[];
  /** Why the runner does not collect the file, as far as its text and path show: a build tag, a name; undefined if it does. */
  readonly uncollected?: string | undefined;
  /** The canonical bodies of functions that are no tests, by name: a test that was renamed may be there. */
  readonly functions: ReadonlyMap<string, string>;
  /** What replaces code in tests. */
  readonly mocks: readonly Mock[];
  /** The modules of the names that the file imports, as they are written; undefined if the reader does not look. */
  readonly imports?: ReadonlyMap<string, string>;
}

/** A test file before and after a change. */
export interface ComparedFile {
  /** Where it is now, or was if it is gone. */
  readonly path: string;
  readonly before: TestFile | undefined;
  readonly after: TestFile | undefined;
  /** Why the runner does not collect the file now: its path, the runner's configuration; undefined if it does. */
  readonly uncollected?: string | undefined;
  /** Whether the runner did not collect it before. */
  readonly wasUncollected?: boolean;
  /** Whether code that the tests may be about has changed. */
  readonly codeChanged: boolean;
}

/** A module or a member that a test replaces. */
export interface Mock {
  /** `../src/cart`, `cart.total`, `shop.cart.total`. */
  readonly target: string;
  readonly line: number;
  /** Whether an assertion is about what it returns. */
  readonly asserted?: boolean;
}

/** Finds the tests of a file of one language. */
export interface TestReader {
  /** Whether the runner of the language collects a file of this path by its name, whatever the configuration. */
  isTestPath(path: string): boolean;
  /** Whether a text may contain tests: a cheap look before the text is cut into tokens. */
  mayHaveTests(text: string): boolean;
  read(source: Source, path: string): TestFile;
  /** The text of a file without its tests, in languages that have both in one file. */
  withoutTests?(text: string, path: string): string;
}
