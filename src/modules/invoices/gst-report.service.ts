import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { zipOf } from '../../shared/pdf/zip.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../platform/money/money.js';
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
import { type PartRow, TaxDocumentsRepository } from './tax-documents.repository.js';

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
    for await (const row of this.documents.parts(monthsOf(period), sellers.length > 0 ? sellers : [1]))
      sums.add(toDocumentPart(row));
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
    const sellers = all.filter((one) => one.gstin === gstin).map(({ id }) => id);
    if (requestedGstin !== undefined && sellers.length === 0)
      throw new DomainError('invalid_value', `The seller has no GSTIN ${gstin}.`);
    const others = gstins.filter((one) => one !== gstin);
    const [first, last] = monthsOf(period);
    const filed = await this.filedReturns.list(this.sellers, [gstin ?? ''], monthsBetween(first, last));
    const changes = await Promise.all(filed.map((one) => this.filedReturns.changesSince(one, sellers)));
    return { gstin: gstin ?? null, sellers, others, filed, changes: changes.flat() };
  }

  /** The GSTINs that have a return of this period, the last one first. */
  async gstinsOf(period: ReturnPeriod): Promise<string[]> {
    const [first, last] = monthsOf(period);
    const all = await allSellers(this.sellers.manager);
    const ids = all.map(({ id }) => id);
    const used = all.length > 1 ? await this.documents.findUsedSellers([first, last], ids) : ids;
    return gstinsWithin(all, [`${first}-01`, `${last}-01`], ({ id }) => used.includes(id));
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
  return {
    ...row,
    rate: Number(row.rate),
    value: minorFromNumeric(row.value),
    invoiceValue: minorFromNumeric(row.invoiceValue),
    gross: minorFromNumeric(row.gross),
    taxable: minorFromNumeric(row.taxable),
    cgst: minorFromNumeric(row.cgst),
    sgst: minorFromNumeric(row.sgst),
    igst: minorFromNumeric(row.igst),
  };
}
