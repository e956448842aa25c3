/** The view of the database that a refresh saw. */
export interface ChangeHeader {
  /** Names this history of this database. */
  identity: string;
  /** The database was restored from a dump: its stamps are of another history. */
  isForeign: boolean;
  /** Every transaction with an id below this one had ended. */
  xmin: number;
  /** No transaction with this id or a higher one had ended. */
  xmax: number;
}
