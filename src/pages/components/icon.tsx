/** Paths on a 16 × 16 grid, drawn with the text's colour. */
const PATHS = {
  down: 'M4 6l4 4 4-4',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M6 6V3h7v7h-3M3 6h7v7H3z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
  alert: 'M8 2l6.5 12h-13zM8 6.5v3.5M8 12v.1',
  info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.5v4M8 5v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Decoration: the text beside it has the same meaning. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
