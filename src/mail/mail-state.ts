export const MAIL_STATES = ['waiting', 'sent', 'given-up', 'withdrawn'] as const;

export type MailState = (typeof MAIL_STATES)[number];
