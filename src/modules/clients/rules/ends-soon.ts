/** Days before the end of a subscription that nothing follows. Its people get a notice then. */
export const ENDS_SOON_DAYS = 14;
