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
  /** What it says where they come to more than so much: "Review and pay {count} · {total}". */
  beyond?: { minor: Minor; says: string };
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
  /** Empty where they come to more than this, too. */
  limit: Minor;
  form?: string;
}

/** What the rows that are chosen come to, for who receives the form: empty if nobody has been told, as without scripts. */
export const ChosenTotal = ({ limit, ...input }: TotalProps) => (
  <input type="hidden" class="chosen-total" data-limit={limit} {...input} />
);
