import type { Settings } from '../../platform/settings/settings.js';

/** What can be told to stop, and when it is stopping, to hurry. */
export interface Stoppable {
  readonly isUnderWay: boolean;
  begin(drainSeconds: number): void;
  hurryUp(): void;
}

/**
 * SIGTERM ends the service in order. So does Ctrl-C, without waiting for a balancer; when it is pressed once more, without waiting
 * for anybody.
 */
export function obeySignals(shutdown: Stoppable, { shutdownDrainSeconds }: Settings): void {
  const stop = (drainSeconds: number) =>
    shutdown.isUnderWay ? shutdown.hurryUp() : shutdown.begin(drainSeconds);
  process.on('SIGTERM', () => stop(shutdownDrainSeconds));
  process.on('SIGINT', () => stop(0));
}
