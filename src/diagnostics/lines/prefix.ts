import { formTable } from './forms.ts';

const DATE_TIME = '\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d';

/** The name of a part of a program, which the module `debug` puts between the time and the message. */
export const DEBUGGED = '[\\w@/.-]+(?::[a-z][\\w*-]*)+ ';

/** When a line was printed, and on which host. */
const STAMP = formTable(/^/i, {
  'a time': {
    pattern: new RegExp(`${DATE_TIME}(?!\\S*Z ${DEBUGGED})\\S*\\s(?:\\d\\d[OE]\\+? )?`),
    example: '2026-11-22T16:41:40.123Z boom',
  },
  'a time in brackets': {
    pattern: new RegExp(`\\[${DATE_TIME}[^\\s\\]]*(?: (?:[+-]\\d\\d:?\\d\\d|[A-Z]{3,4}))?\\]\\s`),
    example: '[2026/11/22 16:41:40 +0100] boom',
  },
  // With a level, it is part of a logger's record; how long the run has taken may follow it.
  'a time of day': {
    pattern:
      /\d\d:\d\d:\d\d+(?:[.,]\d+)?\s(?!(?:\w+=\S+ )*\[?(?:trace|debug|info|notice|warn(?:ing)?|error|critical|fatal)\]?\s)(?:\+ *\d+ms )?/,
    example: '16:41:40 + 308ms boom',
  },
  'a time of day in brackets': {
    pattern: /\[\d+:\d+:\d+(?:[.,]\d+)?\]\s/,
    example: '[16:41:40.123] boom',
  },
  // Only before a level: a number may be anything else.
  'milliseconds since the start': {
    pattern: /\d+ (?=\[(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\](?: |$))/,
    example: '30410 [ERROR] boom',
  },
  'a day and a time, with the host and the program in syslog': {
    pattern: /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:[\w.-]+ [\w./@-]+(?:\[\d+\])?: )?/,
    example: 'Nov 22 16:41:40 db-1 postgres[812]: boom',
  },
});

/** In brackets, how bad it is, a result, a time or a share: said of the line itself. */
const NO_NAME =
  '(?:error|err|exception|fail(?:ed|ure)?|info|warn(?:ing)?|debug|fatal|alert|emerg(?:ency)?|crit(?:ical)?|notice|note|trace|verbose|ok|pass(?:ed)?|success|run|skip(?:ped)?|survived|nocoverage)(?![\\w-])|(?:started|completed)\\]|\\d+(?:[^\\da-z]|m?s\\]|[kmg]?i?b\\])|!|-{10}|\\s';

/** Between the time and the level of a record, the name in brackets is that of a thread. */
const NO_THREAD = '(?<!\\d:\\d+[.,]\\d+ (?=\\[[^\\]]+\\] +(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) ))';

/** Which of several tasks or packages has printed a line. */
const TAG = formTable(/^/i, {
  'a name in brackets': {
    pattern: new RegExp(`${NO_THREAD}\\[(?!${NO_NAME})[\\w@:./ -]{1,40}\\](?:: ?| +\\| ?| ?)`),
    example: '[web] boom',
  },
  'the number of a task': { pattern: /\[\d\d?\] /, example: '[0] boom' },
  'a name before a bar': {
    // What is behind a stream, with the name of a test, is a heading.
    pattern: /(?!std(?:out|err) \| .* > )(?:\d+\|)?[a-z@][\w@./-]{0,40}(?::[\w:.-]{0,39}[\w.-])? +[|┊] ?/,
    example: 'web  | boom',
  },
  'a package and its task': { pattern: /@?[\w./-]*\w[:#][a-z][\w:-]*: /, example: 'web:build: boom' },
  'a package': { pattern: /@[\w.-]+\/[\w.-]+: /, example: '@shop/web: boom' },
  'a folder and its task, which may run others': {
    pattern: new RegExp(`@?[\\w.-]+\\/[\\w./-]+ [a-z][\\w:-]*: (?:\\[(?!${NO_NAME})[\\w@:./ -]{1,40}\\] )?`),
    example: 'apps/web build: boom',
  },
  'a package and its task, apart': {
    pattern: /@[\w.-]+\/[\w.-]+ [a-z][\w:-]* : {1,2}/,
    example: '@shop/web build :  boom',
  },
  "a step of a container's build": { pattern: /#\d+ \d+\.\d+ /, example: '#7 0.428 boom' },
  'a comment in TAP with a record of a log': { pattern: /# (?=\{")/, example: '# {"msg":"boom"}' },
  Valgrind: { pattern: /==\d+== /, example: '==4711== boom' },
  'a hook of pytest that has failed': { pattern: /INTERNALERROR> ?/, example: 'INTERNALERROR> boom' },
});
export const PREFIX_TABLES = { STAMP, TAG };

/** Before what a tool printed: by what runs the tool, or logs it. */
export const PREFIX = new RegExp(`^${STAMP.anyForm}?${TAG.anyForm}?`, 'i');
/** What Ant puts before each line of a task; the name of a task, aligned to the right. */
export const INDENTED_TAG =
  /^ {1,2}[│┃] (?!.*[│┃]$)|^ +(?:\[(?!error|warn|info|debug|fail|pass|ok\b|skip|todo|note)[a-z][\w.:-]+\] |[a-z@][\w@./-]*(?::[a-z][\w:.-]* \|| ┊) ?)/;
const TIME =
  /^[A-Z][a-z]{2} [ \d]\d [\d:]+ |^\[?\d{4}[-/]\d\d[-/]\S+\s+(?:\d\d:\S+\s+)?(?:[+\w:-]+\]\s+)?(?:\d\d[OE]\+? )?|^\[?\d\d:\d\d:\d\d\S*\s(?:\+ *\d+ms )?|(?<=^#\d+ )\d+\.\d+ $/;
const BLANK = 32;

/** The prefix that a wrapper put before a line; of an indented line, a tag. */
export function prefixOf(text: string): string {
  return (text.charCodeAt(0) <= BLANK ? INDENTED_TAG : PREFIX).exec(text)?.[0] ?? '';
}

/** The prefix of a line as it was printed: a blank line has lost the blank at the end of its prefix. */
export function wholePrefixOf(text: string): string {
  return prefixOf(`${text} `);
}

/** Whether what ran the tool has put a prefix before the line. */
export function hasPrefix(text: string): boolean {
  return wholePrefixOf(text) !== '';
}

/** The task whose lines a prefix marks: the prefix without the time. */
export function taskOf(prefix = ''): string {
  return prefix === '' ? '' : prefix.replace(TIME, '');
}

/** What a tool itself printed. */
export function withoutPrefix(text: string): string {
  return text.slice(wholePrefixOf(text).length);
}

/** What Nx prints above a task. The project is before each of its lines, in a form that messages have too: `web: boom`. */
const ANNOUNCED = /^> nx run ([\w./-]+):\S/;
/** A project, or a project and its script, before what it prints. */
const NAMED = /^([\w./-]+(?: [a-z][\w-]*)?):(?= |$)/;
/** A project and its script: the second time, it is no heading. */
const OF_SCRIPT =
  /^(?!(?:fail\w*|broken|error|passed|skipped|running|this|the|to|npm|yarn) )[a-z][\w.-]* (?:test|build|lint|check|types?|typecheck|compile|format|start|dev)$/;
const MAX_PROJECTS = 64;
/** Projects are looked for in so many lines: their first ones name them. */
const MAX_LOOKED_AT = 1000;

/** A script and nothing else before what it prints; its package manager prints it again, below the name of its package. */
const ANNOUNCED_BARE = /^(?:\[[\d:.,]+\] )?([\w:.-]+) > @?[\w./-]+@\d\S* \1$/;
const BARE = /^(\[[\d:.,]+\] )?([\w:.-]+)(?= |$) ?/;

/**
 * A name before a tab, as GNU Parallel puts it before each line; of a blank line, it is left alone. In Go, a result may be
 * there.
 */
const BEFORE_TAB = new RegExp(
  `^(${STAMP.anyForm}?)(?!(?:fail|pass|ok)(?:\\t|$))([a-z@][\\w./:@-]*)(\\t|$)`,
  'i',
);

/** What CTest prints first of a test, behind the number that it puts before each line of it. */
const TEST_OF_CTEST = /^(\d+): Test command: /;

/**
 * Writes the names of projects that were announced as tags: `web: boom` is `[web] boom`, and so are `web boom` and
 * `web<tab>boom`. The last was announced if `web` was also alone on a line: in a table, it is not. The number of the test that
 * CTest runs is left out: its result has it.
 */
export class AnnouncedProjects {
  readonly #names = new Set<string>();
  readonly #alone = new Set<string>();
  readonly #beforeTab = new Set<string>();
  #hasTabs = false;
  readonly #bareNames = new Set<string>();
  readonly #seen = new Set<string>();
  /** The number of the test of CTest that has begun last. */
  #test: string | undefined;
  #lookedAt = 0;

  get mayBeKnown(): boolean {
    const isAnnounced = this.#names.size > 0 || this.#hasTabs || this.#test !== undefined;
    return isAnnounced || this.#lookedAt < MAX_LOOKED_AT;
  }

  get haveBareNames(): boolean {
    return this.#bareNames.size > 0;
  }

  /** Notes the project that a line announces, if it does. */
  announce(text: string): void {
    this.#test = TEST_OF_CTEST.exec(text)?.[1] ?? this.#test;
    this.#add(ANNOUNCED.exec(text)?.[1]);
    const bare = ANNOUNCED_BARE.exec(text)?.[1];
    if (bare !== undefined && this.#bareNames.size < MAX_PROJECTS) this.#bareNames.add(bare);
  }

  /** @returns undefined for a line without such a name */
  tagged(text: string): string | undefined {
    const [start = '', time = '', bare] = this.haveBareNames ? (BARE.exec(text) ?? []) : [];
    if (bare !== undefined && this.#bareNames.has(bare))
      return `${time}[${bare}] ${text.slice(start.length)}`;
    const [before = '', stamp, column, tab] = BEFORE_TAB.exec(text) ?? [];
    if (column !== undefined && this.#isTag(column, tab === '\t'))
      return `${stamp}[${column}] ${text.slice(before.length)}`.trimEnd();
    const name = NAMED.exec(text)?.[1];
    if (name === undefined) return undefined;
    const rest = text.slice(name.length + 1);
    if (name === this.#test) return rest.slice(1);
    if (this.#lookedAt++ < MAX_LOOKED_AT && this.#isProject(name, rest)) this.#add(name);
    return this.#names.has(name) ? `[${name}]${rest}` : undefined;
  }

  /** A package manager prints the version of a project, and its script, before what the script does. */
  #isProject(name: string, rest: string): boolean {
    if (rest.startsWith(` > ${name}@`)) return true;
    if (!OF_SCRIPT.test(name)) return false;
    const isKnown = this.#seen.has(name);
    this.#seen.add(name);
    return isKnown;
  }

  /** Notes a name that is alone on a line, or before a tab. @returns whether the name is a tag */
  #isTag(name: string, hasTab: boolean): boolean {
    if (!this.#hasTabs && this.#lookedAt++ >= MAX_LOOKED_AT) return false;
    const names = hasTab ? this.#beforeTab : this.#alone;
    if (names.size < MAX_PROJECTS) names.add(name);
    this.#hasTabs ||= this.#alone.has(name) && this.#beforeTab.has(name);
    return this.#hasTabs && this.#beforeTab.has(name);
  }

  #add(name: string | undefined): void {
    if (name !== undefined && this.#names.size < MAX_PROJECTS) this.#names.add(name);
  }
}

export function mayBeTagged(text: string): boolean {
  return NAMED.test(text) || BEFORE_TAB.test(text);
}

/** Whether a line may be the command of a script, also behind its name, or of a test. */
export function mayAnnounce(text: string): boolean {
  return TEST_OF_CTEST.test(text) || /^> |\S > @?[\w./-]+@\d\S* [\w:.-]+$/.test(text);
}
