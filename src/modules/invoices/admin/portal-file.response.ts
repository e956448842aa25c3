import type { StreamableFile } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CountField, TextField } from '../../../platform/http/answer-fields.decorator.js';
import { fileResponse } from '../../../platform/http/file-response.js';
import type { Day } from '../../../platform/time/time.js';
import { OptionalDay, OptionalRead } from '../../../platform/validation/typed-fields.decorator.js';
import type { ThreadOwner } from '../../../platform/worker-threads/thread-owner.js';
import { parseGstin } from '../../tax/gstin.js';

export class PortalFileQuery {
  @OptionalRead({
    read: parseGstin,
    description: 'One of your GSTINs. Required if documents of several wait: a file has one GSTIN.',
    example: '27AAPFU0939F1ZV',
  })
  gstin?: string;
}

export class EInvoicesQuery extends PortalFileQuery {
  @OptionalDay('Only documents of this day in India.') on?: Day;
}

@ApiSchema({ name: 'LeftOutDocument' })
class LeftOutDocumentResponse {
  @TextField('The number of the document.', 'INV-2627-0000042') number: string;
  @TextField('Why no file contains it.', 'The HSN code of line 1 is too short.') reason: string;
}

export class PortalFileResponse {
  @CountField('How many documents the file has.', 3) documents: number;
  @ApiProperty({ description: 'The documents that cannot be in it.', type: [LeftOutDocumentResponse] })
  left_out: LeftOutDocumentResponse[];
}

@ApiSchema({ name: 'EInvoicesFile' })
export class EInvoicesFileResponse extends PortalFileResponse {
  @ApiProperty({
    description: 'The file that the portal takes.',
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    example: [],
  })
  file: object[];
}

/** Writes the file of a portal. Calls the function for each document that cannot be in it. */
type WritePortalFile = (leaveOut: (number: string, reason: string) => void) => AsyncIterable<string>;

/** The file as a part of the answer. It is streamed, as at the desk: any number of documents may wait. */
export function portalFileResponse(
  owner: ThreadOwner,
  write: WritePortalFile,
  more: object = {},
): Promise<StreamableFile> {
  return fileResponse(owner, undefined, 'application/json; charset=utf-8', portalAnswer(write, more));
}

async function* portalAnswer(write: WritePortalFile, more: object): AsyncGenerator<string> {
  const left_out: LeftOutDocumentResponse[] = [];
  let before = '{"success":true,"data":{"file":';
  // The last piece ends the list.
  let documents = -1;
  for await (const piece of write((number, reason) => left_out.push({ number, reason }))) {
    yield before + piece;
    before = '';
    documents++;
  }
  yield `,${JSON.stringify({ documents, left_out, ...more }).slice(1)}}`;
}
