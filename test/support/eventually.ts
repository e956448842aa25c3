import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until the condition holds. An error counts as "not yet"; after the timeout the last error is thrown.
 */
export async function eventually<T>(condition: () => Promise<T> | T, patience = 120_000): Promise<T> {
  for (const deadline = Date.now() + patience; ;) {
    try {
      const value = await condition();
      if (value) return value;
      if (Date.now() > deadline) throw new Error(`Still ${String(value)} after ${patience} ms: ${condition}`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(25);
  }
}
