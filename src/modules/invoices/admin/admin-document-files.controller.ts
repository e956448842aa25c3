import { OptionalClient } from '../../clients/admin/client-param.js';
import { Controller, type StreamableFile } from '@nestjs/common';
import { ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { CurrentThreadOwner } from '../../../platform/access/access.decorators.js';
import { roleToOpen } from '../../../platform/access/desk-permissions.js';
import { AdminRoute } from '../../../platform/http/admin-route.js';
import { parseMonth } from '../../../platform/time/time.js';
import { Fault, Optional } from '../../../platform/validation/fault-decorator.js';
import { ReadText } from '../../../platform/validation/typed-fields.decorator.js';
import { ValidQuery } from '../../../platform/validation/valid.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import {
  ExportQuery,
  ExportReader,
  ExportRoute,
  type ExportTarget,
} from '../../../shared/imports/admin/export-route.js';
import { ImportQuery } from '../../../shared/imports/admin/import-query.js';
import { ImportRoute } from '../../../shared/imports/admin/import-route.js';
import {
  FileBody,
  type UploadedFile,
  UploadedFilesService,
} from '../../../shared/imports/admin/uploaded-files.service.js';
import { exportResponse } from '../../../shared/imports/csv-response.js';
import { ClientFinderService } from '../../clients/client-finder.service.js';
import { EInvoicesService } from '../e-invoices.service.js';
import { EWayBillsService } from '../e-way-bills.service.js';
import { DOCUMENT_KINDS, type DocumentKind } from '../rules/document-number.js';
import { TaxDocumentsService } from '../tax-documents.service.js';
import { EInvoicesFileResponse, EInvoicesQuery, portalFileResponse } from './portal-file.response.js';

class DocumentExportQuery extends ExportQuery {
  @ReadText({
    read: parseMonth,
    mustBe: 'a month such as 2026-11',
    description: 'The month.',
    isRequired: true,
    example: '2026-11',
  })
  month: string;

  @OptionalClient('Only of this client') client?: string;

  @Optional()
  @Fault('unknown_value', `must be one of ${DOCUMENT_KINDS.join(', ')}`, (value) =>
    DOCUMENT_KINDS.includes(value as DocumentKind),
  )
  @ApiPropertyOptional({ description: 'Only documents of this kind.', enum: DOCUMENT_KINDS })
  kind?: DocumentKind;
}

@ApiTags('Documents')
@Controller('api/admin')
export class AdminDocumentFilesController {
  constructor(
    private readonly uploads: UploadedFilesService,
    private readonly eInvoices: EInvoicesService,
    private readonly eWayBills: EWayBillsService,
    private readonly documents: TaxDocumentsService,
    private readonly clients: ClientFinderService,
  ) {}

  @ImportRoute({
    name: 'registrations',
    role: 'staff',
    operationId: 'importRegistrations',
    summary: 'Records the answers of the tax portal: registrations of documents and cancellations of IRNs.',
    columns:
      'number, irn, ack_number, acked_at, signed_qr; or irn, cancelled_at; or the JSON list of the portal',
    command: 'invoice register',
    takesJson: true,
  })
  registrations(@FileBody() file: UploadedFile, @ValidQuery() query: ImportQuery): Promise<StreamableFile> {
    return this.uploads.import(this.eInvoices, file, query);
  }

  @ImportRoute({
    name: 'e-way-bills',
    role: 'packer',
    operationId: 'importEWayBills',
    summary: 'Records transport, and the answers of the portal of e-way bills, from a file.',
    columns:
      'number; and vehicle_number, transporter_id, distance_km, transport_document; or e_way_bill, ' +
      'generated_at, valid_until; or cancelled_at, remark',
    command: 'invoice register-e-way-bills',
    takesJson: true,
  })
  eWayBillAnswers(@FileBody() file: UploadedFile, @ValidQuery() query: ImportQuery): Promise<StreamableFile> {
    return this.uploads.import(this.eWayBills, file, query);
  }

  @AdminRoute({
    method: 'GET',
    path: 'exports/e-invoices',
    role: roleToOpen('money/e-invoices.json'),
    operationId: 'exportEInvoices',
    summary: 'Has the documents that wait for their IRN, as the JSON file that the tax portal takes.',
    answer: { data: EInvoicesFileResponse, description: 'The file, and what it lacks.' },
    errors: ['conflict'],
    command: 'invoice e-invoices',
  })
  eInvoiceFile(
    @ValidQuery() filter: EInvoicesQuery,
    @CurrentThreadOwner() owner: ThreadOwner,
  ): Promise<StreamableFile> {
    return portalFileResponse(owner, (leaveOut) => this.eInvoices.file(filter, leaveOut));
  }

  @ExportRoute({
    name: 'invoices',
    operationId: 'exportDocuments',
    summary: 'Writes the documents of a month: a row for each line.',
    command: 'invoice export',
  })
  async lines(
    @ExportReader() target: ExportTarget,
    @ValidQuery() { excel, client, ...filter }: DocumentExportQuery,
  ): Promise<StreamableFile> {
    const clientId = client === undefined ? undefined : await this.clients.find(client);
    const { columns, rows } = this.documents.lines({ ...filter, clientId });
    return exportResponse({ ...target, excel }, 'invoices', columns, rows);
  }
}
