import type { ComponentChildren } from 'preact';
import { AmountField, Field } from '../../shared/ui/components/controls.js';

export const TdsField = (props: { value?: string; currency: string }) => (
  <AmountField
    label="Tax deducted (TDS)"
    name="tds"
    hint="Under section 393(1) of the Income-tax Act, 2025, if any. The wallet gets it too."
    {...props}
  />
);

const UtrField = () => (
  <Field
    label="UTR"
    name="utr"
    hint="The bank’s number for the transfer: 10 to 22 letters and digits."
    maxlength={40}
    required
  />
);

interface TransferFieldsProps {
  currency: string;
  /** The fields in place of the UTR. */
  reference?: ComponentChildren;
}

/** The fields of a reported bank transfer. */
export const TransferFields = ({ currency, reference = <UtrField /> }: TransferFieldsProps) => (
  <>
    <AmountField label="Amount sent" name="sent" currency={currency} required />
    <TdsField currency={currency} />
    {reference}
    <Field
      label="Account holder"
      name="payer"
      hint="The name on the account that sent the money, if it is not the store’s."
      maxlength={200}
    />
  </>
);
