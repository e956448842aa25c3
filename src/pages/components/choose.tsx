import type { Minor } from '../../platform/money/money.js';

interface RowProps {
  name: string;
  value: string;
  /** The name for screen readers. */
  label: string;
  /** The amount that the row adds to the buttons' total. */
  minor?: Minor;
  /** The form's id, for a box outside the form. */
  form?: string;
  checked?: boolean;
}

/** The checkbox of a table row. */
export const ChooseRow = ({ label, minor, ...input }: RowProps) => (
  <input type="checkbox" class="choose" aria-label={label} data-minor={minor} {...input} />
);

interface ButtonProps {
  kind?: 'primary' | 'plain' | 'danger';
  /** The label while rows are chosen: "Pay {count} from wallet · {total}". */
  chosen: string;
  /** The label while no row is chosen: "Choose orders to pay". */
  none: string;
  /** The label above this total: "Review and pay {count} · {total}". */
  beyond?: { minor: Minor; says: string };
  currency: string;
  /** The form's id, for a button outside the form. */
  form?: string;
  /** Overrides the form's action. */
  action?: string;
  /** The question to confirm the action. */
  confirm?: string;
  /** The label without scripts: "Pay the chosen from wallet". */
  children: string;
}

/** The button for all chosen rows. */
export const ChosenButton = ({
  kind = 'primary',
  chosen,
  none,
  beyond,
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
    data-limit={beyond?.minor}
    data-beyond={beyond?.says}
    data-currency={currency}
    data-confirm={confirm}
  >
    {children}
  </button>
);

interface TotalProps {
  name: string;
  /** Above this total the field stays empty. */
  limit: Minor;
  form?: string;
}

/** Sends the total that the button showed. Empty without scripts, because no total was shown. */
export const ChosenTotal = ({ limit, ...input }: TotalProps) => (
  <input type="hidden" class="chosen-total" data-limit={limit} {...input} />
);
