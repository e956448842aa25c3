import { randomBytes } from 'node:crypto';
import type { Day } from '../../../platform/time/time.js';

// Crockford's base 32 (https://www.crockford.com/base32.html) has no I, L, O, U, so it can be read aloud.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The kinds of numbers by their prefix, in which an O was read as a zero. */
const COMPACT = {
  WO: /^W0([0-9]{8})([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})$/,
  RT: /^RT([0-9]{8})([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})$/,
  TEST: /^TEST([0-9]{8})([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})$/,
};

/** The end of a number, which pages show alone. */
const END = /^([0-9A-HJKMNP-TV-Z]{5})([0-9A-HJKMNP-TV-Z]{5})$/;

type Kind = keyof typeof COMPACT;

/** `WO-20260131-7K3QZ-9M2XA`: the day and 50 random bits, which do not reveal the number of orders. */
export function newOrderNumber(day: Day): string {
  return newNumber('WO', day);
}

/** `RT-20260131-7K3QZ-9M2XA` */
export function newReturnNumber(day: Day): string {
  return newNumber('RT', day);
}

/** Reads a typed order number in any spelling. Null for any other text. */
export function normaliseOrderNumber(text: string): string | null {
  return normalise('WO', text);
}

/** The same for the number of a test order. */
export function normaliseTestOrderNumber(text: string): string | null {
  return normalise('TEST', text);
}

export function normaliseReturnNumber(text: string): string | null {
  return normalise('RT', text);
}

/**
 * Reads the end of an order's or a return's number in any spelling: `7K3QZ-9M2XA`. A phone number and two
 * words of five letters look the same.
 */
export function readNumberEnd(text: string): string | null {
  const match = END.exec(compactOf(text));
  return match && `${match[1]}-${match[2]}`;
}

const END_LENGTH = 11;

/** Whether a text is this order's number or its end. */
export function isNumberOf(orderNumber: string, text: string): boolean {
  const read = normaliseOrderNumber(text) ?? readNumberEnd(text);
  return read === orderNumber || read === orderNumber.slice(-END_LENGTH);
}

/** The end of a number in SQL: tables with numbers have an index of it. */
export const numberEnd = (column: string) => `right(${column}, ${END_LENGTH})`;

function newNumber(kind: Kind, day: Day): string {
  // 256 is a multiple of 32, so the low five bits of a random byte are uniform.
  const code = Array.from(randomBytes(10), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return `${kind}-${day.replaceAll('-', '')}-${code.slice(0, 5)}-${code.slice(5)}`;
}

function normalise(kind: Kind, text: string): string | null {
  const match = COMPACT[kind].exec(compactOf(text));
  return match && `${kind}-${match[1]}-${match[2]}-${match[3]}`;
}

const compactOf = (text: string) =>
  text.replace(/[\s-]/g, '').toUpperCase().replace(/[IL]/g, '1').replace(/O/g, '0');
