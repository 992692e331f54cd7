import { registerCarrier } from './carriers.ts';
import { euros } from './money.ts';

// Whoever imports this module has these carriers.
registerCarrier({
  id: 'post',
  name: 'National Post',
  maxWeightGrams: 31_500,
  basePrice: euros(390),
  pricePerKilogram: euros(85),
});
registerCarrier({
  id: 'swift',
  name: 'Swift Express',
  maxWeightGrams: 70_000,
  basePrice: euros(890),
  pricePerKilogram: euros(140),
});

export const DEFAULT_CARRIER = 'post';
