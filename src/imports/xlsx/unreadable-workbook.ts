import { DomainError } from '../../platform/errors/domain-error.js';

export function unreadableWorkbook(why: string, cause?: unknown): DomainError {
  return new DomainError('unreadable_file', `The file cannot be read as a workbook (.xlsx): ${why}.`, {
    cause,
  });
}
