/**
 * `opening`: the gateway is being asked, nobody can pay yet. `open`: whoever was sent there can. `given_up`: the client wants to pay in
 * another way; should the money come all the same, it is taken. `failed`: the gateway would not open it.
 */
export const PAYMENT_STATUSES = ['opening', 'open', 'paid', 'given_up', 'failed'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** While one of these is about an order, nobody is to pay it a second time. */
export const UNDERWAY = ['opening', 'open'] as const satisfies PaymentStatus[];

export function isUnderway(status: PaymentStatus): boolean {
  return UNDERWAY.some((underway) => underway === status);
}

/** Why a person must look at a payment or a refund. */
export const CONCERNS = {
  amount_differs: 'the gateway took another amount than it was asked for; it was not credited',
  refunded_elsewhere: 'the gateway has sent money back that it was not asked for here',
  never_captured: 'the money was authorized, but not captured for days',
  no_answer: 'the gateway could not be asked for days',
  other_gateway: 'it was opened at a gateway that is not the one that is set up',
} as const;
export type Concern = keyof typeof CONCERNS;

/** In words, for whoever has to look. */
export function describeConcern(concern: Concern | null): string | null {
  return concern && CONCERNS[concern];
}
