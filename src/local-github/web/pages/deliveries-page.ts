import type { DeliveryRecord } from '../../state/records.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Page } from '../page.ts';
import { icon } from '../parts/icon.ts';
import { ago } from '../parts/time.ts';
import type { View } from '../view.ts';

/** The log is long in a long demo, and the latest are what one looks for. */
const shownDeliveries = 200;

/** `/settings/deliveries`: every attempt to send the app a webhook, newest first. */
export function deliveriesPage({ site }: View): Page {
  const all = site.webhooks.log().toReversed();
  return {
    title: 'Webhook deliveries',
    content: html`<div class="subject">
        <h1>Webhook deliveries</h1>
        <div class="muted">
          ${
            site.app.webhookUrl === null
              ? 'No webhook address is set, so nothing is sent.'
              : html`to <span class="mono">${site.app.webhookUrl}</span>`
          }
        </div>
      </div>
      <div class="box" id="deliveries" data-live>
        ${
          all.length === 0
            ? html`<p class="blank">Nothing has been delivered yet.</p>`
            : all.slice(0, shownDeliveries).map((delivery) => row(site.now(), delivery))
        }
      </div>`,
  };
}

function row(now: Date, delivery: DeliveryRecord): Html {
  const { id, guid, at, redelivery, response, durationMs } = delivery;
  return html`<div class="item delivery">
    ${outcomeIcon(delivery)}<strong>${eventName(delivery)}</strong>
    <a class="mono grow" href="/settings/deliveries/${id}">${guid}</a
    >${redelivery && html`<span class="badge">redelivery</span>`}
    <span class="muted small">${response.status} in ${Math.round(durationMs)} ms</span
    ><span class="muted small">${ago(now, at)}</span>
  </div>`;
}

/** `/settings/deliveries/<id>`: one attempt in full, with the button that repeats it. */
export function deliveryPage({ site }: View, delivery: DeliveryRecord): Page {
  const { id, guid, at, request, response, durationMs } = delivery;
  return {
    title: `${eventName(delivery)} · Webhook deliveries`,
    content: html`<div class="subject">
        <h1>${eventName(delivery)}</h1>
        <div class="row spread">
          <span class="row"
            >${outcomeIcon(delivery)}<span class="muted"
              ><span class="mono">${guid}</span> · ${ago(site.now(), at)} · answered ${response.status}
              ${response.statusText} in ${Math.round(durationMs)} ms</span
            ></span
          >
          <form method="post" action="/settings/deliveries/${id}/redeliver"><button>Redeliver</button></form>
        </div>
      </div>
      <h2 class="heading lead">Request</h2>
      <pre class="payload lead">${Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`)}</pre>
      <pre class="payload lead">${JSON.stringify(request.payload, null, 2)}</pre>
      <h2 class="heading lead">Response</h2>
      <pre class="payload">${response.body === '' ? '(empty)' : response.body}</pre>`,
  };
}

function eventName({ event, action }: DeliveryRecord): string {
  return action === null ? event : `${event}.${action}`;
}

function outcomeIcon({ response }: DeliveryRecord): Html {
  const good = response.status >= 200 && response.status < 300;
  return html`<span class="is-${good ? 'good' : 'bad'}"
    >${icon(good ? 'check' : 'cross')}<span class="visually-hidden">${good ? 'delivered' : 'failed'}</span></span
  >`;
}
