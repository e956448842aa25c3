/** Who has done something to an order, as far as its client is told. */
export type DeedBy =
  { by: 'store' | 'service' | 'auto-pay' | 'gateway' | 'wholesaler' } | { by: 'person'; email: string };

const PERSON = /^person \d+ \((.+)\)$/;

const OWN = { store: 'store', system: 'service', 'auto-pay': 'auto-pay', gateway: 'gateway' } as const;

/** Who works for the wholesaler is the wholesaler's business. */
export function deedBy(actor: string): DeedBy {
  const email = PERSON.exec(actor)?.[1];
  if (email !== undefined) return { by: 'person', email };
  return { by: Object.hasOwn(OWN, actor) ? OWN[actor as keyof typeof OWN] : 'wholesaler' };
}
