// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are source texts
import { describe, expect, test } from 'vitest';
import { findWeakerTests } from '../../../src/integrity/tests/find-weaker-tests.ts';
import type { Finding } from '../../../src/integrity/types.ts';

/** Path → text before and after; undefined where the file is not there. */
type Files = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>;

/** The rules of the findings that a person or an agent reads. */
function rulesIn(files: Files, rest: Readonly<Record<string, string>> = {}): string[] {
  const changes = Object.entries(files)
    .filter(([, [before, after]]) => before !== after)
    .map(([path, [before, after]]) => ({ path, before, after }));
  const read = (path: string) => (path in files ? files[path]?.[1] : rest[path]);
  return findWeakerTests({ changes, read })
    .filter(({ severity }: Finding) => severity !== 'low')
    .map(({ rule }) => rule);
}

/** A row: what happens, the text before and after, and the rule that finds it; without one, the change is honest. */
type Row = readonly [what: string, before: string, after: string, rule?: string];

const named = (rows: readonly Row[]) =>
  rows.map(([what, before, after, rule]) => ({ what, before, after, rule }));

function expectRule(found: readonly string[], rule: string | undefined): void {
  if (rule === undefined) expect(found).toEqual([]);
  else expect(found).toContain(rule);
}

/** The body of one test, in a file of a library whose functions are global or imported all the same. */
const inTest = (body: string) =>
  `import { total, load } from '../src/cart';\n\ntest('adds up', async () => {\n  ${body}\n});\n`;

// biome-ignore format: one row a line
const WEAKENED: readonly Row[] = [
  // A truth, a type or a bound for a value.
  ['a value becomes truthy', 'expect(total(a)).toBe(3);', 'expect(total(a)).toBeTruthy();', 'assertion-weakened'],
  ['a value becomes defined', 'expect(total(a)).toEqual(3);', 'expect(total(a)).toBeDefined();', 'assertion-weakened'],
  ['a value becomes a bound', 'expect(total(a)).toBe(3);', 'expect(total(a)).toBeGreaterThan(0);', 'assertion-weakened'],
  ['a value becomes a type', 'expect(total(a)).toBe(3);', "expect(typeof total(a)).toBe('number');", 'assertion-weakened'],
  ['a value becomes any number', 'expect(total(a)).toEqual(3);', 'expect(total(a)).toEqual(expect.any(Number));', 'assertion-weakened'],
  ['a value becomes anything', 'expect(total(a)).toEqual(3);', 'expect(total(a)).toEqual(expect.anything());', 'assertion-weakened'],
  ['a value becomes a truth by double negation', 'expect(total(a)).toBe(3);', 'expect(!!total(a)).toBe(true);', 'assertion-weakened'],
  ['a value becomes a truth by Boolean()', 'expect(total(a)).toBe(3);', 'expect(Boolean(total(a))).toBe(true);', 'assertion-weakened'],
  ['a value is only not another one', 'expect(total(a)).toBe(3);', 'expect(total(a)).not.toBe(4);', 'assertion-weakened'],
  ['a value is one of several', 'expect(load().status).toBe(200);', 'expect([200, 500]).toContain(load().status);', 'assertion-weakened'],
  ['a value is within an or', 'expect(total(a)).toBe(3);', 'expect(total(a) === 3 || total(a) === 4).toBe(true);', 'assertion-weakened'],
  ['a text matches anything', "expect(load()).toBe('x');", 'expect(load()).toMatch(/.*/);', 'assertion-weakened'],
  ['a text contains the empty text', "expect(load()).toContain('x');", "expect(load()).toContain('');", 'assertion-weakened'],
  ['nothing is thrown for a value', 'expect(total(a)).toBe(3);', 'expect(() => total(a)).not.toThrow();', 'assertion-weakened'],
  // A part for the whole.
  ['an object becomes a part', 'expect(load()).toEqual({ id: 1, n: 2 });', 'expect(load()).toMatchObject({ id: 1 });', 'assertion-weakened'],
  ['an object becomes a property', 'expect(load()).toEqual({ id: 1, n: 2 });', "expect(load()).toHaveProperty('id');", 'assertion-weakened'],
  ['an object becomes an open object', 'expect(load()).toEqual({ id: 1, n: 2 });', 'expect(load()).toEqual(expect.objectContaining({ id: 1 }));', 'assertion-weakened'],
  ['a list becomes its length', 'expect(load()).toEqual([1, 2]);', 'expect(load()).toHaveLength(2);', 'assertion-weakened'],
  ['a list becomes its length as a number', 'expect(load()).toEqual([1, 2]);', 'expect(load().length).toBe(2);', 'assertion-weakened'],
  ['a list becomes an array', 'expect(load()).toEqual([1, 2]);', 'expect(Array.isArray(load())).toBe(true);', 'assertion-weakened'],
  ['an object becomes its keys', 'expect(load()).toEqual({ id: 1 });', "expect(Object.keys(load())).toEqual(['id']);", 'assertion-weakened'],
  ['a text becomes its beginning', `expect(JSON.stringify(load())).toBe('{"a":1,"b":2}');`, `expect(JSON.stringify(load()).slice(0, 5)).toBe('{"a":');`, 'assertion-weakened'],
  ['a text becomes a part', "expect(load()).toBe('3 items');", "expect(load().includes('3')).toBe(true);", 'assertion-weakened'],
  // Errors and calls.
  ['an error loses its message', "expect(() => load(0)).toThrow('empty');", 'expect(() => load(0)).toThrow();', 'assertion-weakened'],
  ['an error loses its class', 'expect(() => load(0)).toThrow(RangeError);', 'expect(() => load(0)).toThrow(Error);', 'assertion-weakened'],
  ['a rejection loses its message', "await expect(load(0)).rejects.toThrow('empty');", 'await expect(load(0)).rejects.toThrow();', 'assertion-weakened'],
  ['a rejection becomes the opposite', "await expect(load(0)).rejects.toThrow('empty');", 'await expect(load(0)).resolves.toBeDefined();', 'assertion-weakened'],
  ['a call loses its arguments', 'expect(send).toHaveBeenCalledWith(1);', 'expect(send).toHaveBeenCalled();', 'assertion-weakened'],
  ['a call loses its count', 'expect(send).toHaveBeenCalledTimes(1);', 'expect(send).toHaveBeenCalled();', 'assertion-weakened'],
  ['a call has any arguments', "expect(send).toHaveBeenCalledWith('a', 1);", 'expect(send).toHaveBeenCalledWith(expect.anything(), expect.anything());', 'assertion-weakened'],
  ['a tolerance grows', 'expect(total(a)).toBeCloseTo(0.3, 5);', 'expect(total(a)).toBeCloseTo(0.3, 0);', 'assertion-weakened'],
  ['an assertion is negated', 'expect(total(a)).toBe(3);', 'expect(total(a)).not.toBe(3);', 'assertion-inverted'],
  ['a truth is negated', 'expect(load().ok).toBe(true);', 'expect(load().ok).toBe(false);', 'expectation-changed'],
  ['an equality gets a default', 'expect(total(a)).toBe(3);', 'expect(total(a) ?? 3).toBe(3);', 'assertion-weakened'],
  ['an equality gets a limit', 'expect(total(a)).toBe(3);', 'expect(Math.max(total(a), 3)).toBe(3);', 'assertion-weakened'],
  ['an equality is rounded', 'expect(total(a)).toBe(3);', 'expect(Math.round(total(a))).toBe(3);', 'assertion-weakened'],
  ['an equality gets an or', 'expect(total(a)).toBe(3);', 'expect(total(a) || 3).toBe(3);', 'assertion-weakened'],
  ['a strict equality ignores undefined', 'expect(load()).toStrictEqual({ id: 1 });', 'expect(load()).toEqual({ id: 1 });', 'assertion-weakened'],
  // Other libraries.
  ['node:assert: an equality becomes a truth', 'assert.strictEqual(total(a), 3);', 'assert.ok(total(a));', 'assertion-weakened'],
  ['node:assert: an equality becomes loose', "assert.strictEqual(total(a), '3');", "assert.equal(total(a), '3');", 'assertion-weakened'],
  ['node:assert: an object becomes a part', 'assert.deepStrictEqual(load(), { a: 1, b: 2 });', 'assert.partialDeepStrictEqual(load(), { a: 1 });', 'assertion-weakened'],
  ['node:assert: an error loses its message', 'assert.throws(() => load(0), /empty/);', 'assert.throws(() => load(0));', 'assertion-weakened'],
  ['Chai: a value exists', 'expect(total(a)).to.equal(3);', 'expect(total(a)).to.exist;', 'assertion-weakened'],
  ['Chai: a value is a number', 'expect(total(a)).to.equal(3);', "expect(total(a)).to.be.a('number');", 'assertion-weakened'],
  ['Chai: an object contains', 'expect(load()).to.deep.equal({ a: 1, b: 2 });', 'expect(load()).to.include({ a: 1 });', 'assertion-weakened'],
  ['Chai should: a value is ok', 'total(a).should.equal(3);', 'total(a).should.be.ok;', 'assertion-weakened'],
  ['Chai assert: a value is ok', 'assert.equal(total(a), 3);', 'assert.isOk(total(a));', 'assertion-weakened'],
  ['Chai: all keys become any', "expect(load()).to.have.all.keys('a', 'b');", "expect(load()).to.have.any.keys('a', 'b');", 'assertion-weakened'],
  ['AVA: a value is truthy', 't.is(total(a), 3);', 't.truthy(total(a));', 'assertion-weakened'],
  ['AVA: an object passes', 't.deepEqual(load(), { a: 1 });', 't.pass();', 'assertion-vacuous'],
  ['tape: a value is ok', 't.equal(total(a), 3);', 't.ok(total(a));', 'assertion-weakened'],
  ['Deno: a value exists', 'assertEquals(total(a), 3);', 'assertExists(total(a));', 'assertion-weakened'],
  ['Testing Library: a text becomes a presence', "expect(screen.getByRole('status')).toHaveTextContent('3 items');", "expect(screen.getByRole('status')).toBeInTheDocument();", 'assertion-weakened'],
  ['Playwright: a text becomes visible', "await expect(page.locator('#n')).toHaveText('3');", "await expect(page.locator('#n')).toBeVisible();", 'assertion-weakened'],
  ['Cypress: a text exists', "cy.get('#n').should('have.text', '3');", "cy.get('#n').should('exist');", 'assertion-weakened'],
  ['supertest: a body is dropped', "await request(app).get('/').expect(200, { id: 1 });", "await request(app).get('/').expect(200);", 'assertion-removed'],
  ['supertest: a status is dropped', "await request(app).get('/').expect(200);", "await request(app).get('/');", 'assertion-removed'],
  ['sinon: a call loses its arguments', 'sinon.assert.calledWith(send, 1);', 'sinon.assert.called(send);', 'assertion-weakened'],
  ['a type becomes any type', 'expectTypeOf(load()).toEqualTypeOf<string>();', 'expectTypeOf(load()).toBeAny();', 'assertion-weakened'],
  ['a type is not asserted', 'expectTypeOf(load()).toEqualTypeOf<string>();\n  load();', 'load();', 'assertion-removed'],
  ['Jasmine: any object', 'expect(load()).toEqual({ id: 1 });', 'expect(load()).toEqual(jasmine.any(Object));', 'assertion-weakened'],
];

// biome-ignore format: one row a line
const HONEST_ASSERTIONS: readonly Row[] = [
  ['a truth becomes a value', 'expect(total(a)).toBeTruthy();', 'expect(total(a)).toBe(3);'],
  ['a length becomes the contents', 'expect(load()).toHaveLength(2);', 'expect(load()).toEqual([1, 2]);'],
  ['a length is written with its matcher', 'expect(load().length).toBe(2);', 'expect(load()).toHaveLength(2);'],
  ['a presence of a length becomes a length', 'expect(load().length).toBeGreaterThan(0);', 'expect(load().length).toBe(2);'],
  ['a comparison becomes a matcher', 'expect(total(a) > 3).toBe(true);', 'expect(total(a)).toBeGreaterThan(3);'],
  ['a truth of an equality becomes an equality', 'expect(total(a) === 3).toBe(true);', 'expect(total(a)).toBe(3);'],
  ['a rounded number is near', 'expect(total(a)).toBe(0.3);', 'expect(total(a)).toBeCloseTo(0.3, 10);'],
  ['a call gets its arguments', 'expect(send).toHaveBeenCalled();', 'expect(send).toHaveBeenCalledWith(1);'],
  ['toThrow gets an error with a message', 'expect(() => load(0)).toThrow(RangeError);', "expect(() => load(0)).toThrow(new RangeError('empty'));"],
  ['a message becomes an error with a message', "await expect(load(0)).rejects.toThrow('empty');", "await assert.rejects(load(0), { message: 'empty' });"],
  ['a listener is called by the test', 'expect(total(a)).toBe(3);', "bus.once('ready', () => {\n    expect(total(a)).toBe(3);\n  });\n  bus.emit('ready');"],
  ['a listener ends a promise that is awaited', 'expect(total(a)).toBe(3);', "await new Promise((resolve) => bus.once('ready', () => {\n    expect(total(a)).toBe(3);\n    resolve();\n  }));"],
  ['in an async function that is awaited', 'expect(total(a)).toBe(3);', 'await (async () => {\n    expect(total(a)).toBe(3);\n  })();'],
  ['toThrow gets a message', 'expect(() => load(0)).toThrow();', "expect(() => load(0)).toThrow('empty');"],
  ['a guard goes where the value is asserted', 'const x = load();\n  expect(x).toBeDefined();\n  expect(x.id).toBe(1);', 'const x = load();\n  expect(x.id).toBe(1);'],
  ['fields become one object', "const x = load();\n  expect(x.id).toBe(1);\n  expect(x.name).toBe('a');", "expect(load()).toEqual({ id: 1, name: 'a' });"],
  ['an object becomes its fields', "const x = load();\n  expect(x).toEqual({ id: 1, name: 'a' });", "const x = load();\n  expect(x.id).toBe(1);\n  expect(x.name).toBe('a');"],
  ['a variable is inlined', 'const x = total(a);\n  expect(x).toBe(3);', 'expect(total(a)).toBe(3);'],
  ['a variable is renamed', 'const x = total(a);\n  expect(x).toBe(3);', 'const sum = total(a);\n  expect(sum).toBe(3);'],
  ['the same matcher with the other quotes', "expect(load()).toBe('a');", 'expect(load()).toBe("a");'],
  ['deprecated matchers are replaced', 'expect(send).toBeCalledWith(1);\n  expect(() => load(0)).toThrowError("x");', "expect(send).toHaveBeenCalledWith(1);\n  expect(() => load(0)).toThrow('x');"],
  ['Chai becomes Jest', 'expect(total(a)).to.equal(3);\n  expect(load()).to.deep.equal({ id: 1 });', 'expect(total(a)).toBe(3);\n  expect(load()).toEqual({ id: 1 });'],
  ['node:assert becomes Vitest', 'assert.deepStrictEqual(load(), { id: 1 });\n  assert.strictEqual(total(a), 3);', 'expect(load()).toEqual({ id: 1 });\n  expect(total(a)).toBe(3);'],
  ['Vitest becomes node:assert', 'expect(load()).toStrictEqual({ id: 1 });\n  expect(() => load(0)).toThrow(/x/);', 'assert.deepStrictEqual(load(), { id: 1 });\n  assert.throws(() => load(0), /x/);'],
  ['AVA becomes Vitest', 't.is(total(a), 3);\n  t.true(load().ok);', 'expect(total(a)).toBe(3);\n  expect(load().ok).toBe(true);'],
  ['tape becomes node:assert', 't.equal(total(a), 3);\n  t.end();', 'assert.equal(total(a), 3);'],
  ['done becomes await', 'await load((error, x) => {\n    expect(error).toBeNull();\n    expect(x.id).toBe(1);\n  });', 'const x = await load();\n  expect(x.id).toBe(1);'],
  ['try and catch become rejects', 'try {\n    await load(0);\n    expect.fail();\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', "await expect(load(0)).rejects.toThrow('empty');"],
  ['expect.assertions goes with the catch', 'expect.assertions(1);\n  try {\n    await load(0);\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', "await expect(load(0)).rejects.toThrow('empty');"],
  ['a returned promise is awaited', 'return expect(load()).resolves.toBe(3);', 'await expect(load()).resolves.toBe(3);'],
  ['a then becomes await', 'return load().then((x) => {\n    expect(x.id).toBe(1);\n  });', 'const x = await load();\n  expect(x.id).toBe(1);'],
  ['the words are in comments and strings', 'expect(total(a)).toBe(3);', "// it.skip('x'), expect(true).toBe(true), test.only\n  const text = 'describe.only(';\n  expect(total(a)).toBe(3);"],
  ['an assertion is added', 'expect(total(a)).toBe(3);', 'expect(total(a)).toBe(3);\n  expect(total(a)).toBeGreaterThan(0);'],
  ['a message is added', 'assert.equal(total(a), 3);', "assert.equal(total(a), 3, 'the sum of both');"],
  ['an assertion gets a type argument', 'expect(total(a)).toBe(3);', 'expect<number>(total(a)).toBe(3);'],
  ['a guard narrows a type', 'const r = load();\n  expect(r.ok).toBe(true);\n  expect(r.value).toBe(3);', 'const r = load();\n  expect(r.ok).toBe(true);\n  if (!r.ok) return;\n  expect(r.value).toBe(3);'],
  ['a guard throws', 'const r = load();\n  expect(r.value).toBe(3);', "const r = load();\n  if (!r.ok) throw new Error('not loaded');\n  expect(r.value).toBe(3);"],
  ['a cleanup in finally is added', 'expect(load()).toBe(3);', 'try {\n    expect(load()).toBe(3);\n  } finally {\n    await stop();\n  }'],
  ['a cleanup catches its own errors', 'expect(load()).toBe(3);\n  await stop();', 'expect(load()).toBe(3);\n  await stop().catch(() => {});'],
  ['a caught error is the value', 'await expect(load(0)).rejects.toThrow("empty");', 'const error = await load(0).catch((caught) => caught);\n  expect(error.message).toBe("empty");'],
  ['a chained should is split', "cy.get('#n').should('be.visible').and('have.text', '3');", "cy.get('#n').should('be.visible');\n  cy.get('#n').should('have.text', '3');"],
  ['a presence becomes a query that throws', "expect(screen.getByText('3 items')).toBeInTheDocument();", "expect(screen.getByText('3 items')).toBeVisible();"],
  ['toBeTruthy of a query becomes a matcher', "expect(screen.getByText('3 items')).toBeTruthy();", "expect(screen.getByText('3 items')).toBeInTheDocument();"],
  ['not null becomes a presence', "expect(screen.queryByText('x')).not.toBeNull();", "expect(screen.getByText('x')).toBeInTheDocument();"],
  ['a helper is extracted into a custom matcher', 'expect(total(a)).toBe(3);', 'expect(a).toHaveTotal(3);'],
  ['JSX with an apostrophe', "render(<p>Don't</p>);\n  expect(total(a)).toBe(3);", "render(<p>Don't worry</p>);\n  expect(total(a)).toBe(3);"],
  ['a template with nested quotes', 'expect(total(a)).toBe(`a${b ? `"${c}\'` : "}"}`);', 'expect(total(a)).toBe(`a${b ? `"${c}\'` : "}"}`);\n  expect(total(b)).toBe(4);'],
  ['a regular expression with quotes in a template', "expect(total(a)).toBe(`${b.replaceAll(/```|'/g, '')}`);", "expect(total(a)).toBe(`${b.replaceAll(/```|'/g, '')}`);\n  expect(total(b)).toBe(4);"],
  ['nested type arguments', 'expectTypeOf(a).toEqualTypeOf<Partial<Record<string, Array<number>>>>();', 'expectTypeOf(a).toEqualTypeOf<Partial<Record<string, Array<number>>>>();\n  expectTypeOf(b).toBeNumber();'],
  ['a failure that is caught and asserted', 'try {\n    load(0);\n    t.fail("no error");\n  } catch (error) {\n    t.equal(error.code, 7);\n  }', 'try {\n    load(0);\n    assert.fail("no error");\n  } catch (error) {\n    assert.equal(error.code, 7);\n  }'],
  ['a regular expression with quotes', 'expect(load()).toMatch(/[\'"`)]+/);', 'expect(load()).toMatch(/[\'"`)]+/);\n  expect(load()).toMatch(/x/);'],
];

// biome-ignore format: one row a line
const HINDERED: readonly Row[] = [
  ['the assertion goes', 'const x = total(a);\n  expect(x).toBe(3);', 'const x = total(a);', 'assertion-removed'],
  ['one of two goes', 'expect(total(a)).toBe(3);\n  expect(load().n).toBe(7);', 'expect(load().n).toBe(7);', 'assertion-removed'],
  ['the body is empty', 'expect(total(a)).toBe(3);', '', 'test-emptied'],
  ['the body is a comment', 'expect(total(a)).toBe(3);', '// expect(total(a)).toBe(3);', 'test-emptied'],
  ['the body is in a string', 'expect(total(a)).toBe(3);', '`expect(total(a)).toBe(3);`;', 'assertion-removed'],
  ['the matcher is missing', 'expect(total(a)).toBe(3);', 'expect(total(a));', 'assertion-vacuous'],
  ['the matcher is not called', 'expect(total(a)).toBe(3);', 'expect(total(a)).toBeTruthy;', 'assertion-vacuous'],
  ['a constant is compared', 'expect(total(a)).toBe(3);', 'expect(true).toBe(true);', 'assertion-vacuous'],
  ['a constant is compared through a variable', 'expect(total(a)).toBe(3);', 'const sum = 3;\n  expect(sum).toBe(3);', 'assertion-vacuous'],
  ['a value is compared with itself', 'const x = total(a);\n  expect(x).toBe(3);', 'const x = total(a);\n  expect(x).toBe(x);', 'assertion-vacuous'],
  ['the output is compared with itself', 'expect(total(a)).toBe(3);', 'expect(total(a)).toEqual(total(a));', 'assertion-weakened'],
  ['the expected value is computed by the subject', 'expect(total(a)).toBe(3);', 'const expected = total(a);\n  expect(total(a)).toBe(expected);', 'assertion-weakened'],
  ['the result is its own expectation', 'const x = total(a);\n  expect(x).toBe(3);', 'const x = total(a);\n  const expected = x;\n  expect(x).toBe(expected);', 'assertion-weakened'],
  ['a truth that is always true', 'expect(total(a)).toBe(3);', 'expect(total(a) === 3 || true).toBe(true);', 'assertion-vacuous'],
  ['a length of at least 0', 'expect(load()).toHaveLength(2);', 'expect(load().length).toBeGreaterThanOrEqual(0);', 'assertion-vacuous'],
  ['the failure is caught', 'expect(total(a)).toBe(3);', 'try {\n    expect(total(a)).toBe(3);\n  } catch {}', 'assertion-swallowed'],
  ['the failure is caught and returns', 'expect(total(a)).toBe(3);', 'try {\n    expect(total(a)).toBe(3);\n  } catch {\n    return;\n  }', 'assertion-swallowed'],
  ['the failure is caught and logged', 'expect(total(a)).toBe(3);', 'try {\n    expect(total(a)).toBe(3);\n  } catch (error) {\n    console.warn(error);\n  }', 'assertion-swallowed'],
  ['finally returns', 'expect(total(a)).toBe(3);', 'try {\n    expect(total(a)).toBe(3);\n  } finally {\n    return;\n  }', 'assertion-swallowed'],
  ['a rejection is caught', 'await expect(load()).resolves.toBe(3);', 'await expect(load()).resolves.toBe(3).catch(() => {});', 'assertion-swallowed'],
  ['a chain is caught', 'await load().then((x) => expect(x).toBe(3));', 'await load().then((x) => expect(x).toBe(3)).catch(() => undefined);', 'assertion-swallowed'],
  ['a chain has a second callback', 'await load().then((x) => expect(x).toBe(3));', 'await load().then((x) => expect(x).toBe(3)).then(null, () => {});', 'assertion-swallowed'],
  ['all are settled', 'await Promise.all([expect(load()).resolves.toBe(3)]);', 'await Promise.allSettled([expect(load()).resolves.toBe(3)]);', 'assertion-swallowed'],
  ['after a return', 'expect(total(a)).toBe(3);', 'return;\n  expect(total(a)).toBe(3);', 'assertion-unreachable'],
  ['behind if (false)', 'expect(total(a)).toBe(3);', 'if (false) {\n    expect(total(a)).toBe(3);\n  }', 'assertion-unreachable'],
  ['behind if (false) without braces', 'expect(total(a)).toBe(3);', 'if (false) expect(total(a)).toBe(3);', 'assertion-unreachable'],
  ['behind while (false)', 'expect(total(a)).toBe(3);', 'while (false) {\n    expect(total(a)).toBe(3);\n  }', 'assertion-unreachable'],
  ['behind false &&', 'expect(total(a)).toBe(3);', 'false && expect(total(a)).toBe(3);', 'assertion-unreachable'],
  ['behind an environment variable', 'expect(total(a)).toBe(3);', 'if (process.env.CI) {\n    expect(total(a)).toBe(3);\n  }', 'assertion-unreachable'],
  ['behind an environment variable and &&', 'expect(total(a)).toBe(3);', 'process.env.CI && expect(total(a)).toBe(3);', 'assertion-unreachable'],
  ['behind an early return', 'expect(total(a)).toBe(3);', 'if (!process.env.FULL) return;\n  expect(total(a)).toBe(3);', 'assertion-unreachable'],
  ['behind the own result', 'const x = load();\n  expect(x.id).toBe(3);', 'const x = load();\n  if (x) {\n    expect(x.id).toBe(3);\n  }', 'assertion-unreachable'],
  ['in a function that nobody calls', 'expect(total(a)).toBe(3);', 'const check = () => {\n    expect(total(a)).toBe(3);\n  };', 'assertion-unreachable'],
  ['in a loop over nothing', 'for (const a of [1, 2]) expect(total(a)).toBe(3);', 'for (const a of []) expect(total(a)).toBe(3);', 'test-cases-removed'],
  ['a rejection is not awaited', "await expect(load(0)).rejects.toThrow('x');", "expect(load(0)).rejects.toThrow('x');", 'assertion-unreachable'],
  ['a rejection is void', "await expect(load(0)).rejects.toThrow('x');", "void expect(load(0)).rejects.toThrow('x');", 'assertion-unreachable'],
  ['node:assert: a rejection is not awaited', 'await assert.rejects(load(0), /x/);', 'assert.rejects(load(0), /x/);', 'assertion-unreachable'],
  ['a promise is not returned', 'return load().then((x) => {\n    expect(x).toBe(3);\n  });', 'load().then((x) => {\n    expect(x).toBe(3);\n  });', 'assertion-unreachable'],
  ['in a listener of an event that is not emitted', 'expect(total(a)).toBe(3);', "bus.once('ready', () => {\n    expect(total(a)).toBe(3);\n  });", 'assertion-unreachable'],
  ['in an async function that is not awaited', 'expect(total(a)).toBe(3);', 'void (async () => {\n    expect(total(a)).toBe(3);\n  })();', 'assertion-unreachable'],
  ['in a race', "await expect(load(0)).rejects.toThrow('x');", "await Promise.race([expect(load(0)).rejects.toThrow('x'), wait(0)]);", 'assertion-unreachable'],
  ['after the end of the test', 'expect(total(a)).toBe(3);', 'setTimeout(() => {\n    expect(total(a)).toBe(3);\n  }, 0);', 'assertion-unreachable'],
  ['the assertion moves into a catch', 'await expect(load(0)).rejects.toThrow("empty");', 'try {\n    await load(0);\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', 'assertion-unreachable'],
  ['expect.assertions goes', 'expect.assertions(1);\n  try {\n    await load(0);\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', 'try {\n    await load(0);\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', 'assertion-unreachable'],
  ['the failure after what must throw goes', 'try {\n    await load(0);\n    throw new Error("no error");\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', 'try {\n    await load(0);\n  } catch (error) {\n    expect(error.message).toBe("empty");\n  }', 'assertion-unreachable'],
  ['it skips itself', 'expect(total(a)).toBe(3);', "test.skip('later');\n  expect(total(a)).toBe(3);", 'test-skipped'],
  ['it skips itself through this', 'expect(total(a)).toBe(3);', 'this.skip();\n  expect(total(a)).toBe(3);', 'test-skipped'],
  ['it skips itself on a condition', 'expect(total(a)).toBe(3);', 't.skip(!process.env.FULL);\n  expect(total(a)).toBe(3);', 'test-skipped'],
  ['a value is bent', 'expect(total(a)).toBe(3);', 'expect(total(a)).toBe(4);', 'expectation-changed'],
  ['an object is bent', 'expect(load()).toEqual({ id: 1 });', 'expect(load()).toEqual({ id: undefined });', 'expectation-changed'],
  ['a call is bent', 'assert.equal(total(a), 3);', 'assert.equal(total(a), 4);', 'expectation-changed'],
  ['a status is bent', "await request(app).get('/').expect(200);", "await request(app).get('/').expect(500);", 'expectation-changed'],
];

describe('of an assertion in a test of JavaScript', () => {
  test.each(named([...WEAKENED, ...HONEST_ASSERTIONS, ...HINDERED]))('$what', ({ before, after, rule }) => {
    expectRule(rulesIn({ 'tests/cart.test.tsx': [inTest(before), inTest(after)] }), rule);
  });
});

const TWO = `it('adds', () => { expect(total(a)).toBe(3); });
it('loads', () => { expect(load(1)).toEqual({ id: 1 }); });
`;
const two = (text: string) => TWO.replace("it('adds', ", text);

// biome-ignore format: one row a line
const STATES: readonly Row[] = [
  ['skip', TWO, two("it.skip('adds', "), 'test-skipped'],
  ['xit', TWO, two("xit('adds', "), 'test-skipped'],
  ['skip of a wrapped function', "it('adds', fakeAsync(() => { expect(total(a)).toBe(3); }));", "xit('adds', fakeAsync(() => { expect(total(a)).toBe(3); }));", 'test-skipped'],
  ['another function in place of the test', TWO, `const noop = () => {};\n${TWO.replace('() => { expect(total(a)).toBe(3); }', 'noop')}`, 'test-emptied'],
  ['skip in brackets', TWO, two("it['skip']('adds', "), 'test-skipped'],
  ['skip of concurrent tests', TWO, two("it.concurrent.skip('adds', "), 'test-skipped'],
  ['skip through a cast', TWO, two("(it as any).skip('adds', "), 'test-skipped'],
  ['a letter of another alphabet in skip', TWO, two("it.ѕkip('adds', "), 'test-skipped'],
  ['a letter of another alphabet in it', TWO, two("іt('adds', "), 'test-skipped'],
  ['todo', TWO, "it.todo('adds');\nit('loads', () => { expect(load(1)).toEqual({ id: 1 }); });", 'test-skipped'],
  ['no function', TWO, "it('adds');\nit('loads', () => { expect(load(1)).toEqual({ id: 1 }); });", 'test-skipped'],
  ['only', TWO, two("it.only('adds', "), 'test-focused'],
  ['fit', TWO, two("fit('adds', "), 'test-focused'],
  ['only as an option', TWO, two("it('adds', { only: true }, "), 'test-focused'],
  ['fails', TWO, two("it.fails('adds', "), 'test-expected-to-fail'],
  ['failing', TWO, two("it.failing('adds', "), 'test-expected-to-fail'],
  ['an option to skip', TWO, two("it('adds', { skip: true }, "), 'test-skipped'],
  ['an option to skip with a reason', TWO, two("it('adds', { skip: 'flaky' }, "), 'test-skipped'],
  ['an option to skip on a condition', TWO, two("it('adds', { skip: !!process.env.CI }, "), 'test-skipped'],
  ['an option to do', TWO, two("it('adds', { todo: true }, "), 'test-skipped'],
  ['skipIf', TWO, two("it.skipIf(process.env.CI)('adds', "), 'test-skipped'],
  ['skipIf(true)', TWO, two("it.skipIf(true)('adds', "), 'test-skipped'],
  ['runIf(false)', TWO, two("it.runIf(false)('adds', "), 'test-skipped'],
  ['fixme', TWO, two("it.fixme('adds', "), 'test-skipped'],
  ['an alias that skips', TWO, `const it = test.skip;\n${TWO}`, 'test-skipped'],
  ['an alias by destructuring', TWO, `const { skip: it } = test;\n${TWO}`, 'test-skipped'],
  ['an alias on a condition', TWO, `const maybe = process.env.CI ? it : it.skip;\n${two("maybe('adds', ")}`, 'test-skipped'],
  ['an import that skips', TWO, `import { skip as it } from 'node:test';\n${TWO}`, 'test-skipped'],
  ['a suite that is skipped', `describe('cart', () => {\n${TWO}});`, `describe.skip('cart', () => {\n${TWO}});`, 'test-skipped'],
  ['a suite around that is skipped', TWO, `describe.skip('cart', () => {\n${TWO}});`, 'test-skipped'],
  ['xdescribe', `describe('cart', () => {\n${TWO}});`, `xdescribe('cart', () => {\n${TWO}});`, 'test-skipped'],
  ['a suite that returns', `describe('cart', () => {\n${TWO}});`, `describe('cart', () => {\nreturn;\n${TWO}});`, 'test-skipped'],
  ['a suite in which all are skipped', `describe('cart', () => {\n${TWO}});`, `describe('cart', () => {\ntest.skip(true, 'later');\n${TWO}});`, 'test-skipped'],
  ['a hook that skips', `describe('cart', () => {\n${TWO}});`, `describe('cart', () => {\nbeforeEach(function () { this.skip(); });\n${TWO}});`, 'test-skipped'],
  ['behind an environment variable', TWO, `if (process.env.CI) {\n${TWO}}`, 'test-skipped'],
  ['in a comment', TWO, `/* ${TWO} */ it('is', () => { expect(total(0)).toBe(0); });`, 'test-deleted'],
  ['in a string', TWO, `const old = \`${TWO}\`;\nit('is', () => { expect(total(0)).toBe(0); });`, 'test-deleted'],
  ['deleted', TWO, "it('loads', () => { expect(load(1)).toEqual({ id: 1 }); });", 'test-deleted'],
  ['no test any more', TWO, TWO.replace("it('adds', ", 'const adds = (').replace('); });\nit', '); });\nit'), 'test-not-collected'],
  ['emptied with another form', "it('adds', (done) => { load((x) => { expect(x).toBe(3); done(); }); });", "it('adds', async () => {});", 'test-emptied'],
  ['done before the assertion', "it('adds', (done) => { load((x) => { expect(x).toBe(3); done(); }); });", "it('adds', (done) => { done(); load((x) => { expect(x).toBe(3); }); });", 'assertion-unreachable'],
  ['done is no longer waited for', "it('adds', (done) => { load().then((x) => { expect(x).toBe(3); done(); }); });", "it('adds', () => { load().then((x) => { expect(x).toBe(3); }); });", 'assertion-unreachable'],
  ['expect is a function of this file', TWO, `const expect = () => ({ toBe() {}, toEqual() {} });\n${TWO}`, 'assertion-vacuous'],
  ['expect is a proxy', TWO, `const expect: any = () => new Proxy({}, { get: () => () => {} });\n${TWO}`, 'assertion-vacuous'],
  ['expect is declared as a function', TWO, `function expect(value: unknown) { return { toBe() {}, toEqual() {} }; }\n${TWO}`, 'assertion-vacuous'],
  ['assert is a function of this file', "it('adds', () => { assert.equal(total(a), 3); });", "const assert = { equal() {} };\nit('adds', () => { assert.equal(total(a), 3); });", 'assertion-vacuous'],
  ['a hook with the last assertion goes', `afterEach(() => { expect(errors).toEqual([]); });\n${TWO}`, TWO, 'assertion-removed'],
  ['uvu: no run', "import { test } from 'uvu';\ntest('adds', () => { assert.is(total(a), 3); });\ntest.run();", "import { test } from 'uvu';\ntest('adds', () => { assert.is(total(a), 3); });", 'test-not-collected'],
  ['AVA: failing', "test('adds', t => { t.is(total(a), 3); });", "test.failing('adds', t => { t.is(total(a), 3); });", 'test-expected-to-fail'],
  ['node:test: skip inside', "test('adds', (t) => { assert.equal(total(a), 3); });", "test('adds', (t) => { t.skip(); assert.equal(total(a), 3); });", 'test-skipped'],
  ['node:test: a subtest is skipped', "test('cart', async (t) => { await t.test('adds', () => { assert.equal(total(a), 3); }); });", "test('cart', async (t) => { await t.test('adds', { skip: true }, () => { assert.equal(total(a), 3); }); });", 'test-skipped'],
  ['Deno: ignore', "Deno.test('adds', () => { assertEquals(total(a), 3); });", "Deno.test.ignore('adds', () => { assertEquals(total(a), 3); });", 'test-skipped'],
  ['Deno: an option', "Deno.test({ name: 'adds', fn() { assertEquals(total(a), 3); } });", "Deno.test({ name: 'adds', ignore: true, fn() { assertEquals(total(a), 3); } });", 'test-skipped'],
  ['Bun: if', "test('adds', () => { expect(total(a)).toBe(3); });", "test.if(process.env.FULL)('adds', () => { expect(total(a)).toBe(3); });", 'test-skipped'],
  ['Playwright: fixme inside', "test('adds', async ({ page }) => { await expect(page).toHaveTitle('Cart'); });", "test('adds', async ({ page }) => { test.fixme(); await expect(page).toHaveTitle('Cart'); });", 'test-skipped'],
  ['Playwright: fail inside', "test('adds', async ({ page }) => { await expect(page).toHaveTitle('Cart'); });", "test('adds', async ({ page }) => { test.fail(); await expect(page).toHaveTitle('Cart'); });", 'test-expected-to-fail'],
  ['Playwright: not awaited', "test('adds', async ({ page }) => { await expect(page).toHaveTitle('Cart'); });", "test('adds', async ({ page }) => { expect(page).toHaveTitle('Cart'); });", 'assertion-unreachable'],
  ['Mocha: describe.skip', "describe('cart', function () { it('adds', function () { expect(total(a)).to.equal(3); }); });", "describe.skip('cart', function () { it('adds', function () { expect(total(a)).to.equal(3); }); });", 'test-skipped'],
  ['tap: skip', "tap.test('adds', (t) => { t.equal(total(a), 3); t.end(); });", "tap.test('adds', { skip: true }, (t) => { t.equal(total(a), 3); t.end(); });", 'test-skipped'],
  ['a type argument', "it<Map<string, number>>('adds', () => { expect(total(a)).toBe(3); });", "it.skip<Map<string, number>>('adds', () => { expect(total(a)).toBe(3); });", 'test-skipped'],
  ['a type test', "// @ts-expect-error a string is no number\ntotal('a');\nexpectTypeOf(total).returns.toBeNumber();", 'expectTypeOf(total).returns.toBeNumber();', 'assertion-removed'],
  ['a type that is asserted outside of tests', 'expectType<string>(load());\nexpectType<number>(total(a));', 'expectType<string>(load());', 'assertion-removed'],
];

// biome-ignore format: one row a line
const HONEST_STATES: readonly Row[] = [
  ['un-skipped', two("it.skip('adds', "), TWO],
  ['un-focused', two("it.only('adds', "), TWO],
  ['no longer expected to fail', two("it.fails('adds', "), TWO],
  ['a test is added', TWO, `${TWO}it('is empty', () => { expect(total([])).toBe(0); });`],
  ['a test that is skipped from the beginning', TWO, `${TWO}it.skip('is empty', () => { expect(total([])).toBe(0); });`],
  ['a suite is put around', TWO, `describe('cart', () => {\n${TWO}});`],
  ['it becomes test', TWO, TWO.replaceAll('it(', 'test(')],
  ['a name is changed', TWO, TWO.replace("'adds'", "'adds two items'")],
  ['the order is changed', TWO, TWO.split('\n').toReversed().join('\n')],
  ['two are merged', TWO, "it('adds and loads', () => { expect(total(a)).toBe(3); expect(load(1)).toEqual({ id: 1 }); });"],
  ['one is split', "it('adds', () => { expect(total(1)).toBe(3); expect(total(2)).toBe(4); });", "it('adds one', () => { expect(total(1)).toBe(3); });\nit('adds two', () => { expect(total(2)).toBe(4); });"],
  ['single tests become a table', "it('adds 1', () => { expect(total(1)).toBe(3); });\nit('adds 2', () => { expect(total(2)).toBe(4); });", "it.each([[1, 3], [2, 4]])('adds %i', (n, sum) => { expect(total(n)).toBe(sum); });"],
  ['single tests become a loop', "it('adds 1', () => { expect(total(1)).toBe(3); });\nit('adds 2', () => { expect(total(2)).toBe(4); });", 'const rows = [{ n: 1, sum: 3 }, { n: 2, sum: 4 }];\nfor (const { n, sum } of rows) it(`adds ${n}`, () => { expect(total(n)).toBe(sum); });'],
  ['a helper is extracted', TWO, `function expectTotal(items: unknown, sum: number) { expect(total(items)).toBe(sum); }\n${TWO.replace('expect(total(a)).toBe(3)', 'expectTotal(a, 3)')}`],
  ['a helper is an arrow', TWO, `const check = (items: unknown, sum: number) => expect(total(items)).toBe(sum);\n${TWO.replace('expect(total(a)).toBe(3)', 'check(a, 3)')}`],
  ['a test function gets a name', TWO, `const adds = () => { expect(total(a)).toBe(3); };\n${TWO.replace('() => { expect(total(a)).toBe(3); }', 'adds')}`],
  ['a test function is wrapped', TWO, TWO.replace('() => { expect(total(a)).toBe(3); }', 'fakeAsync(() => { expect(total(a)).toBe(3); })')],
  ['setup moves into a hook', "it('adds', () => { const a = make(); expect(total(a)).toBe(3); });", "let a;\nbeforeEach(() => { a = make(); });\nit('adds', () => { expect(total(a)).toBe(3); });"],
  ['imports are added', TWO, `import { expect, it } from 'vitest';\n${TWO}`],
  ['globals become those of node:test', TWO, `import { it } from 'node:test';\nimport { expect } from 'expect';\n${TWO}`],
  ['expect is that of Chai', `const { expect } = require('chai');\n${TWO}`, `import * as chai from 'chai';\nconst expect = chai.expect;\n${TWO}`],
  ['expect has a message', TWO, TWO.replace('expect(total(a))', "expect(total(a), 'the sum')")],
  ['a timeout is added', TWO, TWO.replace('toBe(3); });', 'toBe(3); }, 10_000);')],
  ['an option is added', TWO, two("it('adds', { timeout: 1000 }, ")],
  ['a test is concurrent', TWO, two("it.concurrent('adds', ")],
  ['the operating system decides', TWO, two("it.skipIf(process.platform === 'win32')('adds', ")],
  ['a function is a function', TWO, two("it('adds', async function () { expect(total(a)).toBe(3); });\nit('nothing', ").replace( /it\('nothing'.*\n/, '', )],
  ['formatting', TWO, TWO.replaceAll('{ ', '{\n    ').replaceAll(' })', '\n  })').replaceAll("'", '"')],
  ['skip in a name', TWO, TWO.replace("'adds'", "'adds .skip( and it.only('")],
  ['a hook is added', TWO, `afterEach(() => { vi.restoreAllMocks(); });\n${TWO}`],
  ['Mocha becomes node:test', "describe('cart', function () { it('adds', function () { expect(total(a)).to.equal(3); }); });", "import { describe, it } from 'node:test';\ndescribe('cart', () => { it('adds', () => { assert.strictEqual(total(a), 3); }); });"],
  ['AVA becomes Vitest', "test('adds', t => { t.is(total(a), 3); });", "test('adds', () => { expect(total(a)).toBe(3); });"],
  ['Deno: the object becomes arguments', "Deno.test({ name: 'adds', fn() { assertEquals(total(a), 3); } });", "Deno.test('adds', () => { assertEquals(total(a), 3); });"],
  ['done becomes a promise', "it('adds', (done) => { load().then((x) => { expect(x).toBe(3); done(); }); });", "it('adds', async () => { const x = await load(); expect(x).toBe(3); });"],
  ['a test class of its own', "it('adds', () => { const page = open(); expect(page.total()).toBe(3); });", "class CartPage { expectTotal(sum) { expect(this.total()).toBe(sum); } }\nit('adds', () => { const page = open(); page.expectTotal(3); });"],
  ['own assert of a script', 'assert.equal(total(a), 3);', "function assert(ok) { if (!ok) throw new Error('no'); }\nassert(total(a) === 3);"],
  ['a file is read with Deno', "Deno.test('adds', () => { assertEquals(total(a), 3); });", "const text = Deno.readTextFileSync('a.json', () => {});\nDeno.test('adds', () => { assertEquals(total(a), 3); });"],
  ['Playwright: a step is put around', "test('adds', async ({ page }) => { await expect(page).toHaveTitle('Cart'); });", "test('adds', async ({ page }) => { await test.step('open', async () => { await expect(page).toHaveTitle('Cart'); }); });"],
  ['Playwright: own fixtures', "import { test, expect } from '@playwright/test';\ntest('adds', async ({ page }) => { await expect(page).toHaveTitle('Cart'); });", "import { test, expect } from './fixtures';\ntest('adds', async ({ page }) => { await expect(page).toHaveTitle('Cart'); });"],
];

const ROWS3 = "it.each([[1, 2], [2, 4], [3, 6]])('doubles %i', (n, sum) => { expect(total(n)).toBe(sum); });";
const TABLE3 = `const rows = [[1, 2], [2, 4], [3, 6]];\nit.each(rows)('doubles %i', (n, sum) => { expect(total(n)).toBe(sum); });`;

// biome-ignore format: one row a line
const TABLES: readonly Row[] = [
  ['a row is dropped', ROWS3, ROWS3.replace(', [3, 6]', ''), 'test-cases-removed'],
  ['a row is a comment', ROWS3, ROWS3.replace(', [3, 6]', ' /* , [3, 6] */'), 'test-cases-removed'],
  ['no row is left', ROWS3, ROWS3.replace(/\[\[.*\]\]/, '[]'), 'test-cases-removed'],
  ['a slice of the rows', TABLE3, TABLE3.replace('each(rows)', 'each(rows.slice(1))'), 'test-skipped'],
  ['a filter of the rows', TABLE3, TABLE3.replace('each(rows)', 'each(rows.filter(([n]) => n < 3))'), 'test-skipped'],
  ['a slice of rows elsewhere', "import { rows } from './rows';\nit.each(rows)('doubles %i', (n, sum) => { expect(total(n)).toBe(sum); });", "import { rows } from './rows';\nit.each(rows.slice(0, 1))('doubles %i', (n, sum) => { expect(total(n)).toBe(sum); });", 'test-skipped'],
  ['a filter at the declaration', TABLE3, TABLE3.replace(']];', ']].filter(([n]) => n < 3);'), 'test-skipped'],
  ['a suite without rows', "describe.each([1, 2])('n %i', (n) => { it('doubles', () => { expect(total(n)).toBe(n * 2); }); });", "describe.each([1])('n %i', (n) => { it('doubles', () => { expect(total(n)).toBe(n * 2); }); });", 'test-cases-removed'],
  ['a loop that goes on', 'for (const [n, sum] of [[1, 2], [2, 4]]) it(`doubles ${n}`, () => { expect(total(n)).toBe(sum); });', 'for (const [n, sum] of [[1, 2], [2, 4]]) {\n  if (n === 2) continue;\n  it(`doubles ${n}`, () => { expect(total(n)).toBe(sum); });\n}', 'test-skipped'],
  ['a loop over a part', 'for (const [n, sum] of rows) it(`doubles ${n}`, () => { expect(total(n)).toBe(sum); });', 'for (const [n, sum] of rows.slice(1)) it(`doubles ${n}`, () => { expect(total(n)).toBe(sum); });', 'test-skipped'],
  ['forEach over a part', 'rows.forEach(([n, sum]) => it(`doubles ${n}`, () => { expect(total(n)).toBe(sum); }));', 'rows.filter(([n]) => n < 3).forEach(([n, sum]) => it(`doubles ${n}`, () => { expect(total(n)).toBe(sum); }));', 'test-skipped'],
  ['a row is added', ROWS3, ROWS3.replace(']])', '], [4, 8]])')],
  ['the rows get a name', ROWS3, TABLE3],
  ['the rows become objects', ROWS3, "it.each([{ n: 1, sum: 2 }, { n: 2, sum: 4 }, { n: 3, sum: 6 }])('doubles $n', ({ n, sum }) => { expect(total(n)).toBe(sum); });"],
  ['the rows become a template', ROWS3, "it.each`\n  n | sum\n  ${1} | ${2}\n  ${2} | ${4}\n  ${3} | ${6}\n`('doubles $n', ({ n, sum }) => { expect(total(n)).toBe(sum); });"],
  ['the rows are sorted', ROWS3, ROWS3.replace('[[1, 2], [2, 4], [3, 6]]', '[[3, 6], [2, 4], [1, 2]]')],
  ['the table becomes single tests', "it.each([[1, 2], [2, 4]])('doubles %i', (n, sum) => { expect(total(n)).toBe(sum); });", "it('doubles 1', () => { expect(total(1)).toBe(2); });\nit('doubles 2', () => { expect(total(2)).toBe(4); });"],
];

describe('of the tests in a file of JavaScript', () => {
  test.each(named([...STATES, ...HONEST_STATES, ...TABLES]))('$what', ({ before, after, rule }) => {
    expectRule(rulesIn({ 'tests/cart.test.ts': [before, after] }), rule);
  });
});
