/** Texts that a store keeps with an order or a line. The service returns them and never interprets them. */
export type OrderMetadata = Record<string, string>;

export interface WithMetadata {
  /** Null if the store sent none. */
  metadata: OrderMetadata | null;
}

/** Limits of one object. `total` counts its keys and values together. */
export const METADATA_LIMITS = { entries: 20, key: 40, value: 500, total: 2_000 } as const;

/** The key with which our own forms note the order that this one replaces. */
export const REPLACED_ORDER = 'replaces_order';

/** The field of an answer. Answers about orders without metadata do not have it. */
export function metadataField({ metadata }: Partial<WithMetadata>): { metadata?: OrderMetadata } {
  return metadata ? { metadata } : {};
}

/** For pages and the text of commands: "gift: yes". */
export function formatMetadata({ metadata }: Partial<WithMetadata>): string[] {
  return Object.entries(metadata ?? {}).map(([key, value]) => `${key}: ${value}`);
}
