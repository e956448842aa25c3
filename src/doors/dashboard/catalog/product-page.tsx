import type { ProductAtPrice } from '../../../catalog/catalog-browser.service.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { Money } from '../../../pages/components/values.js';
import { Table } from '../../../pages/components/table.js';
import type { Page } from '../../../pages/page.js';
import { CATALOG, catalogPath, StockLabel } from './catalog-page.js';

export function productPage(product: ProductAtPrice, currency: string): Page {
  const { name, description } = product;
  return {
    title: name,
    back: { href: CATALOG, text: 'Catalog' },
    content: (
      <>
        <div class="columns">
          <Card title="Price and stock">
            <Terms product={product} currency={currency} />
          </Card>
          <Pictures product={product} />
        </div>
        {product.variations.length > 0 && <Variations product={product} />}
        {description !== '' && (
          <Card title="Description">
            {description.split(/\n+/).map((paragraph) => (
              <p>{paragraph}</p>
            ))}
          </Card>
        )}
      </>
    ),
  };
}

interface Props {
  product: ProductAtPrice;
}

const Terms = ({ product, currency }: Props & { currency: string }) => (
  <Facts>
    <Fact term="Your price">
      <strong>
        <Money minor={product.price} currency={currency} />
      </strong>
    </Fact>
    <Fact term="Delivery">
      <Money minor={product.deliveryCharge} currency={currency} /> for each order that has it, whatever the
      quantity
    </Fact>
    <Fact term="Available">
      <StockLabel stock={product.stock} />
    </Fact>
    <Fact term="SKU">
      <code>{product.sku}</code>
    </Fact>
    {product.category !== '' && (
      <Fact term="Category">
        <a href={catalogPath({ category: product.category })}>{product.category}</a>
      </Fact>
    )}
  </Facts>
);

/** Browsers may load only https pictures here. Other addresses are shown as links. */
const Pictures = ({ product: { images, name } }: Props) => {
  const [shown, others] = [images.filter(isSecure), images.filter((image) => !isSecure(image))];
  if (images.length === 0) return null;
  return (
    <Card title={images.length === 1 ? 'Picture' : 'Pictures'}>
      {shown.length > 0 && (
        <div class="pictures">
          {shown.map((image, at) => (
            <a href={image} rel="noreferrer">
              <img
                src={image}
                alt={shown.length === 1 ? name : `${name}, picture ${at + 1}`}
                loading="lazy"
                referrerpolicy="no-referrer"
              />
            </a>
          ))}
        </div>
      )}
      {others.map((image) => (
        <a href={image} rel="noreferrer">
          {image}
        </a>
      ))}
    </Card>
  );
};

const Variations = ({ product: { variations, variationStocks } }: Props) => (
  <Card title={`Comes in ${Object.keys(variationStocks).length.toLocaleString('en-IN')} variations`} flush>
    <Table
      caption="Variations"
      columns={[
        {
          heading: variations.map(({ name }) => name).join(' / '),
          as: 'title',
          cell: ([, , values]) => values,
        },
        { heading: 'Key', cell: ([key]) => <code>{key}</code> },
        {
          heading: 'Available',
          align: 'end',
          as: 'amount',
          cell: ([, stock]) => <StockLabel stock={stock} />,
        },
      ]}
      rows={Object.entries(variationStocks).map(
        ([key, stock]): [key: string, stock: number, values: string] => [key, stock, valuesOf(key)],
      )}
    />
  </Card>
);

/** Writes `Color:Navy|Size:M` as `Navy / M`, the form that an order may use. */
function valuesOf(key: string): string {
  return key
    .split('|')
    .map((pair) => pair.slice(pair.indexOf(':') + 1))
    .join(' / ');
}

function isSecure(image: string): boolean {
  return /^https:/i.test(image);
}
