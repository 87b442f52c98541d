import type { Token } from '../../lexer.ts';
import type { Mock } from '../model.ts';
import {
  afterBracket,
  canonical,
  find,
  inside,
  is,
  isName,
  namesIn,
  type Span,
  split,
  stringValue,
  type Tokens,
} from '../tokens.ts';
import { type Declaration, functionIn, type Import, membersOf } from './syntax.ts';

// What replaces code in tests: modules, members of objects, and whether an assertion is about what they return.

const MOCKERS = new Set('vi vitest jest sinon sandbox td mock t spyOn mocked'.split(' '));
const OF_MODULES = /^(?:mock|doMock|unstable_mockModule|module|replace|setMock|mockObject)$/;
const OF_MEMBERS = /^(?:spyOn|mocked|stub|replace|method|getter|mockImplementation)$/;
/** What makes a spy return something of its own. */
const RETURNS =
  /^(?:mock(?:Return|Resolved|Rejected)\w*|mockImplementation\w*|returns|resolves|rejects|callsFake|returnValue|callFake|thenReturn|value|get)$/;

interface MockContext {
  readonly tokens: Tokens;
  readonly imports: readonly Import[];
  /** The functions whose result is asserted. */
  readonly asserted: ReadonlySet<string>;
  /** The names that come from the project, and the variables that are made of them. */
  readonly own: ReadonlySet<string>;
}

/** `vi.mock('../src/cart')`, `jest.spyOn(cart, 'total').mockReturnValue(3)`, `cart.total = () => 3`. */
export function mocksIn(
  tokens: Tokens,
  imports: readonly Import[],
  declarations: readonly Declaration[],
): Mock[] {
  const places: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token;
    const isAssignment = text === '=' && isName(tokens, at - 1) && is(tokens, at - 2, '.');
    const isProvider =
      text === 'provide' &&
      is(tokens, at + 1, ':') &&
      is(tokens, at + 4, 'useValue', 'useFactory', 'useClass');
    if (isAssignment || isProvider || (kind === 'name' && MOCKERS.has(text) && is(tokens, at + 1, '.', '(')))
      places.push(at);
  }
  if (places.length === 0) return [];
  const isOwn = ({ module }: Import) => /^(?:\.|@\/|~|#|src\/)/.test(module);
  const own = new Set(imports.filter(isOwn).map(({ local }) => local));
  for (const { name, value } of declarations)
    if ([...namesIn(tokens, value)].some((each) => own.has(each))) own.add(name);
  const context = { tokens, imports, own, asserted: assertedCalls(tokens, declarations) };
  return places.flatMap((at) => mockAt(context, at));
}

function mockAt(context: MockContext, at: number): Mock[] {
  const { tokens, own } = context;
  if (is(tokens, at, 'provide')) return [{ target: tokens[at + 2]?.text ?? '', line: tokens[at]?.line ?? 1 }];
  if (is(tokens, at, '=')) {
    const object = tokens[at - 3]?.text ?? '';
    const root = object === 'prototype' ? (tokens[at - 5]?.text ?? '') : object;
    const value = { from: at + 1, end: Math.min(at + 60, tokens.length) };
    const isMock = is(tokens, at + 1, 'vi', 'jest', 'sinon') || functionIn(tokens, value) !== undefined;
    return isMock && own.has(root) ? [member(context, at, root, tokens[at - 1]?.text ?? '')] : [];
  }
  if (is(tokens, at - 1, '.', 'function') && !is(tokens, at, 'mocked')) return [];
  const method = is(tokens, at, 'spyOn', 'mocked') ? at : mockMethodAt(tokens, at);
  if (method === -1 || !is(tokens, method + 1, '(')) return [];
  const args = split(tokens, inside(tokens, method + 1));
  const [first, second] = args;
  if (!first) return [];
  const word = tokens[method]?.text ?? '';
  const path = stringValue(tokens[first.from]);
  if (OF_MODULES.test(word) && path !== undefined) return moduleMock(context, at, path, second);
  if (!OF_MEMBERS.test(word) || !returnsSomething(tokens, method, args)) return [];
  const object = canonical(tokens, first);
  // vi.mocked(total).mockReturnValue(3)
  if (word === 'mocked') return [member(context, at, object, object.split(' ').at(-1) ?? '')];
  return [member(context, at, object, stringValue(tokens[second?.from ?? -1]) ?? '')];
}

function member({ tokens, asserted, own }: MockContext, at: number, object: string, name: string): Mock {
  const isCode = own.has(/^\w+/.exec(object)?.[0] ?? '');
  const target = object === name ? name : `${object}.${name}`;
  return { target, line: tokens[at]?.line ?? 1, asserted: asserted.has(name) && isCode };
}

/** The index of `mock` in `vi.mock(`, `t.mock.method(`, `td.replace(`; -1 if it is none. */
function mockMethodAt(tokens: Tokens, at: number): number {
  let index = at + 1;
  if (is(tokens, index, '.') && is(tokens, index + 1, 'mock') && is(tokens, index + 2, '.')) index += 2;
  else if (is(tokens, at, 't')) return -1;
  return is(tokens, index, '.') && isName(tokens, index + 1) && is(tokens, index + 2, '(') ? index + 1 : -1;
}

/** Whether a spy has a result of its own, or a stub replaces the member in any case. */
function returnsSomething(tokens: Tokens, method: number, args: readonly Span[]): boolean {
  if (!is(tokens, method, 'spyOn', 'mocked')) return args.length > 1 || is(tokens, method, 'stub');
  let at = afterBracket(tokens, method + 1);
  while (is(tokens, at, '.')) {
    if (RETURNS.test(tokens[at + 1]?.text ?? '')) return true;
    at = is(tokens, at + 2, '(') ? afterBracket(tokens, at + 2) : at + 2;
  }
  return false;
}

/** A module as a whole, or the members that its factory replaces while it keeps the others. */
function moduleMock(
  { tokens, imports, asserted }: MockContext,
  at: number,
  module: string,
  factory: Span | undefined,
): Mock[] {
  const line = tokens[at]?.line ?? 1;
  const text = factory ? canonical(tokens, factory) : '';
  const names = imports.filter((each) => each.module === module).map(({ local }) => local);
  if (/\bspy : true\b/.test(text)) return [];
  const isPartial = /\b(?:importActual|requireActual|importOriginal|actual|original)\w*\b/i.test(text);
  if (!isPartial) return [{ target: module, line, asserted: names.some((name) => asserted.has(name)) }];
  return membersOfFactory(tokens, factory).map((member) => ({
    target: `${module}.${member}`,
    line,
    asserted: asserted.has(member),
  }));
}

function membersOfFactory(tokens: Tokens, factory: Span | undefined): string[] {
  const parts = factory && functionIn(tokens, factory);
  if (!parts) return [];
  const { from, end } = parts.body;
  const returned = find(tokens, { from, end }, 'return');
  const object = find(tokens, { from: returned === -1 ? from : returned, end }, '{', '(');
  if (object === -1) return [];
  const open = is(tokens, object, '(') ? find(tokens, inside(tokens, object), '{') : object;
  return open === -1
    ? []
    : [...membersOf(tokens, { from: open, end: afterBracket(tokens, open) }).keys()].filter(
        (key) => key !== '...',
      );
}

/** The functions whose result is asserted: called in `expect(…)` or `assert.equal(…)`, or for a variable that is. */
function assertedCalls(tokens: Tokens, declarations: readonly Declaration[]): Set<string> {
  const called = new Set<string>();
  const variables = new Set<string>();
  const collect = ({ from, end }: Span) => {
    for (let at = from; at < end; at++) {
      if (!isName(tokens, at)) continue;
      const name = tokens[at]?.text ?? '';
      if (is(tokens, at + 1, '(')) called.add(name);
      else if (!is(tokens, at - 1, '.')) variables.add(name);
    }
  };
  for (let at = 0; at < tokens.length; at++) {
    const isAssert = is(tokens, at, 'assert', 't') && is(tokens, at + 1, '.') && is(tokens, at + 3, '(');
    if (is(tokens, at, 'expect', 'assert') && is(tokens, at + 1, '(')) {
      const [first] = split(tokens, inside(tokens, at + 1));
      if (first) collect(first);
    } else if (isAssert) {
      const [first] = split(tokens, inside(tokens, at + 3));
      if (first) collect(first);
    }
  }
  for (const { name, value } of declarations)
    if (variables.has(name)) {
      // The call that makes the value, not those in its arguments.
      const maker = lastCall(tokens, value);
      if (maker !== undefined) called.add(maker);
    }
  return called;
}

/** The name of the last call of a chain: `total` of `new Cart().total(items)`. */
function lastCall(tokens: Tokens, { from, end }: Span): string | undefined {
  let name: string | undefined;
  for (let at = from; at < end; at++) {
    if (is(tokens, at, '(') && isName(tokens, at - 1) && !is(tokens, at - 2, 'new'))
      name = tokens[at - 1]?.text;
    const { partner = -1 } = tokens[at] ?? {};
    if (partner > at) at = partner;
  }
  return name;
}
