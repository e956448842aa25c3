import { createHmac, timingSafeEqual } from 'node:crypto';
import { watermarkOf, type ReadPosition } from '../snapshot/watermark.js';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { readChecked, writeChecked } from '../../platform/validation/checked-text.js';
import { Fault, Optional } from '../../platform/validation/fault-decorator.js';

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

/** Below all lists of orders. */
const TEST = -(2 ** 30);

export function testOrdersOf(clientId: number): SyncedList {
  return (TEST - clientId) as SyncedList;
}

export interface SyncToken {
  /** The first characters of the generation's identity. */
  generation: string;
  list: SyncedList;
  /** Changes with this version or a later one may be new to the reader. */
  watermark: number;
  /** The reader knows no later change. It may know this one although the watermark is lower. */
  highestVersion: number;
}

/** The number of characters of an identity in a sync token. */
const SHORT_IDENTITY = 12;

const FORMAT = 3;
const CONTENT_BYTES = 23;

const SIGNATURE_BYTES = 8;

export function generationOf({ identity }: ReadPosition): string {
  return identity.slice(0, SHORT_IDENTITY);
}

/** The token for the changes of this list after this moment. */
export function syncTokenAfter(
  position: ReadPosition,
  list: SyncedList,
  watermark = watermarkOf(position),
): string {
  const { identity, highestVersion } = position;
  return writeSyncToken({ generation: generationOf(position), list, watermark, highestVersion }, identity);
}

export function writeSyncToken(
  { generation, list, watermark, highestVersion }: SyncToken,
  identity: string,
): string {
  const content = Buffer.alloc(CONTENT_BYTES);
  content.writeUInt8(FORMAT, 0);
  content.write(generation, 1, 'hex');
  content.writeInt32BE(list, 7);
  content.writeUIntBE(watermark, 11, 6);
  content.writeUIntBE(highestVersion, 17, 6);
  return writeChecked(Buffer.concat([content, signatureOf(content, identity)]));
}

/** `undefined` for a text that is no sync token. */
export function readSyncToken(text: string): SyncToken | undefined {
  const content = readChecked(text);
  if (content?.length !== CONTENT_BYTES + SIGNATURE_BYTES || content[0] !== FORMAT) return undefined;
  return {
    generation: content.toString('hex', 1, 7),
    list: content.readInt32BE(7) as SyncedList,
    watermark: content.readUIntBE(11, 6),
    highestVersion: content.readUIntBE(17, 6),
  };
}

/**
 * True if a node of this generation wrote the token, so that its version is that of a change. A store knows
 * only a part of the identity.
 */
export function isSignedBy({ identity }: Pick<ReadPosition, 'identity'>, text: string): boolean {
  const content = readChecked(text)!;
  const signature = signatureOf(content.subarray(0, CONTENT_BYTES), identity);
  return timingSafeEqual(content.subarray(CONTENT_BYTES), signature);
}

function signatureOf(content: Buffer, identity: string): Buffer {
  return createHmac('sha256', identity).update(content).digest().subarray(0, SIGNATURE_BYTES);
}

/** True for another generation, or a later moment than this node has read. */
export function isUnknown(token: SyncToken, position: ReadPosition): boolean {
  return token.generation !== generationOf(position) || token.watermark > position.visibleBelow;
}

/** The parameter `since`: a sync token. It cannot be combined with filters. */
export function Since(...others: string[]): PropertyDecorator {
  const alone = (object: object) =>
    others.every((name) => (object as Record<string, unknown>)[name] === undefined);
  return applyDecorators(
    Optional(),
    Fault(
      'malformed',
      'is not a sync token; send the "sync_token" of your last answer',
      (value) => typeof value === 'string' && readSyncToken(value) !== undefined,
    ),
    Fault('not_combinable', `cannot be combined with ${others.join(', ')}`, (_, object) => alone(object)),
    ApiPropertyOptional({
      description:
        'The `sync_token` of your last answer: you get only what changed since then. Not together with ' +
        `${others.map((name) => `\`${name}\``).join(', ')}.`,
      example: 'A6cf3k0TbAAAAAcAAAAAAyAAAAAAAx_IGW36HI1YKkwCLhk',
      type: String,
    }),
  );
}
