import type { BenchDatabase } from '../database/bench-database.js';
import {
  changePolls,
  type Load,
  productReads,
  reads,
  statusPolls,
  stockChecks,
  unchanged,
  wholeLists,
} from './loads.js';

type Server = { url: string };

export interface Poll {
  work: string;
  /** Against bare `node:http`, or against one prepared SELECT. */
  aim?: number;
  loadOf: (database: BenchDatabase, server: Server) => Load | Promise<Load>;
  /** Each contender gets the tag of its own answer, and sends 304. */
  isUnchanged?: true;
  /** What the references read from PostgreSQL. Without it they send what the service sent. */
  select?: string;
}

/** Each kind of poll that a store makes. */
export const POLLS: Poll[] = [
  {
    work: 'stock check, 1,000 products in turn',
    aim: 0.45,
    loadOf: (database) => stockChecks(database, 1_000),
  },
  { work: 'product, 1,000 in turn', aim: 0.45, loadOf: (database) => productReads(database, 1_000) },
  // It changes the lists, so it comes before them.
  { work: '100 changed products by sync token, gzip', loadOf: changePolls },
  {
    work: 'whole list of 10,000 products, gzip, 8 at a time',
    aim: 0.6,
    loadOf: (database) => wholeLists(database),
  },
  { work: 'whole list, unchanged', aim: 0.4, loadOf: (database) => wholeLists(database), isUnchanged: true },
  {
    work: 'page of 100 products',
    aim: 0.4,
    loadOf: ({ store }) => reads(store.headers, ['/api/products?limit=100']),
  },
  { work: 'order status', aim: 0.7, loadOf: statusPolls, select: 'status' },
  { work: 'account', loadOf: ({ store }) => reads(store.headers, ['/api/account']), select: 'account' },
];

/** The loads of all polls, by name. */
export async function pollsOf(database: BenchDatabase, server: Server): Promise<Record<string, Load>> {
  const loads: Record<string, Load> = {};
  for (const { work, loadOf, isUnchanged } of POLLS) {
    const load = await loadOf(database, server);
    loads[work] = isUnchanged ? await unchanged(load, server) : load;
  }
  return loads;
}
