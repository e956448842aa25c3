import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DomainError, unavailable } from '../errors/domain-error.js';

/** SQLSTATE of a conflict between transactions that a repetition of the whole transaction resolves. */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

const UNIQUE_VIOLATION = '23505';

/** A statement before it in the same transaction has failed. */
const IN_FAILED_TRANSACTION = '25P02';

/** The classes and codes with which PostgreSQL says that it is away, full, stopping, read-only or too slow. */
const AWAY = /^(08...|53...|57P0.|57014|25P0[34]|25006|58...)$/;

/**
 * What this build asks for is not there: no database, table, column, function or constraint of that name. The schema is migrated before a
 * node listens, so somebody is restoring it.
 */
const INCOMPLETE = new Set(['3D000', '3F000', '42P01', '42703', '42883', '42P10', '42704']);

/** The same as told by the driver or the operating system, which leave no SQLSTATE. */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const AWAY_MESSAGES =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|timeout expired|query read timeout|client has encountered a connection error|client was closed|not queryable|pool after calling end|not connected|connection is closed|released/i;

export function isRetryable(error: unknown): boolean {
  return [SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error) ?? '');
}

export function isAborted(error: unknown): boolean {
  return codeOf(error) === IN_FAILED_TRANSACTION;
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

/** An error of the database as the caller is to be told: 503 if it is away, else unchanged, for it is a fault of ours. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  // A backend that was killed within a transaction surfaces as a released query runner.
  if (error instanceof QueryRunnerAlreadyReleasedError || isRetryable(error) || isAway(error))
    return unavailable(error);
  return error;
}

function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return AWAY.test(code) || INCOMPLETE.has(code) || AWAY_CODES.has(code);
  return error instanceof Error && AWAY_MESSAGES.test(error.message);
}

function codeOf(error: unknown): string | undefined {
  const { code } = driverErrorOf(error) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function driverErrorOf(error: unknown): object {
  const driverError = error instanceof QueryFailedError ? error.driverError : error;
  return typeof driverError === 'object' && driverError !== null ? driverError : {};
}
