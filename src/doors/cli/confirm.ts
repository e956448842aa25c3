import { createInterface } from 'node:readline/promises';
import type { Surroundings } from './surroundings.js';

/** Asks a person; where nobody is there to answer, the answer is no. */
export async function confirm({ stdin, stderr }: Surroundings, question: string): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) return false;
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await asked.question(`${question} [y/N] `)).trim());
  } finally {
    asked.close();
  }
}
