import { usePlugin, type OfferPlugin } from '../offers.ts';
import { euros, formatMoney } from '../money.ts';

declare module '../offers.ts' {
  interface OfferExtras {
    readonly insuredCents?: number;
  }
}

export const insurancePlugin: OfferPlugin = {
  name: 'insurance',
  order: 10,
  rows: (quote, extras) =>
    extras.insuredCents === undefined
      ? []
      : [
          {
            label: `Insured (${quote.carrier})`,
            value: formatMoney(euros(extras.insuredCents)),
            emphasis: 'none',
            source: {
              options: { language: 'en', width: 48, showDetails: true, validUntil: '', extras },
              line: null,
            },
          },
        ],
};

export function installInsurance(): void {
  usePlugin(insurancePlugin);
}
