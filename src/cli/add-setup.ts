import type { Command } from 'commander';
import { HOST_NAMES } from '../hook/options.ts';

/** The commands that install ralph-loop in a project, and look whether it fires there. */
export function addSetup(program: Command, done: (code: number) => void): void {
  addInit(program, done);
  addDoctor(program, done);
}

function addInit(program: Command, done: (code: number) => void): void {
  program
    .command('init')
    .description('set this project up: gates, and the hooks of the agents that are used here')
    .option('--yes', 'take what is proposed, without a question', false)
    .option('--host <names>', `for these hosts: ${HOST_NAMES}; commas between`)
    .option('--gates <gates...>', 'with these gates: names of proposed ones, or commands')
    .option('--mcp', 'let the hosts start ralph-loop as an MCP server too', false)
    .option('--print', 'show every change as a diff, and write nothing', false)
    .option('--uninstall', 'take all of it back', false)
    .addHelpText('after', '\nExample:\n  $ ralph-loop init --host claude-code,codex --gates "npm test"')
    .action(async (options) => {
      const { init } = await import('./commands/init.ts');
      done(await init(options));
    });
}

function addDoctor(program: Command, done: (code: number) => void): void {
  program
    .command('doctor')
    .description('tell whether the hook really fires, and what to do where it would not')
    .option('--host <names>', 'look at these hosts only; commas between')
    .option('--fire', 'send a stop through each hook as it is installed, and check the answer', false)
    .option('--json', 'print the findings as JSON', false)
    .addHelpText('after', '\nExample:\n  $ ralph-loop doctor --fire')
    .action(async (options) => {
      const { doctor } = await import('./commands/doctor.ts');
      done(await doctor(options));
    });
}
