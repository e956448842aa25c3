import type { Request } from 'express';
import type { FieldError } from '../errors/domain-error.js';

/** What a request takes of its client's limit: one unit to begin with, more if it turns out to be work, nothing if it is free. */
export interface Spending {
  /** Takes one of the client's places, when there is one. */
  enter(): void | Promise<void>;
  /** Gives it back before the answer is made. */
  leave(): void;
  charge(units: number): void;
  refund(): void;
}

/** Why a request was refused, or failed. */
export interface Failure {
  code: string;
  message?: string;
  errors?: readonly FieldError[];
  facts?: Readonly<Record<string, unknown>>;
}

/** A request with what the layers before a controller found out about it. */
export interface ApiRequest extends Request {
  id: string;
  /** Set where the client asks before it sends the body: whether the connection may go on once that was read. */
  goesOnAfterBody?: boolean;
  /** How long the body was that was read. */
  bodyBytes?: number;
  /** Whose token it brought, be that still good or not. Whoever reads this has not been let in yet. */
  holder?: { client: { id: number }; token: { id: number } };
  /** Which parameters of its query somebody looks at, if it has a query. */
  knownParameters?: ReadonlySet<string>;
  /** Whom the guard let in. What else is known of a caller, the guard's credential says. */
  caller?: { client: { id: number } };
  /** Who is signed in. Likewise. */
  person?: { id: number; clientId: number };
  spending?: Spending;
  /** It was let in, and whatever was asked for may have been begun. */
  isBegun?: boolean;
  failure?: Failure;
}
