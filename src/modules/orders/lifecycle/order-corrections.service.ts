import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../../platform/access/signed-in-person.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { isServed, servedFault } from '../../../platform/validation/countries.js';
import { lineFault, readOptionalLine } from '../../../platform/validation/texts.js';
import { Parcel } from '../entities/after-sale.entity.js';
import { OrderCorrection, Order, type OrderKey } from '../entities/order.entity.js';
import { illegalTransition } from '../order-errors.js';
import {
  correctionRefusal,
  formatOrderStatus,
  type OrderStatus,
  redirectRefusal,
} from '../rules/order-transitions.js';
import { isPhone, PHONE_FAULT } from '../rules/phone.js';
import { isPincode, PINCODE_FAULT, readPincode } from '../rules/pincode.js';
import {
  DELIVERY_NAMES,
  type DeliveryName,
  SENT_FIELDS,
  type ShortName,
  shortName,
} from '../rules/order-fields.js';
import { checkShippedAt, type Shipment, type SharesTracking } from '../rules/shipment.js';
import { LifecycleRepository, refuseRepetition, trackingNumbersOf } from './lifecycle.repository.js';
import type { Check } from './order-lifecycle.service.js';
import { refuseSharedTracking } from './shared-tracking.repository.js';

/** The recipient, the delivery address, and the phone number for the courier. */
type Delivery = Pick<Order, DeliveryName>;

/** Fields that are left out stay unchanged; `null` clears an optional one. */
export type CorrectedShipment = Partial<Omit<Shipment, 'shippedAt'>> & { shippedAt?: Date };

/** Without a number, the newest parcel is corrected. */
interface CorrectionOptions extends SharesTracking {
  parcel?: number | undefined;
  check?: Check | undefined;
}

type Corrected = CorrectedShipment | Partial<Delivery>;

/** Corrects fields of an order without changing its status. Old and new values are kept. */
@Injectable()
export class OrderCorrectionsService {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Corrects courier, tracking or time of a parcel; without a number, of the newest one. */
  shipment(
    key: OrderKey,
    given: CorrectedShipment,
    actor: string,
    options: CorrectionOptions = {},
  ): Promise<void> {
    return this.database.transaction((transaction) =>
      this.shipmentWithin(transaction, key, given, actor, options),
    );
  }

  /** Refuses what `shipment` would refuse, and changes nothing. */
  rehearse(
    key: OrderKey,
    given: CorrectedShipment,
    actor: string,
    options: CorrectionOptions,
  ): Promise<void> {
    return this.database.rehearse((transaction) =>
      this.shipmentWithin(transaction, key, given, actor, options),
    );
  }

  async shipmentWithin(
    transaction: Transaction,
    key: OrderKey,
    given: CorrectedShipment,
    actor: string,
    { parcel: number, check, sharesWith }: CorrectionOptions,
  ): Promise<void> {
    const [order] = await this.orders.lockAll(transaction, [key]);
    await check?.(transaction);
    checkShippedAt(given.shippedAt ?? null, order!.placedAt, this.settings.timeZone);
    const { clientId, orderNumber } = order!;
    const parcels = await transaction.manager.find(Parcel, {
      where: { clientId, orderNumber },
      order: { parcel: 'ASC' },
    });
    const parcel = number === undefined ? parcels.at(-1) : parcels.find((one) => one.parcel === number);
    if (!parcel) throw illegalTransition(orderNumber, noParcel(order!.status, number));
    const changed = await write(transaction, parcel, given, actor, { names: numberedIf(parcels, parcel) });
    if (changed.length === 0) return;
    const values = Object.fromEntries(changed.map((field) => [field, given[field as keyof typeof given]]));
    await this.audit.recordWithin(transaction, {
      clientId,
      actor,
      action: 'order.corrected',
      subject: `order ${orderNumber}`,
      details: { changed: changed.map((field) => FIELD_NAMES[field]).join(', '), parcel: parcel.parcel },
    });
    await transaction.manager
      .update(Parcel, { clientId, orderNumber, parcel: parcel.parcel }, values)
      .catch(refuseRepetition);
    if (changed.includes('trackingNumber')) {
      const { trackingNumber = null } = given;
      await refuseSharedTracking(transaction, [{ clientId, orderNumber, trackingNumber, sharesWith }]);
    }
    const all = parcels.map((one) => (one === parcel ? { ...one, ...values } : one));
    // The order has a copy of its newest parcel.
    await transaction.manager.update(
      Order,
      { clientId, orderNumber },
      { ...(parcel === parcels.at(-1) && values), trackingNumbers: trackingNumbersOf(all) },
    );
  }

  /** Corrects recipient and address until the order is shipped. Another recipient needs a reason. */
  delivery(
    key: OrderKey,
    given: Partial<Delivery>,
    actor: string,
    givenReason: string | undefined,
    check?: Check,
  ): Promise<void> {
    const reason = readOptionalLine('reason', givenReason, 200) ?? null;
    return this.database.transaction(async (transaction) => {
      const order = await this.lockUnshipped(transaction, key);
      await check?.(transaction);
      const checked = checkRedirection(given, order, reason, this.settings.servedCountries);
      const changed = await writeDelivery(transaction, order, checked, actor, reason);
      const details = { changed: changed.join(', '), ...(reason !== null && { reason }) };
      const entry = { ...redirected(order), details, clientId: order.clientId, actor };
      if (changed.length > 0) await this.audit.recordWithin(transaction, entry);
    });
  }

  /**
   * The same for a person of its client, until the order is on a packing list. The person reviewed this many
   * corrections; after a new one the page must be read again.
   */
  async deliveryByClient(
    person: ClientPerson,
    orderNumber: string,
    given: Partial<Delivery>,
    correctionsSeen: number,
  ): Promise<void> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, orderNumber };
    await this.database.transaction(async (transaction) => {
      const order = await this.lockUnshipped(transaction, key);
      const refused = redirectRefusal(order);
      if (refused !== undefined) throw illegalTransition(orderNumber, refused);
      if ((await transaction.manager.countBy(OrderCorrection, key)) !== correctionsSeen)
        throw new DomainError('conflict', CHANGED_MEANWHILE);
      const checked = checkDelivery(given, order, this.settings.servedCountries);
      const changed = await writeDelivery(transaction, order, checked, actorOf(person));
      const details = { changed: changed.join(', ') };
      if (changed.length > 0)
        await this.audit.recordWithin(transaction, { ...redirected(order), details, person });
    });
  }

  private async lockUnshipped(transaction: Transaction, key: OrderKey): Promise<Order> {
    const [locked] = await this.orders.lockAll(transaction, [key]);
    const { clientId, orderNumber, status } = locked!;
    const refused = correctionRefusal(status);
    if (refused !== undefined) throw illegalTransition(orderNumber, refused);
    return transaction.manager.findOneByOrFail(Order, { clientId, orderNumber });
  }
}

type Field = keyof Shipment | keyof Delivery;

type Values<Name extends Field> = Partial<Record<Name, string | Date | null>>;

/** The given fields that differ. */
export function changedFields<Name extends Field>(now: Values<NoInfer<Name>>, given: Values<Name>): Name[] {
  return (Object.keys(given) as Name[]).filter(
    (field) => given[field] !== undefined && shownField(given[field]) !== shownField(now[field] ?? null),
  );
}

/** Records the values that differ, and returns their fields. */
async function write(
  { manager }: Transaction,
  now: OrderKey & Values<Field>,
  given: Corrected,
  actor: string,
  { reason = null, names = FIELD_NAMES }: { reason?: string | null; names?: Record<Field, string> },
): Promise<Field[]> {
  const changed = changedFields(now, given);
  if (changed.length === 0) return [];
  const { clientId, orderNumber } = now;
  const told = (from: Values<Field>) =>
    Object.fromEntries(changed.map((field) => [names[field], shownField(from[field] ?? null)]));
  await manager.insert(OrderCorrection, {
    clientId,
    orderNumber,
    actor,
    before: told(now),
    after: told(given),
    reason,
  });
  return changed;
}

/** Returns the names of the changed fields. */
async function writeDelivery(
  transaction: Transaction,
  order: Order,
  given: Partial<Delivery>,
  actor: string,
  reason: string | null = null,
): Promise<string[]> {
  const changed = await write(transaction, order, given, actor, { reason });
  const { clientId, orderNumber } = order;
  const values = Object.fromEntries(changed.map((field) => [field, given[field as keyof Delivery]]));
  if (changed.length > 0) await transaction.manager.update(Order, { clientId, orderNumber }, values);
  return changed.map((field) => FIELD_NAMES[field]);
}

/** Names the parcel, if the order has several. */
function numberedIf(parcels: Parcel[], { parcel }: Parcel): Record<Field, string> {
  if (parcels.length === 1) return FIELD_NAMES;
  const names = Object.entries(FIELD_NAMES).map(([field, name]) => [field, `parcel_${parcel}_${name}`]);
  return Object.fromEntries(names) as Record<Field, string>;
}

function noParcel(status: OrderStatus, number: number | undefined): string {
  return number === undefined
    ? `An order that is ${formatOrderStatus(status)} has no shipment to correct.`
    : `The order has no parcel ${number}.`;
}

const CHANGED_MEANWHILE =
  'The delivery was changed after you opened this form: the history of the order shows how. Save again to ' +
  'replace it.';

const redirected = ({ orderNumber }: Order) =>
  ({ action: 'order.redirected', subject: `order ${orderNumber}` }) as const;

/**
 * Checks the texts like those of a new order. The PIN code must fit the country after the change. Older
 * orders may have a phone number or a country that would be refused now.
 */
function checkDelivery(
  given: Partial<Delivery>,
  order: Delivery,
  served: readonly string[],
): Partial<Delivery> {
  const fields = DELIVERY_NAMES.filter((field) => given[field] !== undefined);
  const checked: Partial<Delivery> = Object.fromEntries(fields.map((field) => [field, given[field]!.trim()]));
  const faults = new Map<keyof Delivery, string>();
  const { shippingPincode, shippingCountry } = { ...order, ...checked };
  const { customerPhone, shippingCountry: country } = changedOf(order, checked);
  if (checked.shippingPincode !== undefined)
    checked.shippingPincode = readPincode(shippingPincode, shippingCountry);
  if (!isPincode(checked.shippingPincode ?? shippingPincode, shippingCountry))
    faults.set('shippingPincode', PINCODE_FAULT);
  if (customerPhone !== undefined && !isPhone(customerPhone, shippingCountry))
    faults.set('customerPhone', PHONE_FAULT);
  if (country !== undefined && !isServed(country, served)) faults.set('shippingCountry', servedFault(served));
  for (const field of fields) {
    const fault = lineFault(checked[field]!, SENT_FIELDS[field].longest);
    if (fault !== undefined) faults.set(field, fault);
  }
  if (faults.size > 0) throw wrongDelivery([...faults]);
  return checked;
}

function changedOf(order: Delivery, checked: Partial<Delivery>): Partial<Delivery> {
  return Object.fromEntries(changedFields(order, checked).map((field) => [field, checked[field]]));
}

/** Checks a change that the client did not make itself. */
export function checkRedirection(
  given: Partial<Delivery>,
  order: Delivery,
  reason: string | null,
  served: readonly string[],
): Partial<Delivery> {
  const checked = checkDelivery(given, order, served);
  if (reason === null && changedFields(order, { customerName: checked.customerName }).length > 0)
    throw new DomainError('invalid_value', 'Another recipient needs a reason.', {
      errors: [{ field: 'reason', code: 'required', message: 'is needed for another recipient' }],
    });
  return checked;
}

/** "Phone" becomes "phone", "PIN code" stays. */
const inSentence = (label: string) => label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

function wrongDelivery(faults: [keyof Delivery, string][]): DomainError {
  const message = faults
    .map(([field, fault]) => `The ${inSentence(SENT_FIELDS[field].label)} ${fault}.`)
    .join(' ');
  const errors = faults.map(([field, fault]) => ({
    field: FIELD_NAMES[field],
    code: 'invalid',
    message: fault,
  }));
  return new DomainError('invalid_value', message, { errors });
}

const SHORT_NAMES = Object.fromEntries(DELIVERY_NAMES.map((name) => [name, shortName(name)])) as {
  [Name in DeliveryName]: ShortName<Name>;
};

const FIELD_NAMES = {
  courier: 'courier',
  trackingNumber: 'tracking_number',
  trackingUrl: 'tracking_url',
  shippedAt: 'shipped_at',
  ...SHORT_NAMES,
} as const satisfies Record<keyof Shipment | keyof Delivery, string>;

/** Fields that are left out stay unchanged. */
export type NamedDelivery = Partial<Record<(typeof FIELD_NAMES)[keyof Delivery], string>>;

export function deliveryOf(named: NamedDelivery): Partial<Delivery> {
  return Object.fromEntries(DELIVERY_NAMES.map((field) => [field, named[FIELD_NAMES[field]]]));
}

function shownField(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}
