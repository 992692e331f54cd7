import { euros, type Money } from './money.ts';

export interface Carrier {
  readonly id: string;
  readonly name: string;
  readonly maxWeightGrams: number;
  readonly basePrice: Money;
  readonly pricePerKilogram: Money;
}

const carriers = new Map<string, Carrier>();

export function registerCarrier(carrier: Carrier): void {
  if (carriers.has(carrier.id)) throw new Error(`A carrier ${carrier.id} is registered already.`);
  carriers.set(carrier.id, carrier);
}

export function findCarrier(id: string): Carrier {
  const carrier = carriers.get(id);
  if (carrier === undefined) throw new Error(`No carrier ${id}; known: ${[...carriers.keys()].join(', ')}.`);
  return carrier;
}

export function listCarriers(): Carrier[] {
  return [...carriers.values()];
}

export const FREE: Money = euros(0);
