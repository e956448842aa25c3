import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { Bench } from './bench.js';
import { canPin } from './servers/pinned.js';

/** Describes the machine of the run. */
export async function describeMachine({ postgres }: Bench): Promise<string[]> {
  const [row] = await postgres.query<{ server_version: string }>('SHOW server_version');
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `Machine: ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
      `${memory} GB, ${type()} ${release()}`,
    `Node ${process.version}, PostgreSQL ${row!.server_version} with its default settings ` +
      '(everything synced to disk)',
    canPin
      ? 'The server under test has one core, the generator of load another; PostgreSQL uses both.'
      : 'Servers and load share all cores.',
  ];
}
