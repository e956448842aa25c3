import { DomainError } from '../../../platform/errors/domain-error.js';

export const noSuchReturn = (number: string) =>
  new DomainError('return_not_found', `There is no return ${number}.`);
