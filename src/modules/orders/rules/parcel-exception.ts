/**
 * What a courier reports instead of a delivery. `returning`: RTO, return to origin, on the way back to the
 * wholesaler. `returned`: it came back, and its goods are in a return. The others need a person.
 */
export type ParcelException = 'returning' | 'returned' | 'lost';

export const EXCEPTION_WORDS: Readonly<Record<ParcelException, string>> = {
  returning: 'RTO, on its way back',
  returned: 'RTO, came back',
  lost: 'Lost',
};
