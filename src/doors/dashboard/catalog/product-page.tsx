import type { ProductAtPrice } from '../../../catalog/catalog-browser.service.js';
import { Card, Facts } from '../../../pages/components/layout.js';
import { ListCard } from '../../../pages/components/lists.js';
import { Money } from '../../../pages/components/values.js';
import { formatNumber } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import { Description, Pictures } from '../../shared/pictures.js';
import { CATALOG, catalogPath, StockLabel } from './catalog-page.js';

export function productPage(product: ProductAtPrice, currency: string): Page {
  return {
    title: product.name,
    back: { href: CATALOG, text: 'Catalog' },
    content: (
      <>
        <div class="columns">
          <Card title="Price and stock">
            <Terms product={product} currency={currency} />
          </Card>
          <Pictures of={product} />
        </div>
        {product.variations.length > 0 && <Variations product={product} />}
        <Description text={product.description} />
      </>
    ),
  };
}

interface Props {
  product: ProductAtPrice;
}

const Terms = ({ product, currency }: Props & { currency: string }) => (
  <Facts
    of={{
      'Your price': (
        <strong>
          <Money minor={product.price} currency={currency} />
        </strong>
      ),
      Delivery: (
        <>
          <Money minor={product.deliveryCharge} currency={currency} /> per order, for any quantity
        </>
      ),
      Available: <StockLabel stock={product.stock} />,
      SKU: <code>{product.sku}</code>,
      Category: product.category !== '' && (
        <a href={catalogPath({ category: product.category })}>{product.category}</a>
      ),
    }}
  />
);

const Variations = ({ product: { variations, variationStocks } }: Props) => (
  <ListCard
    title={`Comes in ${formatNumber(Object.keys(variationStocks).length)} variations`}
    caption="Variations"
    columns={[
      {
        heading: variations.map(({ name }) => name).join(' / '),
        as: 'title',
        cell: ([key]) => valuesOf(key),
      },
      { heading: 'Key', cell: ([key]) => <code>{key}</code> },
      { heading: 'Available', align: 'end', as: 'amount', cell: ([, stock]) => <StockLabel stock={stock} /> },
    ]}
    rows={Object.entries(variationStocks)}
  />
);

/** Writes `Color:Navy|Size:M` as `Navy / M`, the form that an order may use. */
function valuesOf(key: string): string {
  return key
    .split('|')
    .map((pair) => pair.slice(pair.indexOf(':') + 1))
    .join(' / ');
}
