import type { IssuedDocument } from '../invoices/document-pdf.js';
import { sampleDocuments } from '../invoices/sample-documents.js';
import type { StoreOrderDetails } from '../orders/records/order-record.js';
import type { Task } from '../../platform/worker-threads/thread.js';
import { billedChanges } from './billed-changes.js';

interface Facts {
  clientId: number;
  order: StoreOrderDetails;
}

/** Runs in a thread: a test order bills up to 100 events each time that its documents are read. */
const makeSamples: Task<Facts, unknown, IssuedDocument> = async function* ({ clientId, order }) {
  yield* sampleDocuments(billedChanges(clientId, order));
};

export default makeSamples;
