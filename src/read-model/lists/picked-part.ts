/** What was picked out of a list. */
export interface PickedPart {
  /** In pieces, one after the other. */
  json: Buffer[];
  /** How many products had to be looked at. */
  looked: number;
}

/** As it was at the moment that the fingerprint names. */
export interface DatedPart extends PickedPart {
  fingerprint: string;
}
