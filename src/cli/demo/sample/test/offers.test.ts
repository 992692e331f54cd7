import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createArchive, defaultOptions, draftOffer, projectOffer, renderOffer } from '../src/offers.ts';
import { installInsurance } from '../src/plugins/insurance.ts';
import type { Quote } from '../src/quote.ts';

const quote: Quote = {
  carrier: 'post',
  zone: { number: 1, label: 'neighbouring country', factor: 1.35 },
  chargeableGrams: 1200,
  lines: [
    { kind: 'transport', label: 'National Post, neighbouring country', amount: { cents: 756, currency: 'EUR' } },
    { kind: 'tax', label: 'VAT 19 %', amount: { cents: 144, currency: 'EUR' } },
  ],
  total: { cents: 900, currency: 'EUR' },
  transit: { minDays: 2, maxDays: 4 },
  warnings: [],
};
const options = defaultOptions('2026-04-01');

it('renders title, delivery, details and total in the asked width', () => {
  const text = renderOffer(draftOffer(quote, options));
  assert.match(text, /^Shipping offer post\n=+\n/);
  assert.match(text, /2-4 working days/);
  assert.match(text, /\* Total +9\.00 EUR/);
  assert.match(text, /of which net +7\.56 EUR/);
  assert.ok(text.split('\n').every((line) => line.length <= 48));
});

it('speaks the language of the customer', () => {
  assert.match(renderOffer(draftOffer(quote, { ...options, language: 'de' })), /Versandangebot/);
});

it('takes rows from plugins', () => {
  installInsurance();
  const text = renderOffer(draftOffer(quote, { ...options, extras: { insuredCents: 50_000, note: 'Thank you' } }));
  assert.match(text, /Insured \(post\) +500\.00 EUR/);
  assert.match(text, /Thank you\n$/);
});

it('keeps what was offered', () => {
  const written: string[] = [];
  const archive = createArchive([{ accepts: (wanted) => wanted.language === 'en', write: (_document, text) => written.push(text) }]);
  archive.add(draftOffer(quote, options));
  archive.add(draftOffer(quote, { ...options, language: 'fr' }));
  assert.equal(archive.kept.length, 2);
  assert.equal(written.length, 1);
  assert.ok(archive.find('Shipping offer post'));
});

it('projects prices', () => {
  assert.match(renderOffer(projectOffer(quote, 1.1, options)), /9\.90 EUR/);
});
