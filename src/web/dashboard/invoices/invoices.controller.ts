import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { monthOfDocuments } from '../../../modules/invoices/rules/law-time-zone.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import type { Page } from '../../../shared/ui/page.js';
import { ForAsker } from '../../../platform/access/access.decorators.js';
import type { Asker } from '../../../platform/worker-threads/thread-owner.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DOCUMENTS, documentsPage } from '../../shared/documents-page.js';
import { fileOf } from '../../shared/file-response.js';
import { DashboardPages, Visit } from '../dashboard-pages.js';
import { DOCUMENT_PATHS } from '../paths.js';

/** The documents of a client. Every person of it may read them. */
@DashboardPages()
export class InvoicePagesController {
  constructor(
    private readonly documents: TaxDocumentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('invoices')
  async list(@Visit() { me: { clientId }, fields }: Visit): Promise<Page> {
    const asked = DOCUMENTS.read(fields);
    const filter = { clientId, ...asked.chosen, before: asked.mark };
    const [found, first] = await Promise.all([
      DOCUMENTS.find((most) => this.documents.newest(filter, most)),
      this.documents.firstDay(clientId),
    ]);
    return documentsPage({ paths: DOCUMENT_PATHS, asked, found, first, currency: this.settings.currency });
  }

  @Get('invoices.zip')
  month(@ForAsker() asker: Asker, @Visit() { me, fields }: Visit): Promise<StreamableFile> {
    const { month = monthOfDocuments() } = DOCUMENTS.read(fields).chosen;
    const zip = this.documents.zipOf(month, asker, me.clientId);
    return fileOf(asker, `invoices-${month}.zip`, 'application/zip', zip);
  }

  @Get('invoices/:number.pdf')
  async file(@ForAsker() asker: Asker, @Visit() { me, number }: Visit<'number'>): Promise<StreamableFile> {
    const document = await this.documents.find(number, me.clientId);
    return fileOf(asker, `${document.number}.pdf`, 'application/pdf', this.documents.pdfOf(document, asker));
  }
}
