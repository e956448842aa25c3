import {
  type AutoPayWish,
  type ClientAutoPayShown,
  shownAs,
} from '../../../orders/auto-pay/auto-pay.service.js';
import { Button } from '../../../pages/components/button.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { Choices, Field, Form } from '../../../pages/components/form.js';
import { Money, ExactTime } from '../../../pages/components/values.js';
import { Notice, Refused } from '../../../pages/components/notice.js';
import { signOf } from '../../../pages/format-money.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import { AUTO_PAY, WALLET } from './wallet-query.js';

/** A form that was not accepted: faults, or settings that changed in the meantime. */
export interface AutoPayTyped {
  wish: AutoPayWish;
  faults: Faults;
  isStale?: boolean;
}

interface Props {
  autoPay: ClientAutoPayShown;
  mayDecide: boolean;
  currency: string;
  typed: AutoPayTyped | undefined;
}

export function autoPayPage({ autoPay, mayDecide, currency, typed }: Props): Page {
  return {
    title: autoPay.enabledAt ? 'Auto-pay is on' : 'Auto-pay is off',
    lead: 'Auto-pay pays new orders from the wallet within seconds, so that they ship without delay.',
    back: { href: WALLET, text: 'Wallet' },
    status: typed ? (typed.isStale ? 409 : 422) : 200,
    content: (
      <>
        {typed?.isStale && <Stale />}
        <div class="columns">
          <Card title="Current settings">
            <Now autoPay={autoPay} currency={currency} />
          </Card>
          <Card title={titleOfForm(mayDecide, typed)}>
            {mayDecide ? (
              <Wish autoPay={autoPay} currency={currency} typed={typed} />
            ) : (
              <p>Only owners can turn auto-pay on or off, and set its limits.</p>
            )}
          </Card>
        </div>
      </>
    ),
  };
}

const Stale = () => (
  <Refused>
    Nothing was changed, because another person changed the settings after you opened this page. Compare your
    changes with the current settings, and save again.
  </Refused>
);

function titleOfForm(mayDecide: boolean, typed: AutoPayTyped | undefined): string {
  if (!mayDecide) return 'Who can change this';
  return typed?.isStale ? 'Your changes' : 'Change settings';
}

const Now = ({ autoPay, currency }: Pick<Props, 'autoPay' | 'currency'>) => (
  <>
    <Facts>
      <Fact term="Auto-pay">
        {autoPay.enabledAt ? (
          <>
            On since <ExactTime at={autoPay.enabledAt} />
          </>
        ) : (
          'Off: orders wait for your payment'
        )}
      </Fact>
      <Fact term="Limit per order">
        <Cap cap={autoPay.orderCap} currency={currency} />
      </Fact>
      <Fact term="Limit per day">
        <Cap cap={autoPay.dayCap} currency={currency} />
      </Fact>
      <Fact term="Paid today">
        <Money minor={autoPay.paidToday} currency={currency} />
      </Fact>
    </Facts>
    <p class="small">
      An order above a limit, or above the balance of the wallet, waits for your payment. Days begin at
      midnight UTC.
    </p>
  </>
);

const Cap = ({ cap, currency }: { cap: Minor | null; currency: string }) =>
  cap === null ? (
    <>No limit</>
  ) : (
    <>
      At most <Money minor={cap} currency={currency} />
    </>
  );

const Wish = ({ autoPay, currency, typed }: Omit<Props, 'mayDecide'>) => {
  const wish = typed?.wish ?? wishOf(autoPay);
  const prefix = signOf(currency);
  return (
    <Form action={AUTO_PAY} hidden={{ shown: shownAs(autoPay) }}>
      {!autoPay.enabledAt && (
        <Notice kind="info">
          Auto-pay pays only orders placed after you turn it on. Pay earlier orders yourself.
        </Notice>
      )}
      <Choices
        label="New orders"
        name="enabled"
        value={wish.enabled ? 'yes' : 'no'}
        options={[
          { value: 'yes', text: 'are paid from the wallet at once' },
          { value: 'no', text: 'wait for your payment' },
        ]}
      />
      <Field
        label="Limit per order"
        name="orderCap"
        hint="Leave empty for no limit."
        prefix={prefix}
        inputmode="decimal"
        maxlength={30}
        value={wish.orderCap}
        fault={typed?.faults.orderCap}
      />
      <Field
        label="Limit per day"
        name="dayCap"
        hint="Leave empty for no limit."
        prefix={prefix}
        inputmode="decimal"
        maxlength={30}
        value={wish.dayCap}
        fault={typed?.faults.dayCap}
      />
      <Button kind="primary">Save</Button>
    </Form>
  );
};

/** The current settings as form values. */
function wishOf({ enabledAt, orderCap, dayCap }: ClientAutoPayShown): Omit<AutoPayWish, 'shown'> {
  const typed = (cap: Minor | null) => (cap === null ? '' : numericFromMinor(cap));
  return { enabled: enabledAt !== null, orderCap: typed(orderCap), dayCap: typed(dayCap) };
}
