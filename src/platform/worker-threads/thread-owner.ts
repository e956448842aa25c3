/** The account for which a worker thread works, and its hooks. */
export interface ThreadOwner {
  /** All work of one account shares a queue. */
  account: string;
  /** Ends the work at once, even if the thread computes. Its reason is the error. */
  signal?: AbortSignal;
  /** Releases the slot of the request, because the work has a queue of its own. */
  releaseSlot?: () => void;
  /** Lets the next file of the account begin. */
  onMade?: () => void;
}
