/** An answer of the service, to be given again by a server that does nothing else. */
export interface Recording {
  status: number;
  headers: Record<string, string>;
  bodyBase64: string;
}
