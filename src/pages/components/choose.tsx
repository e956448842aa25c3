import type { Minor } from '../../platform/money/money.js';

interface Props {
  name: string;
  value: string;
  /** Who hears it knows what it is the box of. */
  label: string;
  /** Adds to what the button says that sends the form. */
  minor?: Minor;
  /** The form that the box belongs to, if it does not stand in one. */
  form?: string;
  checked?: boolean;
}

/** The box by which a row of a table is chosen. */
export const ChooseRow = ({ label, minor, ...input }: Props) => (
  <input type="checkbox" class="choose" aria-label={label} data-minor={minor} {...input} />
);
