import { Client } from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  Plans?: PlanNode[];
}

/** The columns of each unique key, by table. */
type Keys = Map<string, string[][]>;

export interface Prepared {
  name: string;
  text: string;
  parameters: number;
}

const NO_JIT = '-c jit=off -c plan_cache_mode=force_generic_plan';

/** Reads plan with the server's settings, transactions that keep plans with these. */
const KEPT = `${NO_JIT} -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off`;

/** An index with a condition is a key of its own rows alone. */
const UNIQUE = `
  SELECT indrelid::regclass::text AS name,
         json_agg(ARRAY(SELECT attname FROM pg_attribute
                         WHERE attrelid = indrelid AND attnum = ANY (indkey))) AS keys
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
   WHERE indisunique AND indpred IS NULL AND relnamespace = 'public'::regnamespace GROUP BY indrelid`;

const REFERRED_TO = `
  SELECT DISTINCT confrelid::regclass::text AS name,
         ARRAY(SELECT attname::text FROM pg_attribute
                WHERE attrelid = confrelid AND attnum = ANY (confkey)) AS key
    FROM pg_constraint WHERE contype = 'f'`;

/** The check of each key that foreign keys refer to, as PostgreSQL writes it. */
export async function checksOfForeignKeys(client: Pick<Client, 'query'>): Promise<Prepared[]> {
  const { rows } = await client.query<{ name: string; key: string[] }>(REFERRED_TO);
  return rows.map(({ name, key }) => ({
    name: `foreign key to ${name}`,
    text: `SELECT 1 FROM ONLY ${name} x
            WHERE ${key.map((column, index) => `${column} = $${index + 1}`).join(' AND ')} FOR KEY SHARE OF x`,
    parameters: key.length,
  }));
}

/**
 * Plans statements on two new connections. Gives the scans that use an index with less than the whole key that
 * the statement gives.
 */
export async function lessThanKeys(url: string, statements: Prepared[]): Promise<string[]> {
  const found = await Promise.all([NO_JIT, KEPT].map((options) => planAll(url, options, statements)));
  return found.flat();
}

async function planAll(url: string, options: string, statements: Prepared[]): Promise<string[]> {
  const client = new Client({ connectionString: url, options });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; keys: string[][] }>(UNIQUE);
    const keys = new Map(rows.map((row) => [row.name, row.keys]));
    // In one message: two for each statement would take half of the time.
    const results = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      statements.map(explained).join(';'),
    );
    const plans = (results as unknown as (typeof results)[]).flatMap(({ rows: found }) => found);
    return statements.flatMap(({ name }, index) =>
      byLess(plans[index]!['QUERY PLAN'][0].Plan, keys).map((scan) => `${name}: ${scan}`),
    );
  } finally {
    await client.end();
  }
}

function explained({ name, text, parameters }: Prepared): string {
  const values = Array<string>(parameters).fill('NULL').join(', ');
  return `PREPARE "${name}" AS ${text};
    EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) EXECUTE "${name}"${values && `(${values})`}`;
}

function byLess(node: PlanNode, keys: Keys, joined = ''): string[] {
  const table = node['Relation Name'];
  const used = indexesOf(node);
  const given = `${used} ${node.Filter ?? ''} ${joined}`;
  const wholeIn = (conditions: string) =>
    keys.get(table!)!.some((key) => key.every((column) => equals(conditions, node.Alias!, column)));
  const isLess = table !== undefined && used !== '' && !wholeIn(used) && wholeIn(given);
  const below = (node.Plans ?? []).flatMap((plan, place) =>
    byLess(plan, keys, place === 0 ? joined : `${joined} ${node['Join Filter'] ?? ''}`),
  );
  return [...(isLess ? [`${table} by ${used}`] : []), ...below];
}

/** The indexes of a scan with their conditions. */
function indexesOf(node: PlanNode): string {
  const below = /^Bitmap(?!.*Index)/.test(node['Node Type']) ? node.Plans! : [];
  const own = node['Index Cond'] === undefined ? [] : [`${node['Index Name']} ${node['Index Cond']}`];
  return [...own, ...below.map(indexesOf)].join(' ');
}

/** NOT IN gives nothing, nor does an expression of the column itself. */
function equals(conditions: string, alias: string, column: string): boolean {
  const name = `\\b${alias}\\.${column}\\b`;
  return new RegExp(`(?<!ANY \\()${name} = (?!\\w+\\([^)]*${name})|(?<!${name}\\)) = ${name}`).test(
    conditions,
  );
}
