/** The embedded GitHub in a process of its own, so that what it costs is not counted as the bot's, nor delays whoever measures. */
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { getOneMessage, sendMessage } from 'execa';
import { startLocalGithub, type LocalGithub } from '../../src/local-github/start-local-github.ts';

/** What a bot and a sender of deliveries must know of it. */
export interface GithubAddress {
  /** Fit for `GHE_HOST`. */
  readonly host: string;
  readonly app: LocalGithub['app'];
  /** Body of an `issues` delivery as this GitHub sent it: a person set a label that means nothing to the bot. */
  readonly labeled: string;
}

const OWNER = 'acme';
const REPOSITORY = `${OWNER}/library`;
const PERSON = 'mara';

const { folder } = (await getOneMessage()) as unknown as { folder: string };
await mkdir(folder, { recursive: true });
const github = await startLocalGithub({ dataDir: folder });
github.createUser(PERSON);
await github.createRepository({ owner: OWNER, name: 'library' });
github.grant({ repository: REPOSITORY, login: PERSON, permission: 'maintain' });
const address: GithubAddress = { host: github.host, app: github.app, labeled: await recordLabeled() };
await sendMessage(address);

async function recordLabeled(): Promise<string> {
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  github.setWebhookUrl(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
  await post('issues', { title: 'Make this easier to change', body: 'A paragraph of a request. '.repeat(150) });
  await post('issues/1/labels', { labels: ['question'] });
  await github.idle();
  const labeled = bodies.find((body) => (JSON.parse(body) as { action?: string }).action === 'labeled');
  if (labeled === undefined) throw new Error('The embedded GitHub sent no issues.labeled delivery.');
  return labeled;
}

async function post(where: string, body: unknown): Promise<void> {
  const url = `${github.url}${path.posix.join('/api/v3/repos', REPOSITORY, where)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `token ${github.userToken(PERSON)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
}
