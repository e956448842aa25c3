/**
 * Where an import sorts its rows out, by the names that its SQL calls them: tables of its own connection, which nobody else sees and which
 * go with it. An import kind asks GOOD, adds to FAULTS and creates WORK.
 */

/** Every row as it was read, with the columns of the kind. */
export const STAGED = 'staged';

/** Of those, the ones without a fault so far. */
export const GOOD = 'good';

/** What is wrong with a row, or only remarkable. */
export const FAULTS = 'faults';

/** The good ones that make a difference. */
export const WORK = 'work';

/** The prices that rows would set, with those that are paid now: `line, sku, plan, old, new`. */
export const PRICES = 'prices';

/** The rows as they stand in the file, if they are to be given back. */
export const RAW = 'raw';

/** One row of what was asked for beside the file. */
export const ASKED = 'asked';

/** What was asked for, as an expression that is worked out once for a statement. */
export function asked(option: string): string {
  return `(SELECT ${option} FROM ${ASKED})`;
}

/** What rows are copied into. */
export type StagingTable = typeof STAGED | typeof FAULTS | typeof RAW;

/** Fills WORK from a query of `line`, `is_new` and whatever writing takes. */
export function createWork(query: string): string {
  return `CREATE TEMP TABLE ${WORK} AS ${query};`;
}

/** Takes rows out of WORK again that have proved to be bad. */
export const DROP_FAULTY = `DELETE FROM ${WORK} WHERE line IN (SELECT line FROM ${FAULTS} WHERE NOT is_warning);`;

/** The condition on WORK that picks a batch, whose lines are $1 and $2. */
export function inBatch(work: string = WORK): string {
  return `${work}.line > $1 AND ${work}.line <= $2`;
}

/** Adds faults from a query of line, column and message. */
export function addFaults(query: string): string {
  return `INSERT INTO ${FAULTS} (line, column_name, message) ${query};`;
}

/** Likewise, of what does not keep a row from being written. */
export function addWarnings(query: string): string {
  return `INSERT INTO ${FAULTS} (line, column_name, message, is_warning) SELECT *, true FROM (${query}) AS warning;`;
}
