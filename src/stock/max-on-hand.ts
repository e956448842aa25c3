/** More than any shelf holds, and far from where the database's integers end. */
export const MAX_ON_HAND = 1_000_000_000;
