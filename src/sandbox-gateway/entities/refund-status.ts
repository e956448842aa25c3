export type RefundStatus = 'pending' | 'processed' | 'failed';
