import { dropCheckpoint, listCheckpoints } from '../../checkpoint/store.ts';
import { print, refused } from './checkpoint-say.ts';

const EXIT = { dropped: 0, usage: 2 } as const;

/**
 * `ralph-loop checkpoint drop`: removes checkpoints; the work stays.
 *
 * @returns the exit code: 0 dropped, 1 refused, 2 usage
 */
export async function checkpointDrop(
  named: readonly string[],
  { all }: { readonly all: boolean },
): Promise<number> {
  if (all === named.length > 0) {
    process.stderr.write('error: name the checkpoints to drop, or say --all\n');
    return EXIT.usage;
  }
  const [directory, env] = [process.cwd(), process.env];
  const listed = await listCheckpoints(directory, env);
  if (!listed.ok) return refused('Nothing was dropped', listed.failure);
  const ids = all ? listed.value.map(({ id }) => id) : named;
  if (ids.length === 0) print(['No checkpoints.']);
  for (const id of ids) {
    const dropped = await dropCheckpoint(directory, id, env);
    if (!dropped.ok) return refused(`${id} was not dropped`, dropped.failure);
    print([`Dropped checkpoint ${id}.`]);
  }
  return EXIT.dropped;
}
