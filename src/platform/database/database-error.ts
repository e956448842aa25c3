import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DomainError, TOO_MUCH, unavailable } from '../errors/domain-error.js';

/** SQLSTATEs of conflicts between transactions. A retry of the whole transaction resolves them. */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

const UNIQUE_VIOLATION = '23505';

/** An earlier statement of the same transaction failed. */
const IN_FAILED_TRANSACTION = '25P02';

/** SQLSTATEs of a database that is away, full, stopping, a standby, read-only or too slow. */
const AWAY = /^(08...|53...|55000|57P0.|57014|25P0[34]|25006|58...)$/;

/** Why a database that can be reached does not do its work, by SQLSTATE. */
export const REASONS: Readonly<Record<string, string>> = {
  '25006': 'The database can only be read right now',
  '53100': 'The disk of the database is full',
  '53200': 'The database has no memory left',
  '53300': 'The database has no connection left',
  '53400': 'The database has reached a limit of its settings',
  [SERIALIZATION_FAILURE]: 'Too many requests change the same data',
  [DEADLOCK]: 'Too many requests change the same data',
  '57014': TOO_MUCH,
};

/** PgBouncer gives all its own errors one SQLSTATE. Only their messages differ. */
const POOLER_ERROR = '08P01';
const POOLER_REASONS: Readonly<Record<string, string>> = {
  'no more connections allowed': 'The database has no connection left',
  query_wait_timeout: 'No connection to the database was free in time',
};

/**
 * A database, table, column, function or constraint is missing. The schema is migrated before a node listens,
 * so an operator is restoring it.
 */
const INCOMPLETE = new Set(['3D000', '3F000', '42P01', '42703', '42883', '42P10', '42704']);

/** Codes of the driver or the operating system for an unreachable database. They have no SQLSTATE. */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** The errors of the driver and its pool, in lower case. */
const AWAY_MESSAGES = [
  'connection terminated',
  'connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'query read timeout',
  'client has encountered a connection error',
  'client was closed',
  'not queryable',
  'pool after calling end',
  'not connected',
  'connection is closed',
  'released',
];

export function isRetryable(error: unknown): boolean {
  return [SERIALIZATION_FAILURE, DEADLOCK].includes(codeOf(error) ?? '');
}

export function isAborted(error: unknown): boolean {
  return codeOf(error) === IN_FAILED_TRANSACTION;
}

/** A statement ran longer than its limit. */
export function isTooSlow(error: unknown): boolean {
  return codeOf(error instanceof DomainError ? error.cause : error) === '57014';
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

/** The error for the caller: 503 if the database is away. Other errors are bugs and stay unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  // A backend that is killed in a transaction surfaces as a released query runner.
  if (error instanceof QueryRunnerAlreadyReleasedError || isRetryable(error) || isAway(error))
    return unavailable(error, reasonOf(error));
  return error;
}

function isAway(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return AWAY.test(code) || INCOMPLETE.has(code) || AWAY_CODES.has(code);
  return error instanceof Error && AWAY_MESSAGES.some((text) => error.message.toLowerCase().includes(text));
}

function reasonOf(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== POOLER_ERROR) return REASONS[code ?? ''];
  const { message } = driverErrorOf(error) as Error;
  return Object.entries(POOLER_REASONS).find(([words]) => message.includes(words))?.[1];
}

function codeOf(error: unknown): string | undefined {
  const { code } = driverErrorOf(error) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

function driverErrorOf(error: unknown): object {
  const driverError = error instanceof QueryFailedError ? error.driverError : error;
  return typeof driverError === 'object' && driverError !== null ? driverError : {};
}
