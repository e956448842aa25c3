import { Get, Inject, Param, type StreamableFile } from '@nestjs/common';
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import { zipOf } from '../../../documents/zip.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import type { Page } from '../../../pages/page.js';
import { ForAsker, Me } from '../../../platform/access/access.decorators.js';
import type { Asker } from '../../../platform/heavy-work/asker.js';
import { onePage } from '../../../platform/lists/one-page.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { periodOf } from '../../../platform/time/time.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import {
  documentsOfMonth,
  documentsPage,
  type DocumentsQuery,
  monthOfDocuments,
  monthsOfDocuments,
  readDocumentsQuery,
} from '../../shared/documents-page.js';
import { fileOf } from '../../shared/file-answer.js';
import { DashboardPages } from '../dashboard-pages.js';
import { DOCUMENT_PATHS } from '../paths.js';

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
    @Me() { clientId }: ClientPerson,
    @QueryReadBy(readDocumentsQuery) chosen: DocumentsQuery,
  ): Promise<Page> {
    const [found, first] = await Promise.all([
      this.documents.newest({ clientId, ...chosen }, PAGE_SIZE + 1),
      this.documents.firstDay(clientId),
    ]);
    const { rows, last } = onePage(found, PAGE_SIZE);
    const { currency } = this.settings;
    const months = monthsOfDocuments(first);
    const paths = DOCUMENT_PATHS;
    return documentsPage({ paths, documents: rows, older: last?.number, chosen, months, currency });
  }

  @Get('invoices.zip')
  month(
    @Me() { clientId }: ClientPerson,
    @ForAsker() asker: Asker,
    @QueryReadBy(readDocumentsQuery) { month = monthOfDocuments() }: DocumentsQuery,
  ): Promise<StreamableFile> {
    const zip = zipOf(documentsOfMonth(this.documents, month, asker, clientId), periodOf(month, 'UTC').to);
    return fileOf(`invoices-${month}.zip`, 'application/zip', zip);
  }

  @Get('invoices/:number.pdf')
  async file(
    @Me() { clientId }: ClientPerson,
    @ForAsker() asker: Asker,
    @Param('number') number: string,
  ): Promise<StreamableFile> {
    const document = await this.documents.find(number, clientId);
    return fileOf(`${document.number}.pdf`, 'application/pdf', this.documents.pdfOf(document, asker));
  }
}
