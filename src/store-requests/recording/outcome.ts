/** What requests have in common that are counted together. */
export interface Outcome {
  method: string;
  route: string;
  statusClass: number;
  /** Why they were refused, or failed; empty where they were done. */
  code: string;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isRead(method: string): boolean {
  return READS.has(method);
}

/** "Your copy is still good" is a success, and HEAD is a GET whose body nobody wants. */
export function outcomeOf(method: string, route: string, status: number, code = ''): Outcome {
  return {
    method: method === 'HEAD' ? 'GET' : method,
    route,
    statusClass: status < 400 ? 2 : Math.floor(status / 100),
    code,
  };
}
