/** This file has no imports: the help of commands needs it, and must not load TypeORM. */
export const CHANGED_SUBJECTS = ['product', 'plan', 'price', 'subscription'] as const;
export type ChangedSubject = (typeof CHANGED_SUBJECTS)[number];
