/** What is asked of a server, over and over. It is handed to another process, so it is plain data. */
export interface Load {
  requests: LoadRequest[];
  connections: number;
  /** The only status that counts. Any other makes the measurement worthless. */
  status: number;
  /** Requests a second in all; as many as possible if not given. */
  rate?: number;
}

export interface LoadRequest {
  path: string;
  headers: Record<string, string>;
  method?: 'GET' | 'POST';
  /** `[<id>]` in it becomes another text in each request. */
  body?: string;
}
