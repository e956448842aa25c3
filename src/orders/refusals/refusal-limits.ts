/**
 * What is kept of a client's refusals in an hour, and of one of them. Enough to see what a store does wrong; a hostile one makes 23 MB
 * of it in 30 days at most. By the hour, so that the nonsense of the morning does not hide what is refused in the evening.
 */
export const REFUSAL_LIMITS = { kept: 100, keptBytes: 32_768, reasonsBytes: 4_096 } as const;
