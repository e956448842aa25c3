import { DomainError } from '../../platform/errors/domain-error.js';
import type { ErrorCode } from '../../platform/errors/error-codes.js';
import { redisplayForm } from './forms.js';

describe('redisplayForm', () => {
  it.each<[ErrorCode, boolean]>([
    ['conflict', true],
    ['plan_not_found', true],
    ['rate_limited', true],
    ['gateway_refused', true],
    ['role_missing', false],
    ['session_missing', false],
    ['unavailable', false],
  ])('shows the form after %s: %s', (code, isRefusal) => {
    const error = new DomainError(code, 'No.');
    const show = () => redisplayForm(error, { title: 'Form' });
    if (isRefusal) expect(show()).toEqual({ title: 'Form', refusal: 'No.', failure: error });
    else expect(show).toThrow(error);
  });

  it('shows errors of fields beside them, and throws what is no error of ours', () => {
    const error = new DomainError('conflict', 'No.', {
      errors: [{ field: 'a', code: 'too_long', message: 'm' }],
    });
    expect(redisplayForm(error, { title: 'Form' })).toEqual({ title: 'Form', failure: error, status: 422 });
    expect(() => redisplayForm(new TypeError('x'), { title: 'Form' })).toThrow(TypeError);
  });
});
