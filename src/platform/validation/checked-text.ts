import { hash } from 'node:crypto';

const CHECKSUM_BYTES = 4;

/** Bytes as a text, with a checksum that detects typing errors and cut-off copies. It is no secret. */
export function writeChecked(content: Buffer, kind = ''): string {
  return Buffer.concat([content, checksum(content, kind)]).toString('base64url');
}

/** The bytes of such a text of this kind; undefined for any other text. */
export function readChecked(text: string, kind = ''): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  const isWhole = bytes.subarray(content.length).equals(checksum(content, kind));
  return isWhole && bytes.toString('base64url') === text ? content : undefined;
}

function checksum(content: Buffer, kind: string): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(kind), content]), 'buffer').subarray(0, CHECKSUM_BYTES);
}
