import type { Address } from './quote.ts';
import { formatMoney } from './money.ts';

export interface Postcode {
  readonly country: string;
  readonly area: string;
  readonly remote: boolean;
}

const REMOTE_PREFIXES = new Map([
  ['DE', ['25849', '25859', '25863', '25869', '25938', '25980', '26465', '26474', '26486', '26548', '26571', '26579', '26757']],
  ['FR', ['20', '97', '98']],
  ['GB', ['HS', 'IV', 'KW', 'ZE']],
]);

/** Islands and highlands cost more; everything else is by its first two characters. */
export function parsePostcode(country: string, postcode: string): Postcode {
  const clean = postcode.replaceAll(' ', '').toUpperCase();
  if (clean === '') throw new TypeError('A postcode is needed.');
  const remote = (REMOTE_PREFIXES.get(country) ?? []).some((prefix) => clean.startsWith(prefix));
  return { country, area: clean.slice(0, 2), remote };
}

export function samePostalArea(a: Address, b: Address): boolean {
  return a.country === b.country && parsePostcode(a.country, a.postcode).area === parsePostcode(b.country, b.postcode).area;
}

function describePostcode(postcode: Postcode): string {
  return `${postcode.country}-${postcode.area}`;
}
