import type { Minor } from '../../platform/money/money.js';
import { formatMoney } from '../format-money.js';

interface Props {
  minor: Minor;
  currency: string;
  /** In a list of what came and what went, both are marked. */
  signed?: boolean;
}

export const Money = ({ minor, currency, signed = false }: Props) => (
  <span class="money">{formatMoney(minor, currency, signed)}</span>
);
