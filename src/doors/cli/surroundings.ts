import type { Readable, Writable } from 'node:stream';

/** What a command knows of where it is given: the process that runs it, as a rule. */
export interface Surroundings {
  readonly env: Record<string, string | undefined>;
  /** A file that is read, or who could be asked something. */
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { isTTY?: boolean };
  /** Of a real process: what its environment leaves out may stand in a file. */
  loadEnvFile?(path: string): void;
}
