import {
  type ClientAutoPayView,
  formatAutoPayValues,
} from '../../../modules/orders/auto-pay/auto-pay.service.js';
import { AmountField, Button, Choices, Form } from '../../../shared/ui/components/controls.js';
import { Card, Facts, Notice } from '../../../shared/ui/components/layout.js';
import { ExactTime, Money } from '../../../shared/ui/components/values.js';
import type { Page } from '../../../shared/ui/page.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import { AUTO_PAY, WALLET } from '../paths.js';

interface Props {
  autoPay: ClientAutoPayView;
  mayDecide: boolean;
  currency: string;
}

export function autoPayPage({ mayDecide, ...props }: Props): Page {
  return {
    title: props.autoPay.enabledAt ? 'Auto-pay is on' : 'Auto-pay is off',
    lead: 'Auto-pay pays new orders from the wallet within seconds, so that they ship without delay.',
    back: { href: WALLET, text: 'Wallet' },
    content: (
      <div class="columns">
        <Card title="Current settings">
          <CurrentSettings {...props} />
        </Card>
        {mayDecide ? (
          <Card title="Change settings">
            <SettingsForm {...props} />
          </Card>
        ) : (
          <Card title="Who can change this">
            <p>Only owners can turn auto-pay on or off, and set its limits.</p>
          </Card>
        )}
      </div>
    ),
  };
}

const CurrentSettings = ({ autoPay, currency }: Omit<Props, 'mayDecide'>) => {
  const { enabledAt, orderCap, dayCap, paidToday } = autoPay;
  return (
    <>
      <Facts
        of={{
          'Auto-pay': enabledAt ? (
            <>
              On since <ExactTime at={enabledAt} />
            </>
          ) : (
            'Off: orders wait for your payment'
          ),
          'Limit per order': <Cap cap={orderCap} currency={currency} />,
          'Limit per day': <Cap cap={dayCap} currency={currency} />,
          'Paid by auto-pay today': <Money minor={paidToday} currency={currency} />,
        }}
      />
      <p class="small">
        An order above a limit, or above the balance of the wallet, waits for your payment. Days begin at
        midnight.
      </p>
    </>
  );
};

const Cap = ({ cap, currency }: { cap: Minor | null; currency: string }) =>
  cap === null ? (
    <>No limit</>
  ) : (
    <>
      At most <Money minor={cap} currency={currency} />
    </>
  );

const SettingsForm = ({ autoPay, currency }: Omit<Props, 'mayDecide'>) => (
  <Form action={AUTO_PAY} hidden={{ shown: formatAutoPayValues(autoPay) }}>
    {!autoPay.enabledAt && (
      <Notice kind="info">
        Auto-pay pays only orders placed after you turn it on. Pay earlier orders yourself.
      </Notice>
    )}
    <Choices
      label="New orders"
      name="enabled"
      value={autoPay.enabledAt ? 'yes' : 'no'}
      options={[
        { value: 'yes', text: 'are paid from the wallet at once' },
        { value: 'no', text: 'wait for your payment' },
      ]}
    />
    {(
      [
        ['Limit per order', 'orderCap'],
        ['Limit per day', 'dayCap'],
      ] as const
    ).map(([label, name]) => (
      <AmountField
        label={label}
        name={name}
        hint="Leave empty for no limit."
        value={autoPay[name] === null ? '' : numericFromMinor(autoPay[name])}
        currency={currency}
      />
    ))}
    <Button kind="primary">Save</Button>
  </Form>
);
