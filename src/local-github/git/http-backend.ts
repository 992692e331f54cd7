import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { spawnGit } from './run-git.ts';

export interface GitService {
  readonly directory: string;
  /** Below the repository: `/info/refs`, `/git-upload-pack`, `/git-receive-pack`. */
  readonly servicePath: string;
  readonly query: string;
  /** Login; git lets a named user push. Null may only read. */
  readonly pusher: string | null;
  /** Runs when git is done and before the client sees the end of the answer. */
  readonly beforeEnd: () => Promise<void>;
}

/** Lets `git http-backend` (CGI) answer a request, streaming both ways. */
export async function serveGit(request: IncomingMessage, response: ServerResponse, service: GitService): Promise<void> {
  const child = spawnGit(service.directory, ['http-backend'], cgiEnvironment(request, service));
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  child.stderr.resume();
  // The client may hang up, and git may stop reading early: neither is ours to report.
  const sent = pipeline(request, child.stdin).catch(() => {});
  response.once('close', () => void child.kill());
  await copyCgiResponse(child.stdout, response);
  await Promise.all([sent, exited]);
  await service.beforeEnd();
  response.end();
}

function cgiEnvironment(request: IncomingMessage, service: GitService): Record<string, string> {
  const header = (name: string) => request.headers[name]?.toString() ?? '';
  const optional = {
    CONTENT_LENGTH: header('content-length'),
    // Clients compress large requests, and ask for protocol v2, by headers that the CGI knows only under these names.
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    GIT_PROTOCOL: header('git-protocol'),
    REMOTE_USER: service.pusher ?? '',
  };
  return {
    GIT_PROJECT_ROOT: path.dirname(service.directory),
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: `/${path.basename(service.directory)}${service.servicePath}`,
    QUERY_STRING: service.query,
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: header('content-type'),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== '')),
  };
}

async function copyCgiResponse(output: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of output) {
    if (head === null) {
      await write(response, chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) continue;
    writeCgiHead(head.toString('latin1', 0, end), response);
    await write(response, head.subarray(end + 4));
    head = null;
  }
  if (head !== null) response.writeHead(500);
}

function writeCgiHead(head: string, response: ServerResponse): void {
  for (const line of head.split('\r\n')) {
    const [name = '', ...value] = line.split(': ');
    if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value.join(': '), 10);
    else response.setHeader(name, value.join(': '));
  }
}

async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  if (response.destroyed || response.write(chunk)) return;
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } finally {
    // The event that did not come would keep its listener for every chunk.
    settled.abort();
  }
}
