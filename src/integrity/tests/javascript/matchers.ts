import type { AssertionKind } from '../model.ts';

// What the assertions of the libraries say, by name.

/** An assertion: how much it says, and what is expected if no argument says it. */
export interface Matcher {
  readonly kind: AssertionKind;
  readonly expected?: string;
  readonly negated?: boolean;
  /** The stricter matcher of the same library, which accepts less with the same arguments. */
  readonly looserThan?: string;
}

function matchers(
  groups: Readonly<Partial<Record<AssertionKind, string>>>,
  others: Readonly<Record<string, Matcher>>,
): ReadonlyMap<string, Matcher> {
  const found = new Map<string, Matcher>();
  for (const [kind, names] of Object.entries(groups))
    for (const name of names.split(/\s+/)) found.set(name, { kind: kind as AssertionKind });
  for (const [name, matcher] of Object.entries(others)) found.set(name, matcher);
  return found;
}

/** What follows `expect(x)`, `x.should` or `cy.get(…).should`. */
export const MATCHERS = matchers(
  {
    equal: `toBe toStrictEqual toHaveText toHaveValue toHaveValues toHaveDisplayValue toHaveReturnedWith toEqualTypeOf
      toBeString toBeNumber toBeBoolean toBeVoid toBeFunction toBeArray toHaveJSProperty toHaveTitle toHaveCSS toHaveStyle
      equal equals eq eql eqls text value`,
    exact: `toHaveBeenCalledOnce toHaveBeenCalledTimes toHaveBeenCalledWith toHaveBeenLastCalledWith
      toHaveBeenNthCalledWith toHaveBeenCalledExactlyOnceWith toHaveBeenCalledOnceWith toBeCalledWith toBeCalledTimes
      lastCalledWith nthCalledWith toHaveReturnedTimes toHaveLastReturnedWith toHaveAttribute toHaveCount toHaveURL
      toHaveId toHaveRole toHaveAccessibleName toBeEmptyDOMElement toBeEmpty calledOnce calledTwice calledWith callCount
      calledOnceWith calledOnceWithExactly calledWithExactly calledWithMatch status json html header members keys
      toHaveBeenCalledBefore toHaveBeenCalledAfter toBeBlank attr`,
    part: `toContain toContainEqual toMatch toMatchObject toHaveProperty toHaveLength toHaveSize toHaveTextContent
      toContainText toContainHTML toContainElement toHaveClass toHaveFormValues toMatchTypeOf toExtend toHaveKey
      toHaveKeys include includes contain contains property ownProperty nested length lengthOf match matches string class
      toMatchSchema toStartWith toEndWith toInclude`,
    near: 'toBeCloseTo closeTo approximately',
    snapshot: `toMatchSnapshot toMatchInlineSnapshot toMatchFileSnapshot toThrowErrorMatchingSnapshot
      toThrowErrorMatchingInlineSnapshot toHaveScreenshot toMatchAriaSnapshot toMatchImageSnapshot matchSnapshot`,
    bounded: `toBeGreaterThan toBeGreaterThanOrEqual toBeLessThan toBeLessThanOrEqual toBeInstanceOf toBeTypeOf toBeOneOf
      toSatisfy toBeVisible toBeHidden toBeEnabled toBeDisabled toBeChecked toBeFocused toHaveFocus toBeRequired toBeValid
      toBeInvalid toBeEditable toBeInViewport toBeObject above below least most gt gte lt lte greaterThan lessThan within
      instanceof instanceOf a an typeOf oneOf satisfy satisfies visible disabled checked enabled`,
    happens: `toThrow toThrowError toHaveBeenCalled toBeCalled toHaveReturned toReject throw throws rejected rejectedWith
      called`,
    exists: `toBeDefined toResolve toBeInTheDocument toBeAttached toExist toBeOK exist exists fulfilled toBeAny
      toBeUnknown toBeNonNullable`,
    truthy: 'toBeTruthy ok',
  },
  {
    toEqual: { kind: 'equal', looserThan: 'toStrictEqual' },
    toBeFalsy: { kind: 'truthy', expected: 'false' },
    toBeUndefined: { kind: 'equal', expected: 'undefined' },
    toBeNull: { kind: 'equal', expected: 'null' },
    toBeNaN: { kind: 'equal', expected: 'NaN' },
    toBeTrue: { kind: 'equal', expected: 'true' },
    toBeFalse: { kind: 'equal', expected: 'false' },
    toBeNever: { kind: 'equal', expected: 'never' },
    true: { kind: 'equal', expected: 'true' },
    false: { kind: 'equal', expected: 'false' },
    null: { kind: 'equal', expected: 'null' },
    undefined: { kind: 'equal', expected: 'undefined' },
    NaN: { kind: 'equal', expected: 'NaN' },
    empty: { kind: 'exact', expected: 'empty' },
    notOk: { kind: 'truthy', negated: true },
    notEql: { kind: 'bounded', negated: true },
    notContains: { kind: 'part', negated: true },
  },
);

/** Matchers that throw for a call; their argument is the error. */
export const THROWING = /^(?:toThrow|toThrowError|throw|throws|rejectedWith)$/;

/** Chai's properties, which assert without a call. */
export const PROPERTIES = new Set(
  `true false null undefined ok exist empty NaN called calledOnce calledTwice calledThrice rejected fulfilled extensible
    sealed frozen finite visible`.split(/\s+/),
);

/** Words of a chain that assert nothing. */
export const CHAIN_WORDS = new Set(
  `to be been is that which and has have with at of same but does still also not deep nested own ordered any all itself
    eventually resolves rejects returns parameter`.split(/\s+/),
);

/** The methods of `assert`, `t` (AVA, tap, tape, node:test), `sinon.assert`, QUnit; and of Deno's `assertEquals`. */
export const METHODS = matchers(
  {
    equal: `equals strictEqual strictEquals deepStrictEqual same strictSame is deepEquals deepEqualTo propEqual isNull
      isUndefined isNaN`,
    exact: `lengthOf calledWith calledOnce calledOnceWithExactly calledOnceWith calledWithExactly callCount calledTwice
      sameMembers sameDeepMembers hasAllKeys sameOrderedMembers fail alwaysCalledWith callOrder unreachable`,
    part: `like match matches regex include includes deepInclude property propertyVal partialDeepStrictEqual has
      hasStrict stringIncludes stringContains arrayIncludes objectMatch assertThat calledWithMatch ifError emits`,
    near: 'closeTo approximately almostEquals',
    snapshot: 'snapshot matchSnapshot fileSnapshot',
    bounded: `isAbove isBelow isAtLeast isAtMost instanceOf instance typeOf isArray isObject isString isNumber isFunction
      isBoolean oneOf greater greaterOrEqual less lessOrEqual type hasAnyKeys isInstanceOf`,
    happens: 'throws throwsAsync rejects isRejected called isError',
    exists: `exists isDefined isNotNull notThrows notThrowsAsync doesNotThrow doesNotReject notThrow isFulfilled resolves
      error`,
    truthy: 'ok assert truthy isOk',
  },
  {
    equal: { kind: 'equal', looserThan: 'strictEqual' },
    deepEqual: { kind: 'equal', looserThan: 'deepStrictEqual' },
    true: { kind: 'equal', expected: 'true' },
    isTrue: { kind: 'equal', expected: 'true' },
    false: { kind: 'equal', expected: 'false' },
    isFalse: { kind: 'equal', expected: 'false' },
    falsy: { kind: 'truthy', negated: true },
    notOk: { kind: 'truthy', negated: true },
    notEqual: { kind: 'bounded', negated: true },
    notEquals: { kind: 'bounded', negated: true },
    notSame: { kind: 'bounded', negated: true },
    notStrictEqual: { kind: 'bounded', negated: true },
    notStrictEquals: { kind: 'bounded', negated: true },
    notDeepEqual: { kind: 'bounded', negated: true },
    notDeepStrictEqual: { kind: 'bounded', negated: true },
    not: { kind: 'bounded', negated: true },
    notMatch: { kind: 'part', negated: true },
    doesNotMatch: { kind: 'part', negated: true },
    notInclude: { kind: 'part', negated: true },
    notCalled: { kind: 'happens', negated: true },
    pass: { kind: 'truthy', expected: 'true' },
  },
);

/** Functions of tsd and Vitest that assert types. */
export const TYPE_ASSERTIONS = new Set([
  'expectType',
  'expectError',
  'expectAssignable',
  'expectNotAssignable',
  'expectNotType',
  'expectDeprecated',
  'expectNever',
  'assertType',
]);
