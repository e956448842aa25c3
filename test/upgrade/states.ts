import type { Client, Pool } from 'pg';

/** Every value that a CHECK lists for a column, such as the states of an order, with its table. */
const LISTED_VALUES = `
  SELECT conrelid::regclass::text AS "table", found[1] AS "column", value[1] AS value
    FROM pg_constraint, pg_get_constraintdef(oid) AS def,
         regexp_matches(def, '\\(*(\\w+) = ANY \\(ARRAY\\[([^]]*)\\]', 'g') AS found,
         regexp_matches(found[2], '''(\\w+)''', 'g') AS value
   WHERE contype = 'c' AND connamespace = 'public'::regnamespace
   ORDER BY 1, 2, 3`;

interface ListedValue {
  table: string;
  column: string;
  value: string;
}

/** Returns the tables without a row, and the listed values that no row has. Empty for a complete dump. */
export async function missingRows(database: Client | Pool): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const missing: string[] = [];
  const isThere = async (table: string, condition: string) =>
    (await database.query(`SELECT FROM public.${table} WHERE ${condition} LIMIT 1`)).rowCount === 1;
  for (const { name } of tables) if (!(await isThere(name, 'true'))) missing.push(`${name} has no row`);
  const { rows: values } = await database.query<ListedValue>(LISTED_VALUES);
  for (const { table, column, value } of values)
    if (!(await isThere(table, `${column}::text = '${value}'`)))
      missing.push(`${table} has no row with ${column} = ${value}`);
  return missing;
}
