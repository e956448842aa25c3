import type { Task } from '../../platform/worker-threads/thread.js';
import { prepareFor } from './fonts.js';
import type { LayoutName } from './layouts.js';
import { type Paper, pdfOf } from './pdf.js';

/** The function that a module of documents exports. It runs in a thread: no services, no entities. */
export type PapersOf<Facts, Part> = (facts: Facts, parts: AsyncIterable<Part>) => AsyncIterable<Paper>;

export interface DrawnInThread {
  title: string;
  /** A parameter, so that the same documents give the same bytes. */
  madeAt: Date;
  /** By default one document on each A4 page. */
  layout?: LayoutName;
  /** The URL of a module that exports `printedDocumentsOf`. */
  papers: string;
  facts: unknown;
}

const PIECE_BYTES = 65_536;

const draw: Task<DrawnInThread, unknown, Uint8Array> = async function* ({ papers, facts, ...file }, parts) {
  const { papersOf } = (await import(papers)) as { papersOf: PapersOf<unknown, unknown> };
  await prepareFor(facts);
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pdfOf(file, papersOf(facts, prepared(parts)))) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    bytes = 0;
  }
  yield Buffer.concat(pieces);
};

async function* prepared(parts: AsyncIterable<unknown>) {
  for await (const part of parts) {
    await prepareFor(part);
    yield part;
  }
}

export default draw;
