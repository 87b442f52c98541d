import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { reasonOf } from '../base/files.ts';
import { HOOK_OPTIONS, HOST_NAMES } from '../hook/options.ts';
import { EXIT, fail, failIfUnprinted } from './terminal.ts';

// The commands and options of both programs. The file of a command is loaded when the command is called.

/**
 * `ralph-loop`: every command; main.ts runs the hook and the plain `status` itself.
 *
 * @param argv as `process.argv`
 */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = newProgram('ralph-loop')
    .description(
      'Makes a coding agent\'s "done" mean done: runs your gates when it tries to stop, and blocks the stop while one fails.',
    )
    .usage('<command> [options]')
    .helpCommand('help [command]', 'Show help for a command');
  addHook(program);
  addDemo(program);
  addInit(program);
  addUninstall(program);
  addDoctor(program);
  addVerify(program);
  addWait(program);
  addWhy(program);
  addBaseline(program);
  addIntegrity(program);
  addReceipt(program);
  addEscalate(program);
  addGate(program);
  addStatus(program);
  addStatusline(program);
  addReset(program);
  addRun(program);
  addCancel(program);
  addAccept(program);
  addWatch(program);
  addReport(program);
  addHistory(program);
  addCheckpoint(program);
  addMcp(program);
  addCompletion(program);
  addExitCodes(program, {
    [EXIT.ok]: 'Success',
    [EXIT.failed]: 'A gate failed, or the command could not be completed',
    [EXIT.usage]: 'Usage or configuration error',
    [EXIT.interrupted]: 'Interrupted',
  });
  addExamples(program, ['ralph-loop init', 'ralph-loop verify']);
  await parse(program, argv);
}

/**
 * `ralph-gate`, Ralph Gate's command line: `ralph-loop verify` with the gates of a gate config.
 *
 * @param argv as `process.argv`
 */
export async function runGateProgram(argv: readonly string[]): Promise<void> {
  const program = newProgram('ralph-gate')
    .description('Runs the gates of gate.config.json, by hand or as the hook of a coding agent.')
    .option('--only <name>', 'Run only this gate')
    .option('--dry-run', 'Print the gates and their shell without running them')
    .option('--verbose', 'Stream the output of the gates')
    .option('--force', 'Run all gates, also those that have passed on the same files')
    .option('--config <file>', 'Use the gates of this file')
    .option('--hook', 'Answer a stop event on stdin (called by agent hosts)')
    .action(async ({ only, ...options }) => {
      const { verify } = await import('./commands/verify.ts');
      const names = only === undefined ? [] : [only];
      process.exitCode = await verify({ ...options, only: names, failFast: true, gatesOnly: true });
    });
  addHookOptions(program, ['--deadline']);
  addGateInit(program);
  addVerifyExitCodes(program);
  program.addHelpText(
    'after',
    '\nExample, as the command of a Stop hook:\n  ralph-gate --hook --deadline 570',
  );
  await parse(program, argv);
}

function addGateInit(program: Command): void {
  const command = program
    .command('init')
    .description("Write gate.config.json with the gates that suit this project, and Claude Code's hook")
    .summary('Set up gate.config.json and the hook')
    .option('--force', 'Replace an existing gate.config.json')
    .option('--print', 'Print the config without writing anything')
    .option('--skip-hook', 'Write no hook')
    .action(async (options) => {
      const { gateInit } = await import('./commands/gate-init.ts');
      process.exitCode = await gateInit(options);
    });
  addExamples(command, ['ralph-gate init', 'ralph-gate init --print']);
}

/** For the help only: main.ts runs the hook itself. */
function addHook(program: Command): void {
  const command = program
    .command('hook')
    .alias('subagent-stop')
    .description('Answer a stop event on stdin (called by agent hosts)');
  addHookOptions(
    command,
    HOOK_OPTIONS.map(({ flag }) => flag),
  );
  command.addHelpText(
    'after',
    '\nExample, as the command of a Stop or SubagentStop hook:\n  ralph-loop hook --deadline 570',
  );
}

function addHookOptions(command: Command, flags: readonly string[]): void {
  for (const option of HOOK_OPTIONS)
    if (flags.includes(option.flag))
      command.option('value' in option ? `${option.flag} ${option.value}` : option.flag, option.description);
}

function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .description('Show the hook at work in a temporary project')
    .action(async () => {
      const { demo } = await import('./commands/demo.ts');
      process.exitCode = await demo();
    });
  addExamples(command, ['ralph-loop demo']);
}

function addInit(program: Command): void {
  const command = program
    .command('init')
    .description('Set up gates and hooks in this project')
    .option('--yes', 'Accept the proposed setup without asking')
    .option('--host <names...>', `Set up these hosts: ${HOST_NAMES}`)
    .option('--gates <gates...>', 'Use these gates: names of proposed gates, or commands')
    .option('--mcp', 'Also register ralph-loop as an MCP server')
    .option('--print', 'Print the changes as a diff without writing them')
    .option('--uninstall', 'Remove what init has set up')
    .action(async (options) => {
      const { init } = await import('./commands/init.ts');
      process.exitCode = await init(options);
    });
  addExamples(command, ['ralph-loop init', 'ralph-loop init --host codex --gates "npm test"']);
}

function addUninstall(program: Command): void {
  const command = program
    .command('uninstall')
    .description('Remove what init has set up, as init --uninstall does')
    .summary('Remove what init has set up')
    .option('--yes', 'Remove it without asking')
    .option('--print', 'Print the changes as a diff without writing them')
    .action(async (options) => {
      const { init } = await import('./commands/init.ts');
      process.exitCode = await init({ ...options, uninstall: true });
    });
  addExamples(command, ['ralph-loop uninstall --print']);
}

function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('Check that the hooks work, and show how to fix what does not')
    .summary('Check that the hooks work')
    .option('--host <names...>', 'Check only these hosts')
    .option('--fire', 'Run the gates, and send a test stop through each installed hook')
    .option('--json', 'Print the findings as JSON')
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.ts');
      process.exitCode = await doctor(options);
    });
  addExitCodes(command, {
    [EXIT.ok]: 'No problem prevents the hooks from working',
    [EXIT.failed]: 'At least one problem does',
    [EXIT.usage]: 'Usage error',
  });
  addExamples(command, ['ralph-loop doctor --fire']);
}

function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description('Run the gates')
    .argument('[names...]', 'Run only these gates')
    .option('--only <names...>', 'Run only these gates')
    .option('--dry-run', 'Print the gates without running them')
    .option('-v, --verbose', 'Stream the output of the gates')
    .addOption(new Option('-q, --quiet', 'Print only what failed').conflicts(['verbose', 'json', 'dryRun']))
    .option('--no-fail-fast', 'Run all gates, even after one has failed')
    .option('--force', 'Run all gates, also those that have passed on the same files')
    .option('--json', 'Print the result as JSON')
    .option('--config <file>', 'Use the gates of this gate.config.json')
    .addOption(
      new Option(
        '--ci',
        'Judge a change: compare with its base, reuse nothing, report to the CI system',
      ).conflicts(['dryRun', 'quiet']),
    )
    .option('--base <revision>', 'With --ci: what the change is to be merged into')
    .option('--sarif <file>', 'With --ci: write what is wrong as SARIF')
    .option('--junit <file>', 'With --ci: write the results as JUnit XML')
    .action(async (names: string[], options) => {
      const needsCi = ['base', 'sarif', 'junit'].find((name) => name in options);
      if (needsCi !== undefined && !options.ci) {
        process.exitCode = fail(`--${needsCi} needs --ci`, EXIT.usage);
        return;
      }
      const { verify } = await import('./commands/verify.ts');
      process.exitCode = await verify({ ...options, only: [...names, ...(options.only ?? [])] });
    });
  addVerifyExitCodes(command);
  addExamples(command, [
    'ralph-loop verify',
    'ralph-loop verify lint test --no-fail-fast',
    'ralph-loop verify --ci --base origin/main',
  ]);
}

function addWait(program: Command): void {
  const command = program
    .command('wait')
    .description(
      'Wait for the gates that a stop has started, and exit as verify does. Without such a run, start one.',
    )
    .summary('Wait for the gates that still run')
    .addOption(
      new Option('--timeout <seconds>', 'Wait at most so long; the gates go on')
        .default(100)
        .argParser(seconds),
    )
    .option('--json', 'Print the result as JSON')
    .action(async ({ timeout, json }) => {
      const { verify } = await import('./commands/verify.ts');
      process.exitCode = await verify({ only: [], failFast: true, json, waitSeconds: timeout });
    });
  addVerifyExitCodes(command, { [EXIT.stillRunning]: 'The gates still run' });
  addExamples(command, ['ralph-loop wait --timeout 100']);
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('Expected a number of seconds above 0.');
  return value;
}

function addVerifyExitCodes(command: Command, more: Record<number, string> = {}): void {
  addExitCodes(command, {
    [EXIT.ok]: 'All blocking gates passed',
    [EXIT.failed]: 'A blocking gate failed',
    [EXIT.usage]: 'Usage or configuration error',
    ...more,
    [EXIT.interrupted]: 'Interrupted',
  });
}

function addWhy(program: Command): void {
  const command = program
    .command('why')
    .description('Show the last failure: its errors, and where its full output is')
    .summary('Show the last failure')
    .argument('[gate]', 'Name of a gate (default: all gates that failed)')
    .option('--full', 'Show the full output, in a pager')
    .addOption(new Option('--json', 'Print the failure as JSON').conflicts('full'))
    .action(async (gate: string | undefined, options) => {
      const { why } = await import('./commands/why.ts');
      process.exitCode = await why({ ...options, gate });
    });
  addExamples(command, ['ralph-loop why test --full']);
}

function addBaseline(program: Command): void {
  const command = program
    .command('baseline')
    .description('Run the gates, and record the failures that exist now: a gate fails at new ones only')
    .summary('Record the failures that exist now')
    .option('--update', 'Only remove the failures that are fixed')
    .action(async (options) => {
      const { baseline } = await import('./commands/baseline.ts');
      process.exitCode = await baseline(options);
    });
  addExitCodes(command, {
    [EXIT.ok]: 'The failures are recorded, or there are none',
    [EXIT.failed]: 'A gate could not be recorded, or no person runs the command',
    [EXIT.usage]: 'Usage or configuration error',
    [EXIT.interrupted]: 'Interrupted',
  });
  addExamples(command, ['ralph-loop baseline', 'ralph-loop baseline --update']);
}

function addIntegrity(program: Command): void {
  const command = program
    .command('integrity')
    .description('Find tests and checks that became weaker than in the base: HEAD, or the merge base in CI')
    .summary('Find tests and checks that became weaker')
    .option('--base <revision>', 'Compare with this revision')
    .option('--json', 'Print the findings as JSON')
    .action(async (options) => {
      const { integrity } = await import('./commands/integrity.ts');
      process.exitCode = await integrity(options);
    });
  addExitCodes(command, {
    [EXIT.ok]: 'Nothing became weaker that blocks a stop',
    [EXIT.failed]: 'A finding of severity high',
    [EXIT.usage]: 'Usage error, or no git repository',
  });
  addExamples(command, ['ralph-loop integrity', 'ralph-loop integrity --base origin/main --json']);
}

function addReceipt(program: Command): void {
  const command = program
    .command('receipt')
    .description('Show whether the gates have passed on the present files: PASS, FAIL, STALE or NONE')
    .summary('Show whether the gates passed on these files')
    .addOption(new Option('--md', 'Print it as Markdown').conflicts('json'))
    .option('--json', 'Print it as JSON')
    .option('--check', 'Exit with 1 unless it is PASS')
    .action(async (options) => {
      const { receipt } = await import('./commands/receipt.ts');
      process.exitCode = await receipt(options);
    });
  addExitCodes(command, {
    [EXIT.ok]: 'The receipt is printed; with --check, it is PASS',
    [EXIT.failed]: 'With --check, it is not PASS',
    [EXIT.usage]: 'Usage error',
  });
  addExamples(command, ['ralph-loop receipt --md', 'ralph-loop receipt --check']);
}

function addEscalate(program: Command): void {
  const command = program
    .command('escalate')
    .description(
      'Say that a gate is wrong or cannot be satisfied: the next stop is allowed, and does not count as passed',
    )
    .summary('Say that a gate cannot be satisfied')
    .argument('[reason]', 'What is wrong, for the user')
    .option('--gate <name>', 'Name of the gate')
    .action(async (reason: string | undefined, options) => {
      const { escalate } = await import('./commands/escalate.ts');
      process.exitCode = await escalate(reason ?? '', options);
    });
  addExamples(command, ['ralph-loop escalate --gate test "It needs a network, and there is none"']);
}

function addGate(program: Command): void {
  const command = program
    .command('gate')
    .description('Retry, skip or abort typed gates that have used up their attempts')
    .summary('Retry, skip or abort typed gates')
    .argument('<action>', 'retry, skip or abort')
    .argument('[chain]', 'ID of the chain; needed only if there are several')
    .addHelpText(
      'after',
      `
Actions:
  retry  Reset the attempts; the gates run at the next stop
  skip   Continue; the step counts as unverified
  abort  Cancel the chain`,
    )
    .action(async (action: string, chain: string | undefined) => {
      const { actOnGates } = await import('./commands/gate.ts');
      process.exitCode = await actOnGates(action, chain);
    });
  addExamples(command, ['ralph-loop gate retry']);
}

function addStatus(program: Command): void {
  const command = program
    .command('status')
    .description('Show the loops, chains and agent runs of this project')
    .summary('Show loops, chains and agent runs')
    .option('--all', 'Also list what has ended')
    .option('--json', 'Print the status as JSON, with what has ended')
    .action(async (options) => {
      const { status } = await import('./commands/status.ts');
      process.exitCode = await status(options);
    });
  addExamples(command, ['ralph-loop status --json']);
}

/** For the help only: main.ts prints the line itself. */
function addStatusline(program: Command): void {
  const command = program
    .command('statusline')
    .description(
      "Print one line about the gates of a session, as the status line of Claude Code: reads the host's JSON on stdin",
    )
    .summary('Print the status line of Claude Code');
  addExamples(command, ['echo "{}" | ralph-loop statusline']);
}

function addReset(program: Command): void {
  const command = program
    .command('reset')
    .description('Delete the state of all loops, except agent runs in progress')
    .summary('Delete the state of the loops')
    .option('--all', 'Also delete gate outputs and the execution log')
    .action(async (options) => {
      const { reset } = await import('./commands/reset.ts');
      process.exitCode = await reset(options);
    });
  addExamples(command, ['ralph-loop reset']);
}

function addRun(program: Command): void {
  const command = program
    .command('run')
    .description(
      'Run an agent again and again until its promise is verified. The command reads the prompt from stdin, or has it in place of {prompt}.',
    )
    .summary('Run an agent until its promise is verified')
    .usage('[options] -- <command...>')
    .argument('[command...]', 'Command of the agent (default: set in worktree.yaml)')
    .option('--agent <name>', 'Stage: coder (default), reviewer, tester, qa or another')
    .option('--stages <names>', 'Several stages, in this order (comma-separated)')
    .option('--task <id>', 'Task ID (default: the current task of Trellis)')
    .option('--prompt <text>', 'Prompt')
    .option('--prompt-file <file>', 'File of the prompt (default: prd.md of the Trellis task)')
    .option('--resume <task>', 'Resume an interrupted run')
    .option('--checkpoint', 'Save a checkpoint before the first iteration')
    .option('--rollback', 'Like --checkpoint, and restore it if the run fails')
    .option('--print-prompt', 'Print the next prompt without starting the agent')
    .action(async (agent: string[], options) => {
      const { run } = await import('./commands/run.ts');
      process.exitCode = await run(agent, options);
    });
  addExitCodes(command, {
    [EXIT.ok]: 'Verified',
    [EXIT.failed]: 'Not verified',
    [EXIT.usage]: 'Usage or configuration error',
    [EXIT.budgetExceeded]: 'Budget exceeded',
    [EXIT.interrupted]: 'Interrupted or cancelled',
  });
  addExamples(command, [
    'ralph-loop run --task login --prompt-file login.md \\\n      -- claude -p',
    'ralph-loop run --task login --prompt "Log people in" \\\n      -- claude -p',
  ]);
}

function addCancel(program: Command): void {
  const command = program
    .command('cancel')
    .description('Cancel a loop: end the agent of a run, or allow the next stop of a hook loop')
    .summary('Cancel a loop or an agent run')
    .argument('[loop]', 'Task of an agent run, or name of a loop as shown by status')
    .action(async (name: string | undefined) => {
      const { cancel } = await import('./commands/cancel.ts');
      process.exitCode = await cancel(name);
    });
  addExamples(command, ['ralph-loop cancel TASK-001']);
}

function addAccept(program: Command): void {
  const command = program
    .command('accept')
    .description(
      'Accept the gates as they are now: print what changed since the sessions of this project began, and judge them by it from here on. Refused in the shell of an agent',
    )
    .summary('Accept changed gates')
    .action(async () => {
      const { accept } = await import('./commands/accept.ts');
      process.exitCode = await accept();
    });
  addExamples(command, ['ralph-loop accept']);
}

function addWatch(program: Command): void {
  const command = program
    .command('watch')
    .description('Show the loops as a live board; without a terminal, print it once')
    .summary('Show the loops as a live board')
    .action(async () => {
      const { watch } = await import('./commands/watch.ts');
      process.exitCode = await watch();
    });
  addExamples(command, ['ralph-loop watch']);
}

function addReport(program: Command): void {
  const command = program
    .command('report')
    .description('Summarize past loops: success rate, iterations, gates, time and cost')
    .summary('Summarize past loops')
    .option('--since <when>', 'Only loops since then: 30m, 24h, 7d, 2w or 2026-01-31')
    .option('--html <file>', 'Write the report to an HTML page with plots')
    .addOption(new Option('--json', 'Print the figures as JSON').conflicts('html'))
    .action(async (options) => {
      const { report } = await import('./commands/report.ts');
      process.exitCode = await report(options);
    });
  addExamples(command, ['ralph-loop report --since 7d --html report.html']);
}

function addHistory(program: Command): void {
  const command = program
    .command('history')
    .description(
      'Count how often agents said done, and what was behind it, from the transcripts that their hosts keep on this machine. Nothing leaves it',
    )
    .summary('Count what was behind past claims')
    .option('--since <when>', 'Only turns since then: 30m, 24h, 7d, 2w or 2026-01-31')
    .option('--json', 'Print the figures as JSON')
    .action(async (options) => {
      const { history } = await import('./commands/history.ts');
      process.exitCode = await history(options);
    });
  addExamples(command, ['ralph-loop history --since 2w']);
}

function addCheckpoint(program: Command): void {
  const load = () => import('./commands/checkpoint.ts');
  const checkpoint = program
    .command('checkpoint')
    .description('Save and restore the working tree and the index')
    .summary('Save and restore the working tree');
  addExamples(checkpoint, [
    'ralph-loop checkpoint create "before the refactoring"',
    'ralph-loop checkpoint list',
  ]);
  const create = checkpoint
    .command('create')
    .description('Save the tracked, staged and untracked files')
    .argument('[label]', 'Label shown by list')
    .action(async (label?: string) => {
      process.exitCode = await (await load()).checkpointCreate(label);
    });
  addExamples(create, ['ralph-loop checkpoint create "before the refactoring"']);
  const list = checkpoint
    .command('list')
    .description('List the checkpoints of this working tree')
    .option('--json', 'Print the list as JSON')
    .action(async (options) => {
      process.exitCode = await (await load()).checkpointList(options);
    });
  addExamples(list, ['ralph-loop checkpoint list']);
  const show = checkpoint
    .command('show')
    .description('Show what has changed since a checkpoint')
    .argument('<id>', 'ID of the checkpoint')
    .action(async (id: string) => {
      process.exitCode = await (await load()).checkpointShow(id);
    });
  addExamples(show, ['ralph-loop checkpoint show mkz3w1ab4fzq']);
  const restore = checkpoint
    .command('restore')
    .description('Restore a checkpoint; saves the present state as a rescue checkpoint first')
    .summary('Restore a checkpoint')
    .argument('<id>', 'ID of the checkpoint')
    .action(async (id: string) => {
      process.exitCode = await (await load()).checkpointRestore(id);
    });
  addExamples(restore, ['ralph-loop checkpoint restore mkz3w1ab4fzq']);
  const drop = checkpoint
    .command('drop')
    .description('Delete checkpoints; the working tree is not changed')
    .summary('Delete checkpoints')
    .argument('[ids...]', 'IDs of the checkpoints')
    .option('--all', 'Delete all checkpoints of this working tree')
    .action(async (ids: string[], options) => {
      process.exitCode = await (await load()).checkpointDrop(ids, options);
    });
  addExamples(drop, ['ralph-loop checkpoint drop mkz3w1ab4fzq']);
}

function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .description('Serve the prompt engine, verify, escalate and status over MCP on stdin and stdout')
    .summary('Start the MCP server')
    .action(async () => {
      const { mcp } = await import('./commands/mcp.ts');
      process.exitCode = await mcp();
    });
  command.addHelpText(
    'after',
    '\nExample, as a server of Claude Code:\n  $ claude mcp add ralph-loop -- npx ralph-loop-cli mcp',
  );
}

function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .summary('Print a script for completion in a shell')
    .addArgument(new Argument('<shell>', 'Shell of the script').choices(['bash', 'zsh', 'fish']))
    .action(async (shell) => {
      const { completion } = await import('./commands/completion.ts');
      process.exitCode = completion(program, shell);
    });
  addExamples(command, ['eval "$(ralph-loop completion bash)"', 'ralph-loop completion fish | source']);
}

function newProgram(name: string): Command {
  return (
    new Command(name)
      .version(packageJson.version, '-v, --version', 'Print the version')
      .helpOption('-h, --help', 'Show help')
      // By default, commander does not wrap the descriptions in a terminal of 60 columns.
      .configureHelp({ minWidthToWrap: 20, subcommandTerm: (command) => command.name() })
      .showSuggestionAfterError()
      .configureOutput({ outputError: (text, write) => write(withMeaning(text)) })
      // `-v` of a command is not that of the program.
      .enablePositionalOptions()
      .exitOverride()
  );
}

/** Errors about a command line name the help of the command that they are about. */
function pointToHelp(command: Command, path = command.name()): void {
  command.showHelpAfterError(`See '${path} --help'.`);
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`);
}

/** Words that are no commands here, and the command that does what they do elsewhere. */
const MEANINGS: Readonly<Record<string, string>> = {
  test: 'verify',
  check: 'verify',
  lint: 'verify',
  gates: 'verify',
  setup: 'init',
  install: 'init',
  remove: 'uninstall',
  list: 'status',
  ls: 'status',
  log: 'report',
  logs: 'why',
  stop: 'cancel',
  board: 'watch',
  version: '--version',
};

/** The error about an unknown command, with the one that is meant rather than one that is spelt alike. */
function withMeaning(text: string): string {
  const [start = '', word = ''] = /^error: unknown command '(\w+)'/.exec(text) ?? [];
  const command = Object.hasOwn(MEANINGS, word) ? MEANINGS[word] : undefined;
  return command === undefined ? text : `${start}\n(Did you mean ${command}?)\n`;
}

function addExitCodes(command: Command, meanings: Readonly<Record<number, string>>): void {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`);
  command.addHelpText('after', `\nExit codes:\n${lines.join('\n')}`);
}

function addExamples(command: Command, examples: readonly string[]): void {
  const heading = examples.length > 1 ? 'Examples' : 'Example';
  command.addHelpText('after', `\n${heading}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

/** Runs a command line. What commander prints about a wrong one is enough; any other error is reported here. */
async function parse(program: Command, argv: readonly string[]): Promise<void> {
  failIfUnprinted();
  pointToHelp(program);
  try {
    await program.parseAsync(argv as string[]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    // Most often a file that the system refuses: the disk is full, or read-only.
    const { path, stack } = error as NodeJS.ErrnoException;
    const lines = argv.includes('--verbose') ? [stack] : [path, reasonOf(error)].filter(Boolean);
    process.exitCode = fail(`${program.name()}: ${lines.join(': ')}`, EXIT.usage);
  }
}
