/** What an action knows beside the order. Only what it is about is set. */
export interface ActionDetails {
  paymentMethod?: string;
  paymentReference?: string;
  courier?: string;
  trackingNumber?: string;
  trackingUrl?: string;
  shippedAt?: Date;
  cancelReason?: string;
  note?: string;
}

export interface OrderKey {
  clientId: number;
  orderNumber: string;
}
