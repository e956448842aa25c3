import { Controller, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, CurrentThreadOwner } from '../../platform/access/access.decorators.js';
import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { ReadyRepresentation, type Representation } from '../../platform/http/representation.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import { UNIT_COSTS } from '../../platform/limits/request-costs.js';
import { ValidQuery } from '../../platform/validation/valid.decorator.js';
import type { Visitor } from '../../read-model/callers/caller.js';
import { DocumentListQuery } from './document.queries.js';
import { DocumentListResponse } from './document.responses.js';
import { SampleDocuments } from './sample-documents.js';
import { TaxDocumentsService } from './tax-documents.service.js';

const PDF = 'application/pdf';

@ApiTags('Orders')
@Controller('api/documents')
export class DocumentsController {
  constructor(
    private readonly documents: TaxDocumentsService,
    private readonly samples: SampleDocuments,
  ) {}

  @StoreRoute({
    method: 'GET',
    subscription: 'not required',
    tokens: ['full', 'read_only'],
    operationId: 'listDocuments',
    summary: 'List your invoices and notes by day',
    description:
      'All documents of yours, the oldest first, with the parcel, the lines and the refund of each: one ' +
      'call a day for your books. A new document has the date of its day in India. Works without an active ' +
      'subscription.',
    slot: 'held',
    answer: { type: DocumentListResponse, isConditional: true },
    errors: ['validation_failed'],
  })
  async list(
    @CurrentCaller() { client }: Visitor,
    @ValidQuery() query: DocumentListQuery,
  ): Promise<Representation> {
    const page = JSON.stringify(await this.documents.pageForStore(client.id, query));
    return new ReadyRepresentation(page, { made: page.length });
  }

  @StoreRoute({
    method: 'GET',
    path: ':document_number',
    subscription: 'not required',
    tokens: TOKEN_KINDS,
    operationId: 'getDocument',
    summary: 'Read an invoice as a PDF',
    description:
      'An invoice, a credit or debit note or a receipt voucher of yours. It never changes, so keep your ' +
      'copy; only IRN, QR code and e-way bill come later. Each PDF costs as much of your limit as 400 ' +
      'small requests. Works without an active subscription. Documents of test orders are samples, with a ' +
      'sample rate of GST.',
    parameter: {
      name: 'document_number',
      description: 'The number of the document.',
      example: 'INV-2627-0000042',
    },
    slot: 'held',
    answer: { file: PDF, description: 'The PDF, A4.', isConditional: true },
    errors: ['document_not_found', 'malformed_path'],
  })
  async read(
    @CurrentCaller() { client, token }: Visitor,
    @Param('document_number') number: string,
    @CurrentThreadOwner() owner: ThreadOwner,
    @Req() { cost }: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    const document =
      token.kind === 'test'
        ? await this.samples.findDocument(client.id, number)
        : await this.documents.find(number, client.id);
    cost?.charge(UNIT_COSTS.pdf);
    response.setHeader('Content-Disposition', `inline; filename="${document.number}.pdf"`);
    const bytes = await this.documents.bytesOf(document, owner);
    return new ReadyRepresentation(bytes, { type: PDF, made: bytes.length, compressible: false });
  }
}
