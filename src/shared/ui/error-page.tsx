import { type DomainError, TOO_MUCH } from '../../platform/errors/domain-error.js';
import { statusOf } from '../../platform/errors/error-codes.js';
import { Empty } from './components/layout.js';
import { type ApiRequest, isRead } from '../../platform/http/api-request.js';
import type { Frame, Page } from './page.js';

export function errorPage(error: DomainError, request: ApiRequest, next: Frame['home']): Page {
  const status = statusOf(error.code);
  return {
    status,
    failure: error,
    title: titleOf(error, status, request),
    content: (
      <Empty next={next}>
        <p>{textOf(error, request)}</p>
        {error.errors && (
          <ul>
            {error.errors.map(({ field, message }) => (
              <li>
                {field} {message}
              </li>
            ))}
          </ul>
        )}
        {status >= 500 && (
          <p class="small">
            Request id <code>{request.id}</code>
          </p>
        )}
      </Empty>
    ),
  };
}

function titleOf({ code, reason }: DomainError, status: number, request: ApiRequest): string {
  if (reason === TOO_MUCH && isRead(request)) return 'Too much for one page';
  if (code === 'unavailable') return reason ?? 'The database does not answer';
  return TITLES[status] ?? (status < 500 ? 'Nothing was done' : 'Something went wrong on our side');
}

const TITLES: Record<number, string> = {
  403: 'You may not do this',
  404: 'There is nothing here',
  405: 'This page cannot do that',
  409: 'This cannot be done now',
  413: 'The form is too large',
  429: 'Too many requests',
};

function textOf({ code, message, reason }: DomainError, request: ApiRequest): string {
  if (code === 'internal_error')
    return 'We logged the error. If it happens again, send us the request id below.';
  if (code !== 'unavailable') return message;
  if (reason === TOO_MUCH && isRead(request))
    return 'Nothing was changed. Choose a shorter period, or search for fewer entries.';
  if (isRead(request)) return 'Nothing was changed. Please try again in a moment.';
  if (!request.isStarted) return 'Nothing was done. Please go back and try again in a moment.';
  // The connection may have broken after the commit.
  return 'We do not know whether it was done. Please check before you repeat it.';
}
