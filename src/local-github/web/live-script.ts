/**
 * The only client script: keeps an open page current.
 *
 * Parts marked `data-live` are replaced by the server's newer ones, but never one that holds the focus, selected text
 * or something typed. Pop-ups and `<details>` stay as the reader left them.
 */
export const liveScript = `
const seen = new Map();
const shown = (part) => [...part.querySelectorAll('details')];
const busy = (part) =>
  part.matches(':has(:focus-visible)') ||
  part.contains(getSelection().isCollapsed ? null : getSelection().anchorNode) ||
  shown(part).some((details) => details.matches('.pop[open]')) ||
  [...part.querySelectorAll('textarea, input[type=text]')].some((field) => field.value !== field.defaultValue);

async function renew() {
  const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (!next || next.outerHTML === (seen.get(part.id) ?? '') || busy(part)) continue;
    seen.set(part.id, next.outerHTML);
    if (next.outerHTML === part.outerHTML) continue;
    const open = new Map(shown(part).map((details) => [key(details), details.open]));
    const adopted = document.adoptNode(next);
    for (const details of shown(adopted)) details.open = open.get(key(details)) ?? details.open;
    part.replaceWith(adopted);
  }
}

function key(details) {
  const owner = details.closest('[id]')?.id;
  const alike = [...(details.closest('[id]')?.querySelectorAll('details') ?? [])];
  return owner + '/' + alike.indexOf(details);
}

async function keepCurrent() {
  if (!document.hidden) await renew().catch(() => {});
  setTimeout(keepCurrent, 1500);
}
if (document.querySelector('[data-live]')) setTimeout(keepCurrent, 1500);
`;
