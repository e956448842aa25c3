import { getMetadataArgsStorage } from 'typeorm';
import { DomainError } from '../errors/domain-error.js';

type EntityType = abstract new () => object;

interface RowBound {
  table: string;
  max: number;
  /** The rows in messages, such as "parcels". */
  rows: string;
}

const bounds = new Map<EntityType, Omit<RowBound, 'table'>>();

/**
 * The maximum of rows of one parent. A caller who can add rows can add them for ever, and each read of the
 * parent would load all. A read takes the newest rows up to the bound, even of older releases.
 */
export const MaxRows =
  (max: number, rows: string): ClassDecorator =>
  (entity) =>
    void bounds.set(entity as unknown as EntityType, { max, rows });

export function rowBoundOf(entity: EntityType): RowBound {
  const bound = bounds.get(entity);
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (!bound || table === undefined) throw new Error(`${entity.name} has no @MaxRows.`);
  return { ...bound, table };
}

export function tooManyRows(orderNumber: string, max: number, rows: string, advice = ''): DomainError {
  return new DomainError(
    'conflict',
    `The order ${orderNumber} has ${max} ${rows}, which is the maximum${advice}.`,
  );
}
