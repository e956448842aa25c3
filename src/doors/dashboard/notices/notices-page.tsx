import type { NoticeChoices } from '../../../notices/notice-choices.service.js';
import { NOTICES_OFF_PATH, NOTICES_PATH } from '../../../notices/notices-job.service.js';
import { NOTICE_KINDS, NOTICE_NAMES } from '../../../notices/rules/kinds.js';
import { AmountField, Button, Checks, Field, Form } from '../../../pages/components/controls.js';
import { Card, Notice } from '../../../pages/components/layout.js';
import type { Page } from '../../../pages/page.js';
import { numericFromMinor } from '../../../platform/money/money.js';

interface Props {
  email: string;
  choices: NoticeChoices;
  areSent: boolean;
  currency: string;
}

export function noticesPage({ email, choices: { kinds, lowWallet }, areSent, currency }: Props): Page {
  return {
    title: 'Notices by e-mail',
    lead: `Choose what we tell you at ${email}. Each mail has a link to switch its notice off.`,
    content: (
      <Card>
        {!areSent && <Notice kind="warn">This service sends no e-mail at the moment.</Notice>}
        <Form action={NOTICES_PATH}>
          <Checks
            label="Tell me"
            name="kinds"
            values={kinds}
            options={NOTICE_KINDS.map((kind) => ({
              value: kind,
              text: NOTICE_NAMES[kind].name,
              hint: NOTICE_NAMES[kind].when,
            }))}
          />
          <AmountField
            label="Tell me when the wallet falls below"
            name="lowWallet"
            hint="The amount for “Low wallet”."
            value={lowWallet === null ? '' : numericFromMinor(lowWallet)}
            currency={currency}
          />
          <Button kind="primary">Save</Button>
        </Form>
      </Card>
    ),
  };
}

/** Only the button changes something, because mail scanners follow links and run scripts. */
export function offPage(): Page {
  return {
    title: 'Switch a notice off',
    lead: 'Press the button to stop the mails of this kind.',
    content: (
      <Form action={NOTICES_OFF_PATH}>
        <Field
          label="Code"
          name="code"
          hint="The part of the link after the #."
          maxlength={500}
          fromFragment="stay"
          required
        />
        <Button kind="primary">Switch it off</Button>
      </Form>
    ),
  };
}
