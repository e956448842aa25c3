/** What a part of a list is picked by. */
export interface PartQuery {
  /** The object that came with the request; nobody changes it. */
  asked: object;
  /** What counts of it. */
  chosenBy: readonly unknown[];
}
