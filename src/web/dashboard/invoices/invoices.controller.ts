import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { monthOfDocuments } from '../../../modules/invoices/rules/law-time-zone.js';
import { TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import type { Page } from '../../../shared/ui/page.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DOCUMENTS, documentsPage } from '../../shared/documents-page.js';
import { fileResponse, PDF, ZIP } from '../../../platform/http/file-response.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { DOCUMENT_PATHS } from '../paths.js';

/** The documents of a client. Every person of it may read them. */
@DashboardPages()
export class InvoicePagesController {
  constructor(
    private readonly documents: TaxDocumentsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('invoices')
  async list(@ClientPageRequest() { me: { clientId }, fields }: ClientPageRequest): Promise<Page> {
    const query = DOCUMENTS.read(fields);
    const filter = { clientId, ...query.selected, before: query.mark };
    const [result, first] = await Promise.all([
      DOCUMENTS.find((limit) => this.documents.newest(filter, limit)),
      this.documents.firstDay(clientId),
    ]);
    return documentsPage({ paths: DOCUMENT_PATHS, query, result, first, currency: this.settings.currency });
  }

  @Get('invoices.zip')
  month(@ClientPageRequest() { owner, me, fields }: ClientPageRequest): Promise<StreamableFile> {
    const { month = monthOfDocuments() } = DOCUMENTS.read(fields).selected;
    const zip = this.documents.zipOf(month, owner, me.clientId);
    return fileResponse(owner, `invoices-${month}.zip`, ZIP, zip);
  }

  @Get('invoices/:number.pdf')
  async file(
    @ClientPageRequest() { owner, me, number }: ClientPageRequest<'number'>,
  ): Promise<StreamableFile> {
    const document = await this.documents.find(number, me.clientId);
    return fileResponse(owner, `${document.number}.pdf`, PDF, this.documents.pdfOf(document, owner));
  }
}
