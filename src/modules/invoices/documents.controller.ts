import { Controller, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, CurrentThreadOwner } from '../../platform/access/access.decorators.js';
import { TOKEN_KINDS } from '../../platform/access/token-kind.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { ReadyRepresentation, type Representation } from '../../platform/http/representation.js';
import { StoreRoute } from '../../platform/http/store-route.js';
import { ValidQuery } from '../../platform/validation/valid.decorator.js';
import type { Visitor } from '../../read-model/callers/caller.js';
import { DocumentListQuery } from './document.queries.js';
import { DocumentListResponse } from './document.responses.js';
import { SampleDocuments } from './sample-documents.js';
import { TaxDocumentsService } from './tax-documents.service.js';

const OF_AN_ORDER = 'GET /api/orders/{order_number}/documents';

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
    tokens: TOKEN_KINDS,
    operationId: 'listDocuments',
    summary: 'List your invoices and notes by day',
    description:
      'All documents of yours, the oldest first, with the parcel, the lines and the refund of each: one ' +
      'call a day for your books. A new document has the date of its day in India. A test token gets the ' +
      'samples of its newest 100 test orders. Works without an active subscription.',
    slot: 'held',
    answer: { type: DocumentListResponse, isConditional: true },
  })
  async list(
    @CurrentCaller() { client, token }: Visitor,
    @ValidQuery({
      documents: 'GET /api/documents/{document_number}',
      orders: OF_AN_ORDER,
      store_order_id: OF_AN_ORDER,
    })
    query: DocumentListQuery,
  ): Promise<Representation> {
    const found =
      token.kind === 'test'
        ? this.samples.pageOfSamples(client.id, query)
        : this.documents.pageForStore(client.id, query);
    const page = JSON.stringify(await found);
    return new ReadyRepresentation(page);
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
      'copy; only IRN, QR code and e-way bill come later. Each PDF costs as much of your limit as a ' +
      'hundred small requests. Works without an active subscription. Documents of test orders are ' +
      'samples, with a sample rate of GST.',
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
    @Res({ passthrough: true }) response: Response,
  ): Promise<Representation> {
    const document =
      token.kind === 'test'
        ? await this.samples.findDocument(client.id, number)
        : await this.documents.find(number, client.id);
    response.setHeader('Content-Disposition', `inline; filename="${document.number}.pdf"`);
    const bytes = await this.documents.bytesOf(document, owner);
    return new ReadyRepresentation(bytes, { type: PDF, compressible: false });
  }
}
