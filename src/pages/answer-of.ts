import type { Answer } from '../platform/http/answer.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import type { Frame } from './frame.js';
import type { Page } from './page.js';
import { PageAnswer } from './page-answer.js';
import { SeeOther } from './see-other.js';
import { SeeOtherAnswer } from './see-other-answer.js';

export function answerOf(result: Page | SeeOther, frame: Frame, request: ApiRequest): Answer {
  return result instanceof SeeOther ? new SeeOtherAnswer(result) : new PageAnswer(result, frame, request);
}
