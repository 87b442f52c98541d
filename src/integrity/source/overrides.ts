import type { Source } from '../lexer.ts';
import {
  afterBracket,
  canonical,
  find,
  inside,
  is,
  type Span,
  type Tokens,
  trimmed,
} from '../tests/tokens.ts';
import type { Finding } from '../types.ts';
import { added, type ChangedSource, type Occurrence } from './changed-source.ts';

// Code that makes every comparison hold, or ends the process with success before a test can fail.

/** Methods that decide whether two values are equal, and the bodies that do not look at them. */
const EQUALITY =
  /^(?:__eq__|equals|Equals|Equal|eq|eql\?|==|===|isEqual|isEqualTo|is_equal|deepEquals?|asymmetricMatch|SequenceEqual)$/;
const INEQUALITY = /^(?:__ne__|ne|!=)$/;
const ORDER = /^(?:compareTo|compare|CompareTo|Compare|cmp|partial_cmp|<=>|__cmp__)$/;
const TRUE = /^(?:return )?(?:true|True|TRUE|! 0|1|isinstance \( \w+ , \w+ \)|\w+ (?:instanceof|is) [\w.]+)$/;
const FALSE = /^(?:return )?(?:false|False)$/;
const SAME =
  /^(?:return )?(?:0|Ordering :: Equal|Some \( Ordering :: Equal \)|std :: cmp :: Ordering :: Equal)$/;

/** Of a declaration: a name of those above, and a body of one constant. Its bounds keep it linear on lines without end. */
const EQUALITY_WORDS =
  /(?:__(?:eq|ne|cmp)__|[eE]qual|\beq|\bne|eql\?|(?:def|operator|fn|fun)\s{0,20}==|<=>|is_equal|asymmetricMatch|[cC]ompare(?:To)?|cmp)\s{0,20}[^\n]{0,300}?[\s{=:]{1,60}(?:return\s{1,20})?(?:true|True|TRUE|false|False|!0|0|1|Ordering|Some|std|isinstance|\w{1,20} instanceof|other is)\b/;

/** Finds equalities that a change made always true. */
export function findEqualities(sources: readonly ChangedSource[]): Finding[] {
  return added(sources, EQUALITY_WORDS, equalitiesIn).map(({ source, occurrence }) => ({
    rule: 'equality-overridden',
    // A stand-in of a test may equal anything.
    severity: source.isTest ? 'medium' : 'high',
    path: source.path,
    line: occurrence.line,
    message: `\`${occurrence.key}\` holds for any two values`,
  }));
}

function equalitiesIn({ tokens }: Source): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at]?.text ?? '';
    if (tokens[at]?.kind === 'string') continue;
    const wanted = EQUALITY.test(name)
      ? TRUE
      : INEQUALITY.test(name)
        ? FALSE
        : ORDER.test(name)
          ? SAME
          : undefined;
    if (!wanted) continue;
    const body = bodyOf(tokens, at);
    if (body && wanted.test(canonical(tokens, body))) found.push({ key: name, line: tokens[at]?.line ?? 0 });
  }
  return found;
}

/** The body of the function whose name is at an index; undefined where the name declares none. */
function bodyOf(tokens: Tokens, at: number): Span | undefined {
  if (is(tokens, at - 2, 'def') && tokens[at - 1]?.kind === 'indent') return rubyBody(tokens, at);
  let index = at + 1;
  if (is(tokens, index, ']', '=', ':')) index++;
  // A comparison of nothing is a call.
  if (!is(tokens, index, '(') || (is(tokens, index + 1, ')') && index === at + 1)) return undefined;
  for (index = afterBracket(tokens, index); index < tokens.length && index < at + 40; index++) {
    if (is(tokens, index, '{') || tokens[index]?.kind === 'indent')
      return trimmed(tokens, inside(tokens, index));
    if (is(tokens, index, '=>', '=') || (is(tokens, index, ':') && is(tokens, index + 1, 'return')))
      return lineFrom(tokens, index + 1);
    if (is(tokens, index, ';', ')', ',', '&&', '||', '.', '?')) return undefined;
    if (tokens[index]?.kind === 'newline' && tokens[index + 1]?.kind !== 'indent') return undefined;
  }
  return undefined;
}

/** `def ==(other)`: the body begins on the next line. */
function rubyBody(tokens: Tokens, at: number): Span {
  const { end } = inside(tokens, at - 1);
  let from = at;
  while (from < end && tokens[from]?.kind !== 'newline') from++;
  return trimmed(tokens, { from, end });
}

function lineFrom(tokens: Tokens, from: number): Span {
  const line = tokens[from]?.line;
  let end = from;
  while (
    end < tokens.length &&
    tokens[end]?.line === line &&
    !is(tokens, end, ';', '}') &&
    tokens[end]?.kind !== 'newline'
  )
    end++;
  return { from, end };
}

/** Calls that end the process with success. */
const EXIT =
  /^(?:(?:sys|os|process|Deno|System|Environment|std :: process|Kernel|Process|Runtime) (?:\.|::) (?:exit|_exit|Exit|exit!|halt|reallyExit) \( (?:0 )?\)|process :: exit \( 0 \)|(?:exit|_exit|quit|exitProcess|die|exit!) \( (?:0 )?\)|process \. exitCode = 0)/;
/** The first word of each, and what is assigned to. */
const EXIT_NAMES =
  /^(?:sys|os|process|Deno|System|Environment|std|Kernel|Process|Runtime|exit|_exit|Exit|exit!|quit|exitProcess|die|reallyExit)$/;
const EXIT_WORDS = /exit|Exit|quit\(|die|halt|TestMain|"-?test\.(?:run|skip|short|list)/;
const ENTRY =
  /(?:^|\/)(?:bin|cmd|scripts?|tools?|examples?)\/|(?:^|\/)(?:__main__|main|cli|index|manage|server|app|run|start|setup|build)\.\w+$|(?:^|\/)Program\.cs$|(?:cli|command|script)s?\.\w+$/i;

/** Finds code that ends a run of tests with success: at the top of a module, in TestMain, in an exit hook. */
export function findExits(sources: readonly ChangedSource[]): Finding[] {
  return added(sources, EXIT_WORDS, exitsIn).map(({ source, occurrence }) => ({
    rule: 'outcome-overridden',
    severity: 'high',
    path: source.path,
    line: occurrence.line,
    message: occurrence.key,
  }));
}

function exitsIn({ tokens }: Source, { path, isTest, language }: ChangedSource): Occurrence[] {
  const found: Occurrence[] = [];
  const put = (at: number, key: string) => found.push({ key, line: tokens[at]?.line ?? 0 });
  // Most files end nothing.
  let depths: Uint8Array | undefined;
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.kind !== 'name' || !EXIT_NAMES.test(tokens[at]?.text ?? '')) continue;
    // A test may stub the exit of the code under test.
    if (
      !isTest &&
      is(tokens, at, 'exit', '_exit', 'Exit', 'exit!', 'reallyExit') &&
      is(tokens, at + 1, '=') &&
      is(tokens, at - 1, '.') &&
      is(tokens, at - 2, 'process', 'sys', 'os')
    )
      put(at, 'the function that ends the process is replaced');
    if (is(tokens, at - 1, '.', '::') || !EXIT.test(canonical(tokens, { from: at, end: at + 9 }))) continue;
    depths ??= functionDepths(tokens);
    const hook = hookAround(tokens, at);
    if (hook) put(at, `the process ends with success in a hook: ${hook}`);
    else if (depths[at] === 0 && (isTest || !ENTRY.test(path)) && !isGuarded(tokens, at))
      put(at, 'loading the file ends the process with success');
  }
  if (language === 'go') found.push(...goExits(tokens));
  return found;
}

/** For each token, how many functions are around it. */
function functionDepths(tokens: Tokens): Uint8Array {
  const depths = new Uint8Array(tokens.length);
  for (let at = 0; at < tokens.length; at++) {
    const isOpening = is(tokens, at, '{') || tokens[at]?.kind === 'indent';
    if (!isOpening || !beginsFunction(tokens, at)) continue;
    const { from, end } = inside(tokens, at);
    for (let index = from; index < end; index++) depths[index] = Math.min(255, (depths[index] ?? 0) + 1);
  }
  return depths;
}

function beginsFunction(tokens: Tokens, at: number): boolean {
  const line = tokens[at]?.line ?? 0;
  let from = at;
  while (
    from > 0 &&
    at - from < 60 &&
    (tokens[from - 1]?.line ?? 0) >= line - 1 &&
    !is(tokens, from - 1, ';', '{', '}')
  )
    from--;
  const head = canonical(tokens, { from, end: at + 1 });
  if (/\b(?:function|def|fn|func|fun|lambda|class|impl|namespace|module)\b|=>|->/.test(head)) return true;
  // `void main(String[] args) {`, `run() {`: a name and parameters, and no keyword of a block.
  return (
    /\) (?:throws [\w ,]+ )?\{$/.test(head) &&
    !/\b(?:if|for|while|switch|catch|elif|unless|with|foreach)\b/.test(head)
  );
}

/** `if __name__ == "__main__":`, `if (require.main === module)`, or a condition of its own. */
function isGuarded(tokens: Tokens, at: number): boolean {
  for (let index = at - 1; index >= 0; index--) {
    const { partner, line } = tokens[index] ?? { partner: -1, line: 0 };
    if (partner !== -1 && partner < index) index = partner;
    else if (partner > at) {
      let from = index;
      while (from > 0 && tokens[from - 1]?.line === line) from--;
      const head = canonical(tokens, { from, end: index });
      if (!/^(?:if )?(?:\( )?(?:true|True|1)\b/.test(head)) return true;
    }
  }
  return false;
}

/** The call that runs a function at the end of the process, if the token is inside of one. */
function hookAround(tokens: Tokens, at: number): string | undefined {
  for (let index = at - 1; index >= Math.max(0, at - 80); index--) {
    const { partner } = tokens[index] ?? { partner: -1 };
    if (partner !== -1 && partner < index) index = partner;
    else if (is(tokens, index, '(') && partner > at) {
      const call = canonical(tokens, { from: Math.max(0, index - 3), end: Math.min(at, index + 2) });
      const hook =
        /\b(?:atexit \. register|process \. (?:on|once) \( "(?:exit|beforeExit|uncaughtException|unhandledRejection)"|at_exit|register_shutdown_function|addShutdownHook)/.exec(
          call,
        );
      if (hook) return hook[0].replaceAll(' ', '');
    }
  }
  return is(tokens, at - 2, 'at_exit') ? 'at_exit' : undefined;
}

/** TestMain and init of Go. */
function goExits(tokens: Tokens): Occurrence[] {
  const found: Occurrence[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!is(tokens, at, 'func') || !is(tokens, at + 1, 'TestMain', 'init') || !is(tokens, at + 2, '('))
      continue;
    const brace = find(tokens, { from: at + 2, end: tokens.length }, '{');
    if (brace === -1) continue;
    const body = canonical(tokens, inside(tokens, brace));
    const isMain = is(tokens, at + 1, 'TestMain');
    const line = tokens[at]?.line ?? 0;
    if (/\bos \. Exit \( 0 \)/.test(body))
      found.push({ key: `${isMain ? 'TestMain' : 'init'} ends the tests with success`, line });
    else if (isMain && !/\. Run \(|\bVerifyTestMain \(/.test(body))
      found.push({ key: 'TestMain runs no test', line });
    if (/\bflag \. Set \( "test\.(?:run|skip|short|list)"|"-test\.(?:run|skip|short|list)/.test(body))
      found.push({ key: 'the tests that run are chosen in the code', line });
  }
  return found;
}
