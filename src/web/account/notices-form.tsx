import type { NoticeChoices, NoticeForm } from '../../modules/notices/notice-choices.service.js';
import { kindsFor, NOTICE_NAMES } from '../../modules/notices/rules/kinds.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { numericFromMinor } from '../../platform/money/money.js';
import { AmountField, Button, Checks, FormCard } from '../../shared/ui/components/controls.js';
import { Notice } from '../../shared/ui/components/layout.js';
import { textIn } from '../../shared/ui/forms.js';

export interface NoticesFormProps {
  path: string;
  title?: string;
  /** Decides which notices are offered. */
  person: Pick<SignedInPerson, 'clientId' | 'role'>;
  choices: NoticeChoices;
  areSent: boolean;
  currency: string;
}

export const readNotices = (fields: FormFields): NoticeForm => ({
  kinds: [fields.kinds ?? []].flat(),
  lowWallet: textIn(fields, 'lowWallet'),
});

/** The notices that a person gets by e-mail. */
export const NoticesForm = ({ path, title, person, choices, areSent, currency }: NoticesFormProps) => (
  <FormCard title={title} action={path}>
    {!areSent && <Notice kind="warn">This service sends no e-mail at the moment.</Notice>}
    <Checks
      label="Notices"
      name="kinds"
      values={choices.kinds}
      options={kindsFor(person).map((kind) => ({
        value: kind,
        text: NOTICE_NAMES[kind].name,
        hint: NOTICE_NAMES[kind].when,
      }))}
    />
    {person.clientId !== null && (
      <AmountField
        label="Notice when the wallet falls below"
        name="lowWallet"
        hint="The amount for “Low wallet”."
        value={choices.lowWallet === null ? '' : numericFromMinor(choices.lowWallet)}
        currency={currency}
      />
    )}
    <Button kind={title === undefined ? 'primary' : 'plain'}>Save the notices</Button>
  </FormCard>
);
