import { describe, expect } from 'vitest';
import { test } from '../helpers/mcp-client.ts';
import { expectGone } from '../helpers/processes.ts';
import { ignoreTerm, sleepLong } from '../helpers/shell-commands.ts';

const COMMAND = `(${ignoreTerm('b.pid')}) & ${sleepLong('a.pid')}`;

describe('an MCP server that is ended by', () => {
  test.for(['stdin', 'SIGTERM', 'SIGINT', 'SIGHUP'])(
    '%s kills a process that ignores SIGTERM, and the next server continues',
    async (end, { makeProject, connect }) => {
      const project = makeProject();
      const mcp = await connect(project);
      const chain_id = await mcp.start(`Do it :: verify:${JSON.stringify(COMMAND)}`);
      const answer = mcp.engine({ chain_id, user_response: 'x' });
      answer.catch(() => {});
      const pids = await Promise.all([project.pidIn('a.pid'), project.pidIn('b.pid')]);
      if (end === 'stdin') await mcp.close();
      else process.kill(mcp.pid, end as NodeJS.Signals);
      await expectGone(mcp.pid, ...pids);
      await expect(answer).rejects.toThrow();
      const next = await connect(project);
      expect((await next.call('status')).structured).toMatchObject({
        chains: [{ attempts: 1, verifying: false }],
      });
    },
  );
});
