import { hash } from 'node:crypto';

/** What a sync token stands for: from which stamp on, in which history, and in which list. */
export interface SyncToken {
  /** The beginning of the history's identity. */
  epoch: string;
  /** Which list it continues: a plan's catalog by the plan's id, the stock by 0, a client's orders by its negative id. */
  binding: number;
  horizon: number;
}

const FORMAT = 1;
const EPOCH_HEX = 12;
const CONTENT_BYTES = 17;
const CHECKSUM_BYTES = 4;

export function epochOf(identity: string): string {
  return identity.slice(0, EPOCH_HEX);
}

export function writeSyncToken({ epoch, binding, horizon }: SyncToken): string {
  const content = Buffer.alloc(CONTENT_BYTES);
  content.writeUInt8(FORMAT, 0);
  content.write(epoch, 1, 'hex');
  content.writeInt32BE(binding, 7);
  content.writeUIntBE(horizon, 11, 6);
  return Buffer.concat([content, checksum(content)]).toString('base64url');
}

/** `undefined` for anything that was never a token. */
export function readSyncToken(text: string): SyncToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const content = bytes.subarray(0, CONTENT_BYTES);
  const wellFormed = bytes.length === CONTENT_BYTES + CHECKSUM_BYTES && bytes.toString('base64url') === text;
  if (!wellFormed || content[0] !== FORMAT || !bytes.subarray(CONTENT_BYTES).equals(checksum(content)))
    return undefined;
  return {
    epoch: content.toString('hex', 1, 7),
    binding: content.readInt32BE(7),
    horizon: content.readUIntBE(11, 6),
  };
}

/** Against typing errors and cut-off copies; a token needs no secrecy. */
function checksum(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, CHECKSUM_BYTES);
}
