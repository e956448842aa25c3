import { Column } from 'typeorm';

/**
 * The id of the transaction that last changed the row. A trigger sets it and only the snapshot reads it; the entities name
 * the column just so that a generated migration leaves it alone.
 */
export function ChangeStamp(): PropertyDecorator {
  return Column({ type: 'bigint', select: false, insert: false, update: false });
}
