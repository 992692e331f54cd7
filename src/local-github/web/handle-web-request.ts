import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRefusal } from '../state/refusal.ts';
import type { Site } from '../state/site.ts';
import { submitForm } from './forms/submit-form.ts';
import { liveScript } from './live-script.ts';
import { findPage } from './page-routes.ts';
import { renderPage } from './page.ts';
import { errorPage } from './pages/error-page.ts';
import { readForm } from './read-form.ts';
import { actingAs, actingAsCookie } from './acting-as.ts';
import type { View } from './view.ts';

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8');

/**
 * Scripts and styles come from here alone, so that not even a hole in the sanitiser of comments would run anything.
 * Style attributes carry the colours of labels.
 */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; " +
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Answers everything outside `/api` and git: the pages, their two assets and their forms. */
export async function handleWebRequest(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Another name would be a foreign site whose name was pointed at this machine (DNS rebinding).
  if (!isOwnHost(site, request.headers.host)) return send(response, { status: 421, body: 'Unknown host' });
  const url = new URL(request.url ?? '/', site.url);
  if (url.pathname === '/-/style.css') return send(response, { type: 'text/css', body: style });
  if (url.pathname === '/-/live.js') return send(response, { type: 'text/javascript', body: liveScript });

  const viewer = actingAs(site, request.headers.cookie);
  if (!viewer) return send(response, { status: 503, body: 'Nobody has an account here yet.' });
  const view: View = { site, viewer, actor: { kind: 'user', user: viewer }, url };
  try {
    await (request.method === 'POST' ? answerForm(view, request, response) : answerPage(view, request, response));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const reasons = (error.errors ?? []).map((failure) =>
      typeof failure === 'string'
        ? failure
        : (failure.message ?? `${failure.field ?? failure.resource} ${failure.code}`),
    );
    sendPage(response, view, { status: error.status, message: [error.message, ...reasons].join(': ') });
  }
}

async function answerPage(view: View, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendPage(response, view, { status: 405, message: 'Only GET and POST work here' });
  }
  const found = await findPage(view);
  if (found === null) return sendPage(response, view, { status: 404, message: 'There is no such page' });
  if ('redirect' in found) return redirect(response, found.redirect);
  return send(response, { type: 'text/html', body: renderPage(found.view, found.page) });
}

async function answerForm(view: View, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A browser names the origin of every form post; a page of another site cannot make it say this one.
  if (!isOwnOrigin(view.site, request.headers.origin)) {
    return sendPage(response, view, { status: 403, message: 'This form came from another site' });
  }
  const form = await readForm(request);
  const done = await submitForm(view, form);
  if (done === null) return sendPage(response, view, { status: 404, message: 'There is no such form' });
  if (done.actAs) response.setHeader('set-cookie', actingAsCookie(done.actAs));
  return redirect(response, done.redirect);
}

/** Loopback by both its names: links say 127.0.0.1, people type localhost. */
function isOwnHost({ url }: Site, host: string | undefined): boolean {
  const { port } = new URL(url);
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

function isOwnOrigin(site: Site, origin: string | undefined): boolean {
  return origin?.startsWith('http://') === true && isOwnHost(site, origin.slice('http://'.length));
}

function sendPage(
  response: ServerResponse,
  view: View,
  { status, message }: { status: number; message: string },
): void {
  send(response, { status, type: 'text/html', body: renderPage(view, errorPage(status, message)) });
}

function redirect(response: ServerResponse, location: string): void {
  // 303: the browser follows with GET, and reloading the page does not send the form again.
  response.writeHead(303, { ...securityHeaders, location }).end();
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

function send(response: ServerResponse, { status = 200, type = 'text/plain', body }: Answer): void {
  response.writeHead(status, { ...securityHeaders, 'content-type': `${type}; charset=utf-8` }).end(body);
}
