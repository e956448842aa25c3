import { Inject, Injectable } from '@nestjs/common';
import { actorOf } from '../../audit/actor-of.js';
import { AuditLog } from '../../audit/audit-log.js';
import { type ClientPerson, requireRole } from '../../../platform/access/signed-in-person.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { monthAt } from '../../../platform/time/time.js';
import { InvoicingService } from '../../invoices/invoicing.service.js';
import { LAW_TIME_ZONE } from '../../invoices/rules/law-time-zone.js';
import { isServed, servedFault } from '../../../platform/validation/countries.js';
import { isPincode, PINCODE_FAULT, readPincode } from '../../../platform/validation/pin-codes.js';
import { lineFault, readOptionalLine } from '../../../platform/validation/texts.js';
import { Parcel } from '../entities/after-sale.entity.js';
import { OrderCorrection, Order, type OrderKey } from '../entities/order.entity.js';
import { illegalTransition, notChangeable } from '../order-errors.js';
import {
  correctionRefusal,
  formatOrderStatus,
  invoicedRefusal,
  type OrderStatus,
  redirectRefusal,
} from '../rules/order-transitions.js';
import { isPhone, PHONE_FAULT } from '../rules/phone.js';
import {
  DELIVERY_NAMES,
  type DeliveryName,
  ORDER_FIELDS,
  type ShortName,
  shortName,
} from '../rules/order-fields.js';
import { checkShippedAt, type Shipment, type TrackingException } from '../rules/shipment.js';
import { LifecycleRepository, refuseRepetition, trackingNumbersOf } from './lifecycle.repository.js';
import type { ChangeCheck } from './order-lifecycle.service.js';
import { requireUniqueTracking } from './shared-tracking.repository.js';

/** The recipient, the delivery address, and the phone number for the courier. */
type Delivery = Pick<Order, DeliveryName>;

/** Fields that are left out stay unchanged; `null` clears an optional one. */
export type ShipmentCorrection = Partial<Omit<Shipment, 'shippedAt'>> & { shippedAt?: Date };

/** Without a number, the newest parcel is corrected. */
interface CorrectionOptions extends TrackingException {
  parcel?: number | undefined;
  check?: ChangeCheck | undefined;
}

type CorrectionValues = ShipmentCorrection | Partial<Delivery>;

/** The actor in the history, for a change by the API. */
const STORE = 'store';

/** Corrects fields of an order without changing its status. Old and new values are kept. */
@Injectable()
export class OrderCorrectionsService {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
    private readonly audit: AuditLog,
    private readonly invoicing: InvoicingService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Corrects courier, tracking or time of a parcel; without a number, of the newest one. */
  correctShipment(
    key: OrderKey,
    changes: ShipmentCorrection,
    actor: string,
    options: CorrectionOptions = {},
  ): Promise<void> {
    return this.database.transaction((transaction) =>
      this.correctShipmentWithin(transaction, key, changes, actor, options),
    );
  }

  /** Refuses what `shipment` would refuse, and changes nothing. */
  dryRun(
    key: OrderKey,
    changes: ShipmentCorrection,
    actor: string,
    options: CorrectionOptions,
  ): Promise<void> {
    return this.database.dryRun((transaction) =>
      this.correctShipmentWithin(transaction, key, changes, actor, options),
    );
  }

  async correctShipmentWithin(
    transaction: Transaction,
    key: OrderKey,
    changes: ShipmentCorrection,
    actor: string,
    { parcel: number, check, sharedWithOrders }: CorrectionOptions,
  ): Promise<void> {
    const [order] = await this.orders.lockAll(transaction, [key]);
    await check?.(transaction);
    checkShippedAt(changes.shippedAt ?? null, order!.placedAt, this.settings.timeZone);
    const { clientId, orderNumber } = order!;
    const parcels = await transaction.manager.find(Parcel, {
      where: { clientId, orderNumber },
      order: { parcel: 'ASC' },
    });
    const parcel = number === undefined ? parcels.at(-1) : parcels.find((one) => one.parcel === number);
    if (!parcel) throw illegalTransition(orderNumber, noParcel(order!.status, number));
    await this.refuseFiledMonth(transaction, parcel, changes.shippedAt);
    const changed = await recordCorrection(transaction, parcel, changes, actor, {
      names: correctionNames(parcels, parcel),
    });
    if (changed.length === 0) return;
    const values = Object.fromEntries(
      changed.map((field) => [field, changes[field as keyof typeof changes]]),
    );
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
      const { trackingNumber = null } = changes;
      await requireUniqueTracking(transaction, [{ clientId, orderNumber, trackingNumber, sharedWithOrders }]);
    }
    const all = parcels.map((one) => (one === parcel ? { ...one, ...values } : one));
    // The order has a copy of its newest parcel.
    await transaction.manager.update(
      Order,
      { clientId, orderNumber },
      { ...(parcel === parcels.at(-1) && values), trackingNumbers: trackingNumbersOf(all) },
    );
  }

  /** Within a filed month the day may change: its return has the invoice. */
  private async refuseFiledMonth(transaction: Transaction, parcel: Parcel, shippedAt?: Date): Promise<void> {
    if (shippedAt && monthAt(shippedAt, LAW_TIME_ZONE) !== monthAt(parcel.shippedAt, LAW_TIME_ZONE))
      await this.invoicing.refuseFiledMonth(transaction, parcel, shippedAt);
  }

  /** Corrects recipient and address until the order is shipped. Another recipient needs a reason. */
  correctDelivery(
    key: OrderKey,
    changes: Partial<Delivery>,
    actor: string,
    reasonText: string | undefined,
    check?: ChangeCheck,
  ): Promise<void> {
    const reason = readOptionalLine('reason', reasonText, 200) ?? null;
    return this.database.transaction(async (transaction) => {
      const order = await this.lockUnshipped(transaction, key);
      await check?.(transaction);
      const checked = checkRedirection(changes, order, reason, this.settings.servedCountries);
      const changed = await recordDelivery(transaction, order, checked, actor, reason);
      const details = { changed: changed.join(', '), ...(reason !== null && { reason }) };
      const entry = { ...redirectionEntry(order), details, clientId: order.clientId, actor };
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
    changes: Partial<Delivery>,
    reviewedCorrections: number,
  ): Promise<void> {
    requireRole(person, 'buyer');
    const key = { clientId: person.clientId, orderNumber };
    await this.database.transaction(async (transaction) => {
      const order = await this.lockUnpacked(transaction, key);
      if ((await transaction.manager.countBy(OrderCorrection, key)) !== reviewedCorrections)
        throw new DomainError('conflict', CHANGED_MEANWHILE);
      const checked = checkDelivery(changes, order, this.settings.servedCountries);
      const changed = await recordDelivery(transaction, order, checked, actorOf(person));
      const details = { changed: changed.join(', ') };
      if (changed.length > 0)
        await this.audit.recordWithin(transaction, { ...redirectionEntry(order), details, person });
    });
  }

  /** The same for its store, which sends the whole delivery. */
  deliveryByStore(key: OrderKey, delivery: Delivery): Promise<Order> {
    return this.database.transaction(async (transaction) => {
      const order = await this.lockUnpacked(transaction, key);
      const checked = checkDelivery(delivery, order, this.settings.servedCountries);
      const changed = await recordDelivery(transaction, order, checked, STORE);
      const details = { changed: changed.join(', ') };
      const entry = { ...redirectionEntry(order), details, clientId: order.clientId, actor: STORE };
      if (changed.length > 0) await this.audit.recordWithin(transaction, entry);
      return { ...order, ...checked };
    });
  }

  private async lockUnpacked(transaction: Transaction, key: OrderKey): Promise<Order> {
    const order = await this.lock(transaction, key);
    const preparedParcel = await this.preparedParcel(transaction, key);
    const refused = redirectRefusal({ ...order, preparedParcel });
    if (refused !== undefined) throw notChangeable(order, refused);
    return order;
  }

  private async lockUnshipped(transaction: Transaction, key: OrderKey): Promise<Order> {
    const order = await this.lock(transaction, key);
    const preparedParcel = await this.preparedParcel(transaction, key);
    const refused = correctionRefusal(order.status) ?? invoicedRefusal(preparedParcel);
    if (refused !== undefined) throw illegalTransition(order.orderNumber, refused);
    return order;
  }

  private async preparedParcel(transaction: Transaction, key: OrderKey): Promise<number | null> {
    const [prepared] = (await this.orders.preparedOf(transaction, [key])).values();
    return prepared?.parcel ?? null;
  }

  private async lock(transaction: Transaction, key: OrderKey): Promise<Order> {
    const [locked] = await this.orders.lockAll(transaction, [key]);
    const { clientId, orderNumber } = locked!;
    return transaction.manager.findOneByOrFail(Order, { clientId, orderNumber });
  }
}

type Field = keyof Shipment | keyof Delivery;

type Values<Name extends Field> = Partial<Record<Name, string | Date | null>>;

/** The given fields that differ. */
export function changedFields<Name extends Field>(now: Values<NoInfer<Name>>, changes: Values<Name>): Name[] {
  return (Object.keys(changes) as Name[]).filter(
    (field) =>
      changes[field] !== undefined && formatField(changes[field]) !== formatField(now[field] ?? null),
  );
}

/** Records the values that differ, and returns their fields. */
async function recordCorrection(
  { manager }: Transaction,
  now: OrderKey & Values<Field>,
  changes: CorrectionValues,
  actor: string,
  { reason = null, names = FIELD_NAMES }: { reason?: string | null; names?: Record<Field, string> },
): Promise<Field[]> {
  const changed = changedFields(now, changes);
  if (changed.length === 0) return [];
  const { clientId, orderNumber } = now;
  const formatFields = (from: Values<Field>) =>
    Object.fromEntries(changed.map((field) => [names[field], formatField(from[field] ?? null)]));
  await manager.insert(OrderCorrection, {
    clientId,
    orderNumber,
    actor,
    before: formatFields(now),
    after: formatFields(changes),
    reason,
  });
  return changed;
}

/** Returns the names of the changed fields. */
async function recordDelivery(
  transaction: Transaction,
  order: Order,
  changes: Partial<Delivery>,
  actor: string,
  reason: string | null = null,
): Promise<string[]> {
  const changed = await recordCorrection(transaction, order, changes, actor, { reason });
  const { clientId, orderNumber } = order;
  const values = Object.fromEntries(changed.map((field) => [field, changes[field as keyof Delivery]]));
  if (changed.length > 0) await transaction.manager.update(Order, { clientId, orderNumber }, values);
  return changed.map((field) => FIELD_NAMES[field]);
}

/** Names the parcel, if the order has several. */
function correctionNames(parcels: Parcel[], { parcel }: Parcel): Record<Field, string> {
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

const redirectionEntry = ({ orderNumber }: Order) =>
  ({ action: 'order.redirected', subject: `order ${orderNumber}` }) as const;

/**
 * Checks the texts like those of a new order. The PIN code must fit the country after the change. Older
 * orders may have a phone number or a country that would be refused now.
 */
function checkDelivery(
  changes: Partial<Delivery>,
  order: Delivery,
  served: readonly string[],
): Partial<Delivery> {
  const fields = DELIVERY_NAMES.filter((field) => changes[field] !== undefined);
  const checked: Partial<Delivery> = Object.fromEntries(
    fields.map((field) => [field, changes[field]!.trim()]),
  );
  const faults = new Map<keyof Delivery, string>();
  const { shippingPincode, shippingCountry } = { ...order, ...checked };
  const { customerPhone, shippingCountry: country } = changedValues(order, checked);
  if (checked.shippingPincode !== undefined)
    checked.shippingPincode = readPincode(shippingPincode, shippingCountry);
  if (!isPincode(checked.shippingPincode ?? shippingPincode, shippingCountry))
    faults.set('shippingPincode', PINCODE_FAULT);
  if (customerPhone !== undefined && !isPhone(customerPhone, shippingCountry))
    faults.set('customerPhone', PHONE_FAULT);
  if (country !== undefined && !isServed(country, served)) faults.set('shippingCountry', servedFault(served));
  for (const field of fields) {
    const fault = lineFault(checked[field]!, ORDER_FIELDS[field].maxLength);
    if (fault !== undefined) faults.set(field, fault);
  }
  if (faults.size > 0) throw wrongDelivery([...faults]);
  return checked;
}

function changedValues(order: Delivery, checked: Partial<Delivery>): Partial<Delivery> {
  return Object.fromEntries(changedFields(order, checked).map((field) => [field, checked[field]]));
}

/** Checks a change that the client did not make itself. */
export function checkRedirection(
  changes: Partial<Delivery>,
  order: Delivery,
  reason: string | null,
  served: readonly string[],
): Partial<Delivery> {
  const checked = checkDelivery(changes, order, served);
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
    .map(([field, fault]) => `The ${inSentence(ORDER_FIELDS[field].label)} ${fault}.`)
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

function formatField(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}
