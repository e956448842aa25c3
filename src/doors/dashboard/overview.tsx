import type { Figures } from '../../activity/kept-requests/request-figures.repository.js';
import type { Overview } from '../../orders/records/client-overview.repository.js';
import { Tile, Tiles } from '../../pages/components/layout.js';
import { Money, When } from '../../pages/components/values.js';
import { formatCount, countOf, formatMoney, formatNumber } from '../../pages/formats.js';

interface Props {
  overview: Overview;
  /** The store's calls of the last 24 hours. */
  requests: Figures;
  currency: string;
}

/** The client's state in four figures, on the home page. */
export const OverviewTiles = ({ overview, requests, currency }: Props) => (
  <Tiles>
    <Tile label="To pay now" href="/dashboard/orders?group=to_pay" note={<ToPay overview={overview} />}>
      <Money minor={overview.toPay.total} currency={currency} />
    </Tile>
    <Tile label="Wallet" href="/dashboard/wallet" note={lasts(overview, currency)}>
      <Money minor={overview.funds.balance} currency={currency} />
    </Tile>
    <Tile label="On the way" href="/dashboard/orders?group=shipped" note={moved(overview)}>
      {formatCount(overview.onTheWay)}
    </Tile>
    <Tile label="Your store’s calls" href="/dashboard/requests" note={refused(requests)}>
      {shareOf(requests)}
    </Tile>
  </Tiles>
);

const ToPay = ({ overview: { toPay, processing } }: Pick<Props, 'overview'>) => {
  if (toPay.firstDueAt === null)
    return <>{processing.orders === 0 ? 'nothing to pay' : `${orders(processing.orders)} being paid`}</>;
  return (
    <>
      {orders(toPay.orders)}, first due <When at={toPay.firstDueAt} />
    </>
  );
};

const orders = (count: number) => countOf(count, 'order', 'orders');

function lasts({ toPay, funds: { reserved, available } }: Overview, currency: string): string {
  if (reserved > 0) return `${formatMoney(reserved, currency)} reserved for open payments`;
  if (toPay.orders === 0) return 'ready for your next orders';
  const them = toPay.orders === 1 ? 'it' : 'all of them';
  if (available >= toPay.total) return `enough for ${them}`;
  return available > 0 ? `not enough for ${them}` : 'empty';
}

function moved({ shipped, delivered }: Overview): string {
  if (delivered.count > 0) return `${formatCount(delivered)} delivered since yesterday`;
  return shipped.count > 0
    ? `${formatCount(shipped)} shipped since yesterday`
    : 'none shipped since yesterday';
}

function refused({ succeeded, refused: notDone, failed }: Figures): string {
  if (succeeded + notDone + failed === 0) return 'none since yesterday';
  if (failed > 0) return `${countOf(failed, 'failure', 'failures')} on our side since yesterday`;
  return notDone === 0 ? 'all succeeded since yesterday' : `${formatNumber(notDone)} refused since yesterday`;
}

/** Rounded down: with one refused call it must not show 100 %. */
function shareOf({ succeeded, refused: notDone, failed }: Figures): string {
  const all = succeeded + notDone + failed;
  return all === 0 ? '–' : `${formatNumber(Math.floor((succeeded / all) * 1_000) / 10)} %`;
}

/** The title of the home page. */
export function matterOf({ toPay, processing }: Overview): string {
  if (toPay.orders > 0) return `${countOf(toPay.orders, 'order waits', 'orders wait')} for payment`;
  if (processing.orders > 0) return `${countOf(processing.orders, 'order is', 'orders are')} being paid`;
  return 'No orders wait for payment';
}
