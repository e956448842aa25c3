import type { Minor } from '../../platform/money/money.js';

interface RowProps {
  name: string;
  value: string;
  /** Who hears it knows what it is the box of. */
  label: string;
  /** Is added to what the buttons say that send the form. */
  minor?: Minor;
  /** The form that the box belongs to, if it does not stand in it. */
  form?: string;
  checked?: boolean;
}

/** The box by which a row of a table is chosen. */
export const ChooseRow = ({ label, minor, ...input }: RowProps) => (
  <input type="checkbox" class="choose" aria-label={label} data-minor={minor} {...input} />
);

interface ButtonProps {
  kind?: 'primary' | 'plain' | 'danger';
  /** "Pay {count} from wallet · {total}": what it would do, said anew with every row that is chosen. */
  chosen: string;
  /** What it says as long as none is: "Choose orders to pay". */
  none: string;
  currency: string;
  /** The form that it belongs to, if it does not stand in it. */
  form?: string;
  /** Sends the form elsewhere than it says. */
  action?: string;
  /** Asked before. */
  confirm?: string;
  /** What it says without scripts: "Pay the chosen from wallet". */
  children: string;
}

/** Does something with all rows that are chosen. */
export const ChosenButton = ({
  kind = 'primary',
  chosen,
  none,
  currency,
  form,
  action,
  confirm,
  children,
}: ButtonProps) => (
  <button
    class={`button ${kind}`}
    form={form}
    formaction={action}
    data-chosen={chosen}
    data-none={none}
    data-currency={currency}
    data-confirm={confirm}
  >
    {children}
  </button>
);
