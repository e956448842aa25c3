import type { INestApplicationContext } from '@nestjs/common';
import {
  cancel,
  changeDelivery,
  correctShipment,
  deliver,
  invoiceFirst,
  pay,
  refund,
  reissue,
  ship,
  takeBack,
  undeliver,
  unpay,
  withdraw,
} from '../../src/modules/orders/actions/order-actions.js';
import type { OrderAction, OrderChanges } from '../../src/modules/orders/actions/order-action.js';
import { OrderDeskService } from '../../src/modules/orders/records/order-desk.service.js';
import { parseLineQuantities } from '../../src/modules/orders/rules/order-units.js';

type InputOf<Action> = Action extends OrderAction<infer Input, OrderChanges> ? Input : never;
type Units = { lines?: string[]; writeOff?: string[] };

const UNDO = { withdraw, undeliver, reissue };

/** The desk of orders, with its actions as methods. Units are written as `1=2`, two of line 1. */
export function orderDesk(app: INestApplicationContext) {
  const desk = app.get(OrderDeskService, { strict: false });
  const units = (lines?: string[]) => lines && parseLineQuantities(lines);
  return Object.assign(Object.create(desk) as OrderDeskService, {
    pay: (number: string, actor: string, input: InputOf<typeof pay>) =>
      desk.act(number, actor, pay.change(input)),
    unpay: (number: string, actor: string, reason: string) =>
      desk.act(number, actor, unpay.change({ reason })),
    ship: (
      number: string,
      actor: string,
      shipment: InputOf<typeof ship>,
      lines?: string[],
      noInvoice?: string,
      confirmed: Pick<InputOf<typeof ship>, 'oldSlip' | 'withoutIrn'> = {},
    ) => desk.act(number, actor, ship.change({ ...shipment, ...confirmed, lines: units(lines), noInvoice })),
    prepare: (number: string, actor: string, lines?: string[]) =>
      desk.act(number, actor, invoiceFirst.change({ lines: units(lines) })),
    deliver: (number: string, actor: string, parcel?: number) =>
      desk.act(number, actor, deliver.change({ parcel })),
    undo: (
      number: string,
      actor: string,
      { action, ...input }: { action: keyof typeof UNDO } & InputOf<typeof withdraw>,
    ) => desk.act(number, actor, UNDO[action].change(input)),
    cancel: (
      number: string,
      actor: string,
      { lines, writeOff, ...input }: Units & Omit<InputOf<typeof cancel>, 'lines' | 'writtenOff'>,
    ) =>
      desk.act(number, actor, cancel.change({ ...input, lines: units(lines), writtenOff: units(writeOff) })),
    refund: async (
      number: string,
      actor: string,
      { lines, ...input }: Units & Omit<InputOf<typeof refund>, 'lines'>,
    ) => desk.act(number, actor, refund.change({ ...input, lines: units(lines) })),
    correct: (number: string, actor: string, changes: InputOf<typeof correctShipment>, parcel?: number) =>
      desk.act(number, actor, correctShipment.change({ ...changes, parcel })),
    redirect: (number: string, actor: string, { reason, ...changes }: InputOf<typeof changeDelivery>) =>
      desk.act(number, actor, changeDelivery.change({ ...changes, reason })),
    takeBack: (number: string, actor: string, input: InputOf<typeof takeBack>) =>
      desk.act(number, actor, takeBack.change(input)),
  });
}

export type OrderDesk = ReturnType<typeof orderDesk>;
