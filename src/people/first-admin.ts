/** The address of the first admin until the link is used. No mail can reach it. */
export const FIRST_ADMIN = 'first-admin@desk.invalid';
