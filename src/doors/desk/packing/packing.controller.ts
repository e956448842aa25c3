import { randomUUID } from 'node:crypto';
import { Get, Post, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../audit/actor-of.js';
import { type DeskPerson, hasRole } from '../../../platform/access/signed-in-person.js';
import type { RowFault } from '../../../imports/import-kind.js';
import { rowsSource } from '../../../imports/record-source.js';
import { OrderDeskService } from '../../../orders/records/order-desk.service.js';
import { ParcelFilesService } from '../../../fulfilment/parcels/parcel-files.service.js';
import { PackingService } from '../../../fulfilment/packing/packing.service.js';
import { again, AskedFields, IdParam, orWarn, placeIn, Texts } from '../../../pages/forms.js';
import { type Page, type SeeOther, seeOther, type Reply } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { ForAsker, Me } from '../../../platform/access/access.decorators.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Asker } from '../../../platform/heavy-work/asker.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { csvFile, fileOf } from '../../shared/file-answer.js';
import { DeskPages } from '../desk-pages.js';
import { PACKING, packingPath } from '../paths.js';
import {
  dropPage,
  isChecked,
  MOST_FAULTS,
  type Outcome,
  packingListPage,
  packingPage,
  shipManyPage,
} from './packing-pages.js';
import { type PastedParcel, parcelsIn } from './pasted-parcels.js';

/** Packing lists, and shipping many orders at once. No page here has an amount. */
@DeskPages('packing', 'packer')
export class PackingController {
  constructor(
    private readonly packing: PackingService,
    private readonly orders: OrderDeskService,
    private readonly parcels: ParcelFilesService,
  ) {}

  @Get()
  lists(@AskedFields() query: FormFields): Promise<Page> {
    return this.listsPage(placeIn(query, 'before'), randomUUID());
  }

  @PostForm()
  async make(
    @Me() me: DeskPerson,
    @Texts('orders', 'key') { orders, key }: Texts<'orders' | 'key'>,
  ): Promise<Reply> {
    try {
      const made = await this.packing.make(actorOf(me), {
        limit: readCount(orders),
        key: key || randomUUID(),
      });
      if (!made)
        return seeOther(PACKING, { kind: 'info', text: 'No paid order waits now. No list was made.' });
      return seeOther(packingPath(made.id), `Packing list ${made.id} is made. Print its slips.`);
    } catch (error) {
      return again(error, await this.listsPage(undefined, key));
    }
  }

  @Get('ship')
  askMany(@Me() me: DeskPerson): Page {
    return shipManyPage({ courier: '', orders: '', isStaff: hasRole(me, 'staff') });
  }

  /** First checks the lines, then ships them. A parcel that is known stays as it is. */
  @PostForm('ship')
  async shipMany(
    @Me() me: DeskPerson,
    @Texts('courier', 'orders', 'step', 'checked') form: Texts<'courier' | 'orders' | 'step' | 'checked'>,
  ): Promise<Page> {
    const { courier, orders, step } = form;
    const isStaff = hasRole(me, 'staff');
    try {
      const parcels = parcelsIn(orders);
      const outcome = await this.ship(parcels, courier.trim(), {
        dryRun: !(step === 'ship' && isChecked(form)),
        actor: actorOf(me),
      });
      return shipManyPage({ courier, orders, outcome, isStaff });
    } catch (error) {
      return again(
        error,
        shipManyPage({ courier, orders, isStaff }),
        'conflict',
        'invalid_value',
        'import_running',
      );
    }
  }

  @Get(':id')
  async show(@IdParam() id: number): Promise<Page> {
    const list = await this.packing.find(id);
    return packingListPage({ list, orders: await this.packing.ordersOf(id) });
  }

  @Get(':id/slips.pdf')
  async slips(@ForAsker() asker: Asker, @IdParam() id: number): Promise<StreamableFile> {
    const { content } = this.packing.slipsOf(await this.packing.find(id), asker);
    return fileOf(`packing-list-${id}.pdf`, 'application/pdf', content);
  }

  @Get(':id/list.csv')
  async file(@IdParam() id: number): Promise<StreamableFile> {
    await this.packing.find(id);
    const { columns, rows } = this.packing.sheetOf(id);
    return csvFile(`packing-list-${id}`, columns, rows);
  }

  @Get(':id/drop')
  async askDrop(@IdParam() id: number): Promise<Page> {
    return dropPage(await this.packing.find(id));
  }

  @Post(':id/drop')
  drop(@Me() me: DeskPerson, @IdParam() id: number): Promise<SeeOther> {
    return orWarn(packingPath(id), ['conflict'], async () => {
      const { freed } = await this.packing.drop(id, actorOf(me));
      return `Packing list ${id} is dropped. Free for the next list: ${freed}.`;
    });
  }

  private async listsPage(before: number | undefined, key: string): Promise<Page> {
    const [waiting, { rows, last }] = await Promise.all([this.packing.waiting(), this.packing.page(before)]);
    return packingPage({ waiting, lists: rows, older: last?.packing_list, before, key });
  }

  private async ship(
    parcels: readonly PastedParcel[],
    courier: string,
    options: { dryRun: boolean; actor: string },
  ): Promise<Outcome> {
    const numbers = await this.orders.numbersOf(parcels.map(({ order }) => order).filter(Boolean));
    const unknown: RowFault[] = [];
    const rows = parcels.map(({ order, tracking }, at) => {
      const found = numbers.get(order);
      if (found && 'number' in found) return [found.number, courier, tracking];
      if (found) unknown.push({ line: at + 1, column: order, message: found.fault });
      return ['', '', ''];
    });
    const source = rowsSource(['order_number', 'courier', 'tracking_number'], ...rows);
    const report = await this.parcels.shipments.import(source, options);
    try {
      const faults = unknown.slice(0, MOST_FAULTS);
      for await (const fault of report.failed()) {
        // The heading of a file is its first row. Pasted lines have none.
        faults.push({ ...fault, line: fault.line - 1 });
        if (faults.length >= MOST_FAULTS) break;
      }
      const { updated, unchanged, failedCount } = report;
      faults.sort((one, other) => one.line - other.line);
      return { ...options, updated, unchanged, failedCount: failedCount + unknown.length, faults };
    } finally {
      await report.close();
    }
  }
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count < 1_000_000) return count;
  throw new DomainError('invalid_value', 'The number of orders must be a whole number above 0.', {
    errors: [{ field: 'orders', code: 'invalid', message: 'must be a whole number above 0' }],
  });
}
