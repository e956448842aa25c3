import { Get, Inject, Param, type StreamableFile } from '@nestjs/common';
import type { ClientPerson } from '../../../auth/people/signed-in-person.js';
import { type ZipEntry, zipOf } from '../../../documents/zip.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import { textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { CurrentPerson } from '../../../platform/access/access.decorators.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { isMonth, type Month, monthAt, monthsBetween, periodOf } from '../../../platform/time/time.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import { fileOf } from '../csv-file.js';
import { DashboardPages } from '../dashboard-pages.js';
import { type InvoicesQuery, invoicesPage } from './invoices-page.js';

const PAGE_SIZE = 50;

/** The documents of a client. Every person of it may read them. */
@DashboardPages()
export class InvoicePagesController {
  constructor(
    private readonly documents: TaxDocumentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('invoices')
  async list(
    @CurrentPerson() { clientId }: ClientPerson,
    @QueryReadBy(readInvoicesQuery) chosen: InvoicesQuery,
  ): Promise<Page> {
    const [found, first] = await Promise.all([
      this.documents.newest({ clientId, ...chosen }, PAGE_SIZE + 1),
      this.documents.firstDay(clientId),
    ]);
    const { rows, last } = onePage(found, PAGE_SIZE);
    const { currency } = this.settings;
    const months = first === null ? [] : monthsBetween(first.slice(0, 7), this.thisMonth);
    return invoicesPage({ documents: rows, older: last?.number, chosen, months, currency });
  }

  @Get('invoices.zip')
  month(
    @CurrentPerson() { clientId }: ClientPerson,
    @QueryReadBy(readInvoicesQuery) { month = this.thisMonth }: InvoicesQuery,
  ): Promise<StreamableFile> {
    const zip = zipOf(this.entriesOf(clientId, month), periodOf(month, 'UTC').to);
    return fileOf(`invoices-${month}.zip`, 'application/zip', zip);
  }

  @Get('invoices/:number.pdf')
  async file(
    @CurrentPerson() { clientId }: ClientPerson,
    @Param('number') number: string,
  ): Promise<StreamableFile> {
    const document = await this.documents.find(number, clientId);
    return fileOf(`${document.number}.pdf`, 'application/pdf', this.documents.pdfOf(document));
  }

  /** Documents have the days of India. */
  private get thisMonth(): Month {
    return monthAt(Date.now(), 'Asia/Kolkata');
  }

  /** Each document is a query of its own, so a slow reader holds no connection. */
  private async *entriesOf(clientId: number, month: Month): AsyncGenerator<ZipEntry> {
    const found = await this.documents.newest({ clientId, month });
    for (const { number } of found.reverse()) {
      const document = await this.documents.find(number, clientId);
      yield { name: `${number}.pdf`, content: this.documents.pdfOf(document) };
    }
  }
}

/** Parts of the address that make no sense are ignored. */
function readInvoicesQuery(query: FormFields): InvoicesQuery {
  const wordIn = (name: string) => {
    const text = textIn(query, name).trim();
    return text !== '' && isStorableText(text) ? text : undefined;
  };
  const month = wordIn('month');
  return {
    search: wordIn('search'),
    month: month !== undefined && isMonth(month) ? month : undefined,
    before: wordIn('before'),
  };
}
