import type { TrackingResponse } from './order-status.response.js';

interface Shipped {
  courier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAt: Date | null;
}

/** Null until shipped. */
export function toTracking({
  courier,
  trackingNumber,
  trackingUrl,
  shippedAt,
}: Shipped): TrackingResponse | null {
  if (shippedAt === null || courier === null) return null;
  return {
    courier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrl,
    shipped_at: shippedAt.toISOString(),
  };
}
