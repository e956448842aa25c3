import type { ClientAutoPayShown } from '../../../orders/auto-pay/auto-pay.service.js';
import { ButtonLink, DownloadLink } from '../../../pages/components/controls.js';
import { Facts } from '../../../pages/components/layout.js';
import { ExactTime, Money } from '../../../pages/components/values.js';
import { formatMoney, lookAgain, nameOfMonth } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { RecentPayment } from '../../../payments/payment-history.repository.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import type { ClientTransfer } from '../../../payments/bank-transfers.service.js';
import type { Statement } from '../../../wallet/passbook.repository.js';
import type { Funds } from '../../../wallet/wallet.service.js';
import { KINDS, PassbookCard, type PassbookPaths, type PassbookShown } from '../../shared/passbook.js';
import { AUTO_PAY, orderPath, paymentPath, TOP_UP, WALLET } from '../paths.js';
import { ComingIn, WalletTiles } from './wallet-cards.js';

interface Props extends PassbookShown {
  funds: Funds;
  /** For the chosen month, otherwise for this month. */
  statement: Statement;
  payments: RecentPayment[];
  transfers: ClientTransfer[];
  autoPay: ClientAutoPayShown;
  mayPay: boolean;
}

export function walletPage(props: Props): Page {
  const { funds, currency, autoPay, mayPay, payments, transfers } = props;
  return {
    title: `${formatMoney(funds.balance, currency)} in your wallet`,
    lead: autoPay.enabledAt
      ? 'Auto-pay pays new orders from it, within your limits. Refunds come back to it.'
      : 'You pay your orders from it. Refunds come back to it.',
    actions: (
      <>
        <ButtonLink href={AUTO_PAY}>Auto-pay is {autoPay.enabledAt ? 'on' : 'off'}</ButtonLink>
        {mayPay && (
          <ButtonLink href={TOP_UP} kind="primary">
            Top up
          </ButtonLink>
        )}
      </>
    ),
    // Refreshes while money is on its way. The first payment is the newest.
    refreshSeconds: lookAgain(payments.find(({ status }) => isUnderway(status))?.createdAt ?? null),
    content: (
      <>
        <WalletTiles {...props} />
        <ComingIn payments={payments} transfers={transfers} mayPay={mayPay} currency={currency} />
        <OnPaper {...props} />
        <PassbookCard paths={PATHS} files={<Files {...props} />} {...props} />
      </>
    ),
  };
}

/** On paper: the period of the entries below, and the balances before and after them. */
const OnPaper = ({ page: { lines, older }, statement, asked, currency }: Props) => {
  const { month, kind } = asked.chosen;
  const [newest, oldest] = [lines[0], lines.at(-1)];
  const isWhole = month !== undefined && asked.mark === undefined && older === undefined;
  if (!isWhole && (!newest || !oldest)) return null;
  const [opening, closing] =
    isWhole || !newest || !oldest
      ? [statement.opening, statement.closing]
      : [oldest.balanceAfter - oldest.amount, newest.balanceAfter];
  return (
    <div class="paper">
      <Facts
        of={{
          Passbook: isWhole ? (
            nameOfMonth(month)
          ) : (
            <>
              <ExactTime at={oldest!.at} /> to <ExactTime at={newest!.at} />
            </>
          ),
          Entries: kind && `Only: ${KINDS[kind]}`,
          'Opening balance': <Money minor={opening} currency={currency} />,
          'Closing balance': <Money minor={closing} currency={currency} />,
        }}
      />
    </div>
  );
};

const PATHS: PassbookPaths = { wallet: WALLET, order: orderPath, payment: paymentPath };

const Files = ({
  asked: {
    chosen: { kind, month },
  },
}: Pick<Props, 'asked'>) => (
  <>
    <DownloadLink href={withQuery(`${WALLET}.csv`, { kind, month })}>CSV</DownloadLink>
    {month !== undefined && (
      <>
        <DownloadLink href={withQuery(`${WALLET}/statement.pdf`, { month })}>Statement (PDF)</DownloadLink>
        <DownloadLink href={withQuery(`${WALLET}/statement.csv`, { month })}>Statement (CSV)</DownloadLink>
      </>
    )}
  </>
);
