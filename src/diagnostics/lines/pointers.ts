/** Lines that say what is in another place: in a manual, in more output, or behind an option that ignores the error. */

import { formTable } from './forms.ts';

const TAG = '(?:(?:help|hint|note|info):? )?';
const MAY = '(?:please |you can )?';

/** Where a manual explains the rule, also in the next line: the same after each failure. */
const MANUAL = formTable(new RegExp(`^(?:\\S+:\\d+: )?[^\\w✗✘×✖❌⨯✕]*${TAG}`, 'i'), {
  'for more, an address': {
    pattern:
      /(?:for|see|visit|read|learn|more|further|docs?|documentation|reference|background|refer|get help)\b[\w ,.'’-]{0,60}[:\s]\s*<?https?:\/\/\S+(?: for (?:(?:more |further )?(?:information|details|help)|documentation)\b.*)?$/,
    example: '  = help: for further information visit https://lints.example/index.html#precedence',
  },
  'the address of a manual': {
    pattern:
      /https?:\/\/\S*(?:\/docs?\/|\/reference\/|\/guides?\/|\/wiki|\/rules?\/|\/help\b|troubleshooting|\/messages\/)\S*(?: -- \S.*)?$/,
    example: 'https://lint.example/rules/no-alert',
  },
  'addresses in the next lines': {
    pattern: /for (?:more|further) (?:information|details|help):$/,
    example: 'For more information:',
  },
  'a page, named in the next line': {
    pattern: new RegExp(
      `${MAY}(?:see|find|read|visit|learn|more)\\b[^.:]{0,80}\\b(?:here|page|link|docs|documentation|guide|manual)\\b[^.:]{0,80}:$`,
    ),
    example: 'You can find the migration guide at the following link:',
  },
  'a manual, without its address': {
    pattern: /see the .{0,60}\b(?:manual|documentation)\b.{0,40}\bfor explanation\.?$/,
    example: 'See the LaTeX manual or LaTeX Companion for explanation.',
  },
  'the help of a prompt': {
    pattern: /type +\S+ +(?:<\w+> +)?for immediate help\.$/,
    example: 'Type  H <return>  for immediate help.',
  },
});

const REPAIR = formTable(/\b(?:run|re-run|rerun|use|try|execute|with)\b.{0,60}/i, {
  'a command that repairs': {
    pattern: /\b(?:fix|format|fmt|install|update|upgrade|regenerate|generate|migrate|rebuild)\b/,
    example: 'run `cargo fmt` first',
  },
  'the option of one': { pattern: /--?(?:fix|write|update|force|install)\b/, example: 'Run with --write.' },
});

const CALL = `${MAY}(?:also )?(?:run|re-run|rerun|(?:re)?compile|use|see|set|read|add|try)\\b`;
/** An option, or an environment variable. */
const OPTION = '(?:\\s|[`\'"(])(?:-{1,2}[a-z?]|[A-Z][A-Z_]+=)';
const SHOW =
  'get|see|show|display|print|view|find|obtain|gain|increase|where|options|re-run|rerun|(?:en|dis)able .{0,30}\\b(?:debug|log|trace|verbose|backtrace|output)';

/** How a command prints more: the same after each failure. */
const MORE_OUTPUT = formTable(
  new RegExp(`^\\W*\\b(?:E\\s+)?${TAG}(?:(?!.*\\blimit\\b)[\\w ,]{3,60}[;,.] )?`, 'i'),
  {
    'an option, and what for': {
      pattern: new RegExp(`${CALL}.{0,60}${OPTION}.{0,80}\\b(?:to|for) (?:${SHOW})`),
      example: 'Note: Some messages have been simplified; recompile with -Xdiags:verbose to get full output',
    },
    'what for, and an option': {
      pattern: /for [\w ,]{3,60} (?:re-run|rerun|run|use|try) (?:with:? -|[`'"]\S+ --)/,
      example: 'For more information about this error, try `rustc --explain E0308`.',
    },
    'the full output': {
      pattern: /see (?:full|also) .*(?:--trace|\.log"?)/,
      example: '(See full trace by running task with --trace)',
    },
    'where it was written': {
      pattern:
        /(?:(?:full|detailed|test) )*(?:logs?|results?|reports?) (?:(?:is|are|was|were) )?(?:(?:saved|written|stored) )?(?:to|in|at):? [`'"‘]?\S*\/\S+$/,
      example: "Logs saved to `/p/_build/_tests/calc/precedence.005.output'.",
    },
    'how to allow it': {
      pattern: /to override .* add\b/,
      example: '  = help: to override `-D warnings` add `#[allow(clippy::precedence)]`',
    },
  },
);

/** How to have the command ignore what is wrong: it repairs nothing. */
const SILENCER = formTable(/^\W*(?:(?:hint|note|help|tip): )?/i, {
  'if it is intended': {
    pattern: /if (?:this|that|it) is (?:expected|intended|intentional)\b/,
    example: 'If this is expected, add it to the list.',
  },
  'if you want to': {
    pattern: /if you (?:prefer|want) to (?:skip|ignore)\b/,
    example: 'If you want to skip these checks, use --force.',
  },
  'what for': { pattern: /to (?:suppress|ignore|disable|silence)\b/, example: 'To disable tracking, run:' },
  'where to read how': {
    pattern: /(?:read|see) .{0,60}\bhow to (?:skip|ignore|suppress|silence|disable)\b/,
    example: 'Read documentation for instructions on how to ignore specific rule violations.',
  },
  'a comment': {
    pattern: /\.{3} use "\/\*.*\*\/".* to disable this message\b/,
    example: '                ... Use "/* lint_off WIDTH */" around source to disable this message.',
  },
  'what you can do': {
    pattern:
      /(?:alternatively, )?you can (?:also |instead )?(?:skip|ignore|suppress|silence|disable|mark .* as external|(?:re-?)?run .* to (?:\w+ )?ignore)\b/,
    example: 'Alternatively, you can run Composer with `--ignore-platform-req` to temporarily ignore it.',
  },
  'an option to ignore it': {
    pattern: /(?:re-run|rerun) with \S+ to (?:skip|ignore)\b/,
    example: '  hint: Re-run with --no-check to skip type-checking.',
  },
  'git rebase': { pattern: /to restore the original branch\b/, example: 'To restore the original branch' },
});

export const POINTER_TABLES = { MANUAL, REPAIR, MORE_OUTPUT, SILENCER };

/** Names a command that repairs what is wrong. */
export function repairs(text: string): boolean {
  return REPAIR.pattern.test(text);
}

/** Points to a manual, to an option that prints more, or to one that has the command ignore what is wrong. */
export function pointsElsewhere(text: string): boolean {
  return (
    SILENCER.pattern.test(text) ||
    (!repairs(text) && (MANUAL.pattern.test(text) || MORE_OUTPUT.pattern.test(text)))
  );
}
