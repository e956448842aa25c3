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
import type { Caller } from '../../read-model/callers/caller.js';
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
    path: ':document_number',
    tokens: TOKEN_KINDS,
    operationId: 'getDocument',
    summary: 'Read an invoice as a PDF',
    description:
      'An invoice, a credit or debit note or a receipt voucher of yours. It never changes, so keep your ' +
      'copy; only e-invoices get their IRN and QR code later. Each PDF costs as much of your limit as 400 ' +
      'small requests. Documents of test orders are samples, with a sample rate of GST.',
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
    @CurrentCaller() { client, token }: Caller,
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
