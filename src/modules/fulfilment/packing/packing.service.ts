import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { streamPdf } from '../../../shared/pdf/pdf-job.js';
import type { LayoutName } from '../../../shared/pdf/layouts.js';
import { CompanyService } from '../../company/company.service.js';
import { PicturesService } from '../../pictures/pictures.service.js';
import { SellersService } from '../../invoices/sellers.service.js';
import type { SlipPaper } from '../../orders/entities/order.entity.js';
import type { DeskFilter } from '../../orders/records/order-desk.repository.js';
import { Database } from '../../../platform/database/database.js';
import type { SpreadsheetExport } from '../../../platform/database/spreadsheet-export.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { WorkerThreads } from '../../../platform/worker-threads/worker-threads.js';
import type { BoundedCount } from '../../../platform/lists/bounded-lists.js';
import { type PackedLine, PackingLinesRepository } from './packing-lines.repository.js';
import { type SlipOptions, unprintableIn } from './packing-slips.js';
import {
  type NewPackingList,
  type PackingListOrder,
  type PackingListView,
  PackingRepository,
} from './packing.repository.js';

/** Slips as a PDF. The list of orders is filled while the content is read. */
interface PackingSlips {
  content: AsyncIterable<Uint8Array>;
  /** Orders with letters that the font lacks. */
  unprintable: string[];
}

/** Orders that one statement reads for their slips. An order has up to 100 lines. */
const SLIPS_AT_ONCE = 25;

/** Gives each paid order to one packing list. */
@Injectable()
export class PackingService {
  constructor(
    private readonly database: Database,
    private readonly lists: PackingRepository,
    private readonly lines: PackingLinesRepository,
    private readonly clients: ClientFinderService,
    private readonly audit: AuditLog,
    private readonly workerThreads: WorkerThreads,
    private readonly sellers: SellersService,
    private readonly company: CompanyService,
    private readonly pictures: PicturesService,
  ) {}

  /** Takes the paid orders that are on no list, the oldest payment first. Undefined if there are none. */
  make(actor: string, options: NewPackingList): Promise<{ id: number; orders: number } | undefined> {
    return this.database.transaction(async (transaction) => {
      const { clientId, key } = options;
      const existing = key === undefined ? null : await this.lists.findByKey(transaction, key);
      if (existing) return existing;
      const created = await this.lists.create(transaction, actor, options);
      if (created)
        await this.audit.recordWithin(transaction, {
          clientId: clientId ?? null,
          actor,
          action: 'packing.made',
          subject: subjectOf(created.id),
          details: { orders: created.orders },
        });
      return created;
    });
  }

  /** The newest lists, or those before a list. */
  newest(before: number | undefined, limit: number): Promise<PackingListView[]> {
    return this.lists.page(before, limit);
  }

  /** Paid orders that are on no list. */
  waiting(): Promise<{ orders: BoundedCount; oldest: Date | null }> {
    return this.lists.waiting();
  }

  async find(id: number): Promise<PackingListView> {
    const found = await this.lists.find(id);
    if (!found) throw new DomainError('packing_list_not_found', `There is no packing list ${id}.`);
    return found;
  }

  ordersOf(id: number): Promise<PackingListOrder[]> {
    return this.lists.ordersOf(id);
  }

  /** The lines of these orders, to be packed by a file. */
  async exportOrders(filter: DeskFilter): Promise<SpreadsheetExport> {
    await this.clients.check(filter.clientId);
    return this.lines.exportOrders(filter);
  }

  /** The lines that are still to be packed, of all orders or of one. */
  exportList(id: number, order?: string): SpreadsheetExport<PackedLine> {
    return this.lines.exportList(id, order);
  }

  /**
   * The slips of all orders that have not left, or of one. They count as printed when the content was read.
   * The bytes depend only on the list, its orders, the seller and the logo, not on the time of printing.
   */
  async printSlips(
    { packing_list: id, made_at: madeAt }: Pick<PackingListView, 'packing_list' | 'made_at'>,
    owner: ThreadOwner,
    layout: LayoutName = 'page',
    order?: string,
  ): Promise<PackingSlips> {
    const unprintable: string[] = [];
    const slips = new Map<string, string>();
    const numbers = await this.lists.numbersToPack(id, order);
    if (order !== undefined && numbers.length === 0)
      throw new DomainError('conflict', `Order ${order} is not to be packed from packing list ${id}.`);
    const { address: sender } = await this.sellers.asText();
    const isLabel = layout === 'label';
    const hash = isLabel ? null : await this.company.logo();
    const logo = hash === null ? undefined : await this.pictures.readLogo(hash);
    const content = streamPdf<SlipOptions, PackedLine[]>(this.workerThreads, owner, {
      title: `Packing list ${id}`,
      madeAt,
      layout,
      documentsModule: import.meta.resolve('./packing-slips.js'),
      facts: { isLabel, sender, logo },
      parts: this.linesToPack(id, numbers, { unprintable, slips }),
    });
    return { content: this.markPrinted(id, content, slips, isLabel ? 'label' : 'slip'), unprintable };
  }

  /** A file that was not read to its end was not printed. */
  private async *markPrinted(
    id: number,
    content: AsyncIterable<Uint8Array>,
    slips: ReadonlyMap<string, string>,
    paper: SlipPaper,
  ): AsyncGenerator<Uint8Array> {
    yield* content;
    await this.database.transaction((transaction) => this.lists.markPrinted(transaction, id, slips, paper));
  }

  /** Each piece is a statement of its own, so no connection waits for the drawing. */
  private async *linesToPack(
    id: number,
    numbers: readonly string[],
    { unprintable, slips }: { unprintable: string[]; slips: Map<string, string> },
  ): AsyncGenerator<PackedLine[]> {
    for (let from = 0; from < numbers.length; from += SLIPS_AT_ONCE) {
      const read = await this.lines.findOrdersOnList(id, numbers.slice(from, from + SLIPS_AT_ONCE));
      unprintable.push(...unprintableIn(read.lines));
      for (const [number, slip] of read.slips) slips.set(number, slip);
      yield read.lines;
    }
  }

  /** Frees the orders that have not left. The others stay on the list. */
  drop(id: number, actor: string): Promise<{ packing_list: number; freed: number }> {
    return this.database.transaction(async (transaction) => {
      const dropped = await this.lists.markDropped(transaction, id);
      if (!dropped) {
        await this.find(id);
        throw new DomainError('conflict', `Packing list ${id} is already dropped.`);
      }
      const freed = await this.lists.free(transaction, id);
      await this.audit.recordWithin(transaction, {
        ...dropped,
        actor,
        action: 'packing.dropped',
        subject: subjectOf(id),
        details: { orders: freed },
      });
      return { packing_list: id, freed };
    });
  }
}

const subjectOf = (id: number) => `packing list ${id}`;
