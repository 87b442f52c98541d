import type { Claim } from './comparison.ts';
import { allOf, calledIn, type FlowWords, flowIn } from './flow.ts';
import type { Assertion } from './model.ts';
import { is, type Span, type Tokens } from './tokens.ts';

/** Claims that begin at a token, and where what makes them ends. */
export interface Found {
  readonly claims: readonly Claim[];
  readonly end: number;
  /** The condition on which they are made, where the assertion itself has one. */
  readonly condition?: string | undefined;
}

/** What a reader knows about the assertions of a file. */
export interface AssertionSource {
  readonly words: FlowWords;
  /** The functions that are no tests, by name. */
  readonly functions: ReadonlyMap<string, Span>;
  claimsAt(tokens: Tokens, at: number): Found | undefined;
  /** The name of the function that is called at a token, if it may be one of this file. */
  calledAt(tokens: Tokens, at: number): string | undefined;
}

/** How many assertions a test or a helper has from helpers, which may call each other without end. */
export const MOST_INHERITED = 1000;

/** Returns a function that reads each helper once. One that calls itself adds nothing. */
export function readOnce<Helper extends { readonly body: Span }, T>(
  read: (helper: Helper) => readonly T[],
): (helper: Helper) => readonly T[] {
  const known = new Map<number, readonly T[]>();
  return (helper) => {
    const { from } = helper.body;
    const found = known.get(from);
    if (found) return found;
    known.set(from, []);
    const assertions = read(helper).slice(0, MOST_INHERITED);
    known.set(from, assertions);
    return assertions;
  };
}

/** Returns a function that reads the assertions in a span, with those of the functions of the file that it calls. */
export function assertionCollector(tokens: Tokens, source: AssertionSource): (span: Span) => Assertion[] {
  const ofFunction = readOnce(({ body }: { readonly body: Span }) => collect(body));
  const collect = (span: Span): Assertion[] => {
    const flow = flowIn(tokens, span, source.words);
    const assertions: Assertion[] = [];
    for (let at = span.from; at < span.end; at++) {
      if (tokens[at]?.kind !== 'name') continue;
      const line = tokens[at]?.line ?? 0;
      const name = source.calledAt(tokens, at);
      const body = name === undefined ? undefined : source.functions.get(name);
      // A function of the file may have the name of one of the library.
      const found = body ? undefined : source.claimsAt(tokens, at);
      if (found) {
        const around = flow(at);
        const condition = allOf(around.condition, found.condition);
        for (const each of found.claims) assertions.push({ ...each, ...around, condition, line });
        at = Math.max(at, found.end - 1);
        continue;
      }
      if (name === undefined || !body || (body.from <= at && at < body.end)) continue;
      if (assertions.length > MOST_INHERITED) continue;
      const around = flow(at);
      for (const inner of ofFunction({ body }))
        assertions.push({ ...inner, ...calledIn(inner, around), line });
    }
    return assertions;
  };
  return collect;
}

/** Whether a call begins at a token: a name with an opening bracket after it. */
export function isCall(tokens: Tokens, at: number): boolean {
  return tokens[at]?.kind === 'name' && is(tokens, at + 1, '(');
}
