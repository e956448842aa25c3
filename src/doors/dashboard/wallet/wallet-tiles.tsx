import { Money } from '../../../pages/components/values.js';
import { Tile, Tiles } from '../../../pages/components/layout.js';
import type { RecentPayment } from '../../../payments/recent-payments.js';
import type { ClientTransfer } from '../../../payments/transfers/client-transfers.js';
import { isUnderway } from '../../../payments/rules/payment-status.js';
import type { Minor } from '../../../platform/money/money.js';
import type { Statement } from '../../../wallet/passbook/passbook.js';
import { countOf } from '../count-of.js';
import { nameOf } from './months.js';
import type { Chosen } from './wallet-query.js';

interface Props {
  balance: Minor;
  statement: Statement;
  payments: readonly RecentPayment[];
  transfers: readonly ClientTransfer[];
  chosen: Chosen;
  currency: string;
}

/** How it stands, or how it stood in a month that somebody wants to know of. */
export const WalletTiles = (props: Props) => {
  const { statement, chosen, currency } = props;
  const month = chosen.month === undefined ? 'this month' : `in ${nameOf(chosen.month)}`;
  return (
    <Tiles>
      {chosen.month === undefined ? (
        <Tile label="In the wallet" note="to pay orders from">
          <Money minor={props.balance} currency={currency} />
        </Tile>
      ) : (
        <Tile label="At its beginning" note={nameOf(chosen.month)}>
          <Money minor={statement.opening} currency={currency} />
        </Tile>
      )}
      <Tile label={`Came in ${month}`} note="paid in and refunded">
        <Money minor={statement.moneyIn} currency={currency} />
      </Tile>
      <Tile label={`Went out ${month}`} note="orders, and what was sent back">
        <Money minor={statement.moneyOut} currency={currency} />
      </Tile>
      {chosen.month === undefined ? (
        <OnItsWay {...props} />
      ) : (
        <Tile label="At its end" note={nameOf(chosen.month)}>
          <Money minor={statement.closing} currency={currency} />
        </Tile>
      )}
    </Tiles>
  );
};

const OnItsWay = ({ payments, transfers, currency }: Props) => {
  const coming = [
    ...payments.filter(({ status }) => isUnderway(status)),
    ...transfers.filter(({ status }) => status === 'announced'),
  ];
  return (
    <Tile
      label="On its way"
      note={coming.length === 0 ? 'nothing' : countOf(coming.length, 'payment', 'payments')}
    >
      <Money minor={coming.reduce((sum, { amount }) => sum + amount, 0)} currency={currency} />
    </Tile>
  );
};
