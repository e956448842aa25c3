export interface Layout {
  /** In points. An inch has 72 points. */
  size: readonly [width: number, height: number];
  margin: number;
  /** Documents below each other on a page. */
  perPage: number;
}

const A4 = [595.28, 841.89] as const;

/** How the documents of a file are placed on its pages. */
export const LAYOUTS = {
  page: { size: A4, margin: 42, perPage: 1 },
  wide: { size: [A4[1], A4[0]], margin: 36, perPage: 1 },
  half: { size: A4, margin: 36, perPage: 2 },
  /** A label of 4 × 6 inches. */
  label: { size: [288, 432], margin: 18, perPage: 1 },
} as const satisfies Record<string, Layout>;

export type LayoutName = keyof typeof LAYOUTS;

export const LAYOUT_NAMES = ['page', 'half', 'label'] as const satisfies LayoutName[];
