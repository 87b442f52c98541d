import { expect, test } from 'vitest';
import { type PreviousFailures, previousFailuresOf } from '../../../src/state/failures.ts';

const memory: PreviousFailures = {
  task: 't',
  iteration: 2,
  tree: null,
  gates: [],
};

test.each([
  ['of the stop before', memory, 3, memory],
  ['of one before that', memory, 5, memory],
  ['of a loop that was started again', memory, 1, undefined],
  ['of this very iteration', memory, 2, undefined],
  ['of another loop', { ...memory, task: 'u' }, 3, undefined],
  ['of verify', { ...memory, task: null, iteration: null }, 3, undefined],
  ['of no iteration', { ...memory, iteration: null }, 3, undefined],
  ['there is none', undefined, 3, undefined],
])(
  'previousFailuresOf returns the record only for later stops of the same loop: %s',
  (_, known, iteration, expected) => {
    expect(previousFailuresOf(known, 't', iteration)).toEqual(expected);
  },
);
