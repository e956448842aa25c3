import type { Need, OrderChange, OrderFacts } from './order-action.js';

/** What each need reads. */
const FACTS = {
  lines: 'lines',
  parcels: 'parcels',
  refunds: 'refunds',
  prepared: 'prepared',
  slip: 'isSlipOld',
  payment: 'recordedPayment',
  delivery: 'deliverTo',
  invoices: 'hasInvoices',
} as const satisfies Record<Need, keyof OrderFacts>;

type NeededFact = (typeof FACTS)[Need];

const NONE: Pick<OrderFacts, NeededFact> = {
  lines: [],
  parcels: [],
  refunds: [],
  prepared: null,
  isSlipOld: false,
  recordedPayment: null,
  deliverTo: null,
  hasInvoices: false,
};

/**
 * An order as an action may read it: what is not known is empty. An action that reads what it does not name
 * in its needs would decide by nothing, so it throws.
 */
export function factsFor(
  { needs }: Pick<OrderChange, 'needs'>,
  known: Omit<OrderFacts, NeededFact> & Partial<OrderFacts>,
): OrderFacts {
  const facts = { ...NONE, ...known };
  for (const [need, fact] of Object.entries(FACTS) as [Need, NeededFact][])
    if (!needs.includes(need)) Object.defineProperty(facts, fact, { get: () => refuse(need, fact) });
  return facts;
}

function refuse(need: Need, fact: string): never {
  throw new Error(`An action reads "${fact}", and does not name "${need}" in its needs.`);
}
