import { allOf, calledIn, type Flow, type FlowWords, flowIn } from '../flow.ts';
import type { Assertion } from '../model.ts';
import {
  afterBracket,
  canonical,
  countName,
  find,
  inside,
  is,
  isName,
  type Span,
  spansAround,
  split,
  type Tokens,
} from '../tokens.ts';
import { beginOfChain, type Declaration, type FunctionParts, functionIn, functionsIn } from './syntax.ts';

// What keeps an assertion of JavaScript from running, or its failure from counting, besides what all languages have:
// promises, callbacks and operators.

export const FLOW: FlowWords = {
  conditions: ['if', 'while'],
  branches: ['else', 'case', 'default'],
  tries: ['try'],
  catches: ['catch'],
  exits: ['return', 'throw', 'continue', 'break'],
  fails: /\b(?:throw|fail|unreachable|expect|assert|should|done|reject|t)\b/,
  never: ['false', '0', 'null', 'undefined', '! true', '""', '! 1'],
  always: ['true', '1', '! false', '! 0'],
};

/** What keeps the assertions in a span from counting. */
interface Hindrance extends Span, Partial<Flow> {
  readonly floating?: boolean;
}

export interface PromiseFlow extends Flow {
  readonly floating: boolean;
}

/** Returns a function that says what an assertion at a token of a test or a helper depends on. */
export function flowOf(
  tokens: Tokens,
  parts: FunctionParts,
  declarations: readonly Declaration[],
): (at: number) => PromiseFlow {
  const { body } = parts;
  const flow = flowIn(tokens, body, FLOW);
  const hindrancesAround = spansAround(hindrancesIn(tokens, parts, declarations));
  return (at) => {
    const around = hindrancesAround(at);
    const base = flow(at);
    const conditions = [
      base.condition,
      ...around.map(({ condition }) => condition),
      operatorBefore(tokens, at, body),
    ];
    const isNever = conditions.some((each) => each !== undefined && FLOW.never.includes(each));
    return {
      dead: base.dead || isNever || around.some(({ dead }) => dead === true),
      swallowed: base.swallowed || around.some(({ swallowed }) => swallowed === true),
      floating: around.some(({ floating }) => floating === true),
      condition: allOf(...conditions),
    };
  };
}

/** The flow of a helper's assertion where the helper is called. */
export function merged(
  inner: Pick<Assertion, 'dead' | 'swallowed' | 'floating' | 'condition'>,
  outer: PromiseFlow,
): PromiseFlow {
  return {
    ...calledIn(inner, outer),
    floating: inner.floating === true || outer.floating,
  };
}

/** `process.env.CI && expect(x)…`: what is before the operator. */
function operatorBefore(tokens: Tokens, at: number, { from }: Span): string | undefined {
  const operator = is(tokens, at - 1, 'await') ? at - 2 : at - 1;
  if (operator <= from || !is(tokens, operator, '&&', '||', '?', '??')) return undefined;
  let begin = operator;
  while (begin > from && !is(tokens, begin - 1, ';', '{', '}', '(', ',', '=>', 'return')) {
    const { partner = -1, line } = tokens[begin - 1] ?? {};
    if (line !== tokens[operator]?.line && !is(tokens, begin, '.', '&&', '||')) break;
    begin = partner !== -1 && partner < begin ? partner : begin - 1;
  }
  const condition = canonical(tokens, { from: begin, end: operator });
  return is(tokens, operator, '&&', '?') ? condition : `! ( ${condition} )`;
}

/** What makes the runner notice that an assertion did not run. */
const COUNTED = /\bexpect \. (?:assertions|hasAssertions) \(|\bt \. plan \(/;

/** What a test without promises and callbacks does not have. */
const PROMISES = new Set(
  'then catch finally allSettled setTimeout setImmediate queueMicrotask nextTick async race any on once addListener addEventListener subscribe waitFor waitUntil'.split(
    ' ',
  ),
);

function someName(tokens: Tokens, { from, end }: Span, names: ReadonlySet<string>): boolean {
  for (let at = from; at < end; at++)
    if (isName(tokens, at) && names.has(tokens[at]?.text ?? '')) return true;
  return false;
}

function hindrancesIn(
  tokens: Tokens,
  { parameters, body }: FunctionParts,
  declarations: readonly Declaration[],
): Hindrance[] {
  const found: Hindrance[] = [];
  const hasPromises = someName(tokens, body, PROMISES);
  const callback = callbackOf(tokens, parameters, body);
  if (!hasPromises && callback === undefined) return neverCalled(tokens, body, declarations);
  const text = canonical(tokens, body);
  const isCounted = COUNTED.test(text);
  const waits = isCounted || callback !== undefined;
  for (let at = body.from; at < body.end; at++) {
    if (!isName(tokens, at)) continue;
    const isMember = is(tokens, at - 1, '.', '?.');
    if (isMember && is(tokens, at, 'then', 'catch', 'finally') && is(tokens, at + 1, '('))
      found.push(...promise(tokens, at, body, isCounted, waits));
    else if (is(tokens, at, 'allSettled') && is(tokens, at + 1, '('))
      found.push({ ...inside(tokens, at + 1), swallowed: true });
    else if (isMember && is(tokens, at, 'race', 'any') && is(tokens, at - 2, 'Promise'))
      found.push({ ...inside(tokens, at + 1), condition: 'it is the first of several promises' });
    else if (
      is(tokens, at, 'waitFor', 'waitUntil') &&
      is(tokens, at + 1, '(') &&
      is(tokens, at - 1, ';', '{', '}')
    )
      found.push({ ...inside(tokens, at + 1), floating: true });
    else if (is(tokens, at, 'async') && is(tokens, at - 1, '(') && !waits)
      found.push(...detached(tokens, at - 1));
    else if (is(tokens, at, 'catch') && !isCounted) found.push(...catchBlock(tokens, at, body));
    else if (is(tokens, at, 'finally') && !isMember) found.push(...returningFinally(tokens, at));
    else if (
      isMember &&
      !waits &&
      is(tokens, at, 'on', 'once', 'addListener', 'addEventListener', 'subscribe') &&
      is(tokens, at + 1, '(') &&
      !EMITS.test(text)
    )
      found.push({ ...inside(tokens, at + 1), condition: 'an event is emitted' });
    else if (is(tokens, at, 'setTimeout', 'setImmediate', 'queueMicrotask', 'nextTick') && !waits)
      if (
        is(tokens, at + 1, '(') &&
        !/\b(?:Promise|useFakeTimers|advanceTimers\w*|runAll\w*|tick|resolve) \b/.test(text)
      )
        found.push({ ...inside(tokens, at + 1), floating: true });
    if (callback !== undefined && is(tokens, at, callback) && isTopLevelCall(tokens, at, body))
      found.push({ from: at, end: body.end, floating: true });
  }
  return [...found, ...neverCalled(tokens, body, declarations)];
}

/** `(async () => {…})()`, which nobody waits for. */
function detached(tokens: Tokens, open: number): Hindrance[] {
  const end = afterBracket(tokens, open);
  const isStatement = is(tokens, open - 1, ';', '{', '}', ')', 'void');
  return isStatement && is(tokens, end, '(') ? [{ from: open, end, floating: true }] : [];
}

/** What calls a listener, or waits for it. */
const EMITS =
  /\b(?:Promise|await|emit|dispatchEvent|dispatch|fire\w*|trigger|click|next|publish|postMessage|write|end|push|send|request|fetch|userEvent|advanceTimers\w*|runAll\w*)\b/;

/** The name of the parameter that ends the test when it is called: `done`. */
function callbackOf(tokens: Tokens, parameters: Span, body: Span): string | undefined {
  const [first] = split(tokens, parameters);
  if (!first || !isName(tokens, first.from)) return undefined;
  const name = tokens[first.from]?.text ?? '';
  for (let at = body.from; at < body.end; at++) {
    if (!is(tokens, at, name)) continue;
    const isCalled = is(tokens, at + 1, '(') && !is(tokens, at - 1, '.');
    const isPassed = is(tokens, at - 1, '(', ',') && is(tokens, at + 1, ')', ',');
    // `t.end()` of tape and tap ends a test, as `done.fail()` and `done()` do.
    if (isCalled || isPassed || (is(tokens, at + 1, '.') && is(tokens, at + 2, 'end', 'plan'))) return name;
  }
  return undefined;
}

/** Whether a statement of the test itself calls `done()`, before the callbacks that follow. */
function isTopLevelCall(tokens: Tokens, at: number, { from }: Span): boolean {
  if (!is(tokens, at + 1, '(') || !is(tokens, at + 2, ')')) return false;
  if (at !== from && !is(tokens, at - 1, ';', '}', ')')) return false;
  for (let index = at - 1; index >= from; index--) {
    const { partner = -1 } = tokens[index] ?? {};
    if (partner !== -1 && partner < index) index = partner;
    else if (partner > at) return false;
  }
  return true;
}

/** `.then(…)` that nobody waits for, and `.catch(() => {})`. */
function promise(tokens: Tokens, at: number, body: Span, isCounted: boolean, waits: boolean): Hindrance[] {
  const begin = beginOfChain(tokens, at - 1, body.from);
  const args = split(tokens, inside(tokens, at + 1));
  const [first, second] = args;
  const found: Hindrance[] = [];
  const handler = is(tokens, at, 'catch') ? first : is(tokens, at, 'then') ? second : undefined;
  if (handler && dropsErrors(tokens, handler)) found.push({ from: begin, end: at, swallowed: true });
  const rejects = handler && functionIn(tokens, handler);
  const before = canonical(tokens, { from: begin, end: at });
  if (rejects && !isCounted && !/\b(?:throw|fail|unreachable)\b/.test(before))
    found.push({ ...rejects.body, condition: 'the promise is rejected' });
  const isDetached =
    !waits &&
    !is(
      tokens,
      begin - 1,
      'await',
      'return',
      '=>',
      '(',
      ',',
      '=',
      '[',
      ':',
      '?',
      '&&',
      '||',
      'yield',
      '...',
    ) &&
    (begin > body.from || is(tokens, begin - 1, '{'));
  if (isDetached) found.push({ ...inside(tokens, at + 1), floating: true });
  return found;
}

/** Whether what handles a rejection lets nothing of it count. */
function dropsErrors(tokens: Tokens, handler: Span): boolean {
  const parts = functionIn(tokens, handler);
  if (parts) return !FLOW.fails.test(`${canonical(tokens, parts.body)} `);
  return !/^(?:null|undefined|done|reject|next|fail|cb|callback|t|assert)\b/.test(canonical(tokens, handler));
}

/** Assertions in a `catch` block run only if something is thrown, unless the end of the `try` block fails. */
function catchBlock(tokens: Tokens, at: number, body: Span): Hindrance[] {
  const open = is(tokens, at + 1, '(') ? afterBracket(tokens, at + 1) : at + 1;
  const tried = tokens[at - 1]?.partner ?? -1;
  if (!is(tokens, open, '{') || !is(tokens, at - 1, '}') || tried < body.from) return [];
  const text = canonical(tokens, { from: tried, end: at });
  if (/\b(?:throw|fail|unreachable|reject|done)\b|\( false\b|\( true \) \. toBe \( false/.test(text))
    return [];
  const block = inside(tokens, open);
  // `caught = true`: what follows may assert it.
  if (find(tokens, block, '=') !== -1) return [];
  return [{ ...block, condition: 'something is thrown' }];
}

/** `try {…} finally { return; }` drops the failure. */
function returningFinally(tokens: Tokens, at: number): Hindrance[] {
  if (!is(tokens, at + 1, '{') || !is(tokens, at - 1, '}')) return [];
  if (find(tokens, inside(tokens, at + 1), 'return', 'break', 'continue') === -1) return [];
  return [{ from: tokens[at - 1]?.partner ?? at, end: at, swallowed: true }];
}

/** The functions of a test that it mentions nowhere else. */
function neverCalled(tokens: Tokens, body: Span, declarations: readonly Declaration[]): Hindrance[] {
  return [...functionsIn(tokens, body, declarations)].flatMap(([name, { body: inner }]) => {
    const mentions = countName(tokens, name, { from: body.from, end: inner.from });
    const isCalled = mentions > 1 || countName(tokens, name, { from: inner.end, end: body.end }) > 0;
    return isCalled || mentions === 0 ? [] : [{ ...inner, dead: true }];
  });
}
