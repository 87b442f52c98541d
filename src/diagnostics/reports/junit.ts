import { addFailure, type Report, type ReportedFailure } from './types.ts';
import { readXml } from './xml.ts';

/** Of a longer text, this much is kept. */
const MAX_TEXT = 32 * 1024;
/** No test fails for more. */
const MAX_REASONS = 100;

type Attributes = Readonly<Record<string, string>>;

interface Reason {
  readonly attributes: Attributes;
  text: string;
}

/** A test, or a suite without its tests. */
interface Subject {
  readonly attributes: Attributes;
  readonly isTest: boolean;
  readonly reasons: Reason[];
  /** What it printed: its end. */
  output: string;
}

/** The elements that hold what a dialect of JUnit's XML says about a test that failed for good. */
const REASONS = new Set(['failure', 'error']);
const OUTPUTS = new Set(['system-out', 'system-err']);

/**
 * Reads JUnit's XML: there is no standard, so elements are read wherever they are. A test that failed and passed later
 * (`flakyFailure`) has passed; the further attempts of one that failed (`rerunFailure`) say the same again.
 */
export function readJunit(xml: string): Report {
  const failures: ReportedFailure[] = [];
  const open: Subject[] = [];
  /** Names of the elements around, outermost first. */
  const elements: string[] = [];
  let reason: Reason | undefined;
  const isWhole = readXml(xml, {
    open: (name, attributes) => {
      elements.push(name);
      const subject = open.at(-1);
      if (name === 'testcase' || name === 'testsuite')
        open.push({ attributes, isTest: name === 'testcase', reasons: [], output: '' });
      else if (REASONS.has(name) && subject) {
        reason = { attributes, text: '' };
        if (subject.reasons.length < MAX_REASONS) subject.reasons.push(reason);
      }
    },
    text: (text) => {
      const element = elements.at(-1) ?? '';
      const subject = open.at(-1);
      if (reason && REASONS.has(element)) reason.text = (reason.text + text).slice(0, MAX_TEXT);
      else if (subject?.isTest && OUTPUTS.has(element))
        subject.output = (subject.output + text).slice(-MAX_TEXT);
    },
    close: (name) => {
      elements.pop();
      if (REASONS.has(name)) reason = undefined;
      if (name !== 'testcase' && name !== 'testsuite') return;
      const subject = open.pop();
      if (subject) for (const failure of failuresOf(subject, open)) addFailure(failures, failure);
    },
  });
  // A file that ends within a test has said why it failed.
  const last = open.at(-1);
  if (last) for (const failure of failuresOf(last, open.slice(0, -1))) addFailure(failures, failure);
  return { failures, isWhole: isWhole && open.length === 0 };
}

function failuresOf({ attributes, reasons, output }: Subject, around: readonly Subject[]): ReportedFailure[] {
  const { file, filepath, line, lineno } = attributes;
  return reasons.map(({ attributes: { message, type, ...place }, text }) => ({
    kind: 'test',
    name: nameOf(
      attributes,
      around.map((suite) => suite.attributes.name ?? ''),
    ),
    file: place.file ?? file ?? filepath,
    line: Number(place.line ?? line ?? lineno) || undefined,
    message: message?.trim() || (text.trim() === '' ? type : undefined),
    // CTest and others have the reason in what the test printed.
    details: text.trim() === '' ? output : text,
  }));
}

/** @param suites the names of those around, outermost first */
function nameOf({ name = '', classname, class: className }: Attributes, suites: readonly string[]): string {
  const own = classname ?? className;
  // node:test gives each test this class.
  const around = own === undefined || own === 'test' ? suites.filter(Boolean).join(' > ') : own;
  return around === '' || name.includes(around) ? name : `${around} > ${name}`;
}
