import type { Request } from 'express';
import type { Caller, Visitor } from '../auth/caller.js';

/** A request with what the layers before a controller found out about it. */
export interface ApiRequest extends Request {
  id: string;
  caller?: Caller | Visitor;
  /** Why it was refused, or failed. */
  errorCode?: string;
}
