import { Column } from 'typeorm';

/**
 * The id of the transaction that last changed the row, or something in it. A trigger sets it and only the snapshot reads it; the entities name
 * the column just so that a generated migration leaves it alone.
 */
export function ChangeStamp({ nullable = false } = {}): PropertyDecorator {
  return Column({ type: 'bigint', nullable, select: false, insert: false, update: false });
}
