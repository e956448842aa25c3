import type { ComponentChildren } from 'preact';
import { actorOf } from '../../../modules/audit/actor-of.js';
import type { CourierReportsService } from '../../../modules/fulfilment/parcels/courier-reports.service.js';
import type { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import type { OrderReturnsService } from '../../../modules/fulfilment/returns/order-returns.service.js';
import type { OrderEffects, OrderChanges } from '../../../modules/orders/actions/order-action.js';
import {
  type DeskOrderPage,
  type OrderDeskService,
} from '../../../modules/orders/records/order-desk.service.js';
import { type OrderStatus } from '../../../modules/orders/rules/order-transitions.js';
import { type LineQuantity, type UnitAction } from '../../../modules/orders/rules/order-units.js';
import type { Funds } from '../../../modules/wallet/wallet.service.js';
import { Field } from '../../../shared/ui/components/controls.js';
import { countOf } from '../../../platform/formats.js';
import { textIn } from '../../../shared/ui/forms.js';
import type { DeskRole } from '../../../platform/access/access-rule.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { type Effects } from '../action.js';

/** The submitted form of an action, with the order as the page showed it. */
export interface ActionRequest {
  order: DeskOrderPage;
  fields: FormFields;
  units: LineQuantity[];
  /** Keeps a form that is posted twice from doing it twice. */
  key: string;
}

export interface ActionServices {
  orders: OrderDeskService;
  reports: CourierReportsService;
  returns: OrderReturnsService;
  /** Reads the client's wallet. */
  readFunds: () => Promise<Funds>;
  /** Parcels have invoices. */
  isTaxOn: boolean;
  eWayBills: EWayBillsService;
}

interface FieldsContext {
  /** The fields for the units. */
  units: ComponentChildren;
  parcel: number | undefined;
  /** Parcels have invoices. */
  isTaxOn: boolean;
}

/** An action on one order: a form, then a review of its effects, then the change. */
export interface OrderPageAction {
  /** The button on the order's page. */
  name: string;
  isDanger?: true;
  role: DeskRole;
  /** It credits invoiced goods. */
  credits?: true;
  isOffered(order: DeskOrderPage): boolean;
  title: string;
  lead?: string;
  /** The unit fields of the form. `all`: it starts with all units, or with those that were scanned. */
  units?: {
    what: UnitAction;
    all?: boolean;
    canBeEmpty?: (order: DeskOrderPage, fields: FormFields) => boolean;
  };
  /** Without fields there is nothing to ask. */
  fields?(order: DeskOrderPage, context: FieldsContext): ComponentChildren;
  /** Warnings that the button of the review confirms, by the names of their hidden fields. */
  confirms?(order: DeskOrderPage): Readonly<Record<string, string>> | undefined;
  /** Other warnings of the review. */
  warnings?(request: ActionRequest, services: ActionServices): Promise<readonly string[]>;
  /** The effects for the review. Throws if the action is not possible. */
  effects(request: ActionRequest, services: ActionServices): Effects | Promise<Effects>;
  /** The review runs it first and rolls it back. */
  dryRun?(request: ActionRequest, services: ActionServices, by: DeskPerson): Promise<void>;
  /** The tracking number that a parcel gets, which another order may have. */
  tracking?(request: ActionRequest): string | null;
  /** Money that is recorded by a reference, which may stand elsewhere. */
  payment?(request: ActionRequest): { reference: string; amount: Minor } | null;
  /** The text of the button. */
  button(request: ActionRequest): string;
  /** Returns the notice for the person. */
  run(request: ActionRequest, services: ActionServices, by: DeskPerson, fingerprint: string): Promise<string>;
}

/** A submitted form with the state of the order after it. */
export interface ActionPreview extends ActionRequest, Pick<ActionServices, 'readFunds' | 'isTaxOn'> {
  /** Of the last change. */
  step: OrderEffects;
  steps: OrderEffects[];
}

export interface ChangeAction extends Omit<OrderPageAction, 'effects' | 'dryRun' | 'run'> {
  change(request: ActionRequest): OrderChanges;
  effects(preview: ActionPreview): Effects | Promise<Effects>;
  /** Said when it is done. */
  done: string | ((request: ActionRequest) => string);
}

/** An action that is a change of the order. The review previews its effects. */
export const changeAction = ({ change, effects, done, ...action }: ChangeAction): OrderPageAction => ({
  ...action,
  dryRun: (request, { orders }, by) => orders.dryRun(request.order.orderNumber, change(request), actorOf(by)),
  effects: (request, services) => {
    const steps = services.orders.previewChanges(request.order, [change(request)].flat());
    return effects({ ...services, ...request, steps, step: steps.at(-1)! });
  },
  run: async (request, { orders }, by, fingerprint) => {
    await orders.change(request.order.orderNumber, change(request), actorOf(by), { fingerprint });
    return typeof done === 'string' ? done : done(request);
  },
});

export const formatUnits = (units: readonly LineQuantity[]) =>
  countOf(
    units.reduce((sum, { quantity }) => sum + quantity, 0),
    'unit',
    'units',
  );

const AFTERWARDS: Record<OrderStatus, string> = {
  awaiting_payment: 'waits for payment',
  pending: 'still has goods to ship',
  shipped: 'is shipped',
  delivered: 'is delivered',
  cancelled: 'is cancelled',
};

export const orderAfter = ({ status }: Pick<OrderEffects, 'status'>): Effects => ({
  'The order then': AFTERWARDS[status],
});

export const CLIENT_READS = 'The client can read it.';

export const ReasonField = ({ hint }: { hint: string }) => (
  <Field label="Reason" hint={hint} name="reason" maxlength={200} required />
);

export const NO_CHANGE_ERROR = new DomainError(
  'conflict',
  'Nothing is changed: these are the stored values.',
);

export function requireText(fields: FormFields, field: string): string {
  const text = textIn(fields, field).trim();
  if (text !== '') return text;
  throw new DomainError('invalid_value', `The ${field} is missing.`, {
    errors: [{ field, code: 'required', message: 'must not be empty' }],
  });
}

/** What has the tracking number or the reference too, as the review showed it, or any if it was too much. */
export function sharedIn(fields: FormFields): 'any' | string[] {
  const shared = textIn(fields, 'shared');
  return shared === 'any' ? shared : shared.split(' ').filter(Boolean);
}

export const parcelIn = (fields: FormFields) => numberIn(fields, 'parcel');

/** The goods that were scanned into the parcel. */
export const contentsIn = (fields: FormFields) => textIn(fields, 'in');

/** The packing list that the form was opened from. */
export const listIn = (fields: FormFields) => numberIn(fields, 'list');

export function numberIn(fields: FormFields, name: string): number | undefined {
  const text = textIn(fields, name);
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
