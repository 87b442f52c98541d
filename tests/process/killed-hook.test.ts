import { expect } from 'vitest';
import { inOwnNamespace, namespaceProblem } from '../helpers/own-namespace.ts';
import { test, worktreeYaml } from '../helpers/project.ts';
import { mainStops } from '../helpers/stops.ts';

test.skipIf(namespaceProblem())(
  'a gate that kills the hook is reported at the next stop',
  async ({ makeProject }) => {
    const project = makeProject({
      'worktree.yaml': worktreeYaml([
        'test -e second || for pid in $(pgrep -f "ralph-loop.js hook"); do kill -KILL $pid; done; exit 1',
      ]),
    });
    project.write({ 'stop.json': JSON.stringify(mainStops(project)) });
    const printed = await inOwnNamespace(
      project,
      'export CLAUDECODE=1\nralph_loop hook < stop.json; echo "exit $?"\ntouch second\nralph_loop hook < stop.json',
    );
    expect(printed).toContain('exit 137');
    expect(printed).toContain('the hook of the stop before this one was ended before it had a result');
  },
);
