import { parseArgs } from 'node:util';

export interface Options {
  /** A quick run: every row is measured once and briefly, and no report is written. */
  quick: boolean;
  /** The ids of the rows to measure; empty means all rows. */
  only: string[];
  /** The directory for CPU profiles of the service. */
  profile: string | undefined;
  /** Another build of the service: a commit, or the directory of a built checkout. */
  against: string | undefined;
  /** The address of another PostgreSQL on this machine, as a superuser; otherwise the embedded one is started. */
  postgres: string | undefined;
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      against: { type: 'string' },
      postgres: { type: 'string' },
    },
  });
  return {
    quick: values.quick,
    only: values.only.flatMap((ids) => ids.split(',')),
    profile: values.profile,
    against: values.against,
    postgres: values.postgres,
  };
}
