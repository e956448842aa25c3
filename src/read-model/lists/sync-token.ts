import { hash } from 'node:crypto';
import type { Seen } from '../snapshot/horizon.js';

declare const LIST: unique symbol;

/** The list that a sync token continues. A token of another list is refused. */
export type SyncedList = number & { readonly [LIST]: never };

export const STOCK_LIST = 0 as SyncedList;

export function catalogOf(planId: number): SyncedList {
  return planId as SyncedList;
}

export function ordersOf(clientId: number): SyncedList {
  return -clientId as SyncedList;
}

/** The content of a sync token: stamp, history and list. */
export interface SyncToken {
  /** The beginning of the history's identity. */
  history: string;
  list: SyncedList;
  horizon: number;
}

const FORMAT = 1;
const HISTORY_HEX = 12;
const CONTENT_BYTES = 17;
const CHECKSUM_BYTES = 4;

export function historyOf({ identity }: Seen): string {
  return identity.slice(0, HISTORY_HEX);
}

export function writeSyncToken({ history, list, horizon }: SyncToken): string {
  const content = Buffer.alloc(CONTENT_BYTES);
  content.writeUInt8(FORMAT, 0);
  content.write(history, 1, 'hex');
  content.writeInt32BE(list, 7);
  content.writeUIntBE(horizon, 11, 6);
  return Buffer.concat([content, checksum(content)]).toString('base64url');
}

/** `undefined` for a text that is no sync token. */
export function readSyncToken(text: string): SyncToken | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const content = bytes.subarray(0, CONTENT_BYTES);
  const wellFormed = bytes.length === CONTENT_BYTES + CHECKSUM_BYTES && bytes.toString('base64url') === text;
  if (!wellFormed || content[0] !== FORMAT || !bytes.subarray(CONTENT_BYTES).equals(checksum(content)))
    return undefined;
  return {
    history: content.toString('hex', 1, 7),
    list: content.readInt32BE(7) as SyncedList,
    horizon: content.readUIntBE(11, 6),
  };
}

/** True for another history, or for a later moment than this node has seen. */
export function isUnseen({ history, horizon }: SyncToken, seen: Seen): boolean {
  return history !== historyOf(seen) || horizon > seen.seenBelow;
}

/** Detects typing errors and cut-off copies. A sync token is no secret. */
function checksum(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, CHECKSUM_BYTES);
}
