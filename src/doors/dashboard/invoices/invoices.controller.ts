import { Get, Inject, Param, type StreamableFile } from '@nestjs/common';
import type { ClientPerson } from '../../../platform/access/signed-in-person.js';
import { monthOfDocuments } from '../../../invoices/rules/law-time-zone.js';
import { TaxDocumentsService } from '../../../invoices/tax-documents.service.js';
import type { AskedOf } from '../../../pages/list-page.js';
import type { Page } from '../../../pages/page.js';
import { ForAsker, Me } from '../../../platform/access/access.decorators.js';
import type { Asker } from '../../../platform/heavy-work/asker.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { QueryReadBy } from '../../../platform/validation/read-by.decorators.js';
import { DOCUMENTS, documentsPage } from '../../shared/documents-page.js';
import { fileOf } from '../../shared/file-answer.js';
import { DashboardPages } from '../dashboard-pages.js';
import { DOCUMENT_PATHS } from '../paths.js';

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
    @QueryReadBy(DOCUMENTS.read) asked: AskedOf<typeof DOCUMENTS>,
  ): Promise<Page> {
    const filter = { clientId, ...asked.chosen, before: asked.mark };
    const [found, first] = await Promise.all([
      DOCUMENTS.find((most) => this.documents.newest(filter, most)),
      this.documents.firstDay(clientId),
    ]);
    return documentsPage({ paths: DOCUMENT_PATHS, asked, found, first, currency: this.settings.currency });
  }

  @Get('invoices.zip')
  month(
    @Me() { clientId }: ClientPerson,
    @ForAsker() asker: Asker,
    @QueryReadBy(DOCUMENTS.read) { chosen }: AskedOf<typeof DOCUMENTS>,
  ): Promise<StreamableFile> {
    const { month = monthOfDocuments() } = chosen;
    return fileOf(`invoices-${month}.zip`, 'application/zip', this.documents.zipOf(month, asker, clientId));
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
