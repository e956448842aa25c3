import os from 'node:os';

/** Who gives the command, as the timeline and the stock records will name it. */
export function operator(): string {
  try {
    return `operator:${os.userInfo().username}`;
  } catch {
    // A container may run under a user id that has no name.
    return `operator:${process.getuid?.() ?? 'unknown'}`;
  }
}
