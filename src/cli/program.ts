import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { HOOK_OPTIONS } from '../hook/options.ts';
import { addCheckpoint } from './add-checkpoint.ts';
import { addLoops } from './add-loops.ts';
import { addSetup } from './add-setup.ts';
import { parseWith } from './parse-with.ts';

/**
 * The commander program: every command but the hook's fast way. A command's own file is imported when it is called.
 *
 * @param argv as `process.argv`
 * @returns the exit code
 */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = new Command('ralph-loop')
    .description(
      'Makes a coding agent\'s "done" mean done: runs your gates when it tries to stop, and blocks the stop while one fails.',
    )
    .version(packageJson.version)
    .showSuggestionAfterError()
    .showHelpAfterError('(ralph-loop --help tells more)')
    .exitOverride();
  addHook(program);
  addSetup(program, done);
  addVerify(program, done);
  addWhy(program, done);
  addGate(program, done);
  addStatus(program, done);
  addReset(program, done);
  addLoops(program, done);
  addCheckpoint(program, done);
  addMcp(program, done);
  program.addHelpText(
    'after',
    '\nExample:\n  $ ralph-loop verify            run the gates of worktree.yaml now',
  );
  return (await parseWith(program, argv)) ?? exitCode;
}

/** For its help only: main.ts runs the hook itself. */
function addHook(program: Command): void {
  const hook = program
    .command('hook')
    .alias('subagent-stop')
    .description('answer one stop event from stdin; agent hosts call this')
    .addHelpText(
      'after',
      '\nExample, as the command of a Stop or SubagentStop hook:\n  ralph-loop hook --deadline 570',
    );
  for (const option of HOOK_OPTIONS)
    hook.option('value' in option ? `${option.flag} ${option.value}` : option.flag, option.description);
}

function addVerify(program: Command, done: (code: number) => void): void {
  program
    .command('verify')
    .description('run the gates now; exits 0 passed, 1 failed, 2 usage or config error, 130 interrupted')
    .argument('[names...]', 'run these gates only')
    .option('--only <names...>', 'run these gates only')
    .option('--dry-run', 'print what would run, and run nothing', false)
    .option('--verbose', 'print what the gates print, as it comes', false)
    .option('--no-fail-fast', 'run every gate, whichever fails')
    .option('--json', 'print the result as JSON', false)
    .option('--config <file>', 'take the gates of this gate.config.json')
    .addHelpText('after', '\nExample:\n  $ ralph-loop verify lint test --no-fail-fast')
    .action(async (names: string[], options) => {
      const { verify } = await import('./commands/verify.ts');
      done(await verify({ ...options, only: [...names, ...(options.only ?? [])] }));
    });
}

function addWhy(program: Command, done: (code: number) => void): void {
  program
    .command('why')
    .description('tell the last failure again: its errors, and where its full output is')
    .argument('[gate]', 'of this gate only')
    .option('--full', 'show the full output, in your pager', false)
    .addHelpText('after', '\nExample:\n  $ ralph-loop why test --full')
    .action(async (gate: string | undefined, options) => {
      const { why } = await import('./commands/why.ts');
      done(await why({ ...options, gate }));
    });
}

function addGate(program: Command, done: (code: number) => void): void {
  program
    .command('gate')
    .description('say what is to be done about typed gates that have used up their attempts')
    .argument('<action>', 'retry: count anew; skip: go on unverified; abort: call them off')
    .argument('[chain]', 'its id; not needed where there is but one')
    .addHelpText('after', '\nExample:\n  $ ralph-loop gate retry')
    .action(async (action: string, chain: string | undefined) => {
      const { gate } = await import('./commands/gate.ts');
      done(await gate(action, chain));
    });
}

function addStatus(program: Command, done: (code: number) => void): void {
  program
    .command('status')
    .description('show the loops: iteration, age, last verdict, failing gate')
    .option('--json', 'print them as JSON', false)
    .addHelpText('after', '\nExample:\n  $ ralph-loop status --json')
    .action(async (options) => {
      const { status } = await import('./commands/status.ts');
      done(await status(options));
    });
}

function addReset(program: Command, done: (code: number) => void): void {
  program
    .command('reset')
    .description('remove the state of the loops that nobody drives: the next stop is the first again')
    .option('--all', 'remove gate outputs and the execution log too', false)
    .addHelpText('after', '\nExample:\n  $ ralph-loop reset')
    .action(async (options) => {
      const { reset } = await import('./commands/reset.ts');
      done(await reset(options));
    });
}

function addMcp(program: Command, done: (code: number) => void): void {
  program
    .command('mcp')
    .description('serve the prompt engine, verify and status to an MCP client, on stdin and stdout')
    .addHelpText(
      'after',
      '\nExample, as a server of Claude Code:\n  $ claude mcp add ralph-loop -- npx ralph-loop mcp',
    )
    .action(async () => {
      const { mcp } = await import('./commands/mcp.ts');
      done(await mcp());
    });
}
