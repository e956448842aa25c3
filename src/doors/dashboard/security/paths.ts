export const SECURITY = '/dashboard/security';
export const PASSWORD = `${SECURITY}/password`;
export const SESSIONS = `${SECURITY}/sessions`;
export const TWO_FACTOR = `${SECURITY}/two-factor`;
