import { AmountField, Field } from '../../shared/ui/components/controls.js';

/** The fields of a reported bank transfer. */
export const TransferFields = ({ currency }: { currency: string }) => (
  <>
    <AmountField label="Amount sent" name="sent" currency={currency} required />
    <Field
      label="UTR"
      name="utr"
      hint="The bank’s number for the transfer: 10 to 22 letters and digits."
      maxlength={40}
      required
    />
    <Field
      label="Account holder"
      name="payer"
      hint="The name on the account that sent the money, if it is not the store’s."
      maxlength={200}
    />
  </>
);
