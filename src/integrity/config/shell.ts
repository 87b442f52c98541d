// A shell script → the programs that it starts, and whether the script fails when they fail. Only what decides that is
// read: lists, pipelines, groups, conditions. Texts that are no valid shell give commands too.

/** A program with its arguments, as a script starts it. */
export interface ShellCommand {
  /** Without quotes; never empty. */
  readonly words: readonly string[];
  /** The variables before the program: `CI=1 npm test`. */
  readonly env: Readonly<Record<string, string>>;
  /** What drops its failure, as it is written, such as `|| true`; undefined if the script fails too. */
  readonly ignoredBy?: string | undefined;
  /** What it depends on, as it is written; undefined if it always runs. */
  readonly condition?: string | undefined;
  /** In the script, from 0. */
  readonly line: number;
}

/** What a script's shell does with a failure in the middle. */
export interface ShellOptions {
  /** `set -e` */
  readonly errexit: boolean;
  readonly pipefail: boolean;
}

/** `sh -c` */
export const PLAIN_SHELL: ShellOptions = { errexit: false, pipefail: false };

/** The programs that a script can reach, in its order. */
export function commandsIn(script: string, options: ShellOptions = PLAIN_SHELL): ShellCommand[] {
  const found: ShellCommand[] = [];
  const list = new Parser(tokensOf(script)).list();
  walk(list, options, found);
  const hiding = new Set(
    list.flatMap(({ nodes }) =>
      nodes.flatMap((node) => (node.kind === 'function' && alwaysSucceeds(node.list) ? node.name : [])),
    ),
  );
  return hiding.size === 0
    ? found
    : found.map((each) =>
        hiding.has(each.words[0] ?? '') ? { ...each, ignoredBy: `${each.words[0]}()` } : each,
      );
}

interface Word {
  readonly kind: 'word';
  readonly text: string;
  /** As it is written. */
  readonly raw: string;
  readonly line: number;
}

interface Operator {
  readonly kind: 'operator';
  readonly text: string;
  readonly line: number;
}

type ShellToken = Word | Operator;

const OPERATOR = /&&|\|\||;;|\|&|[;|&()\n]/y;
const REDIRECT = /(?:\d+|&)?(?:<<-?|<<<|>>|>&|<&|>\||[<>])&?/y;

function tokensOf(script: string): ShellToken[] {
  const tokens: ShellToken[] = [];
  /** Ends of the here-documents that begin on this line. */
  let heredocs: string[] = [];
  let isTarget = false;
  let line = 0;
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(script)?.[0];
  };
  while (at < script.length) {
    const char = script[at] as string;
    if (char === '\\' && /\r?\n/y.test(script.slice(at + 1, at + 3))) {
      at = script.indexOf('\n', at) + 1;
      line++;
    } else if (/[ \t\r]/.test(char)) at++;
    else if (char === '#') at = endOfLine(script, at);
    else {
      const redirect = match(REDIRECT);
      const operator = redirect ? undefined : match(OPERATOR);
      if (redirect) {
        at += redirect.length;
        const [here] = /^\d*<<-?\s*(["']?)(\w+)\1/.exec(script.slice(at - redirect.length)) ?? [];
        if (here && redirect.includes('<<') && !redirect.includes('<<<')) {
          heredocs.push(/(\w+)["']?$/.exec(here)?.[1] ?? '');
          at += here.length - redirect.length;
        } else isTarget = true;
      } else if (operator) {
        tokens.push({ kind: 'operator', text: operator, line });
        at += operator.length;
        isTarget = false;
        if (operator === '\n') {
          line++;
          for (const end of heredocs) {
            const found = new RegExp(`^[ \\t]*${end}[ \\t]*$`, 'm').exec(script.slice(at));
            const length = found ? found.index + found[0].length : script.length - at;
            line += script.slice(at, at + length).split('\n').length - 1;
            at += length;
          }
          heredocs = [];
        }
      } else {
        const end = endOfWord(script, at);
        const raw = script.slice(at, end);
        if (!isTarget) tokens.push({ kind: 'word', text: unquoted(raw), raw, line });
        line += raw.split('\n').length - 1;
        isTarget = false;
        at = end;
      }
    }
  }
  return tokens;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

const OPENING: Readonly<Record<string, string>> = { '(': ')', '{': '}' };

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !/[\s;|&()<>]/.test(text[at] as string)) {
    const char = text[at] as string;
    if (char === '\\') at += 2;
    else if (char === "'") at = indexAfter(text, "'", at + 1);
    else if (char === '"' || char === '`') at = endOfQuoted(text, at);
    else if (char === '$' && (text[at + 1] ?? '') in OPENING) at = endOfNested(text, at + 1);
    else at++;
  }
  return Math.min(Math.max(at, from + 1), text.length);
}

function indexAfter(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from);
  return end === -1 ? text.length : end + 1;
}

function endOfQuoted(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at + 1;
    else if (quote === '"' && text[at] === '$' && text[at + 1] === '(') at = endOfNested(text, at + 1) - 1;
  }
  return text.length;
}

/** The offset after the bracket that closes the one at an offset. */
function endOfNested(text: string, from: number): number {
  const open = text[from] as string;
  const close = OPENING[open];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === "'" && depth > 0) at = indexAfter(text, "'", at + 1) - 1;
    else if (char === '"') at = endOfQuoted(text, at) - 1;
    else if (char === open) depth++;
    else if (char === close && --depth === 0) return at + 1;
  }
  return text.length;
}

function unquoted(raw: string): string {
  return raw.replace(/\\\r?\n|\\(.)|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"/g, (_, escaped, single, double) => {
    if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
    return single ?? escaped ?? '';
  });
}

type Node =
  | {
      readonly kind: 'command';
      readonly words: readonly Word[];
      readonly env: Record<string, string>;
      readonly line: number;
    }
  | { readonly kind: 'group'; readonly list: List }
  | { readonly kind: 'if'; readonly conditions: readonly List[]; readonly branches: readonly List[] }
  | { readonly kind: 'function'; readonly name: string; readonly list: List };

interface Pipeline {
  readonly nodes: readonly Node[];
  readonly isNegated: boolean;
  /** What follows: `&&`, `||`, `&`, or the end of the command. */
  readonly next: '&&' | '||' | '&' | ';';
}

type List = readonly Pipeline[];

const ENDS = new Set(['then', 'fi', 'else', 'elif', 'do', 'done', 'esac', '}', ';;', ')']);

class Parser {
  private at = 0;
  private readonly tokens: readonly ShellToken[];

  constructor(tokens: readonly ShellToken[]) {
    this.tokens = tokens;
  }

  list(isNested = false): List {
    const pipelines: Pipeline[] = [];
    while (this.at < this.tokens.length) {
      const text = this.text();
      if (text === ';' || text === '\n' || text === '&') this.at++;
      else if (ENDS.has(text) && (isNested || this.isOperator())) {
        if (isNested) break;
        this.at++;
      } else pipelines.push(this.pipeline());
    }
    return pipelines;
  }

  private pipeline(): Pipeline {
    const nodes: Node[] = [];
    const isNegated = this.skip('!');
    do {
      this.blankLines();
      nodes.push(this.node());
    } while (this.skip('|') || this.skip('|&'));
    const text = this.isOperator() ? this.text() : '';
    if (text !== '&&' && text !== '||' && text !== '&') return { nodes, isNegated, next: ';' };
    this.at++;
    if (text !== '&') this.blankLines();
    return { nodes, isNegated, next: text };
  }

  private node(): Node {
    const text = this.text();
    if (this.isOperator()) {
      if (text !== '(') {
        this.at++;
        return { kind: 'group', list: [] };
      }
      return this.nested(')');
    }
    if (text === '{') return this.nested('}');
    if (text === 'if') return this.condition();
    if (text === 'while' || text === 'until') {
      this.at++;
      const condition = this.list(true);
      return { kind: 'if', conditions: [condition], branches: [this.nested('done').list] };
    }
    if (text === 'for') {
      while (this.at < this.tokens.length && this.text() !== 'do') this.at++;
      return this.nested('done');
    }
    if (text === 'case') return this.cases();
    return this.command();
  }

  private nested(end: string): Node & { kind: 'group' } {
    this.at++;
    const list = this.list(true);
    if (this.text() === end) this.at++;
    this.redirections();
    return { kind: 'group', list };
  }

  private condition(): Node {
    const conditions: List[] = [];
    const branches: List[] = [];
    do {
      this.at++;
      conditions.push(this.list(true));
      if (this.text() === 'then') this.at++;
      branches.push(this.list(true));
    } while (this.text() === 'elif');
    if (this.text() === 'else') {
      this.at++;
      branches.push(this.list(true));
    }
    if (this.text() === 'fi') this.at++;
    return { kind: 'if', conditions, branches };
  }

  private cases(): Node {
    const branches: List[] = [];
    const [subject] = this.tokens.slice(this.at + 1);
    while (this.at < this.tokens.length && this.text() !== 'esac') {
      if (this.text() === ')') {
        this.at++;
        branches.push(this.list(true));
      } else this.at++;
    }
    this.at++;
    const word = { kind: 'word', text: '[', raw: '[', line: 0 } as const;
    const words = subject?.kind === 'word' ? [word, subject] : [word];
    const test: Node = { kind: 'command', words, env: {}, line: 0 };
    return { kind: 'if', conditions: [[{ nodes: [test], isNegated: false, next: ';' }]], branches };
  }

  private command(): Node {
    const words: Word[] = [];
    const env: Record<string, string> = {};
    const line = this.tokens[this.at]?.line ?? 0;
    for (let token = this.tokens[this.at]; token?.kind === 'word'; token = this.tokens[this.at]) {
      const [, name, value] = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(token.text) ?? [];
      if (words.length === 0 && name !== undefined) env[name] = value ?? '';
      else words.push(token);
      this.at++;
    }
    if (this.isOperator() && this.text() === '(' && words.length === 1) {
      this.at++;
      this.skip(')');
      this.blankLines();
      const body = this.node();
      return { kind: 'function', name: words[0]?.text ?? '', list: body.kind === 'group' ? body.list : [] };
    }
    return { kind: 'command', words, env, line };
  }

  /** Redirections are no tokens; a group's are followed by nothing. */
  private redirections(): void {
    while (this.tokens[this.at]?.kind === 'word' && !ENDS.has(this.text())) this.at++;
  }

  private blankLines(): void {
    while (this.isOperator() && this.text() === '\n') this.at++;
  }

  private skip(text: string): boolean {
    if (this.text() !== text) return false;
    this.at++;
    return true;
  }

  private text(): string {
    return this.tokens[this.at]?.text ?? '';
  }

  private isOperator(): boolean {
    return this.tokens[this.at]?.kind === 'operator';
  }
}

interface Context extends ShellOptions {
  /** A condition whose branches fail: its status is not lost. */
  readonly isHandled?: boolean;
  readonly ignoredBy?: string | undefined;
  readonly condition?: string | undefined;
}

/** @returns false if nothing after the list is reached */
function walk(list: List, context: Context, found: ShellCommand[]): boolean {
  let { errexit, pipefail, ignoredBy, condition } = context;
  for (let begin = 0; begin < list.length; ) {
    const end = endOfChain(list, begin);
    const chain = list.slice(begin, end + 1);
    const rest = list.slice(end + 1);
    const isLost =
      chain.at(-1)?.next === '&'
        ? !rest.some(({ nodes }) => waitsForStatus(nodes))
        : isDropped(rest, errexit);
    const inner = { ...context, errexit, pipefail, ignoredBy, condition };
    const goesOn = walkChain(chain, isLost ? followerText(chain, rest) : undefined, rest, inner, found);
    const [first] = chain;
    const options = chain.length === 1 && first ? settingsOf(first) : undefined;
    errexit = options?.errexit ?? errexit;
    pipefail = options?.pipefail ?? pipefail;
    ignoredBy = options?.trap ?? ignoredBy;
    if (!goesOn) return false;
    condition ??= earlyExit(chain);
    begin = end + 1;
  }
  return true;
}

/** The condition on which a chain ends the script with success: what follows runs on the opposite. */
function earlyExit(chain: List): string | undefined {
  const [first] = chain;
  const [node] = first?.nodes ?? [];
  const isExit = (list: List) =>
    /^exit(?: 0)?$/.test(textOf(list.slice(-1))) && !list.slice(0, -1).some(({ next }) => next === '||');
  const text =
    node?.kind === 'if' && node.branches.some(isExit)
      ? textOf(node.conditions.flat())
      : chain.length > 1 && isExit(chain)
        ? textOf(chain.slice(0, -1))
        : undefined;
  // Help, and arguments of the script.
  return text === undefined || /\$[\d#@*]|\bhelp\b/.test(text) ? undefined : `not ${shortText(chain)}`;
}

function endOfChain(list: List, begin: number): number {
  let end = begin;
  while (end < list.length - 1 && (list[end]?.next === '&&' || list[end]?.next === '||')) end++;
  return end;
}

/** Whether the status of a chain is dropped, given what follows it. */
function isDropped(rest: List, errexit: boolean): boolean {
  if (errexit || rest.length === 0) return false;
  return !isStatusUsed(rest);
}

/** `$?` is saved or tested, or the script ends with a saved status. */
function isStatusUsed(rest: List): boolean {
  const [next] = rest;
  return next !== undefined && /\$\?|\$\{?PIPESTATUS/.test(textOf([next])) && fails(rest);
}

/** Whether a list may end with a failure on purpose: `exit 1`, `exit $code`, `false`. */
function fails(list: List): boolean {
  return list.some(({ nodes }) =>
    nodes.some((node) => {
      if (node.kind === 'group' || node.kind === 'function') return fails(node.list);
      if (node.kind === 'if') return [...node.conditions, ...node.branches].some(fails);
      const [program, status] = node.words.map(({ text }) => text);
      return program === 'false' || (/^(?:exit|return)$/.test(program ?? '') && status !== '0');
    }),
  );
}

function followerText(chain: List, rest: List): string {
  if (chain.at(-1)?.next === '&') return '&';
  return `; ${shortText(rest.slice(0, 1))}`;
}

function walkChain(
  chain: List,
  lostTo: string | undefined,
  rest: List,
  context: Context,
  found: ShellCommand[],
): boolean {
  let { condition } = context;
  let isReached = true;
  for (const [index, pipeline] of chain.entries()) {
    const before = chain[index - 1];
    if (before?.next === '||') {
      const earlier = chain.slice(0, index);
      if (alwaysSucceeds(earlier)) isReached = false;
      else condition = `${shortText(earlier)} ||`;
    } else if (before?.next === '&&') {
      if (alwaysFails(before)) isReached = false;
      else if (isTest(before)) condition = `${shortText([before])} &&`;
    }
    if (!isReached) continue;
    const fallback = chain.findIndex((_, at) => at >= index && chain[at]?.next === '||');
    const dropping = chain.slice(fallback + 1);
    const isSaved = fallback !== -1 && savesStatus(dropping, rest);
    const swallowed =
      fallback !== -1 && !isSaved && alwaysSucceeds(dropping) ? `|| ${shortText(dropping)}` : undefined;
    // `set -e` does not look at what is not the last of a chain.
    const isSkipped =
      context.errexit && fallback === -1 && index < chain.length - 1 && rest.length > 0 && !isTest(pipeline);
    const ignoredBy =
      swallowed ??
      (isSaved ? undefined : lostTo) ??
      (isSkipped ? `&& ${shortText(chain.slice(index + 1))}` : undefined) ??
      (pipeline.isNegated && !context.isHandled ? '!' : undefined) ??
      context.ignoredBy;
    if (!walkPipeline(pipeline, { ...context, ignoredBy, condition }, found) && index === 0) return false;
  }
  return true;
}

function walkPipeline({ nodes }: Pipeline, context: Context, found: ShellCommand[]): boolean {
  let goesOn = true;
  for (const [index, node] of nodes.entries()) {
    const piped = index < nodes.length - 1 && !context.pipefail;
    const ignoredBy = piped
      ? `| ${shortText([{ nodes: nodes.slice(index + 1, index + 1 + MOST_SHOWN), isNegated: false, next: ';' }])}`
      : context.ignoredBy;
    goesOn = walkNode(node, { ...context, ignoredBy }, found) && goesOn;
  }
  return goesOn || nodes.length > 1;
}

function walkNode(node: Node, context: Context, found: ShellCommand[]): boolean {
  if (node.kind === 'group') return walk(node.list, context, found);
  if (node.kind === 'function') {
    walk(node.list, context, found);
    return true;
  }
  if (node.kind === 'if') {
    const isHandled = fails(node.branches.flat());
    const text = shortText(node.conditions[0] ?? []);
    for (const condition of node.conditions)
      walk(
        condition,
        { ...context, isHandled, ignoredBy: isHandled ? context.ignoredBy : `if ${text}` },
        found,
      );
    const [condition = []] = node.conditions;
    for (const [index, branch] of node.branches.entries()) {
      const [only] = condition;
      const isDead =
        condition.length === 1 && only && (index === 0 ? alwaysFails(only) : alwaysSucceeds([only]));
      if (!isDead) walk(branch, { ...context, condition: `if ${text}` }, found);
    }
    return true;
  }
  const { env, line } = node;
  const words = node.words.map(({ text }) => text);
  const { ignoredBy, condition } = context;
  if (words.length > 0) found.push({ words, env, ignoredBy, condition, line });
  return !(words[0] === 'exit' || words[0] === 'return' || words[0] === 'exec') || condition !== undefined;
}

/** Whether a fallback saves the failure for a later `exit`: `|| failed=1`. */
function savesStatus(fallback: List, rest: List): boolean {
  const [first] = fallback[0]?.nodes ?? [];
  return first?.kind === 'command' && first.words.length === 0 && fails(rest);
}

const HARMLESS =
  /^(?:true|:|circleci-agent|echo|printf|cat|tail|head|sleep|date|ls|pwd|export|unset|\/bin\/true|\/usr\/bin\/true)$/;

/** `node -e "process.exit(0)"`, `python -c pass`: programs on the command line that do nothing but end or print. */
export function isInlineExit([program = '', option = '', code = '']: readonly string[]): boolean {
  if (!/^(?:node|bun|deno|python[\d.]*|ruby|perl|php)$/.test(program) || !/^-(?:e|c|r|p|-eval)$/.test(option))
    return false;
  if (/^(["'`])[^"'`]*\1$/.test(code)) return true;
  return (
    /^\s*(?:(?:process\.exit|exit|sys\.exit|quit|console\.log|print|puts|echo|import sys|pass|0|true)\b[^;]*;?\s*)*$/.test(
      code,
    ) && !/exit\W+[1-9]/.test(code)
  );
}

/** Whether a chain cannot fail. */
function alwaysSucceeds(chain: List): boolean {
  const last = chain.at(-1);
  if (!last || last.isNegated) return false;
  const begin = chain.findLastIndex(({ next }, index) => index < chain.length - 1 && next === '||') + 1;
  return chain.slice(begin).every(({ nodes }) => nodes.slice(-1).every(nodeSucceeds));
}

function nodeSucceeds(node: Node): boolean {
  if (node.kind === 'group')
    return node.list.length > 0 && !fails(node.list) && alwaysSucceeds(node.list.slice(-1));
  if (node.kind !== 'command') return false;
  const [program, status] = node.words.map(({ text }) => text);
  if (program === undefined) return Object.values(node.env).every((value) => !value.includes('$('));
  if (isInlineExit(node.words.map(({ text }) => text))) return true;
  return HARMLESS.test(program) || (/^(?:exit|return)$/.test(program) && /^\$?\(*0\)*$/.test(status ?? ''));
}

function alwaysFails({ nodes, isNegated }: Pipeline): boolean {
  const node = nodes.at(-1);
  if (node?.kind !== 'command') return false;
  const words = node.words.map(({ text }) => text);
  if (isNegated) return /^(?:true|:)$/.test(words[0] ?? '');
  return (
    words[0] === 'false' || /^(?:\[ (?:0 -eq 1|1 -eq 0|0 = 1|-n ) \]|test 0 -eq 1)$/.test(words.join(' '))
  );
}

function isTest({ nodes }: Pipeline): boolean {
  return isNamed(nodes, '[', '[[', 'test', 'command', 'which', 'type', 'hash', 'grep');
}

/** Without a process, `wait` succeeds whatever the processes do. */
function waitsForStatus(nodes: readonly Node[]): boolean {
  const [node] = nodes;
  return isNamed(nodes, 'wait') && node?.kind === 'command' && node.words.length > 1;
}

function isNamed(nodes: readonly Node[], ...names: readonly string[]): boolean {
  const [node] = nodes;
  return node?.kind === 'command' && names.includes(node.words[0]?.text ?? '');
}

/** What `set` and `trap` change for what follows. */
function settingsOf({
  nodes,
}: Pipeline): { errexit?: boolean; pipefail?: boolean; trap?: string } | undefined {
  const [node] = nodes;
  if (node?.kind !== 'command') return undefined;
  const [program, ...args] = node.words.map(({ text }) => text);
  if (program === 'trap' && args.length > 1 && /\bexit 0\b/.test(args[0] ?? ''))
    return { trap: `trap '${args[0]}'` };
  if (program !== 'set') return undefined;
  const text = ` ${args.join(' ')}`;
  return {
    ...(/ -[a-z]*e| -o errexit/.test(text) && { errexit: true }),
    ...(/ \+[a-z]*e| \+o errexit/.test(text) && { errexit: false }),
    ...(/ -\w*o pipefail/.test(text) && { pipefail: true }),
    ...(/ \+\w*o pipefail/.test(text) && { pipefail: false }),
  };
}

function shortText(list: List): string {
  // No more is shown, and a chain may be as long as the file.
  const text = textOf(list.slice(0, MOST_SHOWN)).replace(/\s+/g, ' ');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

const MOST_SHOWN = 41;

function textOf(list: List): string {
  return list
    .map(({ nodes, next }, index) => {
      const text = nodes.map(nodeText).join(' | ');
      if (index === list.length - 1) return text;
      return next === ';' ? `${text};` : `${text} ${next}`;
    })
    .join(' ');
}

function nodeText(node: Node): string {
  if (node.kind === 'group') return `(${textOf(node.list)})`;
  if (node.kind === 'function') return `${node.name}()`;
  if (node.kind === 'if')
    return `if ${textOf(node.conditions.flat())}; then ${node.branches.map(textOf).join('; ')}`;
  const variables = Object.entries(node.env).map(([name, value]) => `${name}=${value}`);
  return [...variables, ...node.words.map(({ raw }) => raw)].join(' ');
}
