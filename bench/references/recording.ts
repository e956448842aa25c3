/** A recorded answer of the service, which a plain server sends again. */
export interface Recording {
  status: number;
  headers: Record<string, string>;
  bodyBase64: string;
}
