import { type Command, CommanderError } from 'commander';

/** Exit code of a wrong command line. */
const USAGE = 2;
/** Exit code where something outside of the gates failed, as a full disk. */
const FAULT = 2;

/**
 * Runs a command line, and says what is wrong with it to people.
 *
 * @param argv as `process.argv`
 * @returns the exit code where no command set one: of help, of a wrong command line, of a fault
 */
export async function parseWith(program: Command, argv: readonly string[]): Promise<number | undefined> {
  // Whoever reads our output may leave before its end, as `head` does.
  process.stdout.on('error', () => {});
  try {
    await program.exitOverride().parseAsync(argv as string[]);
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const { message, stack } = error as Error;
    process.stderr.write(`${program.name()}: ${argv.includes('--verbose') ? stack : message}\n`);
    return FAULT;
  }
}
