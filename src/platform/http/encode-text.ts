import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Encoding } from './representation.js';

const compress = promisify(gzip);

export async function encodeText(text: string, encoding: Encoding): Promise<Buffer> {
  return encoding === 'gzip' ? compress(text) : Buffer.from(text);
}
