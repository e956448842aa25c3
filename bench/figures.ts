import type { Speed } from './load/compare.js';

export function perSecond(rate: number, unit = 'req'): string {
  return `${Math.round(rate).toLocaleString('en')} ${unit}/s`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** For work that is limited by the processor time of the server. */
export function costOf({ cost, rate }: Speed): string {
  return `${micros(cost)}, ${perSecond(rate)}`;
}

/** For work that waits for PostgreSQL. */
export function paceOf({ cost, postgresCost, rate, p99 }: Speed): string {
  return `${perSecond(rate)}, p99 ${milliseconds(p99)}; ${micros(cost)} + ${micros(postgresCost)}`;
}

/** Returns how busy each side was, the server before the generator, for each contender. */
export function busyOf(...speeds: Speed[]): string {
  const percent = (share: number) => Math.round(share * 100);
  return speeds.map(({ serverBusy, loadBusy }) => `${percent(serverBusy)}+${percent(loadBusy)}`).join(' / ');
}

function micros(cost: number): string {
  return cost < 1_000 ? `${cost.toFixed(1)} µs` : milliseconds(cost / 1_000);
}
