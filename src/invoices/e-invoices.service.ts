import { Inject, Injectable } from '@nestjs/common';
import type { ImportOptions } from '../imports/import-kind.js';
import type { ImportReport } from '../imports/import-report.js';
import { Importer } from '../imports/importer.service.js';
import type { RecordImport, RecordSource } from '../imports/record-source.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { addDays, type Day, dayAt } from '../platform/time/time.js';
import { E_INVOICE_IMPORT } from './e-invoice-import.js';
import type { IssuedDocument } from './paper.js';
import { eInvoiceOf } from './rules/e-invoice.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { type Days, TaxDocumentsRepository } from './tax-documents.repository.js';

/** A document that waits for its IRN. */
interface Waiting {
  document: IssuedDocument;
  /** Why no file has it. */
  fault?: string;
}

/** So many days after its date a document is late. */
const LATE_DAYS = 3;

/** Late documents are counted for so long. Large sellers have 30 days at the portal. */
const COUNTED_DAYS = 60;

/** Files for the tax portal, and its answers (Rule 48(4)). Nothing is sent. */
@Injectable()
export class EInvoicesService implements RecordImport {
  constructor(
    private readonly documents: TaxDocumentsRepository,
    private readonly importer: Importer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get isOn(): boolean {
    return this.settings.tax === 'gst' && this.settings.eInvoicesFrom !== undefined;
  }

  /** Registers what the portal answered. */
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(E_INVOICE_IMPORT, source, options);
  }

  /** Oldest first, and how many more there are than the limit. */
  async *waiting(limit: number): AsyncGenerator<Waiting, number> {
    if (!this.isOn) return 0;
    const documents = this.documents.waiting(this.daysOf(), limit);
    for (;;) {
      const next = await documents.next();
      if (next.done) return next.value;
      const made = eInvoiceOf(next.value);
      yield { document: next.value, ...('fault' in made && made) };
    }
  }

  /** The JSON list that the portal takes. Documents that cannot be in it are told to `leftOut`. */
  async *file(on?: Day, leftOut?: (number: string, fault: string) => void): AsyncGenerator<string> {
    let before = '[';
    for await (const document of this.documents.waiting(this.daysOf(on))) {
      const made = eInvoiceOf(document);
      if ('fault' in made) leftOut?.(document.number, made.fault);
      else {
        yield `${before}\n${JSON.stringify(made.json)}`;
        before = ',';
      }
    }
    yield before === '[' ? '[]\n' : '\n]\n';
  }

  /** How many documents are late. */
  async countLate(): Promise<number> {
    if (!this.isOn) return 0;
    const [first, today] = this.daysOf();
    const counted = addDays(today, -COUNTED_DAYS);
    return this.documents.countWaiting([first > counted ? first : counted, addDays(today, -LATE_DAYS - 1)]);
  }

  private daysOf(on?: Day): Days {
    const { eInvoicesFrom } = this.settings;
    if (!this.isOn || eInvoicesFrom === undefined)
      throw new DomainError(
        'conflict',
        'E-invoices are off. The setting E_INVOICES_FROM turns them on: it names the first day.',
      );
    const today = dayAt(Date.now(), LAW_TIME_ZONE);
    if (on === undefined) return [eInvoicesFrom, today];
    return on < eInvoicesFrom ? [eInvoicesFrom, on] : [on, on];
  }
}
