import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { Shutdown } from './shut-down.js';

const REASONS: Record<string, string> = {
  EADDRINUSE: 'is taken by another program. Stop it, or set PORT to another port',
  EACCES: 'may not be used by this user. Set PORT to 1024 or higher',
  EADDRNOTAVAIL: 'is no address of this machine. Set HOST to one that is, or to 0.0.0.0 for all of them',
  ENOTFOUND: 'is not known. Set HOST to an address of this machine, or to 0.0.0.0 for all of them',
};

/** Finds the most common start-up error before a database is started. */
export async function checkAddress({ host, port, metricsHost, metricsPort }: Settings): Promise<void> {
  const probes = [await probe(host, port)];
  // The first is still open: both ports may be the same.
  if (metricsPort !== undefined) probes.push(await probe(metricsHost, metricsPort, 'METRICS_'));
  for (const each of probes) {
    each.close();
    await once(each, 'close');
  }
}

async function probe(host: string, port: number, prefix = ''): Promise<Server> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return server;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    const reason = REASONS[code] ?? `cannot be listened on (${code})`;
    const advice = reason.replace(/HOST|PORT/, `${prefix}$&`);
    throw new DomainError('address_unusable', `${host}:${port} ${advice}.`, { cause });
  }
}

/**
 * A terminal and a service manager send a signal to all processes. npm also passes its own on, so under npm
 * one signal comes twice within milliseconds.
 */
const SAME_SIGNAL_MS = 500;

/**
 * SIGTERM, Ctrl-C and a closed terminal (SIGHUP) stop the service in order; only SIGTERM drains. A second
 * signal closes all connections at once.
 */
export function stopOnSignals(shutdown: Shutdown, { shutdownDrainSeconds }: Settings): void {
  let stoppedAt = 0;
  const stop = (drainSeconds: number) => {
    if (shutdown.isUnderWay) {
      if (performance.now() - stoppedAt > SAME_SIGNAL_MS) shutdown.hurryUp();
      return;
    }
    stoppedAt = performance.now();
    shutdown.begin(drainSeconds);
  };
  process.on('SIGTERM', () => stop(shutdownDrainSeconds));
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => stop(0));
}

/**
 * The service goes on while its log cannot be written: the disk is full, or the reader of the pipe is gone.
 * Lines of that time are lost. Without a listener, Node ends the process.
 */
export function surviveLostLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
