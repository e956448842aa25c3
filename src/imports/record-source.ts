import type { FileRecord } from './file-record.js';

/** What an import reads: a file, an upload, or records that are made up as they are needed. */
export interface RecordSource {
  /** The heading comes first. `progress` goes from 0 to 1. */
  batches(): AsyncIterable<{ records: FileRecord[]; progress: number }>;
}
