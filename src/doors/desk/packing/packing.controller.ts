import { randomUUID } from 'node:crypto';
import { Get, Post, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../audit/actor-of.js';
import { PastedParcelsService } from '../../../fulfilment/parcels/pasted-parcels.service.js';
import { PackingService } from '../../../fulfilment/packing/packing.service.js';
import { orAgain, orWarn, readTexts } from '../../../pages/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { ForAsker } from '../../../platform/access/access.decorators.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import type { Asker } from '../../../platform/heavy-work/asker.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { csvFile, fileOf } from '../../shared/file-answer.js';
import { DeskPages, Visit } from '../desk-pages.js';
import { PACKING, packingPath } from '../paths.js';
import {
  dropPage,
  isChecked,
  PACKING_LISTS,
  packingListPage,
  packingPage,
  shipManyPage,
} from './packing-pages.js';

const readShipping = readTexts('courier', 'orders', 'step', 'checked');

/** Packing lists, and shipping many orders at once. No page here has an amount. */
@DeskPages('packing', 'packer')
export class PackingController {
  constructor(
    private readonly packing: PackingService,
    private readonly pasted: PastedParcelsService,
  ) {}

  @Get()
  lists(@Visit() { fields }: Visit): Promise<Page> {
    return this.listsPage(fields, randomUUID());
  }

  @PostForm()
  make(@Visit() { me, fields }: Visit): Promise<Reply> {
    const { orders, key } = readTexts('orders', 'key')(fields);
    const make = async () => {
      const given = { limit: readCount(orders), key: key || randomUUID() };
      const made = await this.packing.make(actorOf(me), given);
      if (!made)
        return seeOther(PACKING, { kind: 'info', text: 'No paid order waits now. No list was made.' });
      return seeOther(packingPath(made.id), `Packing list ${made.id} is made. Print its slips.`);
    };
    return orAgain(make, () => this.listsPage({}, key));
  }

  @Get('ship')
  askMany(): Page {
    return shipManyPage({ courier: '', orders: '' });
  }

  /** First checks the lines, then ships them. */
  @PostForm('ship')
  shipMany(@Visit() { me, fields }: Visit): Promise<Reply> {
    const form = readShipping(fields);
    const { courier, orders, step } = form;
    const shown = { courier, orders };
    const ship = async () => {
      const options = { dryRun: !(step === 'ship' && isChecked(form)), actor: actorOf(me) };
      return shipManyPage({ ...shown, outcome: await this.pasted.ship(orders, courier.trim(), options) });
    };
    return orAgain(ship, () => shipManyPage(shown), 'conflict', 'invalid_value', 'import_running');
  }

  @Get(':id')
  async show(@Visit() { id }: Visit): Promise<Page> {
    const list = await this.packing.find(id);
    return packingListPage({ list, orders: await this.packing.ordersOf(id) });
  }

  @Get(':id/slips.pdf')
  async slips(@ForAsker() asker: Asker, @Visit() { id }: Visit): Promise<StreamableFile> {
    const { content } = this.packing.slipsOf(await this.packing.find(id), asker);
    return fileOf(`packing-list-${id}.pdf`, 'application/pdf', content);
  }

  @Get(':id/list.csv')
  async file(@Visit() { id }: Visit): Promise<StreamableFile> {
    await this.packing.find(id);
    const { columns, rows } = this.packing.sheetOf(id);
    return csvFile(`packing-list-${id}`, columns, rows);
  }

  @Get(':id/drop')
  async askDrop(@Visit() { id }: Visit): Promise<Page> {
    return dropPage(await this.packing.find(id));
  }

  @Post(':id/drop')
  drop(@Visit() { me, id }: Visit): Promise<SeeOther> {
    return orWarn(packingPath(id), ['conflict'], async () => {
      const { freed } = await this.packing.drop(id, actorOf(me));
      return `Packing list ${id} is dropped. Free for the next list: ${freed}.`;
    });
  }

  private async listsPage(fields: FormFields, key: string): Promise<Page> {
    const asked = PACKING_LISTS.read(fields);
    const [waiting, found] = await Promise.all([this.packing.waiting(), this.packing.page(asked.mark)]);
    return packingPage({ waiting, asked, found, key });
  }
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0 && count < 1_000_000) return count;
  const message = 'must be a whole number above 0';
  throw validationFailed([{ field: 'orders', code: 'invalid_value', message }]);
}
