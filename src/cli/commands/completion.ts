import type { Command, Option } from 'commander';
import { EXIT, print } from '../terminal.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** What can follow a command on the command line. */
interface Completion {
  /** `checkpoint create`; empty for the program itself. */
  readonly path: string;
  /** Subcommands, and the values of an argument that has a fixed set. */
  readonly words: readonly Word[];
  readonly options: readonly CompletedOption[];
}

interface Word {
  readonly text: string;
  readonly description: string;
}

interface CompletedOption {
  readonly short: string | undefined;
  readonly long: string | undefined;
  readonly takesValue: boolean;
  readonly description: string;
}

/**
 * `ralph-loop completion <shell>`: prints a script that completes the commands and options of the program.
 *
 * @returns the exit code
 */
export function completion(program: Command, shell: Shell): number {
  const completions = completionsOf(program, '');
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
  print(scripts[shell](program.name(), completions));
  return EXIT.ok;
}

/** The program's own table of commands and options, the most specific commands first. */
function completionsOf(command: Command, path: string): Completion[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const values = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
  const own: Completion = {
    path,
    words: [
      ...subcommands.map((one) => ({ text: one.name(), description: help.subcommandDescription(one) })),
      ...values,
    ],
    options: help.visibleOptions(command).map(completedOption),
  };
  const inner = subcommands.flatMap((one) => completionsOf(one, `${path} ${one.name()}`.trim()));
  return [...inner, own];
}

function completedOption({ short, long, required, optional, description }: Option): CompletedOption {
  return { short, long, takesValue: required || optional, description };
}

function flagsOf({ short, long }: CompletedOption): string[] {
  return [short, long].flatMap((flag) => flag ?? []);
}

/** The flags after which a value follows, as a pattern of a shell. */
function valuePattern({ options }: Completion): string {
  return options
    .filter(({ takesValue }) => takesValue)
    .flatMap(flagsOf)
    .join('|');
}

/** The name of a shell function. */
function functionName(program: string): string {
  return `_${program.replaceAll('-', '_')}`;
}

/** A pattern for the words before the cursor that are no options, each with a blank after it. */
function pathPattern({ path }: Completion): string {
  return path === '' ? '*' : `"${path} "*`;
}

/** Without a match, bash completes the names of files. */
function bashScript(program: string, completions: readonly Completion[]): string {
  const cases = completions.map((one) => {
    const words = [...one.words.map(({ text }) => text), ...one.options.flatMap(flagsOf)].join(' ');
    return `    ${pathPattern(one)}) words="${words}" values="${valuePattern(one)}" ;;`;
  });
  const name = functionName(program);
  return `# Completion of ${program} for bash. Load it with: eval "$(${program} completion bash)"
${name}() {
  local word path= words= values= previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path+="$word "
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=()
  [[ "|$values|" == *"|$previous|"* ]] && return
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${name} ${program}`;
}

function zshScript(program: string, completions: readonly Completion[]): string {
  const item = (text: string, description: string) =>
    quoted(`${text.replaceAll(':', '\\:')}:${description.replaceAll(':', '\\:')}`, `'\\''`);
  const cases = completions.map((one) => {
    const words = one.words.map(({ text, description }) => item(text, description));
    const flags = one.options.flatMap((option) =>
      flagsOf(option).map((flag) => item(flag, option.description)),
    );
    return `    ${pathPattern(one)}) values='${valuePattern(one)}' choices=(${[...words, ...flags].join(' ')}) ;;`;
  });
  const name = functionName(program);
  return `#compdef ${program}
# Completion of ${program} for zsh. Load it after compinit with: eval "$(${program} completion zsh)"
${name}() {
  local word before= values=
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || before+="$word "
  done
  case "$before" in
${cases.join('\n')}
  esac
  if [[ "|$values|" == *"|$words[CURRENT-1]|"* ]]; then
    _files
  else
    _describe ${program} choices || _files
  fi
}
if [[ $funcstack[1] == ${name} ]]; then
  ${name} "$@"
else
  compdef ${name} ${program}
fi`;
}

function fishScript(program: string, completions: readonly Completion[]): string {
  const described = (description: string) => `-d ${quoted(description, `\\'`)}`;
  const lines = completions.flatMap((one) => {
    const condition = fishCondition(one);
    return [
      ...one.words.map(
        ({ text, description }) =>
          `complete -c ${program} ${condition} -f -a ${text} ${described(description)}`,
      ),
      ...one.options.map(({ short, long, takesValue, description }) => {
        const flags = [short && `-s ${short.slice(1)}`, long && `-l ${long.slice(2)}`].filter(Boolean);
        const value = takesValue ? ' -r' : '';
        return `complete -c ${program} ${condition} ${flags.join(' ')}${value} ${described(description)}`;
      }),
    ];
  });
  return `# Completion of ${program} for fish. Load it with: ${program} completion fish | source
${lines.join('\n')}`;
}

/** All words of the path are on the command line, and none of the subcommands that follow it. */
function fishCondition({ path, words }: Completion): string {
  const names = path === '' ? [] : path.split(' ');
  const conditions = [
    ...names.map((name) => `__fish_seen_subcommand_from ${name}`),
    ...(words.length > 0
      ? [`not __fish_seen_subcommand_from ${words.map(({ text }) => text).join(' ')}`]
      : []),
  ];
  return `-n '${conditions.join('; and ')}'`;
}

/** A text in single quotes. */
function quoted(text: string, quote: string): string {
  return `'${text.replaceAll("'", quote)}'`;
}
