import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { zipOf } from '../../shared/pdf/zip.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { periodOf } from '../../platform/time/time.js';
import { parseGstin } from '../tax/gstin.js';
import { Seller } from './entities/tax-document.entity.js';
import { allSellers } from './invoices.repository.js';
import { filesOfReturn, type GstReturn } from './gst-return.js';
import { type DocumentPart, Gstr1 } from './rules/gstr1.js';
import { gstr1Json } from './rules/gstr1-json.js';
import { gstr3bSummary } from './rules/gstr3b.js';
import { gstinsWithin } from './rules/registrations.js';
import { monthsOf, type ReturnPeriod } from './rules/return-period.js';
import { type PartRow, TaxDocumentsRepository } from './tax-documents.repository.js';

/** The return of outward supplies (GSTR-1) from the issued documents. */
@Injectable()
export class GstReportService {
  constructor(
    private readonly documents: TaxDocumentsRepository,
    @InjectRepository(Seller) private readonly sellers: Repository<Seller>,
  ) {}

  /** Documents have Indian days. The default is the last GSTIN of the period. */
  async returnOf(period: ReturnPeriod, requestedGstin?: string): Promise<GstReturn> {
    const months = monthsOf(period);
    const all = await allSellers(this.sellers.manager);
    const gstins = await this.gstinsOf(period);
    const gstin = requestedGstin === undefined ? gstins[0] : parseGstin(requestedGstin);
    const own = all.filter((one) => one.gstin === gstin).map(({ id }) => id);
    if (requestedGstin !== undefined && own.length === 0)
      throw new DomainError('invalid_value', `The seller has no GSTIN ${gstin}.`);
    const sums = new Gstr1();
    for await (const row of this.documents.parts(months, own.length > 0 ? own : [1]))
      sums.add(toDocumentPart(row));
    const others = gstins.filter((one) => one !== gstin);
    const prefix = others.length > 0 ? `${gstin}-` : '';
    const rows = sums.rows();
    return {
      gstin: gstin ?? null,
      others,
      prefix,
      late: sums.lateNumbers,
      files: [...sums.files(), ...(gstin === undefined ? [] : [gstr3bSummary(rows, gstin)])],
      json: gstin === undefined ? undefined : gstr1Json(rows, gstin, months[1]),
    };
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
