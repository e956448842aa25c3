import {
  Column,
  type ColumnType,
  DefaultNamingStrategy,
  ForeignKey,
  getMetadataArgsStorage,
  PrimaryGeneratedColumn,
  type Table,
} from 'typeorm';
import { snakeCase } from '../snake-case.js';

/** Entities name only their tables: a column is named after its field, a primary key after its table. */
export class EntityNames extends DefaultNamingStrategy {
  override columnName(field: string, name: string | undefined): string {
    return name ?? snakeCase(field);
  }

  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pk`;
  }
}

type EntityType<Entity> = abstract new () => Entity;

interface EntityColumn {
  name: string;
  type: ColumnType | undefined;
}

const known = new Map<EntityType<unknown>, ReadonlyMap<string, EntityColumn>>();

function columnsByField(entity: EntityType<unknown>): ReadonlyMap<string, EntityColumn> {
  const columns =
    known.get(entity) ??
    new Map(
      getMetadataArgsStorage()
        .columns.filter(({ target }) => entity === target || entity.prototype instanceof (target as never))
        .map(({ propertyName: field, options: { name = snakeCase(field), type } }) => [
          field,
          { name, type },
        ]),
    );
  known.set(entity, columns);
  return columns;
}

export function columnOf<Entity>(entity: EntityType<Entity>, field: keyof Entity & string): string {
  const column = columnsByField(entity).get(field);
  if (!column) throw new Error(`${entity.name} has no column for ${field}.`);
  return column.name;
}

/** Fields of a row for a SELECT: `o.order_number AS "orderNumber", o.total AS "total"`. */
export function columnsOf<Entity>(
  entity: EntityType<Entity>,
  alias: string,
  fields: readonly (keyof Entity & string)[],
): string {
  return fields.map((field) => `${alias}.${columnOf(entity, field)} AS "${field}"`).join(', ');
}

/** The fields of a row as one JSON object. Amounts are text; times are milliseconds since 1970. */
export function jsonOf<Entity>(
  entity: EntityType<Entity>,
  alias: string,
  fields: readonly (keyof Entity & string)[],
): string {
  const pairs = fields.map((field) => {
    const column = `${alias}.${columnOf(entity, field)}`;
    return `'${field}', ${asJson(column, columnsByField(entity).get(field)?.type)}`;
  });
  return `json_build_object(${pairs.join(', ')})`;
}

function asJson(column: string, type: ColumnType | undefined): string {
  if (type === 'numeric') return `${column}::text`;
  return type === 'timestamptz' ? `floor(extract(epoch FROM ${column}) * 1000)` : column;
}

/** Columns of a file for a SELECT: each expression under its name. */
export function selectOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, expression]) => `${expression} AS ${name}`)
    .join(', ');
}

/** All fields of the entity, without these. */
export function fieldsOf<Entity, Left extends keyof Entity & string>(
  entity: EntityType<Entity>,
  { without }: { without: readonly Left[] },
): Exclude<keyof Entity & string, Left>[] {
  const left: ReadonlySet<string> = new Set(without);
  const fields = [...columnsByField(entity).keys()] as (keyof Entity & string)[];
  return fields.filter((field): field is Exclude<keyof Entity & string, Left> => !left.has(field));
}

/** An id from the database's sequence, which imports may also set. */
export function IdColumn(type: 'integer' | 'bigint' = 'integer') {
  return PrimaryGeneratedColumn('identity', { type, generatedIdentity: 'BY DEFAULT' });
}

/** A foreign key whose fields have the same names in both entities. An entity of a higher module is named. */
export function SameKey(of: string | (() => abstract new () => object), fields: string[], name: string) {
  const tuple = fields as unknown as readonly [];
  return ForeignKey(of as string, tuple, tuple, { name });
}

/**
 * The id of the last transaction that changed the row. A trigger sets it and the snapshot reads it. Entities
 * name the column so that generated migrations keep it.
 */
export function ChangeVersion({ nullable = false } = {}): PropertyDecorator {
  return Column({ type: 'bigint', nullable, select: false, insert: false, update: false });
}
