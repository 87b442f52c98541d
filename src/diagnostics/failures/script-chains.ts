import type { Line } from './failure.ts';

/** What npm and pnpm print before they run a script: `> shop@1.0.0 test`; pnpm adds the folder. */
export const SCRIPT = /^> (@?\w[\w./~-]*@\d[\w.+-]*) ([\w.:-]+)(?: .+)?$/;
/** The same of a package without a name. */
export const NAMELESS = /^> ([\w.:-]+)$/;
/** Below it, its command. */
const COMMAND = /^> (.+)$/;
const COMMAND_REACH = 2;
const AND = ' && ';
/** Where one of these joins commands, the next one may run after one that has failed. */
const OTHER_JOINT = /;|\|\||(?<![&>])&(?!&)|[(`]/;
/** A command that runs a script of the package. */
const RUNS_SCRIPT = /^(?:\w+=\S+ )*p?npm (?:run(?:-script)? )?(\w[\w.:-]*)(?: |$)/;
/** A command that runs several, until one fails. */
const RUNS_SCRIPTS = /^(?:run-s|npm-run-all2?(?: -s| --(?:sequential|serial))?)((?: \w[\w.:-]*)+)$/;

/** Scripts that are remembered, and chains: hardly a script is called through more. */
const MAX_BEGUN = 1000;
const MAX_CHAINS = 32;

/** Commands of which each runs if the one before it has passed. */
interface Chain {
  /** Of which the scripts are; undefined until it is known. */
  package: string | undefined;
  /** The script that each command runs; undefined for another command. */
  readonly scripts: readonly (string | undefined)[];
  /** The command after the last one that is known to run. */
  next: number;
  /** Where it begins. */
  readonly start: number;
}

/**
 * Scripts that run one after another as long as each passes: `npm run lint && npm test`, or `pretest` before `test`. Where
 * the next one begins, the last one has passed, whatever it has printed.
 */
export class ScriptChains {
  /** Those that may run, the inner ones last. */
  #chains: Chain[] = [];
  /** Where the scripts before or after which others run have begun last, by package and name. */
  readonly #begun = new Map<string, number>();
  /** The title of the script of which the command is next. */
  #title: { readonly package: string; readonly at: number } | undefined;

  /** @param command whose output is read */
  constructor(command = '') {
    this.#open(command, undefined, 0);
  }

  /**
   * @param line one without a prefix, in order of arrival
   * @returns where the commands began that have passed, as the line shows; undefined if it shows nothing
   */
  take({ at, text }: Line): number | undefined {
    const title = this.#title;
    this.#title = undefined;
    const titled = SCRIPT.exec(text);
    const command = title && at - title.at <= COMMAND_REACH ? COMMAND.exec(text)?.[1] : undefined;
    if (title && command !== undefined && !titled) {
      this.#open(command, title.package, title.at);
      return undefined;
    }
    const owner = titled?.[1] ?? '';
    const script = titled?.[2] ?? NAMELESS.exec(text)?.[1];
    if (script === undefined) return undefined;
    this.#title = { package: owner, at };
    const start = this.#advance(owner, script) ?? this.#begun.get(nameOf(owner, beforeOf(script)));
    if (this.#begun.size < MAX_BEGUN) this.#begun.set(nameOf(owner, script), at);
    return start;
  }

  #open(command: string, owner: string | undefined, start: number): void {
    const scripts = OTHER_JOINT.test(command) ? [] : command.split(AND).flatMap(scriptsOf);
    if (scripts.length < 2) return;
    this.#chains.push({ package: owner, scripts, next: 0, start });
    if (this.#chains.length > MAX_CHAINS) this.#chains.shift();
  }

  /**
   * The script, or what runs before it, begins: the chains in that of which it is one have ended.
   *
   * @returns where its chain began; undefined if it is the first one, or in none
   */
  #advance(owner: string, script: string): number | undefined {
    const isOwn = (chain: Chain) => chain.package === undefined || chain.package === owner;
    const placeIn = ({ scripts, next }: Chain) =>
      scripts.findIndex(
        (name, i) => i >= next && name !== undefined && [name, `pre${name}`].includes(script),
      );
    const index = this.#chains.findLastIndex((chain) => isOwn(chain) && placeIn(chain) !== -1);
    const chain = this.#chains[index];
    if (!chain) return undefined;
    const place = placeIn(chain);
    chain.package = owner;
    chain.next = script === chain.scripts[place] ? place + 1 : place;
    this.#chains = this.#chains.slice(0, index + 1);
    return place > 0 ? chain.start : undefined;
  }
}

function scriptsOf(command: string): (string | undefined)[] {
  const several = RUNS_SCRIPTS.exec(command)?.[1];
  return several === undefined ? [RUNS_SCRIPT.exec(command)?.[1]] : several.trim().split(' ');
}

/** The script that a package manager runs before another one: before `posttest`, `test`; before that, `pretest`. */
function beforeOf(script: string): string {
  return script.startsWith('post') ? script.slice('post'.length) : `pre${script}`;
}

function nameOf(owner: string, script: string): string {
  return `${owner} ${script}`;
}
