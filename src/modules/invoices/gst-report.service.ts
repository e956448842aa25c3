import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { zipOf } from '../../shared/pdf/zip.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, minorFromNumeric } from '../../platform/money/money.js';
import { monthsBetween, periodOf } from '../../platform/time/time.js';
import { parseGstin } from '../tax/gstin.js';
import { Seller } from './entities/tax-document.entity.js';
import { allSellers } from './invoices.repository.js';
import { FiledReturnsRepository } from './filed-returns.repository.js';
import { filesOfReturn, type GstReturn } from './gst-return.js';
import { type DocumentPart, Gstr1 } from './rules/gstr1.js';
import { gstr1Json } from './rules/gstr1-json.js';
import { gstr3bSummary } from './rules/gstr3b.js';
import { gstinsWithin } from './rules/registrations.js';
import { monthsOf, type ReturnPeriod } from './rules/return-period.js';
import { PART_AMOUNTS, type PartRow, TaxDocumentsRepository } from './tax-documents.repository.js';

type ReturnSummary = Pick<GstReturn, 'gstin' | 'others' | 'filed' | 'changes'> & {
  /** The registrations with its GSTIN. */
  sellers: number[];
};

/** The return of outward supplies (GSTR-1) from the issued documents. */
@Injectable()
export class GstReportService {
  constructor(
    private readonly documents: TaxDocumentsRepository,
    private readonly filedReturns: FiledReturnsRepository,
    @InjectRepository(Seller) private readonly sellers: Repository<Seller>,
  ) {}

  /** Documents have Indian days. The default is the last GSTIN of the period. */
  async returnOf(period: ReturnPeriod, requestedGstin?: string): Promise<GstReturn> {
    const { sellers, ...summary } = await this.summaryOf(period, requestedGstin);
    const { gstin, others } = summary;
    const sums = new Gstr1();
    const state = gstin?.slice(0, 2) ?? null;
    const all = sellers.length > 0 ? sellers : [1];
    for await (const row of this.documents.parts(monthsOf(period), all, state)) sums.add(toDocumentPart(row));
    const rows = sums.rows();
    return {
      ...summary,
      prefix: others.length > 0 ? `${gstin}-` : '',
      late: sums.lateNumbers,
      files: [...sums.files(), ...(gstin === null ? [] : [gstr3bSummary(rows, gstin)])],
      json: gstin === null ? undefined : gstr1Json(rows, gstin, monthsOf(period)[1]),
    };
  }

  /** The return without its files: whose it is, when it was filed, and what changed since. */
  async summaryOf(period: ReturnPeriod, requestedGstin?: string): Promise<ReturnSummary> {
    const all = await allSellers(this.sellers.manager);
    const gstins = await this.gstinsOf(period);
    const gstin = requestedGstin === undefined ? gstins[0] : parseGstin(requestedGstin);
    const isOwn = all.some((one) => one.gstin === gstin);
    if (gstin !== undefined && !isOwn && !gstins.includes(gstin))
      throw new DomainError('invalid_value', `The seller has no GSTIN ${gstin}.`);
    const isOf = (one: Seller) => (isOwn ? one.gstin === gstin : one.state !== gstin?.slice(0, 2));
    const sellers = all.filter(isOf).map(({ id }) => id);
    const others = gstins.filter((one) => one !== gstin);
    const [first, last] = monthsOf(period);
    const filed = await this.filedReturns.list(this.sellers, [gstin ?? ''], monthsBetween(first, last));
    const changes = await Promise.all(filed.map((one) => this.filedReturns.changesSince(one, sellers)));
    return { gstin: gstin ?? null, sellers, others, filed, changes: changes.flat() };
  }

  /**
   * The GSTINs that have a return of this period, the last one first. A GSTIN that was mistyped with another
   * state has one too: the taxes of its documents are those of that state.
   */
  async gstinsOf(period: ReturnPeriod): Promise<string[]> {
    const [first, last] = monthsOf(period);
    const all = await allSellers(this.sellers.manager);
    const ids = all.map(({ id }) => id);
    const used = all.length > 1 ? await this.documents.findUsedSellers([first, last], ids) : ids;
    const own = gstinsWithin(all, [`${first}-01`, `${last}-01`], ({ id }) => used.includes(id));
    return [...new Set([...own, ...(await this.documents.findMistyped([first, last], all))])];
  }

  async zipOf(period: ReturnPeriod, requestedGstin?: string) {
    const made = await this.returnOf(period, requestedGstin);
    const { gstin, others } = made;
    const content = zipOf(filesOfReturn(made), periodOf(monthsOf(period)[1], 'UTC').to);
    const parts = ['gstr1', period, ...(gstin !== null && others.length > 0 ? [gstin] : [])];
    return { name: `${parts.join('-')}.zip`, content };
  }
}

function toDocumentPart(row: PartRow): DocumentPart {
  const amounts = PART_AMOUNTS.map((name) => [name, minorFromNumeric(row[name])]);
  const parts = Object.fromEntries(amounts) as Record<(typeof PART_AMOUNTS)[number], Minor>;
  return { ...row, ...parts, rate: Number(row.rate) };
}
