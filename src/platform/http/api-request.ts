import type { Request } from 'express';
import type { TestFailure } from '../access/test-failure.js';
import type { TokenKind } from '../access/token-kind.js';
import type { FieldError } from '../errors/domain-error.js';

/**
 * The cost of a request, in units of its client's limit: one at first, more for large work, none for a free
 * answer.
 */
export interface RequestCost {
  /** Takes one of the client's slots, or waits for one. */
  acquireSlot(): void | Promise<void>;
  /** Releases the slot before the answer is made. */
  releaseSlot(): void;
  charge(units: number): void;
  refund(): void;
}

/** The cost of making a file, for its account. */
export interface FileCost {
  charge(units: number): void;
  /** Called when the file is made, perhaps long before its reader has it. */
  leaveQueue?: () => void;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

export const isRead = ({ method }: { method: string }) => READS.has(method);

/** Why a request was refused or failed. */
export interface Failure {
  code: string;
  message?: string;
  /** Why the database did not do its work. */
  reason?: string;
  errors?: readonly FieldError[];
  facts?: Readonly<Record<string, unknown>>;
}

/** A request with the data that earlier layers added. */
export interface ApiRequest extends Request {
  id: string;
  /** Set for `Expect: 100-continue`: whether the connection may continue after the body. */
  goesOnAfterBody?: boolean;
  /** The body is not well-formed HTTP, and never ends. */
  isBroken?: boolean;
  /** The unknown fields of the body. Undefined until the body is checked. */
  ignoredFields?: readonly { field: string; meant?: string }[];
  bodyBytes?: number;
  /** The holder of the token, valid or not. The request is not yet accepted. */
  holder?: { client: { id: number }; token: { id: number; kind: TokenKind } };
  /** The query parameters that the route knows, if the request has a query. */
  knownParameters?: ReadonlySet<string>;
  /** The unknown query parameters of a list, for its body. */
  ignoredParameters?: readonly string[];
  /** The caller that the guard accepted. The credential knows more about it. */
  caller?: { client: { id: number } };
  person?: { id: number; clientId: number | null };
  cost?: RequestCost;
  /** Releases the person's slot before the answer is made. */
  releaseSlot?: () => void;
  /** Set for a file of a page. */
  file?: FileCost;
  /** The request was accepted, and its work may have started. */
  isStarted?: boolean;
  failure?: Failure;
  /** The failure that the header `X-Test-Failure` demands. */
  testFailure?: TestFailure;
}
