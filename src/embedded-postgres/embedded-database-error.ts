/** Something the operator has to know or mend; the message is written for them and shown as it is. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}
