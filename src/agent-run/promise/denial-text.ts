import { count, oneLine } from '../../base/text.ts';
import type { Malformation } from './find-promise.ts';
import type { Denial, JudgedGate } from './judge-promise.ts';

/** Of many lines or gates, so many are named: they are enough to see what is meant. */
const MAX_NAMED = 5;

/** What the agent reads of why its promise is not accepted, and what to do; a list where there are several things. */
export function denialText(denial: Denial): string {
  switch (denial.reason) {
    case 'no-promise':
      return `Your message does not promise that the work is done. When all of it is, ${howToPromise(denial.promise)}.`;
    case 'other-promise':
      return `Line ${denial.line} of your message promises "${oneLine(denial.text, 100)}", which is not the text that is expected here. When the work is done, ${howToPromise(denial.promise)}, letter by letter.`;
    case 'malformed':
      return `The promise in line ${denial.line} of your message does not count: ${MALFORMED[denial.how]}. When all of the work is done, ${howToPromise(denial.promise)}.`;
    case 'contradicted': {
      const named = denial.contradictions.slice(0, MAX_NAMED);
      return [
        'Your message promises that the work is done, and says that it is not:',
        ...named.map(({ line, text }) => `- line ${line}: ${oneLine(text)}`),
        ...more(denial.contradictions.length, 'line'),
        'Do what is left, and promise again when nothing is. If a line is out of date, or speaks of something else, say how it is now.',
      ].join('\n');
    }
    case 'nothing-changed':
      return denial.by === 'git'
        ? 'git knows of no change since this loop began: neither a commit nor a file that differs. Do the work in this directory, and see with `git status` that it is there.'
        : 'Nothing in your message says what you changed, and there is no git to ask. Do the work, and name the files that you changed.';
    case 'no-passing-tests':
      return 'Nothing shows that tests pass. Run them, repair what fails, and end with what the test runner prints last.';
    case 'no-approval':
      return 'Your review does not approve the work. If it is right, say APPROVED; if it is not, say what has to change, and do not promise.';
    case 'no-gates':
      return 'This project has no gates, so nothing can prove this stage. Tell the user that gates have to be set up, as with `ralph-loop init`.';
    case 'gates-failed':
      return gatesText(denial.gates);
  }
}

const MALFORMED: Readonly<Record<Malformation, string>> = {
  'in-fence': 'it stands in a code block',
  'in-quotation': 'it stands in a quotation',
  'not-closed': 'its end is missing, or stands on another line',
  'not-alone': 'there is something else on its line, be it a backtick',
};

function howToPromise(promise: string): string {
  return `write <promise>${promise}</promise> alone on a line, outside of code blocks and quotations`;
}

function gatesText(gates: readonly JudgedGate[]): string {
  const named = gates.slice(0, MAX_NAMED);
  return [
    `${count(gates.length, 'gate')} of the project ${gates.length === 1 ? 'does' : 'do'} not pass:`,
    ...named.map(
      ({ name, blocking }) =>
        `- ${oneLine(name, 100)}${blocking ? '' : ' (it only warns elsewhere, and counts here)'}`,
    ),
    ...more(gates.length, 'gate'),
    'Repair the cause, not the gate.',
  ].join('\n');
}

function more(length: number, noun: string): string[] {
  return length > MAX_NAMED ? [`- and ${count(length - MAX_NAMED, `more ${noun}`)}`] : [];
}

/** The same for a person, in a few words. */
export function denialInShort(denial: Denial): string {
  switch (denial.reason) {
    case 'no-promise':
      return 'the agent did not say that it is done';
    case 'other-promise':
      return `it promised "${oneLine(denial.text, 60)}", not ${denial.promise}`;
    case 'malformed':
      return `its promise does not count: ${MALFORMED[denial.how]}`;
    case 'contradicted':
      return `its message says otherwise: "${oneLine(denial.contradictions[0]?.text ?? '', 120)}"`;
    case 'nothing-changed':
      return denial.by === 'git' ? 'git knows of no change' : 'it names no change';
    case 'no-passing-tests':
      return 'nothing shows that tests pass';
    case 'no-approval':
      return 'it does not approve';
    case 'no-gates':
      return 'there are no gates to prove it';
    case 'gates-failed':
      return `gates do not pass: ${denial.gates.map(({ name }) => oneLine(name, 40)).join(', ')}`;
  }
}
