import { expect, test } from 'vitest';
import { environmentOfGates, isStartedByGateOf } from '../../../src/gates/nesting.ts';

test.for([
  { what: 'the project itself', gatesOf: ['/a'], root: '/a', isStarted: true },
  { what: 'a project that started another one', gatesOf: ['/a', '/b'], root: '/a', isStarted: true },
  {
    what: 'a project with the delimiter in its name',
    gatesOf: ['/x:y', '/b'],
    root: '/x:y',
    isStarted: true,
  },
  { what: 'another project', gatesOf: ['/a'], root: '/b', isStarted: false },
  { what: 'a project inside', gatesOf: ['/a'], root: '/a/b', isStarted: false },
  { what: 'a project around', gatesOf: ['/a/b'], root: '/a', isStarted: false },
  { what: 'no gate', gatesOf: [], root: '/a', isStarted: false },
])('isStartedByGateOf is $isStarted for $what', ({ gatesOf, root, isStarted }) => {
  const env = gatesOf.reduce((outer, project) => environmentOfGates(project, outer), {});
  expect(isStartedByGateOf(root, env)).toBe(isStarted);
});
