/** A list counts at most so many rows that it left out: to count all, it would read them. */
export const MOST_LEFT_OUT = 1_000;
