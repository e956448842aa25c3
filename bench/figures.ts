export function perSecond(rate: number, unit = 'req'): string {
  return `${Math.round(rate).toLocaleString('en')} ${unit}/s`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
