export const TRANSFER_STATUSES = ['announced', 'confirmed', 'refused', 'withdrawn'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];
