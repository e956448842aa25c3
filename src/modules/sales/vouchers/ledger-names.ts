import { DomainError } from '../../../platform/errors/domain-error.js';
import type { DescribedField } from '../../../platform/validation/described-field.js';
import { readFields } from '../../../platform/validation/readers.js';
import { readLine } from '../../../platform/validation/texts.js';

interface LedgerField extends DescribedField {
  /** The name until another one is set. */
  standard: string;
  /** The group of Tally in which the file creates the ledger. Absent for a ledger that Tally itself has. */
  group?: string;
}

const SHARED = { maxLength: 90, isRequired: true } as const;
const [SALES, TAXES, BANKS, CASH] = ['Sales Accounts', 'Duties & Taxes', 'Bank Accounts', 'Cash'];

/** The ledgers of vouchers, besides those of clients. Form, settings and vouchers follow from this list. */
export const LEDGER_FIELDS = {
  sales: {
    ...SHARED,
    label: 'Sales with tax',
    hint: '“{rate}” stands for the GST rate: one ledger for each rate',
    standard: 'Sales {rate}%',
    group: SALES,
  },
  exempt: { ...SHARED, label: 'Sales without tax', standard: 'Sales exempt', group: SALES },
  lateCredits: { ...SHARED, label: 'Commercial notes', standard: 'Credits without tax', group: SALES },
  cgst: { ...SHARED, label: 'CGST', standard: 'CGST', group: TAXES },
  sgst: { ...SHARED, label: 'SGST or UTGST', standard: 'SGST', group: TAXES },
  igst: { ...SHARED, label: 'IGST', standard: 'IGST', group: TAXES },
  gateway: { ...SHARED, label: 'Payment gateway', standard: 'Payment gateway', group: BANKS },
  bank: { ...SHARED, label: 'Bank', standard: 'Bank', group: BANKS },
  cash: {
    ...SHARED,
    label: 'Cash',
    hint: 'For payments of orders by “Cash”. Tally has this ledger from the start',
    standard: CASH,
    group: undefined,
  },
  tds: { ...SHARED, label: 'TDS', standard: 'TDS receivable', group: 'Current Assets' },
  adjustments: {
    ...SHARED,
    label: 'Corrections of wallets',
    standard: 'Wallet corrections',
    group: 'Indirect Expenses',
  },
} as const satisfies Record<string, LedgerField>;

export type LedgerName = keyof typeof LEDGER_FIELDS;

export type LedgerNames = Record<LedgerName, string>;

export const LEDGER_NAMES = Object.keys(LEDGER_FIELDS) as LedgerName[];

const namesFrom = (nameOf: (name: LedgerName) => string) =>
  Object.fromEntries(LEDGER_NAMES.map((name) => [name, nameOf(name)])) as LedgerNames;

export const STANDARD_NAMES = namesFrom((name) => LEDGER_FIELDS[name].standard);

const RATE = '{rate}';

export const salesLedgerName = ({ sales }: LedgerNames, rate: number) => sales.replace(RATE, String(rate));

/** Tally has ledgers or groups with these names from the start. */
const TAKEN = [
  'Profit & Loss A/c',
  'Cash-in-Hand',
  ...LEDGER_NAMES.flatMap((name) => LEDGER_FIELDS[name].group ?? []),
];

/** Tally compares names without capitals, spaces and punctuation. */
const keyOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Parses stored names: a line such as "bank: HDFC 0123" for each that differs from the standard. */
export function parseLedgerNames(stored: string): LedgerNames {
  const lines = new Map(stored.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]));
  return namesFrom((name) => lines.get(name) ?? STANDARD_NAMES[name]);
}

export function formatLedgerNames(names: LedgerNames): string {
  const changed = LEDGER_NAMES.filter((name) => names[name] !== STANDARD_NAMES[name]);
  return changed.map((name) => `${name}: ${names[name]}`).join('\n');
}

/** The names after a change. Refuses names that Tally cannot take, and names that would merge two ledgers. */
export function readLedgerNames(change: Partial<LedgerNames>, was: LedgerNames): LedgerNames {
  const texts = { ...was, ...change };
  const readers = LEDGER_NAMES.map((name) => [name, () => readName(name, texts[name])]);
  const names = readFields(Object.fromEntries(readers) as Record<LedgerName, () => string>);
  const twins = LEDGER_NAMES.filter((name) => LEDGER_NAMES.some((other) => isMerged(names, name, other)));
  if (twins.length === 0) return names;
  const message = `Two ledgers would be one: ${twins.map((name) => LEDGER_FIELDS[name].label).join(', ')}.`;
  const errors = twins.map((field) => ({ field, code: 'invalid_value' as const, message }));
  throw new DomainError('invalid_value', message, { errors });
}

function readName(name: LedgerName, text: string): string {
  const { label, maxLength } = LEDGER_FIELDS[name];
  const line = readLine(`ledger “${label}”`, text, maxLength);
  const fault = nameFault(name, line);
  if (fault) throw new DomainError('invalid_value', `The ledger “${label}” ${fault}.`);
  return line;
}

function nameFault(name: LedgerName, line: string): string | undefined {
  if (!/\p{L}/u.test(line.replace(RATE, ''))) return 'must have a letter';
  if (line.split(RATE).length > (name === 'sales' ? 2 : 1))
    return `must not have ${RATE}, which sales with tax may have once`;
  const taken = name === 'cash' ? TAKEN : [...TAKEN, CASH];
  if (taken.some((one) => keyOf(one) === keyOf(line))) return `must not be ${line}: Tally has that already`;
  return /\(\d+\)$/.test(line) ? 'must not end as the ledger of a client, such as “(7)”' : undefined;
}

/** Whether Tally takes two names for the same. The ledger of sales has a name for each rate. */
function isMerged(names: LedgerNames, name: LedgerName, other: LedgerName): boolean {
  if (name === other) return false;
  const [key, otherKey] = [keyOf(names[name]), keyOf(names[other])];
  return key === otherKey || isOfRate(names, name, otherKey) || isOfRate(names, other, key);
}

function isOfRate({ sales }: LedgerNames, name: LedgerName, key: string): boolean {
  const [before, after] = sales.split(RATE).map(keyOf);
  if (name !== 'sales' || after === undefined || !key.startsWith(before!) || !key.endsWith(after))
    return false;
  return /^\d+$/.test(key.slice(before!.length, key.length - after.length));
}
