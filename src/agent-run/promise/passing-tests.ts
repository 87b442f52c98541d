import { DENIED, SUPPOSED } from './excuses.ts';
import { type Sign, tells } from './sign.ts';

const TESTS = '(?:tests?|specs?|test suites?|suites?|assertions|checks)';
const NOW = String.raw`(?:\s+(?:now|all|each|again|are|is|have|has|been|in \S+|for \S+|of \S+|still|both))*`;
const PASS = '(?:pass|passes|passed|passing|green|succeed|succeeds|succeeded)';

/** Before: they are meant to, or did once. */
const WISHED =
  /\b(?:will|make|making|let|get|need\w*|expect\w*|want|to|once|before|after|cannot|unable|previously|formerly|earlier|initially|originally|used to)\b/i;
const BEFORE = [DENIED, SUPPOSED, WISHED];
const AFTER = [
  /^\s*(?:if|when|once|unless|until|except|but|only|on (?:main|master|the (?:old|base)))\b/i,
  /\bno tests (?:were )?(?:found|ran|run|to run|collected)\b/i,
];

const IN_WORDS: readonly Sign[] = [
  {
    words: new RegExp(
      String.raw`(?<![\w.-])[1-9][\d,]{0,9}(?:\s*(?:\/|of|out of)\s*\d+)?(?:\s+${TESTS})?${NOW}\s+${PASS}\b`,
      'gi',
    ),
    before: BEFORE,
    after: AFTER,
  },
  {
    words: new RegExp(
      String.raw`\b(?:tests|specs|(?:test )?suites?|every (?:test|spec))${NOW}\s+${PASS}\b`,
      'gi',
    ),
    before: BEFORE,
    after: AFTER,
  },
];

/** As runners print it: Jest and Vitest, Go, TAP and node:test, xUnit, Cargo, PHPUnit, RSpec and Maven, CTest. */
const IN_OUTPUT: readonly RegExp[] = [
  /^\s*(?:--- )?PASS(?:ED)?\b(?!\W*0\b)/,
  /^\s*ok\s+\S+\s+(?:[\d.]+m?s\b|\(cached\))/,
  /^\s*(?:ok \d+\b|[#ℹ] pass [1-9])/,
  /\bpassed\s*[:=|]\s*[1-9]/i,
  /\btest result: ok\b(?!\. 0 passed)/,
  /^\s*OK \([1-9]\d* tests?\b/,
  /\b(?:[1-9]\d* (?:runs|tests|examples|specs|scenarios)\b|tests run: [1-9]).{0,200}\b(?:0 (?:failures|failed)|failures: 0)\b/i,
  /\b100% (?:of )?(?:the )?tests pass/i,
];

/** Whether a line of a message, or of the output of a test runner in it, says that tests pass. */
export function showsTestsThatPass(line: string): boolean {
  return IN_OUTPUT.some((sign) => sign.test(line)) || IN_WORDS.some((sign) => tells(line, sign));
}
