import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export const canHaveGh = (() => {
  try {
    return execFileSync('gh', ['--version'], { encoding: 'utf8' }).startsWith('gh');
  } catch {
    return false;
  }
})();
if (!canHaveGh) console.log('skipped: gh is not installed');

export interface Comment {
  readonly id: number;
  readonly user: { readonly type: 'Bot' | 'User' };
  readonly body: string;
}

/** GitHub's API for the comments of one pull request, on the loopback interface. */
export interface PullRequest {
  readonly comments: readonly Comment[];
  /** The requests that change a comment: `POST /path`. */
  readonly writes: readonly string[];
  /** For the real `gh`, which reaches it as a proxy: its API for a host of this name has no TLS. */
  readonly environment: Readonly<Record<string, string>>;
}

/** @param options.refuse the status of every request that changes something */
export async function pullRequest(
  given: readonly Comment[],
  { refuse }: { readonly refuse?: number } = {},
): Promise<PullRequest> {
  let comments = [...given];
  const writes: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { pathname, searchParams, href } = new URL(request.url ?? '', 'http://api.github.localhost');
    const method = request.method ?? '';
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (request.headers.authorization !== 'token token') return send(401, { message: 'Bad credentials' });
    if (method === 'GET') {
      const [size, page] = [
        Number(searchParams.get('per_page') ?? 30),
        Number(searchParams.get('page') ?? 1),
      ];
      const next = new URL(href);
      next.searchParams.set('page', String(page + 1));
      if (page * size < comments.length) response.setHeader('link', `<${next}>; rel="next"`);
      return send(200, comments.slice((page - 1) * size, page * size));
    }
    if (refuse !== undefined) return send(refuse, { message: 'Resource not accessible by integration' });
    writes.push(`${method} ${pathname}`);
    const { body: written } = JSON.parse(body);
    const id = method === 'PATCH' ? Number(pathname.split('/').at(-1)) : comments.length + 1;
    const comment: Comment = { id, user: { type: 'Bot' }, body: written };
    comments = [...comments.filter((other) => other.id !== id), comment];
    send(method === 'PATCH' ? 200 : 201, comment);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    get comments() {
      return comments;
    },
    writes,
    environment: { GH_HOST: 'github.localhost', HTTP_PROXY: proxy, http_proxy: proxy },
  };
}
