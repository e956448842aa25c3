import { parseArgs } from 'node:util';

export interface Options {
  /** A smoke run: everything is measured once and briefly, and nothing is written. */
  quick: boolean;
  /** The ids of the rows to measure; empty for all of them. */
  only: string[];
  /** Where to put CPU profiles of the service, if anywhere. */
  profile: string | undefined;
  /** Another build of the service: a commit, or the directory of a checkout that is built already. */
  against: string | undefined;
}

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      against: { type: 'string' },
    },
  });
  return {
    quick: values.quick,
    only: values.only.flatMap((ids) => ids.split(',')),
    profile: values.profile,
    against: values.against,
  };
}
