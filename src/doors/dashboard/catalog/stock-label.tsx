import { StateLabel } from '../../../pages/components/values.js';

/** How many can be sold, or that none can. */
export const StockLabel = ({ stock }: { stock: number }) =>
  stock === 0 ? <StateLabel kind="bad">Sold out</StateLabel> : <>{stock.toLocaleString('en-IN')}</>;
