import { addressBlock } from '../../platform/http/address-block.js';
import { keyOf, type Limit } from './sign-in-limits.js';

const QUARTER = 15;
const HOUR = 60;

/**
 * How often somebody may try: at one account from one address, from one address at all, and at one account from everywhere. Strangers can use up
 * the last of these, so it does not count where its owner has signed in before (`isKnown`): nobody else can keep them out there.
 */
export function passwordLimits(account: string, address: string, isKnown: boolean): Limit[] {
  const [who, where] = [keyOf(account), addressBlock(address)];
  return [
    { key: `password ${who} ${where}`, most: 10, minutes: QUARTER },
    { key: `address ${where}`, most: 100, minutes: QUARTER },
    ...(isKnown ? [] : [{ key: `password ${who}`, most: 100, minutes: HOUR }]),
  ];
}

/** Of a million codes three are good at a time: whoever has the password is to find none by trying. */
export function codeLimits(personId: number, address: string, isKnown: boolean): Limit[] {
  return [
    { key: `code ${personId} ${addressBlock(address)}`, most: 5, minutes: QUARTER },
    ...(isKnown ? [] : [{ key: `code ${personId}`, most: 20, minutes: HOUR }]),
  ];
}

/** Whoever has found an open session is to find no password with it. */
export function ownPasswordLimits(personId: number): Limit[] {
  return [{ key: `own password ${personId}`, most: 10, minutes: QUARTER }];
}

/** Links for a new password: for one account, whether there is one or not, and from one address. Nobody fills a mailbox with them. */
export function resetLimits(account: string, address: string): Limit[] {
  return [
    { key: `reset ${keyOf(account)}`, most: 3, minutes: HOUR },
    { key: `reset from ${addressBlock(address)}`, most: 20, minutes: HOUR },
  ];
}

/** Mail goes to whomever an owner names. */
export function invitationLimits(clientId: number): Limit[] {
  return [{ key: `invitations of client ${clientId}`, most: 50, minutes: HOUR }];
}
