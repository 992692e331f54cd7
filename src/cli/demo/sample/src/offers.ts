import { DEFAULT_CARRIER } from './default-carriers.ts';
import { formatMoney, scaleMoney, type Money } from './money.ts';
import type { Quote, QuoteLine } from './quote.ts';

/** What a plugin may add to an offer; plugins extend it by declaration merging. */
export interface OfferExtras {
  readonly note?: string;
}

/** How one printed offer looks. */
export interface OfferOptions {
  readonly language: OfferLanguage;
  readonly width: number;
  readonly showDetails: boolean;
  readonly validUntil: string;
  readonly extras: OfferExtras;
}

export type OfferLanguage = 'en' | 'de' | 'fr';

/** An offer before it is rendered: every text decided, nothing laid out. */
export interface OfferDocument {
  readonly title: string;
  readonly sections: readonly OfferSection[];
  readonly options: OfferOptions;
}

export interface OfferSection {
  readonly heading: string;
  readonly rows: readonly OfferRow[];
  readonly options: OfferOptions;
}

export interface OfferRow {
  readonly label: string;
  readonly value: string;
  readonly emphasis: 'none' | 'strong';
  readonly source: OfferSource;
}

export interface OfferSource {
  readonly options: OfferOptions;
  readonly line: QuoteLine | null;
}

/** Adds rows of its own to an offer. */
export interface OfferPlugin {
  readonly name: string;
  readonly order: number;
  rows(quote: Quote, extras: OfferExtras): readonly OfferRow[];
}

/** Where offers go once they are rendered. */
export interface OfferSink {
  readonly accepts: (options: OfferOptions) => boolean;
  readonly write: (document: OfferDocument, text: string) => void;
}

export interface OfferArchive {
  readonly sinks: readonly OfferSink[];
  readonly kept: readonly OfferDocument[];
  readonly find: (title: string) => OfferDocument | undefined;
}

interface Words {
  readonly offer: string;
  readonly total: string;
  readonly details: string;
  readonly delivery: string;
  readonly days: string;
  readonly valid: string;
  readonly net: string;
}

const WORDS: Readonly<Record<OfferLanguage, Words>> = {
  en: {
    offer: 'Shipping offer',
    total: 'Total',
    details: 'Details',
    delivery: 'Delivery',
    days: 'working days',
    valid: 'Valid until',
    net: 'of which net',
  },
  de: {
    offer: 'Versandangebot',
    total: 'Gesamt',
    details: 'Einzelheiten',
    delivery: 'Zustellung',
    days: 'Werktage',
    valid: 'Gültig bis',
    net: 'davon netto',
  },
  fr: {
    offer: "Offre d'expédition",
    total: 'Total',
    details: 'Détails',
    delivery: 'Livraison',
    days: 'jours ouvrés',
    valid: "Valable jusqu'au",
    net: 'dont hors taxe',
  },
};

const plugins: OfferPlugin[] = [];

/** Plugins run in order; of equal order, first come first. */
export function usePlugin(plugin: OfferPlugin): void {
  if (plugins.some((known) => known.name === plugin.name)) return;
  plugins.push(plugin);
  plugins.sort((a, b) => a.order - b.order);
}

export function defaultOptions(validUntil: string): OfferOptions {
  return { language: 'en', width: 48, showDetails: true, validUntil, extras: {} };
}

/** Everything a quote says, in the words of the customer. */
export function draftOffer(quote: Quote, options: OfferOptions): OfferDocument {
  const words = WORDS[options.language];
  const sections = [deliverySection(quote, options)];
  if (options.showDetails) sections.push(detailSection(quote, options));
  const added = pluginRows(quote, options);
  if (added.length > 0) sections.push({ heading: '+', rows: added, options });
  sections.push(totalSection(quote, options));
  return { title: `${words.offer} ${quote.carrier}`, sections, options };
}

function deliverySection(quote: Quote, options: OfferOptions): OfferSection {
  const words = WORDS[options.language];
  const { minDays, maxDays } = quote.transit;
  const span = minDays === maxDays ? String(minDays) : `${minDays}-${maxDays}`;
  return {
    heading: words.delivery,
    rows: [
      plainRow(words.delivery, `${span} ${words.days}`, options),
      plainRow(words.valid, options.validUntil, options),
    ],
    options,
  };
}

function detailSection(quote: Quote, options: OfferOptions): OfferSection {
  const rows = quote.lines.map((line) => lineRow(line, options));
  return { heading: WORDS[options.language].details, rows, options };
}

function lineRow(line: QuoteLine, options: OfferOptions): OfferRow {
  return { label: line.label, value: formatMoney(line.amount), emphasis: 'none', source: { options, line } };
}

function plainRow(label: string, value: string, options: OfferOptions): OfferRow {
  return { label, value, emphasis: 'none', source: { options, line: null } };
}

function totalSection(quote: Quote, options: OfferOptions): OfferSection {
  const words = WORDS[options.language];
  return {
    heading: words.total,
    rows: [
      { ...plainRow(words.total, formatMoney(quote.total), options), emphasis: 'strong' },
      plainRow(words.net, formatMoney(netOf(quote)), options),
    ],
    options,
  };
}

/** What remains without the tax lines. */
function netOf(quote: Quote): Money {
  const tax = quote.lines.filter((line) => line.kind === 'tax').reduce((cents, line) => cents + line.amount.cents, 0);
  return { cents: quote.total.cents - tax, currency: quote.total.currency };
}

function pluginRows(quote: Quote, options: OfferOptions): OfferRow[] {
  return plugins.flatMap((plugin) => [...plugin.rows(quote, options.extras)]);
}

/** Lays an offer out in lines of `options.width` characters. */
export function renderOffer(document: OfferDocument): string {
  const { width } = document.options;
  const lines = [document.title, '='.repeat(Math.min(width, document.title.length))];
  for (const section of document.sections) {
    lines.push('', ...renderSection(section, width));
  }
  if (document.options.extras.note !== undefined) lines.push('', ...wrap(document.options.extras.note, width));
  return `${lines.join('\n')}\n`;
}

function renderSection(section: OfferSection, width: number): string[] {
  return [section.heading, ...section.rows.map((row) => renderRow(row, width))];
}

function renderRow(row: OfferRow, width: number): string {
  const mark = row.emphasis === 'strong' ? '* ' : '  ';
  const room = Math.max(1, width - mark.length - row.value.length - 1);
  const label = row.label.length > room ? `${row.label.slice(0, Math.max(0, room - 1))}…` : row.label;
  return `${mark}${label.padEnd(room)} ${row.value}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Keeps what was offered, and hands it to every sink that accepts it. */
export function createArchive(sinks: readonly OfferSink[]): OfferArchive & { add(document: OfferDocument): void } {
  const kept: OfferDocument[] = [];
  return {
    sinks,
    kept,
    find: (title) => kept.find((document) => document.title === title),
    add: (document) => {
      kept.push(document);
      const text = renderOffer(document);
      for (const sink of sinks) {
        if (sink.accepts(document.options)) sink.write(document, text);
      }
    },
  };
}

/** The same offer with every amount scaled, for a sketch of next year's prices. */
export function projectOffer(quote: Quote, factor: number, options: OfferOptions): OfferDocument {
  const lines = quote.lines.map((line) => ({ ...line, amount: scaleMoney(line.amount, factor) }));
  return draftOffer({ ...quote, lines, total: scaleMoney(quote.total, factor) }, options);
}
