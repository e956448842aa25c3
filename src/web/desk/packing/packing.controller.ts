import { randomUUID } from 'node:crypto';
import { Get, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { LAYOUT_NAMES } from '../../../shared/pdf/layouts.js';
import { PastedParcelsService } from '../../../modules/fulfilment/parcels/pasted-parcels.service.js';
import { packGoods } from '../../../modules/fulfilment/packing/pack-goods.js';
import { PackingLinesRepository } from '../../../modules/fulfilment/packing/packing-lines.repository.js';
import { PackingService } from '../../../modules/fulfilment/packing/packing.service.js';
import { deliver } from '../../../modules/orders/actions/deliver.js';
import {
  type DeskOrderPage,
  OrderDeskService,
  requireOrderNumber,
} from '../../../modules/orders/records/order-desk.service.js';
import { isNumberOf } from '../../../modules/orders/rules/order-number.js';
import { submitForm, redirectWithWarning, readTexts, textIn } from '../../../shared/ui/forms.js';
import {
  type NoticeContent,
  type Page,
  type Reply,
  type SeeOther,
  seeOther,
  withQuery,
} from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { countOf } from '../../../platform/formats.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import { parseWholeNumber } from '../../../platform/validation/whole-numbers.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { fileResponse, PDF } from '../../../platform/http/file-response.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { codeIn } from '../code-form.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { ORDERS, PACKING, packingPath, packPath } from '../paths.js';
import {
  deliverManyPage,
  dropPage,
  inPasteWords,
  isChecked,
  PACKING_LISTS,
  packingListPage,
  packingPage,
  SHARING,
  shipManyPage,
} from './packing-pages.js';
import { goodsPage, packPage } from './pick-pages.js';

/** Reasons in a notice, which a cookie carries. */
const MAX_REASONS = 3;

const NOTHING_TYPED = { courier: '', orders: '', sharing: '', oldSlips: false };

const readShipping = readTexts('courier', 'orders', 'step', 'checked', 'sharing', 'old_slips');

/** Packing lists, and shipping many orders at once. No page here has an amount. */
@DeskPages('packing')
export class PackingController {
  constructor(
    private readonly packing: PackingService,
    private readonly lines: PackingLinesRepository,
    private readonly pasted: PastedParcelsService,
    private readonly orders: OrderDeskService,
  ) {}

  @Get()
  lists(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    return this.listsPage(fields, randomUUID());
  }

  @PostForm()
  make(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const { orders, key } = readTexts('orders', 'key')(fields);
    const make = async () => {
      const options = { limit: readCount(orders), key: key || randomUUID() };
      const made = await this.packing.make(actorOf(me), options);
      if (!made)
        return seeOther(PACKING, { kind: 'info', text: 'No paid order waits now. No list was made.' });
      return seeOther(packingPath(made.id), `Packing list ${made.id} is made. Print its slips.`);
    };
    return submitForm(make, () => this.listsPage({}, key));
  }

  /** Runs an action on the selected orders of a list. */
  @PostForm('chosen')
  async runBulkAction(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const numbers = [...new Set([fields.order ?? []].flat())];
    if (numbers.length === 0) return seeOther(ORDERS, { kind: 'info', text: 'Choose some orders first.' });
    switch (textIn(fields, 'action')) {
      case 'ship':
        return shipManyPage({
          ...NOTHING_TYPED,
          orders: numbers.join('\n'),
          // Packers see no order that was never paid.
          chosen: (await this.orders.findMany(numbers)).filter(({ paidAt }) => paidAt !== null),
        });
      case 'deliver':
        return this.deliverMany(numbers, me, textIn(fields, 'step') === 'confirm');
      case 'list':
        return this.makeOf(numbers, me);
      default:
        throw new DomainError('malformed_request', 'The form must name what to do with the orders.');
    }
  }

  @Get('ship')
  askMany(): Page {
    return shipManyPage(NOTHING_TYPED);
  }

  /** First checks the lines, then ships them. */
  @PostForm('ship')
  shipMany(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const form = readShipping(fields);
    const { courier, orders, step, sharing, checked } = form;
    const typed = { courier, orders, sharing, oldSlips: form.old_slips === 'yes' };
    const ship = async () => {
      const dryRun = !(step === 'ship' && isChecked({ ...typed, checked }));
      const accepted = { force: sharing === SHARING, oldSlips: typed.oldSlips };
      const options = { dryRun, actor: actorOf(me), ...accepted, formatMessage: inPasteWords };
      return shipManyPage({ ...typed, outcome: await this.pasted.ship(orders, courier.trim(), options) });
    };
    return submitForm(ship, () => shipManyPage(typed));
  }

  /** With a code: the order that it names, or the orders that need the goods. */
  @Get(':id')
  async show(@DeskPageRequest() { id, fields }: DeskPageRequest): Promise<Reply> {
    const list = await this.packing.find(id);
    const orders = await this.packing.ordersOf(id);
    const code = codeIn(fields);
    if (code === undefined) return packingListPage({ list, orders });
    const named = orders.filter((one) => isNumberOf(one.order_number, code) || one.store_order_id === code);
    if (named.length === 1) return seeOther(packPath(id, named[0]!.order_number));
    if (named.length > 1) return packingListPage({ list, orders: named, code });
    const needing = await this.lines.findOrdersNeeding(id, code);
    if (needing.length === 1) return seeOther(withQuery(packPath(id, needing[0]!), { code }));
    const matching = orders.filter((one) => needing.includes(one.order_number));
    return packingListPage({ list, orders: matching, code });
  }

  @Get(':id/goods')
  async goods(@DeskPageRequest() { id }: DeskPageRequest): Promise<Page> {
    await this.packing.find(id);
    return goodsPage(id, await this.lines.goodsOf(id));
  }

  /** The address has the contents of the parcel, so scanning needs no form and no script. */
  @Get(':id/orders/:number')
  async pack(@DeskPageRequest() { id, number, fields }: DeskPageRequest<'number'>): Promise<Reply> {
    const order = await this.orders.orderPage(number);
    if (order.packingList !== id || order.status !== 'pending')
      return seeOther(packingPath(id), notToPack(order, id));
    const goods = await this.lines.goodsOf(id, order.orderNumber);
    const scan = { scanned: textIn(fields, 'code').trim(), ticked: textIn(fields, 'tick') };
    const { goods: rows, ...state } = packGoods(goods, textIn(fields, 'in'), scan);
    return packPage({ list: id, order, goods: rows, ...state, courier: await this.lines.courierOf(id) });
  }

  @Get(':id/slips.pdf')
  async slips(@DeskPageRequest() { owner, id, fields }: DeskPageRequest): Promise<StreamableFile> {
    const layout = LAYOUT_NAMES.find((name) => name === fields.layout) ?? 'page';
    const order = fields.order === undefined ? undefined : requireOrderNumber(textIn(fields, 'order'));
    const { content } = await this.packing.printSlips(await this.packing.find(id), owner, layout, order);
    const name = ['packing-list', id, ...(order ? [order] : []), ...(layout === 'page' ? [] : [layout])];
    return fileResponse(owner, `${name.join('-')}.pdf`, PDF, content);
  }

  @Get(':id/list.csv')
  async file(@DeskPageRequest() { owner, id }: DeskPageRequest): Promise<StreamableFile> {
    await this.packing.find(id);
    const { columns, rows } = this.packing.exportList(id);
    return csvResponse(owner, `packing-list-${id}`, columns, rows);
  }

  @Get(':id/drop')
  async askDrop(@DeskPageRequest() { id }: DeskPageRequest): Promise<Page> {
    return dropPage(await this.packing.find(id));
  }

  @PostForm(':id/drop')
  drop(@DeskPageRequest() { me, id }: DeskPageRequest): Promise<SeeOther> {
    return redirectWithWarning(packingPath(id), ['conflict'], async () => {
      const { freed } = await this.packing.drop(id, actorOf(me));
      return `Packing list ${id} is dropped. Free for the next list: ${freed}.`;
    });
  }

  private async makeOf(numbers: string[], me: DeskPerson): Promise<SeeOther> {
    const made = await this.packing.make(actorOf(me), { numbers });
    if (!made)
      return seeOther(ORDERS, {
        kind: 'info',
        text: 'No list was made: these orders are on a list already, or have left.',
      });
    const others = numbers.length - made.orders;
    const why =
      others === 0 ? '' : ` ${countOf(others, 'order is', 'orders are')} on a list already, or left.`;
    return seeOther(packingPath(made.id), `Packing list ${made.id} is made.${why}`);
  }

  /** The review checks the same rule as the action. */
  private async deliverMany(numbers: string[], me: DeskPerson, isConfirmed: boolean): Promise<Reply> {
    const refused: Record<string, string> = {};
    const done: DeskOrderPage[] = [];
    for (const number of numbers)
      try {
        const order = await this.orders.orderPage(number);
        if (isConfirmed) await this.orders.act(number, actorOf(me), deliver.change({}));
        else this.orders.previewChange(order, deliver.change({}));
        done.push(order);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refused[number] = error.message;
      }
    if (!isConfirmed) return deliverManyPage(done, refused);
    const summary = `${countOf(done.length, 'delivery is', 'deliveries are')} recorded.`;
    const reasons = Object.entries(refused).map(([number, why]) => `${number}: ${why}`);
    const more =
      reasons.length > MAX_REASONS ? [`${countOf(reasons.length, 'order was', 'orders were')} refused.`] : [];
    return seeOther(withQuery(ORDERS, { status: 'shipped' }), {
      kind: reasons.length === 0 ? 'accent' : 'warn',
      text: [summary, ...reasons.slice(0, MAX_REASONS), ...more].join(' '),
    });
  }

  private async listsPage(fields: FormFields, key: string): Promise<Page> {
    const query = PACKING_LISTS.read(fields);
    const [waiting, found] = await Promise.all([
      this.packing.waiting(),
      PACKING_LISTS.find((limit) => this.packing.newest(query.mark, limit)),
    ]);
    return packingPage({ waiting, query, found, key });
  }
}

function notToPack({ orderNumber, status, packingList }: DeskOrderPage, list: number): NoticeContent {
  const why = packingList === list ? `is ${status.replaceAll('_', ' ')}` : `is not on list ${list}`;
  return { kind: 'bad', text: `Do not pack ${orderNumber}: it ${why}.` };
}

function readCount(text: string): number {
  const count = parseWholeNumber(text, 1, 999_999);
  if (count !== undefined) return count;
  const message = 'must be a whole number above 0';
  throw validationFailed([{ field: 'orders', code: 'invalid_value', message }]);
}
