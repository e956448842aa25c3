import { Secret, TOTP } from 'otpauth';

/** What every app for such codes knows without being told: six digits, every thirty seconds. */
const PERIOD_SECONDS = 30;

/** Clocks go wrong, and people take their time: the code before and the one after are good too. */
const WINDOW = 1;

const ISSUER = 'Wholesale';

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What the square picture says to the app. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** Which thirty seconds this code is of, if it is good now. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, period: PERIOD_SECONDS });
}
