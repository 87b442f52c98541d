import type { Command } from 'commander';

/** The commands around loops that drive an agent, and around loops as a whole. */
export function addLoops(program: Command, done: (code: number) => void): void {
  addRun(program, done);
  addCancel(program, done);
  addWatch(program, done);
  addReport(program, done);
}

function addRun(program: Command, done: (code: number) => void): void {
  program
    .command('run')
    .description(
      'drive an agent until what it promises holds; exits 0 verified, 1 not, 2 usage or config error, 3 too dear, 130 interrupted',
    )
    .argument('[command...]', 'the agent, behind --; the prompt is on its stdin, or in place of {prompt}')
    .option('--agent <name>', 'the stage: coder (default), reviewer, tester, qa, or any other')
    .option('--stages <names>', 'several, one after another; commas between')
    .option('--task <id>', "the task; Trellis's current one by default")
    .option('--prompt-file <file>', 'what is to be done; the prd.md of a Trellis task by default')
    .option('--resume <task>', 'go on with a loop that was interrupted or killed')
    .option('--checkpoint', 'save the work before it begins', false)
    .option('--rollback', 'the same, and go back to it when the loop is given up', false)
    .option('--print-prompt', 'print what the agent would read next, and start nothing', false)
    .addHelpText(
      'after',
      '\nExample:\n  $ ralph-loop run --agent coder --task TASK-001 --prompt-file spec.md -- claude -p',
    )
    .action(async (command: string[], options) => {
      const { run } = await import('./commands/run.ts');
      done(await run(command, options));
    });
}

function addCancel(program: Command, done: (code: number) => void): void {
  program
    .command('cancel')
    .description('call a loop off: end its agent, or let the next stop of a hook loop pass')
    .argument('[loop]', 'the task of a loop that is driven, or the name of a hook loop as status shows it')
    .addHelpText('after', '\nExample:\n  $ ralph-loop cancel TASK-001')
    .action(async (named: string | undefined) => {
      const { cancel } = await import('./commands/cancel.ts');
      done(await cancel(named));
    });
}

function addReport(program: Command, done: (code: number) => void): void {
  program
    .command('report')
    .description('tell how the loops went: first-try rate, iterations, gates, time, cost, what was let go')
    .option('--since <when>', 'loops since then only: 30m, 24h, 7d, 2w ago, or a date like 2026-01-31')
    .option('--html <file>', 'write it as a page with plots')
    .addHelpText('after', '\nExample:\n  $ ralph-loop report --since 7d --html report.html')
    .action(async (options) => {
      const { report } = await import('./commands/report.ts');
      done(await report(options));
    });
}

function addWatch(program: Command, done: (code: number) => void): void {
  program
    .command('watch')
    .description('show the loops as a live board; in a pipe, print it once')
    .addHelpText('after', '\nExample:\n  $ ralph-loop watch')
    .action(async () => {
      const { watch } = await import('./commands/watch.ts');
      done(await watch());
    });
}
