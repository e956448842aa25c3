/** The requests that a generator repeats. Plain data, because another process receives it. */
export interface Load {
  requests: LoadRequest[];
  connections: number;
  /** Whether answers of 503 are counted. Otherwise they end the measurement, like every unexpected status. */
  mayRefuse?: boolean;
}

export interface LoadRequest {
  path: string;
  headers: Record<string, string>;
  method?: 'GET' | 'POST';
  /** Each request replaces `[<id>]` with another text. */
  body?: string;
  /** The expected status; 200 by default. */
  status?: number;
}
