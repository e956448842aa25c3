import type { Request } from 'express';
import type { TestFailure } from '../access/test-failure.js';
import type { TokenKind } from '../access/token-kind.js';
import type { FieldError } from '../errors/domain-error.js';
import type { Payer } from '../limits/work-meter.js';

/**
 * The cost of a request, in units of its account's limit: one at first, more for long work, none for a free
 * answer.
 */
export interface RequestCost extends Payer {
  /** Takes one of the client's slots, or waits for one. */
  acquireSlot(): void | Promise<void>;
  /** Releases the slot before the answer is made. */
  releaseSlot(): void;
  /** The request has, or had, a slot. */
  readonly usesDatabase: boolean;
  refund(): void;
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

/** What a query says to a route. */
export interface CheckedQuery {
  text: string;
  /** The parameters that the route knows. */
  known: ReadonlySet<string>;
  /** The names of the others. */
  ignored: readonly string[];
  /** Answers about one thing keep their fields, as the contract has them. */
  isOfList: boolean;
  /** The frozen object of the handler, once the query has passed its checks. */
  value?: object;
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
  /** Set if the request has a query and a caller. */
  checkedQuery?: CheckedQuery;
  /** The caller that the guard accepted. The credential knows more about it. */
  caller?: { client: { id: number } };
  person?: { id: number; clientId: number | null };
  /** The key of a program of the wholesaler. Records name it by its actor: "key 3 (ERP)". */
  adminKey?: { id: number; name: string; role: 'packer' | 'staff' | 'admin'; actor: string };
  cost?: RequestCost;
  /** Releases the person's slot before the answer is made. */
  releaseSlot?: () => void;
  /** Set for a file of a page. Called when it is made, perhaps long before its reader has it. */
  leaveQueue?: () => void;
  /** The request was accepted, and its work may have started. */
  isStarted?: boolean;
  failure?: Failure;
  /** The failure that the header `X-Test-Failure` demands. */
  testFailure?: TestFailure;
}
