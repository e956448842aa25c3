/** A product without a threshold of its own runs out below this. */
export const USUAL_THRESHOLD = 5;
