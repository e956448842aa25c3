/** All background jobs by their names in the metrics, in words. */
const JOB_NAMES = {
  auto_pay: 'Paying orders by auto-pay',
  firm: 'Reading the name and logo of the firm',
  import_runs: 'Clearing away old imports',
  mail: 'Sending mail',
  notices: 'Writing notices',
  order_expiry: 'Cancelling unpaid orders',
  reconciler: 'Asking the gateway about payments',
  request_log: 'Recording requests of stores',
  request_log_retention: 'Deleting old requests of stores',
  sales_sums: 'Adding up sales',
  scheduled_prices: 'Starting and ending dated prices',
  statistics: 'Renewing statistics of the database',
  test_orders_retention: 'Deleting old test orders',
  token_uses: 'Recording the last use of tokens',
};

export type JobName = keyof typeof JOB_NAMES;

/** The database may name a job of another version. */
export const describeJob = (name: string): string =>
  Object.hasOwn(JOB_NAMES, name) ? JOB_NAMES[name as JobName] : name.replaceAll('_', ' ');
