// @ts-expect-error The script has no types.
import { unboundedAggregates } from '../../scripts/check-aggregates.mjs';

const check = unboundedAggregates as (file: string, text: string) => string[];

describe('The lint rule for collected rows', () => {
  it.each([
    ['a statement', 'const A = `SELECT (SELECT json_agg(a) FROM parcels a) AS parcels`;'],
    ['a limit elsewhere', 'const A = `SELECT (SELECT jsonb_agg(a) FROM parcels a) FROM orders LIMIT 1`;'],
    [
      'a reason elsewhere',
      '/** Bounded by it. */ const A = 1;\nconst B = `SELECT array_agg(a) FROM parcels a`;',
    ],
  ])('finds an aggregate without a bound in %s', (_, text) => {
    expect(check('src/a.ts', text)).toHaveLength(1);
  });

  it.each([
    ['a limit', 'const A = `SELECT (SELECT json_agg(a) FROM (SELECT * FROM parcels LIMIT ${N}) a) FROM b`;'],
    ['a slice', 'const A = `SELECT (array_agg(a ORDER BY b))[1:${N}] FROM parcels`;'],
    [
      'a reason',
      '/** Bounded by the lines of an order. */\nconst A = `SELECT json_agg(i) FROM order_items i`;',
    ],
    ['a reason in SQL', 'const A = `SELECT\n -- bounded by the lines\n json_agg(i) FROM order_items i`;'],
  ])('and allows one with %s', (_, text) => {
    expect(check('src/a.ts', text)).toEqual([]);
  });
});
