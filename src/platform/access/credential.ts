import type { ApiRequest } from '../http/api-request.js';
import type { TimedResponse } from '../http/app-messages.js';
import type { AccessRule } from './access-rule.js';

/** A kind of proof that a request may bring: a store's token, say. It lets the request in, and notes who it is, or throws. */
export interface Credential<Rule extends AccessRule = AccessRule> {
  admit(request: ApiRequest, response: TimedResponse, rule: Rule): void | Promise<void>;
}
