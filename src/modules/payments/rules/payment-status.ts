import type { PaymentConcern, GatewayPaymentStatus } from '../../orders/entities/payment.entity.js';

export type { PaymentConcern as Concern, GatewayPaymentStatus as PaymentStatus };

export const PAYMENT_STATUSES: readonly GatewayPaymentStatus[] = [
  'opening',
  'open',
  'paid',
  'given_up',
  'failed',
];

/** An order with a payment in one of these statuses cannot be paid again. */
export const UNDERWAY = ['opening', 'open'] as const satisfies GatewayPaymentStatus[];

export function isUnderway(status: GatewayPaymentStatus): boolean {
  return UNDERWAY.some((underway) => underway === status);
}

/** The reason why a person must look at a payment or a refund. */
export const CONCERNS: Record<PaymentConcern, string> = {
  amount_differs: 'the gateway took a different amount than requested; it was not credited',
  payment_reused:
    'the gateway reported a payment that is already credited to another one; it was not credited',
  paid_twice: 'the client paid it more than once; each time it was credited to the wallet',
  refunded_elsewhere: 'the gateway sent back money that was not refunded here',
  never_captured: 'the money was authorized, but not captured for days',
  no_answer: 'the gateway has not answered for days',
  other_gateway: 'it was opened at a gateway that is no longer set up',
};

/** The concern in words. */
export function describeConcern(concern: PaymentConcern | null): string | null {
  return concern && CONCERNS[concern];
}

export const TRANSFER_STATUSES = ['announced', 'confirmed', 'refused', 'withdrawn'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];
