import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { readFormKey } from '../../modules/auth/tokens/client-tokens.service.js';
import { CatalogBrowser, type ProductAtPrice } from '../../modules/catalog/catalog-browser.service.js';
import { SellersService } from '../../modules/invoices/sellers.service.js';
import { ORDER_LIMITS } from '../../modules/orders/placing/create-order.request.js';
import type { QuoteItemResponse } from '../../modules/orders/placing/placing.responses.js';
import { ClientOrdersService } from '../../modules/orders/records/client-orders.service.js';
import {
  nest,
  ORDER_FIELD_NAMES,
  orderField,
  ORDER_FIELDS,
  readOrderFields,
} from '../../modules/orders/rules/order-fields.js';
import { formatLoss, lossesToRefund } from '../../modules/orders/rules/parcel-exception.js';
import { REPLACED_ORDER } from '../../modules/orders/rules/order-metadata.js';
import { describeUnpaidLimit, type UnpaidFacts } from '../../modules/orders/rules/unpaid-limits.js';
import {
  Button,
  Field,
  Form,
  Select,
  SubmittedFormContext,
  TextArea,
} from '../../shared/ui/components/controls.js';
import { Card, Facts, Notice } from '../../shared/ui/components/layout.js';
import {
  amountColumn,
  countColumn,
  type ListColumn,
  Table,
  titleColumn,
} from '../../shared/ui/components/lists.js';
import { formatMoney, formatNumber } from '../../platform/formats.js';
import { buildSubmittedForm, readTexts, redisplayForm, submitForm, textIn } from '../../shared/ui/forms.js';
import { type Link, type Page, type Reply, seeOther } from '../../shared/ui/page.js';
import type { SignedInPerson } from '../../platform/access/signed-in-person.js';
import type { ErrorCode } from '../../platform/errors/error-codes.js';
import { DomainError, type FieldError, validationFailed } from '../../platform/errors/domain-error.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { type Minor, minorFromAmount } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { readOptionalLine } from '../../platform/validation/texts.js';
import { parseWholeNumber } from '../../platform/validation/whole-numbers.js';
import { formatVariation } from '../../read-model/products/variations.js';

/** A person who enters an order, at the desk or on the dashboard. */
export interface EntryRequest {
  me: SignedInPerson;
  clientId: number;
  /** Set for another person than the client's. */
  clientName?: string;
  fields: FormFields;
  /** "New order for Anaya Home". */
  title: string;
  back: Link;
  orderPath: (orderNumber: string) => string;
  /** Pays the placed order. Not for the client's own people, who pay on its page. */
  payFromWallet?: (orderNumber: string, consent: string) => Promise<unknown>;
  /** The wallet before and after it pays this amount. */
  fundsToPay?: (amount: Minor) => Promise<Parameters<typeof Facts>[0]['of']>;
}

/** One text has all items, so that people can paste a list. */
const readEntry = readTexts('key', 'replaces', 'items', 'search', 'recipient', ...ORDER_FIELD_NAMES);

type Entry = ReturnType<typeof readEntry>;

const readRecipient = readTexts(...ORDER_FIELD_NAMES.filter((name) => name !== 'notes'));

const MAX_CHOICES = 10;

const MAX_CONSENT_LENGTH = 200;

/** The charge for delivery is the products' own, so a further one is sold. */
const SENT_AGAIN =
  ' The delivery charge counts again. If the client pays less for it, refund the rest of it as an amount ' +
  'when the new order is paid.';

const CHANGED: ReadonlySet<ErrorCode> = new Set(['price_changed', 'unpaid_limit_reached']);

const ALREADY_PLACED: ReadonlySet<ErrorCode> = new Set(['duplicate_order', 'idempotency_key_reused']);

/** The form of an order, on the dashboard and on the desk. */
@Injectable()
export class OrderEntryPages {
  constructor(
    private readonly orders: ClientOrdersService,
    private readonly catalog: CatalogBrowser,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The form: empty, with an earlier order (`again`), a first item (`add`), or a search for products. */
  async open(request: EntryRequest): Promise<Page> {
    const { clientId, fields } = request;
    const again = textIn(fields, 'again');
    const earlier = again === '' ? undefined : await this.orders.find(clientId, again);
    const items = earlier?.items.map(({ sku, quantity, variation }) => itemText(sku, quantity, variation));
    const recipient = earlier ?? { shippingCountry: ORDER_FIELDS.shippingCountry.defaultValue };
    return this.form(request, {
      ...readEntry(fields),
      ...readRecipient({ ...recipient } as FormFields),
      notes: earlier?.notes ?? '',
      key: randomUUID(),
      replaces: earlier?.orderNumber ?? '',
      items: items?.join('\n') ?? textIn(fields, 'add'),
    });
  }

  /** The form's button names the step: none asks for the review. */
  async submit(request: EntryRequest): Promise<Reply> {
    const { clientId, fields } = request;
    const lines = [...textIn(fields, 'items').split(/\r?\n/), textIn(fields, 'add')];
    const items = lines.map((line) => line.trim()).filter(Boolean);
    const entry = { ...readEntry(fields), items: items.join('\n') };
    const step = textIn(fields, 'step');
    if (step === 'recipient') {
      const earlier: object = await this.orders.find(clientId, entry.recipient);
      return this.form(request, { ...entry, ...readRecipient({ ...earlier }) });
    }
    if (step === 'edit' || 'add' in fields || (step === 'search' && entry.search.trim() !== ''))
      return this.form(request, entry);
    const next = async () =>
      step === 'confirm'
        ? this.place(request, entry)
        : this.review(request, { ...entry, items: await this.complete(items) });
    return submitForm(next, (error) => this.form(request, entry, error));
  }

  /** "MUG 3" means the only product whose SKU or name begins with it. */
  private async complete(lines: readonly string[]): Promise<string> {
    const items = lines.map(readItem);
    const completions = await this.catalog.completeSkus(items.map(({ sku }) => sku));
    const faults: FieldError[] = [];
    const completed = items.map(({ sku, quantity, variation }, at) => {
      const { skus = [], isClear = false } = completions.get(sku) ?? {};
      if (isClear) return itemText(skus[0]!, quantity, variation);
      if (skus.length > 0) faults.push(unclearSku(at, skus));
      return lines[at];
    });
    if (faults.length > 0) throw validationFailed(faults);
    return completed.join('\n');
  }

  private async place(request: EntryRequest, entry: Entry): Promise<Reply> {
    const { me, clientId, fields, orderPath, payFromWallet } = request;
    const body = { ...bodyOf(entry), expected_total: Number(textIn(fields, 'total')) };
    let consent: string | undefined;
    let orderNumber: string;
    try {
      consent = readOptionalLine('consent', payFromWallet && textIn(fields, 'consent'), MAX_CONSENT_LENGTH);
      ({ orderNumber } = await this.orders.place(me, clientId, body, readFormKey(entry.key)));
    } catch (error) {
      if (error instanceof DomainError && ALREADY_PLACED.has(error.code))
        return seeOther(orderPath(String(error.facts.order_number)), {
          kind: 'warn',
          text: 'Nothing more was placed: this form has already placed this order. Open a new form.',
        });
      const page = await this.review(request, entry);
      const isChanged =
        error instanceof DomainError && (error.errors !== undefined || CHANGED.has(error.code));
      const refusal = `Nothing was placed: you saw ${this.money(body.expected_total)}, and this has changed.`;
      const reviewed = isChanged ? { ...page, refusal } : page;
      return redisplayForm(error, reviewed);
    }
    const path = orderPath(orderNumber);
    if (!payFromWallet || consent === undefined)
      return seeOther(path, `${orderNumber} is placed. It ships when it is paid.`);
    try {
      await payFromWallet(orderNumber, consent);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The form was sent twice, or auto-pay was faster.
      const { paymentStatus } = await this.orders.find(clientId, orderNumber);
      if (paymentStatus !== 'paid')
        return seeOther(path, {
          kind: 'warn',
          text: `${orderNumber} is placed, but not paid: ${error.message}`,
        });
    }
    return seeOther(path, `${orderNumber} is placed and paid from the wallet.`);
  }

  /** What placing the order now would do. */
  private async review(
    { clientId, clientName, fields, title, back, payFromWallet, fundsToPay }: EntryRequest,
    entry: Entry,
  ): Promise<Page> {
    const orderingClient = await this.orders.getOrderingClient(clientId);
    const { request, quote } = await this.orders.quote(orderingClient, bodyOf(entry));
    const { orderable, errors, warnings = [], currency } = quote;
    const [total, isTaxOn] = [this.money(quote.total), await this.sellers.isTaxOn()];
    const values = readOrderFields({ ...request });
    const funds = orderable && (await fundsToPay?.(minorFromAmount(quote.total)));
    const delivery = ORDER_FIELD_NAMES.map((name) => [orderField(name).label, values[name]]);
    const replaced =
      payFromWallet && entry.replaces !== '' && (await this.orders.find(clientId, entry.replaces));
    return {
      title: orderable ? `Order for ${values.customerName} · ${total}` : 'This order cannot be placed now',
      lead: `${title}: nothing is placed yet.${isTaxOn ? ' Prices include GST.' : ''}`,
      back,
      isReview: true,
      content: (
        <>
          {[...errors, ...warnings].map((fault) => (
            <Notice kind="warn">
              {clientName !== undefined && fault.code === 'unpaid_limit_reached'
                ? describeUnpaidLimit(fault as unknown as UnpaidFacts, clientName)
                : describeFault(fault.field, fault.message)}
            </Notice>
          ))}
          {replaced &&
            lossesToRefund(replaced).map((loss) => (
              <Notice kind="warn">
                Parcel {loss.parcel} of {entry.replaces} is lost. Not refunded yet: {formatLoss(loss)}.
              </Notice>
            ))}
          <Card title="Items" flush>
            <Table
              caption="Order items"
              columns={columnsIn(currency)}
              rows={quote.items}
              totals={[
                { label: 'Goods', value: this.money(quote.subtotal) },
                { label: 'Delivery', value: this.money(quote.delivery) },
                { label: 'Total', value: total },
              ]}
            />
          </Card>
          <Card title="Delivery">
            <Facts of={{ ...Object.fromEntries(delivery), 'Instead of': entry.replaces || null }} />
          </Card>
          {funds && (
            <Card title="If the wallet pays">
              <Facts of={funds} />
            </Card>
          )}
          <Form hidden={{ ...entry, search: '', total: String(quote.total) }}>
            {orderable && payFromWallet && (
              <Field
                label="To pay it now from the client’s wallet: who agreed, and how"
                hint="Empty: the order waits for payment."
                name="consent"
                value={textIn(fields, 'consent')}
                maxlength={MAX_CONSENT_LENGTH}
              />
            )}
            <div class="actions">
              {orderable && (
                <Button kind="primary" name="step" value="confirm">
                  Place the order · {total}
                </Button>
              )}
              <Button name="step" value="edit">
                Back to the form
              </Button>
            </div>
          </Form>
        </>
      ),
    };
  }

  private async form(
    { clientId, title, back, payFromWallet }: EntryRequest,
    entry: Entry,
    error?: unknown,
  ): Promise<Page> {
    const { plan } = await this.orders.getOrderingClient(clientId);
    const text = entry.search.trim();
    const found = text === '' ? undefined : await this.catalog.page(plan, { text });
    const { currency } = this.settings;
    const newest = await this.orders.page(clientId, {}, { sort: 'newest', limit: MAX_CHOICES });
    const recipients = newest
      .map(({ orderNumber, customerName, shippingCity }) => ({
        value: orderNumber,
        text: `${customerName}, ${shippingCity}`,
      }))
      .filter(({ text: name }, at, all) => all.findIndex((one) => one.text === name) === at);
    return {
      title: entry.replaces === '' ? title : `${title} instead of ${entry.replaces}`,
      lead: 'The next page shows prices, delivery and stock. Nothing is placed before that.',
      back,
      isFilled: true,
      content: (
        <SubmittedFormContext.Provider value={buildSubmittedForm(errorsOfForm(error), entry)}>
          <Form hidden={{ key: entry.key, replaces: entry.replaces }}>
            <div class="columns">
              <Card title="Items">
                <div class="form">
                  <Field label="Find products" name="search" hint="SKU, name or category" maxlength={200} />
                  <Button name="step" value="search">
                    Find
                  </Button>
                  {found && (
                    <FoundProducts products={found.products.slice(0, MAX_CHOICES)} currency={currency} />
                  )}
                  <TextArea
                    label="SKU, quantity and variation"
                    hint={
                      'One item on each line, such as “KURTA-01 2 Size:M”. You can paste a list.' +
                      (entry.replaces !== '' && payFromWallet ? SENT_AGAIN : '')
                    }
                    name="items"
                    rows={6}
                    maxlength={20_000}
                  />
                </div>
              </Card>
              <Card title="Recipient">
                <div class="form">
                  {recipients.length > 0 && (
                    <>
                      <Select label="Earlier recipients" name="recipient" options={recipients} />
                      <Button name="step" value="recipient">
                        Fill in
                      </Button>
                    </>
                  )}
                  {ORDER_FIELD_NAMES.map((name) => {
                    const { label, maxLength: maxlength, type } = orderField(name);
                    if (name === 'notes') return <TextArea {...{ label, name, maxlength }} rows={2} />;
                    return <Field {...{ label, name, maxlength, type }} />;
                  })}
                </div>
              </Card>
            </div>
            <Button kind="primary">Review the order</Button>
          </Form>
        </SubmittedFormContext.Provider>
      ),
    };
  }

  private money(amount: unknown): string {
    return formatMoney(minorFromAmount(Number(amount)), this.settings.currency);
  }
}

const columnsIn = (currency: string): ListColumn<QuoteItemResponse>[] => [
  titleColumn('Product', ({ sku, name, variation }) => ({
    text: name,
    detail: [sku, variation && formatVariation(variation)].filter(Boolean).join(' · '),
  })),
  countColumn('Quantity', ({ quantity }) => quantity),
  amountColumn('Price', currency, ({ unit_price: price }) => minorFromAmount(price)),
  amountColumn('Amount', currency, ({ line_total: amount }) => minorFromAmount(amount), 'amount'),
];

/** A button for each variation adds one unit to the items. */
const FoundProducts = ({ products, currency }: { products: ProductAtPrice[]; currency: string }) => (
  <>
    {products.flatMap(({ sku, name, price, stock, variations, variationStocks }) =>
      Object.entries(variations.length === 0 ? { '': stock } : variationStocks).map(([key, left]) => (
        <Button name="add" value={itemText(sku, 1, key)}>
          Add {name} {formatVariation(key)} · {formatMoney(price, currency)} · {formatNumber(left)} available
        </Button>
      )),
    )}
    {products.length === 0 && <p class="hint">No product matches. Try part of a SKU or a name.</p>}
  </>
);

/** A SKU with a separator needs tabs, as spreadsheets write them. */
export const itemText = (sku: string, quantity: number | string | null, variation: string | null) =>
  [sku, quantity, variation].filter(Boolean).join(/[\s,;]/.test(sku) ? '\t' : ' ');

/** The text before the first separator, and the rest. */
function splitFirst(text: string): [string, string] {
  const end = text.search(text.includes('\t') ? /\t/ : /[\s,;]/);
  return end < 0 ? [text, ''] : [text.slice(0, end).trim(), text.slice(end).replace(/^[\s,;]+/, '')];
}

/** Also "MUG x 3". */
function readItem(line: string) {
  const [sku, rest] = splitFirst(line);
  const [quantity, variation] = splitFirst(rest.replace(/^[x×]\s*(?=\d)/i, ''));
  const count = parseWholeNumber(quantity, 0, ORDER_LIMITS.quantity);
  return { sku, quantity: count ?? (quantity || null), variation };
}

/** The body as a store sends it. */
const bodyOf = (entry: Entry) => ({
  ...nest({ ...entry, notes: entry.notes.replaceAll('\r\n', '\n') }),
  items: entry.items.split('\n').filter(Boolean).map(readItem),
  metadata: entry.replaces === '' ? undefined : { [REPLACED_ORDER]: entry.replaces },
});

function unclearSku(at: number, skus: readonly string[]): FieldError {
  const named = skus.slice(0, MAX_CHOICES).join(', ') + (skus.length > MAX_CHOICES ? ' and more' : '');
  const message = `must name one product for sale; these begin with it: ${named}`;
  return { field: `items[${at}].sku`, code: 'unknown_sku', message };
}

const ITEM_FIELD = /^items\[(\d+)\]\.(.+)/;

/** "Line 2: quantity must be at least 1". */
function describeFault(field: string, message: string): string {
  const [, index, name] = ITEM_FIELD.exec(field) ?? [];
  if (name === undefined) return message;
  return `Line ${Number(index) + 1}: ${message.startsWith('only') ? '' : `${name} `}${message}`;
}

/** The errors of the API, at the fields of the form. The text of all items has one error. */
function errorsOfForm(error: unknown): DomainError | undefined {
  if (!(error instanceof DomainError) || !error.errors) return undefined;
  const lineOf = ({ field }: FieldError) => Number(ITEM_FIELD.exec(field)?.[1]);
  const ofItems = error.errors
    .filter(({ field }) => ITEM_FIELD.test(field))
    .toSorted((one, other) => lineOf(one) - lineOf(other));
  const others = error.errors.filter((fault) => !ofItems.includes(fault));
  const texts = ofItems.map(({ field, message, valid_keys: keys }) =>
    describeFault(field, Array.isArray(keys) ? `${message}: ${keys.slice(0, 20).join('; ')}` : message),
  );
  const nameOf = (path: string) => ORDER_FIELD_NAMES.find((name) => orderField(name).path.join('.') === path);
  return validationFailed([
    ...(texts.length > 0 ? [{ field: 'items', code: 'invalid', message: `${texts.join('.\n')}.` }] : []),
    ...others.map((fault) => ({ ...fault, field: nameOf(fault.field) ?? fault.field })),
  ]);
}
