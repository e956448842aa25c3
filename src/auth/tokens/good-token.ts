import { type FindOptionsWhere, IsNull, Raw } from 'typeorm';
import type { Token } from './token.entity.js';

/** What is true of a token that is accepted, by the clock that all nodes share. */
export const IS_GOOD: FindOptionsWhere<Token> = {
  revokedAt: IsNull(),
  endsAt: Raw((column) => `(${column} IS NULL OR ${column} > now())`),
};
