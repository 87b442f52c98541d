import type { Command } from 'commander';

/** `ralph-loop checkpoint` and its commands. */
export function addCheckpoint(program: Command, done: (code: number) => void): void {
  const checkpoint = program
    .command('checkpoint')
    .description('save the working tree and the index, and go back to them')
    .addHelpText(
      'after',
      '\nExample:\n  $ ralph-loop checkpoint create "before the refactoring"\n  $ ralph-loop checkpoint list',
    );
  checkpoint
    .command('create')
    .description('save tracked, staged and untracked files; nothing is touched')
    .argument('[label]', 'what it is for')
    .addHelpText('after', '\nExample:\n  $ ralph-loop checkpoint create "before the refactoring"')
    .action(async (label?: string) => {
      const { checkpointCreate } = await import('./commands/checkpoint-create.ts');
      done(await checkpointCreate(label));
    });
  checkpoint
    .command('list')
    .description('list the checkpoints of this working tree')
    .addHelpText('after', '\nExample:\n  $ ralph-loop checkpoint list')
    .action(async () => {
      const { checkpointList } = await import('./commands/checkpoint-list.ts');
      done(await checkpointList());
    });
  checkpoint
    .command('show')
    .description('tell what has changed since a checkpoint')
    .argument('<id>')
    .addHelpText('after', '\nExample:\n  $ ralph-loop checkpoint show mkz3w1ab4fzq')
    .action(async (id: string) => {
      const { checkpointShow } = await import('./commands/checkpoint-show.ts');
      done(await checkpointShow(id));
    });
  checkpoint
    .command('restore')
    .description('go back to a checkpoint; what is there now is saved as a rescue checkpoint first')
    .argument('<id>')
    .addHelpText('after', '\nExample:\n  $ ralph-loop checkpoint restore mkz3w1ab4fzq')
    .action(async (id: string) => {
      const { checkpointRestore } = await import('./commands/checkpoint-restore.ts');
      done(await checkpointRestore(id));
    });
  checkpoint
    .command('drop')
    .description('remove checkpoints; the work stays')
    .argument('[ids...]')
    .option('--all', 'all of this working tree', false)
    .addHelpText('after', '\nExample:\n  $ ralph-loop checkpoint drop mkz3w1ab4fzq')
    .action(async (ids: string[], options) => {
      const { checkpointDrop } = await import('./commands/checkpoint-drop.ts');
      done(await checkpointDrop(ids, options));
    });
}
