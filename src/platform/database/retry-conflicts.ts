import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from './database-error.js';

interface Retries {
  attempts: number;
  /** The longest pause after the first attempt. It grows with each one. */
  pauseMs: number;
}

/** Runs a transaction again after a deadlock or a serialization failure. */
export async function retryConflicts<Result>(
  { attempts, pauseMs }: Retries,
  attemptOnce: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error;
      await pause(Math.random() * pauseMs * attempt);
    }
  }
}
