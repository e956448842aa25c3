/** This file has no imports: the help of commands needs it, and must not load TypeORM. */
export const MAIL_STATES = ['waiting', 'sent', 'given-up', 'withdrawn'] as const;

export type MailState = (typeof MAIL_STATES)[number];
