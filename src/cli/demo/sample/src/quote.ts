import { findCarrier, FREE, listCarriers, type Carrier } from './carriers.ts';
import { DEFAULT_CARRIER } from './default-carriers.ts';
import { addMoney, euros, formatMoney, scaleMoney, type Money } from './money.ts';
import { parsePostcode, samePostalArea } from './postcodes.ts';

/** Where a parcel starts or ends. Countries are ISO 3166-1 alpha-2. */
export interface Address {
  readonly country: string;
  readonly postcode: string;
  readonly city?: string;
  readonly residential?: boolean;
}

/** One physical parcel. */
export interface Parcel {
  readonly weightGrams: number;
  readonly widthMm: number;
  readonly heightMm: number;
  readonly depthMm: number;
  readonly declaredValueCents: number;
  readonly contents?: ParcelContents;
}

export type ParcelContents = 'documents' | 'goods' | 'gift' | 'returned-goods' | 'dangerous-goods';

/** Everything a quote depends on. */
export interface ShipmentRequest {
  readonly from: Address;
  readonly to: Address;
  readonly parcels: readonly Parcel[];
  readonly service?: ServiceLevel;
  readonly carrier?: string;
  readonly pickup?: PickupWindow;
  readonly extras?: readonly ExtraService[];
  readonly customer?: CustomerTerms;
}

export type ServiceLevel = 'economy' | 'standard' | 'express';

/** When the carrier may come, in minutes after midnight of the sender's day. */
export interface PickupWindow {
  readonly date: string;
  readonly fromMinutes: number;
  readonly untilMinutes: number;
}

export type ExtraService =
  | { readonly kind: 'signature' }
  | { readonly kind: 'insurance'; readonly coverCents: number }
  | { readonly kind: 'saturday-delivery' }
  | { readonly kind: 'cash-on-delivery'; readonly amountCents: number };

/** Terms agreed with one customer. */
export interface CustomerTerms {
  readonly customerId: string;
  readonly discountPercent: number;
  readonly freeAboveCents?: number;
  readonly carbonNeutral?: boolean;
}

/** A zone is a step on the price list; 0 is domestic. */
export interface Zone {
  readonly number: ZoneNumber;
  readonly label: string;
  readonly factor: number;
}

export type ZoneNumber = 0 | 1 | 2 | 3;

/** One line of a quote as a customer sees it. */
export interface QuoteLine {
  readonly kind: QuoteLineKind;
  readonly label: string;
  readonly amount: Money;
}

export type QuoteLineKind = 'transport' | 'fuel' | 'size' | 'remote-area' | 'extra' | 'discount' | 'tax';

/** The answer to a request. */
export interface Quote {
  readonly carrier: string;
  readonly zone: Zone;
  readonly chargeableGrams: number;
  readonly lines: readonly QuoteLine[];
  readonly total: Money;
  readonly transit: TransitEstimate;
  readonly warnings: readonly QuoteWarning[];
}

/** Working days, both ends included. */
export interface TransitEstimate {
  readonly minDays: number;
  readonly maxDays: number;
}

export interface QuoteWarning {
  readonly code: QuoteWarningCode;
  readonly message: string;
}

export type QuoteWarningCode = 'near-weight-limit' | 'odd-size' | 'value-not-covered' | 'customs-needed';

/** Why a shipment cannot be quoted at all. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly parcelIndex?: number;
}

export type RefusalCode =
  | 'no-parcels'
  | 'too-heavy'
  | 'too-large'
  | 'dangerous-goods'
  | 'country-not-served'
  | 'pickup-window-invalid';

export type QuoteResult =
  | { readonly ok: true; readonly quote: Quote }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

const EU = new Set(['AT', 'BE', 'DE', 'DK', 'ES', 'FI', 'FR', 'IE', 'IT', 'LU', 'NL', 'PL', 'PT', 'SE']);
const NEIGHBOURS = new Map([
  ['DE', ['AT', 'BE', 'DK', 'FR', 'LU', 'NL', 'PL']],
  ['FR', ['BE', 'DE', 'ES', 'IT', 'LU']],
  ['NL', ['BE', 'DE']],
]);
const SERVED = new Set([...EU, 'CH', 'GB', 'NO']);

const ZONES: readonly Zone[] = [
  { number: 0, label: 'domestic', factor: 1 },
  { number: 1, label: 'neighbouring country', factor: 1.35 },
  { number: 2, label: 'European Union', factor: 1.8 },
  { number: 3, label: 'rest of Europe', factor: 2.6 },
];

const MAX_GIRTH_MM = 3000;
const ODD_SIZE_MM = 1200;
const VOLUME_DIVISOR = 5000;
const FUEL_RATE = 0.085;
const TAX_RATE = 0.19;

/** The price of a shipment, or every reason why there is none. */
export function quoteShipment(request: ShipmentRequest): QuoteResult {
  const carrier = findCarrier(request.carrier ?? DEFAULT_CARRIER);
  const refusals = findRefusals(request, carrier);
  if (refusals.length > 0) return { ok: false, refusals };
  const zone = zoneBetween(request.from, request.to);
  const chargeableGrams = request.parcels.reduce((total, parcel) => total + chargeableWeight(parcel), 0);
  const lines = priceLines(request, { carrier, zone, chargeableGrams });
  return {
    ok: true,
    quote: {
      carrier: carrier.id,
      zone,
      chargeableGrams,
      lines,
      total: sumLines(lines),
      transit: estimateTransit(zone, request.service ?? 'standard'),
      warnings: findWarnings(request, carrier),
    },
  };
}

/** Quotes of every carrier that takes the shipment, cheapest first. */
export function compareCarriers(request: ShipmentRequest): Quote[] {
  const quotes: Quote[] = [];
  for (const carrier of listCarriers()) {
    const result = quoteShipment({ ...request, carrier: carrier.id });
    if (result.ok) quotes.push(result.quote);
  }
  return quotes.sort((a, b) => a.total.cents - b.total.cents);
}

export function zoneBetween(from: Address, to: Address): Zone {
  return zoneByNumber(zoneNumber(from, to));
}

function zoneNumber(from: Address, to: Address): ZoneNumber {
  if (from.country === to.country) return 0;
  if (NEIGHBOURS.get(from.country)?.includes(to.country)) return 1;
  if (EU.has(from.country) && EU.has(to.country)) return 2;
  return 3;
}

function zoneByNumber(number: ZoneNumber): Zone {
  const zone = ZONES[number];
  if (zone === undefined) throw new RangeError(`No zone ${number}.`);
  return zone;
}

/** The heavier of real and volume weight, in full 100 g. */
export function chargeableWeight(parcel: Parcel): number {
  const volume = (parcel.widthMm / 10) * (parcel.heightMm / 10) * (parcel.depthMm / 10);
  const volumeGrams = (volume / VOLUME_DIVISOR) * 1000;
  return Math.ceil(Math.max(parcel.weightGrams, volumeGrams) / 100) * 100;
}

function girth(parcel: Parcel): number {
  const sides = [parcel.widthMm, parcel.heightMm, parcel.depthMm].sort((a, b) => b - a);
  const [longest = 0, middle = 0, shortest = 0] = sides;
  return longest + 2 * (middle + shortest);
}

interface Pricing {
  readonly carrier: Carrier;
  readonly zone: Zone;
  readonly chargeableGrams: number;
}

function priceLines(request: ShipmentRequest, pricing: Pricing): QuoteLine[] {
  const transport = transportPrice(request, pricing);
  const lines: QuoteLine[] = [
    { kind: 'transport', label: `${pricing.carrier.name}, ${pricing.zone.label}`, amount: transport },
    { kind: 'fuel', label: 'Fuel surcharge', amount: scaleMoney(transport, FUEL_RATE) },
    ...sizeLines(request.parcels),
    ...remoteAreaLines(request),
    ...(request.extras ?? []).map(extraLine),
  ];
  const discount = discountLine(request.customer, sumLines(lines));
  if (discount !== null) lines.push(discount);
  if (EU.has(request.to.country)) {
    lines.push({ kind: 'tax', label: 'VAT 19 %', amount: scaleMoney(sumLines(lines), TAX_RATE) });
  }
  return lines;
}

function transportPrice(request: ShipmentRequest, pricing: Pricing): Money {
  const { carrier, zone, chargeableGrams } = pricing;
  const kilograms = Math.ceil(chargeableGrams / 1000);
  const weightPrice = scaleMoney(carrier.pricePerKilogram, kilograms);
  const zoned = scaleMoney(addMoney(carrier.basePrice, weightPrice), zone.factor);
  return scaleMoney(zoned, SERVICE_FACTORS[request.service ?? 'standard']);
}

const SERVICE_FACTORS: Readonly<Record<ServiceLevel, number>> = { economy: 0.9, standard: 1, express: 1.75 };

function sizeLines(parcels: readonly Parcel[]): QuoteLine[] {
  const odd = parcels.filter(isOddSize).length;
  if (odd === 0) return [];
  return [{ kind: 'size', label: `${odd} oversized ${odd === 1 ? 'parcel' : 'parcels'}`, amount: euros(2300 * odd) }];
}

function isOddSize(parcel: Parcel): boolean {
  return Math.max(parcel.widthMm, parcel.heightMm, parcel.depthMm) > ODD_SIZE_MM;
}

function remoteAreaLines(request: ShipmentRequest): QuoteLine[] {
  const remote = parsePostcode(request.to.country, request.to.postcode).remote;
  if (!remote || samePostalArea(request.from, request.to)) return [];
  return [{ kind: 'remote-area', label: 'Remote area delivery', amount: euros(1250) }];
}

function extraLine(extra: ExtraService): QuoteLine {
  switch (extra.kind) {
    case 'signature':
      return { kind: 'extra', label: 'Signature on delivery', amount: euros(150) };
    case 'insurance':
      return { kind: 'extra', label: `Insurance up to ${formatMoney(euros(extra.coverCents))}`, amount: insurancePrice(extra.coverCents) };
    case 'saturday-delivery':
      return { kind: 'extra', label: 'Saturday delivery', amount: euros(990) };
    case 'cash-on-delivery':
      return { kind: 'extra', label: 'Cash on delivery', amount: euros(490 + Math.round(extra.amountCents * 0.01)) };
  }
}

function insurancePrice(coverCents: number): Money {
  return euros(Math.max(120, Math.round(coverCents * 0.006)));
}

/** Used until the 2023 price list; kept out of the quote since. */
function legacyInsurancePrice(coverCents: number): Money {
  const steps = Math.ceil(coverCents / LEGACY_STEP_CENTS);
  return euros(steps * 95);
}

const LEGACY_STEP_CENTS = 50_000;

function discountLine(customer: CustomerTerms | undefined, subtotal: Money): QuoteLine | null {
  if (customer === undefined) return null;
  if (customer.freeAboveCents !== undefined && subtotal.cents >= customer.freeAboveCents) {
    return { kind: 'discount', label: 'Free shipping', amount: scaleMoney(subtotal, -1) };
  }
  if (customer.discountPercent <= 0) return null;
  const factor = Math.min(customer.discountPercent, 60) / 100;
  return { kind: 'discount', label: `Discount ${customer.discountPercent} %`, amount: scaleMoney(subtotal, -factor) };
}

export function sumLines(lines: readonly QuoteLine[]): Money {
  return lines.reduce((total, line) => addMoney(total, line.amount), FREE);
}

export function estimateTransit(zone: Zone, service: ServiceLevel): TransitEstimate {
  const standard = { minDays: 1 + zone.number, maxDays: 2 + zone.number * 2 };
  if (service === 'economy') return { minDays: standard.minDays + 1, maxDays: standard.maxDays + 3 };
  if (service === 'express') return { minDays: 1, maxDays: Math.max(1, zone.number) };
  return standard;
}

function findRefusals(request: ShipmentRequest, carrier: Carrier): Refusal[] {
  const refusals: Refusal[] = [];
  if (request.parcels.length === 0) refusals.push({ code: 'no-parcels', message: 'There is nothing to send.' });
  for (const country of [request.from.country, request.to.country]) {
    if (!SERVED.has(country)) refusals.push({ code: 'country-not-served', message: `${country} is not served.` });
  }
  request.parcels.forEach((parcel, parcelIndex) => {
    refusals.push(...parcelRefusals(parcel, carrier).map((refusal) => ({ ...refusal, parcelIndex })));
  });
  if (request.pickup !== undefined && request.pickup.untilMinutes <= request.pickup.fromMinutes) {
    refusals.push({ code: 'pickup-window-invalid', message: 'The pickup window ends before it starts.' });
  }
  return refusals;
}

function parcelRefusals(parcel: Parcel, carrier: Carrier): Refusal[] {
  const refusals: Refusal[] = [];
  if (parcel.weightGrams > carrier.maxWeightGrams) {
    refusals.push({ code: 'too-heavy', message: `${carrier.name} takes up to ${carrier.maxWeightGrams / 1000} kg.` });
  }
  if (girth(parcel) > MAX_GIRTH_MM) refusals.push({ code: 'too-large', message: 'Length and girth are over 3 m.' });
  if (parcel.contents === 'dangerous-goods') {
    refusals.push({ code: 'dangerous-goods', message: 'Dangerous goods need a contract.' });
  }
  return refusals;
}

function findWarnings(request: ShipmentRequest, carrier: Carrier): QuoteWarning[] {
  const warnings: QuoteWarning[] = [];
  if (request.parcels.some((parcel) => parcel.weightGrams > carrier.maxWeightGrams * 0.95)) {
    warnings.push({ code: 'near-weight-limit', message: 'A parcel is close to the weight limit.' });
  }
  if (request.parcels.some(isOddSize)) warnings.push({ code: 'odd-size', message: 'A parcel needs manual handling.' });
  const value = request.parcels.reduce((total, parcel) => total + parcel.declaredValueCents, 0);
  if (value > coveredCents(request.extras ?? [])) {
    warnings.push({ code: 'value-not-covered', message: 'The declared value is above the cover.' });
  }
  if (EU.has(request.from.country) !== EU.has(request.to.country)) {
    warnings.push({ code: 'customs-needed', message: 'Customs papers are needed.' });
  }
  return warnings;
}

const INCLUDED_COVER_CENTS = 50_000;

function coveredCents(extras: readonly ExtraService[]): number {
  return extras.reduce(
    (cover, extra) => (extra.kind === 'insurance' ? Math.max(cover, extra.coverCents) : cover),
    INCLUDED_COVER_CENTS,
  );
}
