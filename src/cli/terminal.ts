import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { ImportProgress } from '../shared/imports/import-kind.js';
import { spooled } from '../platform/files/spool.js';
import { forTerminal } from '../platform/validation/texts.js';

type Output = Writable & { isTTY?: boolean };

/** The environment of a command: the process, except in tests. */
export interface CliEnvironment {
  readonly env: Record<string, string | undefined>;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Output;
  /** Only of a real process: loads a file with further settings. */
  loadEnvFile?(path: string): void;
}

const BAR_WIDTH = 30;

/** Writes all output of commands, because stored texts must not control the operator's terminal. */
export function writeText(stream: Output, text: string): boolean {
  return stream.write(forTerminal(stream, text));
}

/** The reader of the answer has seen enough, as `head` does. */
export class ReaderLeftError extends Error {}

function refuseReader(error: NodeJS.ErrnoException): never {
  throw error.code === 'EPIPE' ? new ReaderLeftError() : error;
}

/** Writes only as fast as the reader reads, so an answer of any size needs little memory. */
export async function writeAnswer(stream: Output, content: string | AsyncIterable<string>): Promise<void> {
  const write = async (chunk: string) => {
    if (!writeText(stream, chunk)) await once(stream, 'drain').catch(refuseReader);
  };
  if (typeof content === 'string') return void (await write(content));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // `less` and other slow readers must not keep a transaction open.
  for await (const chunk of spooled(content)) await write(decoder.decode(chunk, { stream: true }));
}

/** Asks a person to confirm. Without a terminal the answer is no. */
export async function askForConfirmation(
  { stdin, stderr }: CliEnvironment,
  question: string,
): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) return false;
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}

/** A progress bar on standard error, if that is a terminal. Nothing else may write control sequences. */
export function showProgress({ stderr }: CliEnvironment): {
  show: (progress: ImportProgress) => void;
  end: () => void;
} {
  if (!stderr.isTTY) return { show: () => undefined, end: () => undefined };
  let lastLine = '';
  return {
    show: ({ phase, done }) => {
      const share = Math.min(Math.max(done, 0), 1);
      const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '.');
      const line = `${phase} [${bar}] ${Math.floor(share * 100)} %`;
      if (line !== lastLine) stderr.write(`\r${line}\u001B[K`);
      lastLine = line;
    },
    end: () => {
      if (lastLine !== '') stderr.write('\r\u001B[K');
      lastLine = '';
    },
  };
}
