/** Cents of one currency; amounts are integers everywhere. */
export interface Money {
  readonly cents: number;
  readonly currency: Currency;
}

export type Currency = 'EUR' | 'GBP' | 'CHF';

export function euros(cents: number): Money {
  return { cents, currency: 'EUR' };
}

export function addMoney(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new RangeError(`Cannot add ${b.currency} to ${a.currency}.`);
  return { cents: a.cents + b.cents, currency: a.currency };
}

export function scaleMoney(amount: Money, factor: number): Money {
  return { cents: Math.round(amount.cents * factor), currency: amount.currency };
}

export function formatMoney(amount: Money): string {
  const sign = amount.cents < 0 ? '-' : '';
  const cents = Math.abs(amount.cents);
  return `${sign}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} ${amount.currency}`;
}
