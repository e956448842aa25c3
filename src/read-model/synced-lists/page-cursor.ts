import { hash } from 'node:crypto';

const ID_BYTES = 4;
const CHECKSUM_BYTES = 4;

/** The end of a page: the id of its last product. */
export function writeCursor(lastId: number): string {
  const id = Buffer.alloc(ID_BYTES);
  id.writeInt32BE(lastId);
  return Buffer.concat([id, checksum(id)]).toString('base64url');
}

/** `undefined` for a text that is no cursor. */
export function readCursor(text: string): number | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  const wellFormed = bytes.length === ID_BYTES + CHECKSUM_BYTES && bytes.toString('base64url') === text;
  return wellFormed && bytes.subarray(ID_BYTES).equals(checksum(id)) ? id.readInt32BE() : undefined;
}

function checksum(id: Buffer): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from('cursor'), id]), 'buffer').subarray(0, CHECKSUM_BYTES);
}
