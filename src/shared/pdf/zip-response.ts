import type { StreamableFile } from '@nestjs/common';
import { CSV, fileResponse } from '../../platform/http/file-response.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import { findEntry, type ZipEntry } from './zip.js';

const TYPES: Readonly<Record<string, string>> = {
  csv: `${CSV}; charset=utf-8`,
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

/** One file of those that a ZIP would have. */
export async function entryResponse(
  owner: ThreadOwner,
  entries: AsyncIterable<ZipEntry>,
  name: string,
): Promise<StreamableFile> {
  const { content } = await findEntry(entries, name);
  return fileResponse(owner, name, TYPES[name.split('.').at(-1)!]!, content);
}
