/** Who has done what the demo did. */
export const DEMO_ACTOR = 'demo';
