export const CHANGED_SUBJECTS = ['product', 'plan', 'price', 'subscription'] as const;
export type ChangedSubject = (typeof CHANGED_SUBJECTS)[number];
