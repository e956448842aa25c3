/** What the test read last from the database or the service, for the message of a wait that fails. */
export const lastRead: { rows?: unknown; answer?: string } = {};
