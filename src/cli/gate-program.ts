import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { HOOK_OPTIONS } from '../hook/options.ts';
import { parseWith } from './parse-with.ts';

/**
 * Ralph Gate's command line: `ralph-loop verify` of a gate config's gates.
 *
 * @param argv as `process.argv`
 * @returns the exit code: 0 passed, 1 failed, 2 usage or config error, 130 interrupted
 */
export async function runGateProgram(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command('ralph-gate')
    .description('Runs the gates of gate.config.json, by hand or as the hook of a coding agent.')
    .version(packageJson.version)
    .option('--only <name>', 'run this gate only')
    .option('--dry-run', 'print what would run, in which shell, and run nothing', false)
    .option('--verbose', 'print what the gates print, as it comes', false)
    .option('--config <file>', 'take the gates of this file')
    .option('--hook', 'answer the stop event on stdin; agent hosts call this')
    .showSuggestionAfterError()
    .showHelpAfterError('(ralph-gate --help tells more)')
    .addHelpText('after', '\nExample, as the command of a Stop hook:\n  ralph-gate --hook --deadline 570')
    .action(async ({ only, ...options }) => {
      const { verify } = await import('./commands/verify.ts');
      const wanted = only === undefined ? [] : [only];
      exitCode = await verify({ ...options, only: wanted, failFast: true, json: false, gatesOnly: true });
    });
  // For their help only: main.ts runs the hook itself.
  for (const option of HOOK_OPTIONS)
    if (option.flag === '--deadline') program.option(`${option.flag} ${option.value}`, option.description);
  return (await parseWith(program, argv)) ?? exitCode;
}
