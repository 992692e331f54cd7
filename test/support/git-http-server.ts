import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface GitHttpServer {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly requests: { readonly url: string; readonly authorization: string | undefined }[];
  /** Answers the next request, whatever it is, in place of git. */
  answerNext(answer: { readonly status: number; readonly headers?: Readonly<Record<string, string>> }): void;
  close(): Promise<void>;
}

/** Serves the bare repositories below `root` by git's own smart HTTP program; with a token, only to who knows it. */
export async function startGitHttpServer(root: string, token: string | null): Promise<GitHttpServer> {
  const requests: GitHttpServer['requests'] = [];
  const answers: Parameters<GitHttpServer['answerNext']>[0][] = [];
  const expected = token === null ? null : `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    const answer = answers.shift();
    if (answer !== undefined) {
      response.writeHead(answer.status, answer.headers).end();
    } else if (expected !== null && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else {
      void serve(root, request, response);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerNext: (answer) => answers.push(answer),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const answer = await buffer(child.stdout);
  const end = answer.indexOf('\r\n\r\n');
  for (const line of answer.toString('latin1', 0, end).split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else if (name !== '') response.setHeader(name, value);
  }
  response.end(answer.subarray(end + 4));
}
