/** In pixels. */
export const WIDTHS = { phone: 360, desk: 1280 } as const;

/** How a page is looked at. */
export interface Look {
  width: keyof typeof WIDTHS;
  scheme: 'light' | 'dark';
}

export const LOOKS: Look[] = [
  { width: 'phone', scheme: 'light' },
  { width: 'phone', scheme: 'dark' },
  { width: 'desk', scheme: 'light' },
  { width: 'desk', scheme: 'dark' },
];
