import type { StoreRequest } from '../entities/store-request.entity.js';

/** Where a page of requests ended. */
export type RequestCursor = Pick<StoreRequest, 'answeredAt' | 'id'>;

const CURSOR = /^(\d{1,15})-(\d{1,18})$/;

export function writeRequestCursor({ answeredAt, id }: RequestCursor): string {
  return `${answeredAt.getTime()}-${id}`;
}

/** `undefined` for anything that was never a cursor. */
export function readRequestCursor(text: string): RequestCursor | undefined {
  const [, time, id] = CURSOR.exec(text) ?? [];
  const answeredAt = new Date(Number(time));
  return id === undefined || Number.isNaN(answeredAt.getTime()) ? undefined : { answeredAt, id };
}
