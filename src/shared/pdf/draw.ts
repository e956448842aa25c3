import type { Task } from '../../platform/worker-threads/thread.js';
import { prepareFor } from './fonts.js';
import type { LayoutName } from './layouts.js';
import { type PrintedDocument, pdfOf } from './pdf.js';

/** The function that a module of documents exports. It runs in a thread: no services, no entities. */
export type PrintedDocumentsOf<Facts, Part> = (
  facts: Facts,
  parts: AsyncIterable<Part>,
) => AsyncIterable<PrintedDocument>;

export interface PdfJobData {
  title: string;
  /** A parameter, so that the same documents give the same bytes. */
  madeAt: Date;
  /** By default one document on each A4 page. */
  layout?: LayoutName;
  /** The URL of a module that exports `printedDocumentsOf`. */
  documentsModule: string;
  facts: unknown;
}

const CHUNK_BYTES = 65_536;

const draw: Task<PdfJobData, unknown, Uint8Array> = async function* (
  { documentsModule, facts, ...file },
  parts,
) {
  const { printedDocumentsOf } = (await import(documentsModule)) as {
    printedDocumentsOf: PrintedDocumentsOf<unknown, unknown>;
  };
  await prepareFor(facts);
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of pdfOf(file, printedDocumentsOf(facts, withFonts(parts)))) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  yield Buffer.concat(chunks);
};

async function* withFonts(parts: AsyncIterable<unknown>) {
  for await (const part of parts) {
    await prepareFor(part);
    yield part;
  }
}

export default draw;
