/** The requests that a generator repeats. It is sent to another process, so it is plain data. */
export interface Load {
  requests: LoadRequest[];
  connections: number;
  /** An answer of 503 is then counted. Otherwise it makes the measurement worthless, as every unexpected status does. */
  mayRefuse?: boolean;
}

export interface LoadRequest {
  path: string;
  headers: Record<string, string>;
  method?: 'GET' | 'POST';
  /** `[<id>]` in it becomes another text in each request. */
  body?: string;
  /** The expected status, 200 if not given. */
  status?: number;
}
