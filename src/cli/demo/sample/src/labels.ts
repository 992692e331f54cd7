import type { Address, Parcel } from './quote.ts';
import { chargeableWeight } from './quote.ts';

/** The device that prints; tests replace its methods. */
export const printer = {
  name: 'stdout',
  dotsPerMm: 8,
  print(commands: readonly string[]): number {
    return commands.length;
  },
  status(): 'ready' | 'paper-out' | 'offline' {
    return 'ready';
  },
};

/** Whatever `printer` is: other devices are written against it. */
export type Printer = typeof printer;

export interface PrintJob {
  readonly id: string;
  readonly device: Printer;
  readonly labels: readonly Label[];
  readonly copies: number;
  readonly onProgress?: (progress: PrintProgress) => void;
}

export interface PrintProgress {
  readonly job: PrintJob;
  readonly printed: number;
  readonly total: number;
}

export interface PrintResult {
  readonly job: PrintJob;
  readonly commands: number;
  readonly problems: readonly PrintProblem[];
}

export interface PrintProblem {
  readonly job: PrintJob;
  readonly label: Label;
  readonly message: string;
}

/** One label for one parcel. */
export interface Label {
  readonly from: Address;
  readonly to: Address;
  readonly parcel: Parcel;
  readonly reference: string;
  readonly layout: LabelLayout;
}

export interface LabelLayout {
  readonly widthMm: number;
  readonly heightMm: number;
  readonly marginMm: number;
  readonly device: Printer;
}

export interface LabelField {
  readonly kind: 'text' | 'barcode' | 'box';
  readonly xMm: number;
  readonly yMm: number;
  readonly heightMm: number;
  readonly content: string;
  readonly layout: LabelLayout;
}

export interface LabelSheet {
  readonly fields: readonly LabelField[];
  readonly label: Label;
  readonly job: PrintJob | null;
}

const A6: LabelLayout = { widthMm: 105, heightMm: 148, marginMm: 5, device: printer };
const SMALL: LabelLayout = { widthMm: 100, heightMm: 62, marginMm: 3, device: printer };
const MAX_COPIES = 20;

/** Small parcels get the small label. */
export function chooseLayout(parcel: Parcel): LabelLayout {
  const small = parcel.widthMm < A6.widthMm || parcel.depthMm < A6.heightMm;
  return small ? SMALL : A6;
}

export function makeLabel(reference: string, ends: { from: Address; to: Address }, parcel: Parcel): Label {
  if (!/^[A-Z0-9-]{4,24}$/.test(reference)) throw new TypeError(`Not a reference: ${reference}`);
  return { ...ends, parcel, reference, layout: chooseLayout(parcel) };
}

/** Where everything goes on one label. */
export function layOut(label: Label, job: PrintJob | null = null): LabelSheet {
  const fields = [...addressFields(label), ...weightFields(label), barcodeField(label), frameField(label)];
  return { fields, label, job };
}

function addressFields(label: Label): LabelField[] {
  const { layout } = label;
  const left = layout.marginMm;
  const sender = oneLine(label.from);
  const receiver = addressLines(label.to);
  return [
    textField({ xMm: left, yMm: layout.marginMm, heightMm: 2, content: sender }, layout),
    ...receiver.map((content, index) =>
      textField({ xMm: left, yMm: layout.marginMm + 8 + index * 6, heightMm: 5, content }, layout),
    ),
  ];
}

function oneLine(address: Address): string {
  return addressLines(address).join(', ');
}

function addressLines(address: Address): string[] {
  const place = [address.postcode, address.city].filter((part) => part !== undefined).join(' ');
  return [place, address.country];
}

function weightFields(label: Label): LabelField[] {
  const { layout, parcel } = label;
  const grams = chargeableWeight(parcel);
  const content = `${(grams / 1000).toFixed(1)} kg`;
  const yMm = layout.heightMm - layout.marginMm - 24;
  return [textField({ xMm: layout.marginMm, yMm, heightMm: 4, content }, layout)];
}

function barcodeField(label: Label): LabelField {
  const { layout } = label;
  return {
    kind: 'barcode',
    xMm: layout.marginMm,
    yMm: layout.heightMm - layout.marginMm - 18,
    heightMm: 15,
    content: withCheckDigit(label.reference),
    layout,
  };
}

function frameField(label: Label): LabelField {
  const { layout } = label;
  return { kind: 'box', xMm: 0, yMm: 0, heightMm: layout.heightMm, content: `${layout.widthMm}`, layout };
}

interface Placed {
  readonly xMm: number;
  readonly yMm: number;
  readonly heightMm: number;
  readonly content: string;
}

function textField(placed: Placed, layout: LabelLayout): LabelField {
  return { kind: 'text', ...placed, content: printable(placed.content), layout };
}

/** Label printers know Latin-1 only. */
function printable(text: string): string {
  return [...text].map((char) => ((char.codePointAt(0) ?? 0) < 256 ? char : '?')).join('');
}

/** Weighted sum modulo 11; 10 is written as X. */
export function withCheckDigit(reference: string): string {
  const sum = [...reference].reduce((total, char, index) => total + valueOf(char) * (index + 2), 0);
  const digit = sum % 11;
  return `${reference}${digit === 10 ? 'X' : digit}`;
}

function valueOf(char: string): number {
  if (char === '-') return 0;
  return Number.parseInt(char, 36);
}

/** Printer commands of one sheet, in dots. */
export function toCommands(sheet: LabelSheet): string[] {
  const { layout } = sheet.label;
  const dots = (mm: number): number => Math.round(mm * layout.device.dotsPerMm);
  const commands = [`SIZE ${dots(layout.widthMm)} ${dots(layout.heightMm)}`];
  for (const field of sheet.fields) {
    const at = `${dots(field.xMm)} ${dots(field.yMm)} ${dots(field.heightMm)}`;
    commands.push(`${field.kind.toUpperCase()} ${at} ${JSON.stringify(field.content)}`);
  }
  commands.push('CUT');
  return commands;
}

/** Prints every label as often as asked; a label that cannot be printed does not stop the others. */
export function runJob(job: PrintJob): PrintResult {
  if (job.copies < 1 || job.copies > MAX_COPIES) throw new RangeError(`Copies must be 1 to ${MAX_COPIES}.`);
  const problems: PrintProblem[] = [];
  let commands = 0;
  job.labels.forEach((label, index) => {
    const status = job.device.status();
    if (status !== 'ready') {
      problems.push({ job, label, message: `The printer ${job.device.name} is ${status}.` });
    } else {
      for (let copy = 0; copy < job.copies; copy += 1) commands += job.device.print(toCommands(layOut(label, job)));
    }
    job.onProgress?.({ job, printed: index + 1, total: job.labels.length });
  });
  return { job, commands, problems };
}

export function makeJob(id: string, labels: readonly Label[], copies = 1): PrintJob {
  return { id, device: printer, labels, copies };
}

/** What went wrong, for a person. */
export function describeResult(result: PrintResult): string {
  const count = result.job.labels.length * result.job.copies;
  if (result.problems.length === 0) return `${count} labels printed on ${result.job.device.name}.`;
  const messages = [...new Set(result.problems.map((problem) => problem.message))];
  return `${result.problems.length} labels were not printed: ${messages.join(' ')}`;
}
