import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chargeableWeight, compareCarriers, estimateTransit, quoteShipment, zoneBetween } from '../src/quote.ts';
import type { Address, Parcel, Quote, ShipmentRequest } from '../src/quote.ts';

const berlin: Address = { country: 'DE', postcode: '10115', city: 'Berlin' };
const paris: Address = { country: 'FR', postcode: '75001', city: 'Paris' };
const bergen: Address = { country: 'NO', postcode: '5003', city: 'Bergen' };
const book: Parcel = { weightGrams: 1200, widthMm: 200, heightMm: 60, depthMm: 300, declaredValueCents: 2500 };

function quoteOf(request: Partial<ShipmentRequest> = {}): Quote {
  const result = quoteShipment({ from: berlin, to: paris, parcels: [book], ...request });
  assert.ok(result.ok, JSON.stringify(result));
  return result.quote;
}

describe('zones', () => {
  it('are domestic, neighbouring, European, and the rest', () => {
    assert.equal(zoneBetween(berlin, berlin).number, 0);
    assert.equal(zoneBetween(berlin, paris).number, 1);
    assert.equal(zoneBetween(berlin, { country: 'IT', postcode: '00118' }).number, 2);
    assert.equal(zoneBetween(berlin, bergen).number, 3);
  });
});

describe('weight', () => {
  it('is the heavier of scale and volume, in full 100 g', () => {
    assert.equal(chargeableWeight(book), 1200);
    assert.equal(chargeableWeight({ ...book, heightMm: 400 }), 4800);
    assert.equal(chargeableWeight({ ...book, weightGrams: 1201 }), 1300);
  });
});

describe('a quote', () => {
  it('adds transport, fuel and tax', () => {
    const quote = quoteOf();
    assert.deepEqual(
      quote.lines.map((line) => [line.kind, line.amount.cents]),
      [
        ['transport', 756],
        ['fuel', 64],
        ['tax', 156],
      ],
    );
    assert.equal(quote.total.cents, 976);
  });

  it('charges services, sizes and remote areas', () => {
    const express = quoteOf({ service: 'express' });
    assert.ok(express.total.cents > quoteOf().total.cents);
    const long = quoteOf({ parcels: [{ ...book, depthMm: 1300 }] });
    assert.ok(long.lines.some((line) => line.kind === 'size'));
    assert.deepEqual(long.warnings.map((warning) => warning.code), ['odd-size']);
    const corsica = quoteOf({ to: { country: 'FR', postcode: '20000' } });
    assert.ok(corsica.lines.some((line) => line.kind === 'remote-area'));
  });

  it('prices extras and discounts', () => {
    const extras = [{ kind: 'signature' }, { kind: 'insurance', coverCents: 100_000 }, { kind: 'cash-on-delivery', amountCents: 5000 }] as const;
    const quote = quoteOf({ extras, customer: { customerId: 'c1', discountPercent: 10 } });
    assert.deepEqual(
      quote.lines.filter((line) => line.kind === 'extra').map((line) => line.amount.cents),
      [150, 600, 540],
    );
    assert.ok(quote.lines.some((line) => line.kind === 'discount' && line.amount.cents < 0));
    const free = quoteOf({ customer: { customerId: 'c2', discountPercent: 0, freeAboveCents: 1 } });
    assert.equal(free.total.cents, 0);
  });

  it('warns of customs and of values without cover', () => {
    const quote = quoteOf({ to: bergen, parcels: [{ ...book, declaredValueCents: 90_000 }] });
    assert.deepEqual(quote.warnings.map((warning) => warning.code), ['value-not-covered', 'customs-needed']);
    assert.ok(!quote.lines.some((line) => line.kind === 'tax'));
  });

  it('is refused with every reason at once', () => {
    const result = quoteShipment({
      from: berlin,
      to: { country: 'US', postcode: '10001' },
      parcels: [{ ...book, weightGrams: 90_000, contents: 'dangerous-goods' }],
      pickup: { date: '2026-03-02', fromMinutes: 600, untilMinutes: 540 },
    });
    assert.ok(!result.ok);
    assert.deepEqual(result.refusals.map((refusal) => refusal.code), [
      'country-not-served',
      'too-heavy',
      'dangerous-goods',
      'pickup-window-invalid',
    ]);
  });

  it('is compared over carriers, cheapest first', () => {
    assert.deepEqual(
      compareCarriers({ from: berlin, to: paris, parcels: [book] }).map((quote) => quote.carrier),
      ['post', 'swift'],
    );
  });
});

describe('transit', () => {
  it('grows with the zone and shrinks with the service', () => {
    const zone = zoneBetween(berlin, bergen);
    assert.deepEqual(estimateTransit(zone, 'standard'), { minDays: 4, maxDays: 8 });
    assert.deepEqual(estimateTransit(zone, 'express'), { minDays: 1, maxDays: 3 });
    assert.deepEqual(estimateTransit(zone, 'economy'), { minDays: 5, maxDays: 11 });
  });
});
