import { DomainError } from '../../../platform/errors/domain-error.js';
import { filedMonthError, formatFiled, readArn } from './filed-return.js';

const FILED = {
  period: '2026-10',
  gstin: '29AAGCB7383J1Z4',
  filedAt: new Date('2026-11-10T19:00:00Z'),
  actor: 'person 3 (asha@example.com)',
};

describe('A filed return', () => {
  it.each([
    ['', null],
    ['  ', null],
    [' aa291026001234k ', 'AA291026001234K'],
    ['AB2910260012345', 'AB2910260012345'],
  ])('has the ARN %j as %j', (text, arn) => expect(readArn(text)).toBe(arn));

  it.each([
    'AA29102600123',
    'AA29102600123456',
    'A12910260012345',
    'AA29102600123X5',
    'xAA2910260012345',
    'AA2910260012345x',
  ])('refuses the ARN %j', (text) => {
    expect(() => readArn(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: 'The ARN must have 15 characters, such as AA2910260012345.',
        errors: [
          { field: 'arn', code: 'invalid', message: 'must have 15 characters, such as AA2910260012345' },
        ],
      }),
    );
  });

  it('names month, GSTIN, Indian day and person, and what to do', () => {
    const text =
      'The return of October 2026 for 29AAGCB7383J1Z4 was marked as filed on 11 Nov 2026 by ' +
      'asha@example.com.';
    expect(formatFiled(FILED)).toBe(text);
    const error = filedMonthError(FILED, '2026-10-30');
    expect(error).toBeInstanceOf(DomainError);
    expect(error.code).toBe('conflict');
    expect(error.message).toBe(
      `The goods left on 30 Oct 2026, in a filed month. ${text} Give the day of the invoice, today for ` +
        'a new one, as the day of shipping. Or an admin takes the mark back.',
    );
  });
});
