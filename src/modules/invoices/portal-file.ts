import { DomainError } from '../../platform/errors/domain-error.js';
import { parseGstin } from '../tax/gstin.js';
import type { IssuedDocument } from './document-pdf.js';

type Render = (document: IssuedDocument) => { json: object } | { fault: string };

/** A document that waits for a portal, with the reason if no file contains it. */
export interface WaitingDocument {
  document: IssuedDocument;
  fault?: string;
}

export const toWaiting =
  (render: Render) =>
  (document: IssuedDocument): WaitingDocument => {
    const made = render(document);
    return { document, ...('fault' in made && made) };
  };

interface PortalFile {
  documents(gstin: string | undefined): AsyncIterable<IssuedDocument>;
  /** The GSTINs of the seller whose documents wait. */
  gstins(): Promise<string[]>;
  render: Render;
  around: readonly [before: string, after: string];
}

/** A JSON list for a portal, of one GSTIN. Calls `leftOut` for each document that cannot be in it. */
export async function* writePortalFile(
  { documents, gstins, render, around: [start, end] }: PortalFile,
  requestedGstin?: string,
  leftOut?: (number: string, fault: string) => void,
): AsyncGenerator<string> {
  const own = requestedGstin === undefined ? await gstins() : [parseGstin(requestedGstin)];
  if (own.length > 1)
    throw new DomainError(
      'conflict',
      `Documents of several GSTINs are waiting, and a file has one GSTIN. Choose: ${own.join(', ')}.`,
    );
  let before = start;
  for await (const document of documents(own[0])) {
    const made = render(document);
    if ('fault' in made) leftOut?.(document.number, made.fault);
    else {
      yield `${before}\n${JSON.stringify(made.json)}`;
      before = ',';
    }
  }
  yield before === start ? `${start}${end}\n` : `\n${end}\n`;
}
