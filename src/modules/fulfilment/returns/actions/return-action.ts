import type { DeskRole } from '../../../../platform/access/access-rule.js';
import type { TimeZone } from '../../../../platform/time/time.js';
import type { NewAuditEntry } from '../../../audit/audit-log.js';
import type { OrderReturn, OrderReturnItem } from '../../../orders/entities/after-sale.entity.js';
import type { LineQuantity, LineUnits, ReceivedLine } from '../../../orders/rules/order-units.js';
import type { Acceptance, ReturnState } from '../../../orders/rules/return-request.js';
import type { PaymentStatus } from '../../../orders/rules/order-transitions.js';

/** A return before an action, with the order that its goods are of. */
export interface ReturnToDecide extends Pick<
  OrderReturn,
  'returnNumber' | 'state' | 'decision' | 'key' | 'refundOpen'
> {
  items: readonly Pick<OrderReturnItem, 'line' | 'quantity' | 'received'>[];
  order: { paymentStatus: PaymentStatus; lines: readonly LineUnits[] };
}

/** All that an action does. */
export interface ReturnEffects {
  accepts?: Acceptance;
  decides?: { state: ReturnState; decision: string | null };
  /** What arrived of each line. Restocked units are for sale again, the others are written off. */
  arrived?: readonly ReceivedLine[];
  /** The price of these units goes to the client's wallet. */
  refunds?: LineQuantity[];
  /** Whether a person must still decide about the refund. */
  refundOpen?: boolean;
  audit?: { action: `return.${string}`; details: NonNullable<NewAuditEntry['details']> };
}

/** An action with its input. `decide` is pure: it reads and writes nothing. It throws if it refuses. */
export interface ReturnChange {
  decide(facts: ReturnToDecide, zone: TimeZone): ReturnEffects;
}

/** An action of the wholesaler's people on one return. */
export interface ReturnAction<Input> {
  /** As commands and programs name it. */
  name: string;
  sentence: string;
  /** The lowest role that may do it. */
  role: DeskRole;
  /** Reads the input. Throws if a value is wrong. */
  change(input: Input): ReturnChange;
}
