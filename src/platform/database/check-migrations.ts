import { DomainError } from '../errors/domain-error.js';
import { VERSION } from '../version.js';

export type Select = <Row extends object>(sql: string) => Promise<Row[]>;

/** Builds before 1.0.0 numbered their migrations like this, and changed them. */
const UNRELEASED = /17000000000\d\d$/;

interface DatabaseFacts {
  /** Missing, our list of migrations, or a table of this name with other columns. */
  list: 'none' | 'ours' | 'foreign';
  /** The other tables of the schema, without those of extensions. */
  tables: string[];
}

const FACTS = `
  SELECT CASE WHEN to_regclass('migrations') IS NULL THEN 'none'
              WHEN (SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('migrations')
                       AND attname IN ('id', 'timestamp', 'name')) = 3 THEN 'ours'
              ELSE 'foreign' END AS list,
         ARRAY(SELECT relname::text FROM pg_class c
                WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                  AND relkind IN ('r', 'p', 'v', 'm', 'f') AND relname <> 'migrations'
                  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                                     AND objid = c.oid AND deptype = 'e')
                ORDER BY relname) AS tables`;

/** The migrations of a database, compared with those of this build. */
export interface MigrationState {
  /** Migrations of this build that the database does not have yet. */
  missing: string[];
  /** Migrations of a newer version. */
  newer: string[];
}

/**
 * Compares the migrations of a database with those of this build, and changes nothing. Refuses the tables of
 * another program, because the migrations would stop in the middle, and those of an unreleased build.
 */
export async function compareMigrations(select: Select, known: readonly string[]): Promise<MigrationState> {
  const [facts] = await select<DatabaseFacts>(FACTS);
  const { list, tables } = facts!;
  const rows =
    list === 'ours' ? await select<{ name: string }>('SELECT name FROM migrations ORDER BY id') : [];
  const done = new Set(rows.map(({ name }) => name));
  const newer = [...done].filter((name) => !known.includes(name));
  const missing = known.filter((name) => !done.has(name));
  if (newer.some((name) => UNRELEASED.test(name))) throw schemaUnreleased();
  const isForeign =
    list === 'foreign' || (missing.length === known.length && newer.length + tables.length > 0);
  if (isForeign) throw schemaForeign(tables);
  return { missing, newer };
}

function schemaUnreleased(): DomainError {
  return new DomainError(
    'schema_unknown',
    'This database was made by an unreleased build; its data cannot be taken along. Use a new database, or ' +
      'another DATA_DIR. With the build that made it, "catalog export" and "stock export" write files that ' +
      'this version imports.',
  );
}

function schemaForeign(tables: readonly string[]): DomainError {
  const named = tables.length === 0 ? 'migrations' : tables.slice(0, 3).join(', ');
  return new DomainError(
    'schema_unknown',
    `This database has tables of another program (${named}${tables.length > 3 ? ' and others' : ''}). ` +
      'The service needs a database of its own; if a restore is running, let it end. Nothing was changed.',
  );
}

/** Refuses the schema of a newer version. */
export function refuseNewer({ newer }: MigrationState): void {
  if (newer.length === 0) return;
  throw new DomainError(
    'schema_unknown',
    `The schema of the database is newer than this version (${VERSION}): it has ${newer.join(', ')}. ` +
      'Start the version that made it. To go back to this one, read "Upgrade and downgrade" in ' +
      'docs/operations.md.',
  );
}
