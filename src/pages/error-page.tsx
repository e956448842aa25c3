import type { DomainError } from '../platform/errors/domain-error.js';
import { statusOf } from '../platform/errors/error-codes.js';
import { ButtonLink } from './components/button.js';
import { Empty } from './components/layout.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import type { Frame, Page } from './page.js';

/** The error's message, and a link to continue. */
export function errorPage(error: DomainError, request: ApiRequest, { href, text }: Frame['home']): Page {
  const status = statusOf(error.code);
  return {
    status,
    title: titleOf(error, status),
    content: (
      <Empty action={<ButtonLink href={href}>{text}</ButtonLink>}>
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
            Request <code>{request.id}</code>
          </p>
        )}
      </Empty>
    ),
  };
}

function titleOf({ code }: DomainError, status: number): string {
  if (code === 'unavailable') return 'The database does not answer';
  return TITLES[status] ?? (status < 500 ? 'This was not done' : 'Something went wrong on our side');
}

const TITLES: Record<number, string> = {
  403: 'You may not do this',
  404: 'There is nothing here',
  405: 'This is not how it is asked for',
  409: 'This cannot be done now',
  413: 'This is too much at once',
  429: 'Too much at once',
};

function textOf({ code, message }: DomainError, { method, isBegun }: ApiRequest): string {
  if (code === 'internal_error') return 'It is written down. If it happens again, tell us the request below.';
  if (code !== 'unavailable') return message;
  if (method === 'GET' || method === 'HEAD') return 'Nothing was changed. Please try again in a moment.';
  if (!isBegun) return 'Nothing was done. Please go back and try again in a moment.';
  // The connection may have broken after the commit.
  return 'Whether it was done is not known. When the database answers again, please look before you do it once more.';
}
