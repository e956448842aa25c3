import type { Request } from 'express';

/** What a request takes of its token's limit: one unit to begin with, more if it turns out to be work, nothing if it is free. */
export interface Spending {
  /** Takes one of the token's places, when there is one. */
  enter(): void | Promise<void>;
  /** Gives it back before the answer is made. */
  leave(): void;
  charge(units: number): void;
  refund(): void;
}

/** A request with what the layers before a controller found out about it. */
export interface ApiRequest extends Request {
  id: string;
  /** Set where the client asks before it sends the body: whether the connection may go on once that was read. */
  goesOnAfterBody?: boolean;
  /** How long the body was that was read. */
  bodyBytes?: number;
  /** Whom the guard let in. What else is known of a caller, the guard's credential says. */
  caller?: { client: { id: number } };
  spending?: Spending;
  /** Why it was refused, or failed. */
  errorCode?: string;
}
