import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { Actor } from '../../../platform/access/admin-key.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import {
  AdminRoute,
  answerWith,
  CheckedBody,
  DEFAULT_LIMIT,
  pageOf,
  WantedType,
} from '../../../platform/http/admin-route.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { OptionalBooleanParameter } from '../../../platform/validation/query-parameters.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import { fileResponse, PDF } from '../../../platform/http/file-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { EWayBillsService } from '../e-way-bills.service.js';
import { TaxDocumentsService } from '../tax-documents.service.js';
import {
  ChangeEWayBillRequest,
  DocumentDetailsResponse,
  DocumentRowResponse,
  DocumentsQuery,
  EWayBillStateResponse,
} from './documents.dto.js';

const NUMBER = { name: 'number', description: 'The number of the document.', example: 'INV-2627-0000042' };

class DocumentQuery {
  @OptionalBooleanParameter({
    description: 'Of a PDF: three copies of an invoice, for recipient, transporter and supplier.',
    example: true,
  })
  copies?: boolean;
}

/** Invoices, notes and vouchers of all clients. They are never changed. */
@ApiTags('Documents')
@Controller('api/admin/documents')
export class AdminDocumentsController {
  constructor(
    private readonly documents: TaxDocumentsService,
    private readonly eWayBills: EWayBillsService,
    private readonly clients: ClientFinderService,
  ) {}

  @AdminRoute({
    method: 'GET',
    role: roleToOpen('money/invoices'),
    operationId: 'listDocuments',
    summary: 'Lists documents, the newest first.',
    answer: { list: DocumentRowResponse },
    errors: ['client_not_found', 'client_ambiguous'],
    command: 'invoice list',
  })
  async list(@ValidQuery() { after: before, limit = DEFAULT_LIMIT, client, ...filter }: DocumentsQuery) {
    const clientId = await this.clients.findForFilter(client);
    const rows = await this.documents.newest({ ...filter, clientId, before }, limit + 1);
    return pageOf(
      rows,
      limit,
      (row) => row,
      (row) => row.number,
    );
  }

  @AdminRoute({
    method: 'GET',
    path: ':number',
    role: roleToOpen('money/invoices/:number.pdf'),
    operationId: 'getDocument',
    summary: 'Shows a document with its lines, or its PDF.',
    description: 'The PDF has the same bytes each time. Only IRN, QR code and e-way bill come later.',
    parameters: [NUMBER],
    answer: { data: DocumentDetailsResponse, files: [PDF], description: 'The document.' },
    errors: ['document_not_found'],
    command: 'invoice show',
  })
  async show(
    @Param('number') typed: string,
    @ValidQuery() { copies }: DocumentQuery,
    @WantedType([PDF]) type: string,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<object | StreamableFile> {
    if (type !== PDF) return answerWith(await this.documents.show(typed));
    const document = await this.documents.find(typed);
    const pdf = this.documents.pdfOf(document, owner, copies ? 'all' : 'original');
    return fileResponse(owner, `${document.number}.pdf`, PDF, pdf);
  }

  @AdminRoute({
    method: 'POST',
    path: ':number/e-way-bill',
    role: roleToOpen('e-way-bills/:number'),
    operationId: 'changeEWayBill',
    summary: 'Records the transport, the number or the end of an e-way bill.',
    parameters: [NUMBER],
    body: { type: ChangeEWayBillRequest },
    answer: { data: EWayBillStateResponse },
    errors: ['document_not_found', 'import_running'],
    command: 'invoice e-way-bill',
  })
  async changeEWayBill(
    @Param('number') typed: string,
    @Actor() by: string,
    @CheckedBody() { end, ...body }: ChangeEWayBillRequest,
  ) {
    const { number } = await this.documents.find(typed);
    const change = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    await this.eWayBills.change(number, change, end, by);
    const { e_way_bill = null, transport = null } = await this.documents.show(number);
    return answerWith({ number, e_way_bill, transport });
  }
}
