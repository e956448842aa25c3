import type { ComponentChildren } from 'preact';
import { DOCUMENT_KINDS } from '../../modules/invoices/rules/document-number.js';
import { LIST_POLL_SECONDS, POLL_SECONDS } from '../../modules/orders/store-orders.js';
import { ORDER_LIMITS } from '../../modules/orders/placing/create-order.request.js';
import { ORDER_STATUSES, type OrderStatus } from '../../modules/orders/rules/order-transitions.js';
import type { ReturnState } from '../../modules/orders/rules/return-request.js';
import { CopyBlock, DownloadLink } from '../../shared/ui/components/controls.js';
import { Card } from '../../shared/ui/components/layout.js';
import { type ListColumn, Table, Tabs } from '../../shared/ui/components/lists.js';
import { WithCode } from '../../shared/ui/components/values.js';
import { formatNumber } from '../../shared/ui/formats.js';
import type { Page } from '../../shared/ui/page.js';
import { TEST_FAILURE_HEADER, TEST_FAILURES } from '../../platform/access/test-failure.js';
import { ERROR_CODES, errorAnchor, FIELD_CODES } from '../../platform/errors/error-codes.js';
import { UNIT_COSTS } from '../../platform/limits/request-costs.js';
import { API_ACCESS, AUTO_PAY, HELP, ORDERS, REQUESTS } from '../../web/dashboard/paths.js';
import { type NextStep, STEPS } from '../../modules/test-orders/rules/advance-order.js';
import {
  TEST_ORDER_RETENTION_DAYS,
  MAX_TEST_ORDERS,
} from '../../modules/test-orders/test-orders.repository.js';
import { apiChanges } from './api-changes.js';
import { CHANGELOG, downloadPath, exampleText, type Language, LANGUAGES } from './example-files.js';
import { type GuideProps, setUpScript } from './set-up.js';

interface Section {
  id: string;
  title: string;
  Content: (props: GuideProps) => ComponentChildren;
}

export function guidePage(props: GuideProps): Page {
  return {
    title: 'Connect your store',
    lead: props.settings.isOnTrial
      ? 'Ten minutes to the first order. All examples run as they are.'
      : 'Ten minutes to the first order. Put SKUs of your list into the examples.',
    content: (
      <div class="guide">
        <nav class="contents" aria-label="Contents">
          <ol>
            {SECTIONS.map(({ id, title }) => (
              <li>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div class="stack">
          {SECTIONS.map(({ id, title, Content }) => (
            <Card id={id} title={title}>
              <Content {...props} />
            </Card>
          ))}
        </div>
      </div>
    ),
  };
}

/** Tabs for the language. Their links keep the section. */
const Languages = ({ at, title, language }: { at: string; title: string; language: Language }) => (
  <Tabs
    label={`Language: ${title}`}
    tabs={Object.entries(LANGUAGES).map(([id, { name }]) => ({
      href: `?lang=${id}#${at}`,
      text: name,
      current: id === language,
    }))}
  />
);

interface ExampleProps {
  of: GuideProps;
  /** The name of its files without extension. Also the id of its section. */
  name: string;
  title: string;
}

const Example = ({ of: { language }, name, title }: ExampleProps) => {
  const file = `${name}.${LANGUAGES[language].extension}`;
  const program = 'program' in LANGUAGES[language] ? LANGUAGES[language].program : undefined;
  return (
    <>
      <Languages at={name} title={title} language={language} />
      <CopyBlock id={`${name}-code`} label={title} text={exampleText(file)} />
      {program && (
        <CopyBlock
          id={`${name}-run`}
          label={`Run: ${title}`}
          text={`curl -sSO "$API${downloadPath(file)}" && ${program} ${file}`}
        />
      )}
    </>
  );
};

const FirstOrder = (props: GuideProps) => (
  <>
    <h3>1. Get a token</h3>
    <p>
      Sign in to the dashboard and create a token on the page <a href={API_ACCESS}>API access</a>. The token
      belongs to your store’s domain. Keep it on your server, never in a browser or an app. A program that
      places no orders gets a read-only token.
    </p>
    <h3>2. Prepare a terminal</h3>
    <p>
      <SetUpWords {...props} />
    </p>
    <Languages at="first-order" title="Prepare a terminal" language={props.language} />
    <CopyBlock id="set-up" label="Prepare a terminal" text={setUpScript(props)} />
    <h3>3. Place an order</h3>
    <p>
      {!props.settings.isOnTrial && (
        <>
          Instead of <code>MUG-350</code>, take an SKU of your list.{' '}
        </>
      )}
      You never send prices: they come from your plan.
    </p>
    <Example of={props} name="first-order" title="Place an order" />
    <p>
      An order has at most {ORDER_LIMITS.items} lines of at most {formatNumber(ORDER_LIMITS.quantity)} units.
      Without enough stock it is refused, and nothing is held.
    </p>
    <h3>4. Pay</h3>
    <p>
      The order waits in the dashboard, under <a href={ORDERS}>Orders</a>. Pay for it there, or turn on{' '}
      <a href={AUTO_PAY}>auto-pay</a>. An order that is unpaid after {props.settings.paymentWindowHours} hours
      is cancelled, and its stock is free again. <code>/api/account</code> has your wallet, auto-pay, and the
      limits of unpaid orders.
    </p>
  </>
);

const SetUpWords = ({ language, domain, settings: { isOnTrial } }: GuideProps) => (
  <>
    {isOnTrial
      ? 'This service is a trial: its credentials are in a file. Run this in the folder of the service. '
      : 'The last line asks for the token, so that the history of the shell does not have it. '}
    {!isOnTrial && domain === undefined && 'Replace the domain by yours. '}
    {language !== 'curl' && (
      <>
        You also get the client for {LANGUAGES[language].name}, one file without packages. It has time limits,
        and repeats requests when that is safe.
      </>
    )}
  </>
);

const Stock = (props: GuideProps) => (
  <>
    <p>
      Do not request products one by one. Keep a copy, and ask for its changes: send the{' '}
      <code>sync_token</code> of one answer as <code>since</code> of the next. Run this every 15 minutes.
    </p>
    <Example of={props} name="polling" title="Keep stock up to date" />
    <p>
      A <code>sync_token</code> does not age: after a month it gets the changes of that month. It expires only
      when the wholesaler restores a backup, and for the catalog when you get another plan. The answer is then
      410 <code>sync_token_expired</code>: read the full list once, without <code>since</code>. A token
      belongs to one list.
    </p>
    <p>
      The catalog works in the same way, with{' '}
      <code>/api/products?expand=variations,delivery_charge,details</code>: names, pictures, prices and stock.
      The <code>details</code> are HSN code, GST rate, unit, barcode and weight, where they are known, and
      what a shop in India must show with packaged goods: MRP, country of origin, manufacturer or importer,
      net quantity and a page of details. An order pays the <code>delivery_charge</code> of each of its
      products once, for any quantity. Send the same <code>expand</code> with each <code>since</code>.{' '}
      <code>/api/categories</code> lists the categories.
    </p>
  </>
);

const MEANINGS: Record<OrderStatus, string> = {
  awaiting_payment: 'It waits for your payment.',
  pending: 'It is paid, and is being packed.',
  shipped: 'All parcels have left. Show your customer the tracking.',
  delivered: 'All parcels have arrived.',
  cancelled: 'It will not be shipped. `cancel_reason` has the reason.',
};

const STATUSES: ListColumn<OrderStatus>[] = [
  { heading: 'Status', as: 'title', cell: (status) => <code>{status}</code> },
  { heading: 'Meaning', as: 'line', cell: (status) => <WithCode text={MEANINGS[status]} /> },
  { heading: 'Ask again', nowrap: true, cell: (status) => `after ${spanOf(POLL_SECONDS[status])}` },
];

function spanOf(seconds: number): string {
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}

const PAY_AND_SHIP = `npm run cli -- order pay WEB-3001 --method upi --reference 42
npm run cli -- order ship WEB-3001 --courier Delhivery --tracking-number DL123`;

const Follow = (props: GuideProps) => (
  <>
    <p>
      One call lists the orders that have changed, however many are open. Run this every{' '}
      {spanOf(LIST_POLL_SECONDS)}. There are no webhooks.
    </p>
    <Example of={props} name="follow" title="Follow orders" />
    {props.settings.isOnTrial && (
      <>
        <p>
          On this trial you can be the wholesaler too: pay and ship the order, then run the example again.
        </p>
        <CopyBlock id="ship" label="Pay and ship the order" text={PAY_AND_SHIP} />
      </>
    )}
    <Table caption="Statuses of an order" columns={STATUSES} rows={ORDER_STATUSES} />
    <p>
      <code>GET /api/orders/{'{order_number}'}</code> has the whole order: also recipient, address, notes,
      refunds and documents. Read it when an order changed and the status does not show how, for example after
      a corrected address. It needs a token with full access. When your subscription has ended, you can still
      read paid orders here, with their documents, and return their goods.
    </p>
    <p>
      The <code>quantity</code> of a line is the sum of the units that were <code>shipped</code> or{' '}
      <code>cancelled</code>, and of those that still wait. The <code>refunds</code> say for each line, and
      for the delivery, what went back to your wallet.
    </p>
    <p>
      After a <code>sync_token</code> has expired, <code>/api/orders/status?orders=</code> reads up to 100
      orders at once. To show one order to a customer, read its status. Ask again as the table says, or after
      the seconds in <code>X-Poll-Interval</code>.
    </p>
    <p>
      All times are UTC, as in <code>2026-01-31T18:00:00.000Z</code>. A date without a time in{' '}
      <code>created_from</code> or <code>created_to</code> is a day in UTC.
    </p>
    <p>
      Did your customer give another address? Send recipient and address with{' '}
      <code>PUT /api/orders/{'{order_number}'}/delivery</code> until the order is packed. Texts of your own,
      such as the id of a cart, stand in the <code>metadata</code> of an order and of its lines: the status
      returns them.
    </p>
  </>
);

const STEP_WORDS: Record<NextStep, string> = {
  paid: 'You paid it.',
  partly_shipped: 'One unit of its first line left in a parcel. The rest waits.',
  shipped: 'All that waited left in one parcel, with a made-up tracking number.',
  delivered: 'All parcels that left have arrived.',
  line_cancelled: 'The wholesaler cancelled what waits of the last line, and refunded it.',
  cancelled: 'The wholesaler cancelled it. A paid order is refunded.',
  expired: 'You did not pay in time.',
  line_refunded: 'The price of one unit was refunded. Nothing comes back.',
  amount_refunded: 'One rupee was refunded.',
  return_requested: 'You requested the return of all units.',
  return_received: 'All units arrived and were refunded.',
  return_partly_received:
    'All but one unit arrived and were refunded. One of them is damaged and was written off.',
  return_refused: 'The wholesaler refused the return.',
};

const STEP_COLUMNS: ListColumn<NextStep>[] = [
  { heading: 'Step', as: 'title', cell: (step) => <code>{step}</code> },
  { heading: 'What happens', as: 'line', cell: (step) => STEP_WORDS[step] },
];

const FAILURE_COLUMNS: ListColumn<[string, string]>[] = [
  { heading: 'Value', as: 'title', cell: ([failure]) => <code>{failure}</code> },
  { heading: 'What happens', as: 'line', cell: ([, meaning]) => <WithCode text={meaning} /> },
];

const Testing = (props: GuideProps) => (
  <>
    <p>
      Create a token with the access “Test orders” on the page <a href={API_ACCESS}>API access</a>, and use it
      as <code>TOKEN</code>. Orders are quoted, placed, listed, cancelled and returned like real ones, with
      today’s prices and stock. But nothing is held, owed or sent, and the wholesaler does not see them. Move
      an order on:
    </p>
    <Example of={props} name="testing" title="Try the whole flow" />
    <Table caption="Steps of a test order" columns={STEP_COLUMNS} rows={STEPS} />
    <p>
      Try failures too: with the header <code>{TEST_FAILURE_HEADER}</code> a request fails as a real one does,
      and changes nothing. Other tokens get <code>token_not_allowed</code>, so that no trial places a real
      order.
    </p>
    <Table
      caption={`Values of ${TEST_FAILURE_HEADER}`}
      columns={FAILURE_COLUMNS}
      rows={Object.entries(TEST_FAILURES)}
    />
    <p>
      We keep your newest {formatNumber(MAX_TEST_ORDERS)} test orders for {TEST_ORDER_RETENTION_DAYS} days.
      Their documents are samples, with a sample rate of GST.
    </p>
  </>
);

type ErrorRow = [code: string, facts: readonly [status: number, meaning: string, advice: string]];

const ERRORS: ListColumn<ErrorRow>[] = [
  {
    heading: 'Code',
    as: 'title',
    cell: ([code, [status]]) => (
      <>
        <code id={errorAnchor(code)}>{code}</code> <small>{status}</small>
      </>
    ),
  },
  { heading: 'Meaning', as: 'line', cell: ([, [, meaning]]) => <WithCode text={meaning} /> },
  { heading: 'What to do', cell: ([, [, , advice]]) => <WithCode text={advice} /> },
];

const FIELD_ERRORS: ListColumn<[code: string, meaning: string]>[] = [
  { heading: 'Code', as: 'title', cell: ([code]) => <code>{code}</code> },
  { heading: 'Meaning', as: 'line', cell: ([, meaning]) => <WithCode text={meaning} /> },
];

const Errors = (props: GuideProps) => (
  <>
    <ul>
      <li>
        <strong>Send again</strong> when there is no answer, and after 408, 429 and 5xx. Wait as long as{' '}
        <code>Retry-After</code> says. An order keeps its <code>store_order_id</code>, so it is never placed
        twice. If it was cancelled or expired unpaid, only a new id places it again.
      </li>
      <li>
        <strong>Do not send again</strong> after any other error. Correct the request first.
      </li>
      <li>
        Treat a code that you do not know by its HTTP status. Keep the <code>request_id</code>: with it we
        find your request.
      </li>
    </ul>
    <Example of={props} name="errors" title="Read an error" />
    <p>
      The <code>doc_url</code> of an error leads to its row here.
    </p>
    <Table caption="Error codes" columns={ERRORS} rows={Object.entries(ERROR_CODES)} />
    <p>
      With 422, <code>errors</code> lists every fault: the <code>field</code> as a path such as{' '}
      <code>items[0].quantity</code>, and one of these codes. A quote lists in the same way why the order
      cannot be placed.
    </p>
    <Table caption="Codes of fields" columns={FIELD_ERRORS} rows={Object.entries(FIELD_CODES)} />
  </>
);

const RETURNS: Record<ReturnState, string> = {
  requested:
    'You requested it. With `accepted_at`, send the goods to `send_to`, at the latest on the day `send_by`.',
  received: 'All units have arrived. `refunded` is the amount in your wallet.',
  partly_received: 'Some units have not arrived: see `lines`. You can request their return again.',
  refused: 'The wholesaler does not take the goods back, or the client withdrew it: see `refusal_reason`.',
};

const RETURN_COLUMNS: ListColumn<[string, string]>[] = [
  { heading: 'State', as: 'title', cell: ([state]) => <code>{state}</code> },
  { heading: 'Meaning', as: 'line', cell: ([, meaning]) => <WithCode text={meaning} /> },
];

const Returns = (props: GuideProps) => (
  <>
    <p>
      Does your customer send goods back? Request the return with an id of your own, so that you can safely
      repeat the request. The goods must have been shipped. The status of the order lists the return.
    </p>
    <Example of={props} name="returns" title="Request a return, and read the returns of the order" />
    <p>
      Your people can also request it in the dashboard, on the page of the order. If the wholesaler allows
      only this, the answer is <code>returns_in_dashboard</code>.
    </p>
    <Table caption="States of a return" columns={RETURN_COLUMNS} rows={Object.entries(RETURNS)} />
  </>
);

const Invoices = (props: GuideProps) => (
  <>
    <p>
      An order has a document for each parcel that left and for each refund of invoiced goods that was made or
      taken back:{' '}
      {DOCUMENT_KINDS.map((kind, at) => (
        <>
          {at > 0 && (at < DOCUMENT_KINDS.length - 1 ? ', ' : ' or ')}
          <code>{kind}</code>
        </>
      ))}
      . Its <code>date</code> is the day in India, so it may be the day after the time in UTC. A PDF costs as
      much of your limit as {UNIT_COSTS.pdf} small requests. Save it: it never changes, except that an
      e-invoice gets its IRN and QR code later.
    </p>
    <Example of={props} name="invoices" title="Save invoices" />
    <p>
      Each document names its order, parcel and lines; a note also the invoice that it changes and its refund.
      Line 0 is the delivery. For your books, <code>/api/documents?issued_from=2026-11-01</code> lists the
      documents of all orders by day.
    </p>
  </>
);

const GoingLive = ({ settings: { rateLimitPerMinute } }: GuideProps) => (
  <ul>
    <li>
      Create a token for the live server. Read it from the environment or a secret store, not from the code.
      You can <a href={API_ACCESS}>replace a token</a> without downtime.
    </li>
    <li>
      Save your order and its <code>store_order_id</code> before you send it. If the answer is lost, send it
      again with the same id.
    </li>
    <li>
      Request a quote at the checkout, and send its total as <code>expected_total</code>. Then you never pay a
      price that you have not seen.
    </li>
    <li>Run the jobs for stock and orders by a timer. Let only one run at a time.</li>
    {rateLimitPerMinute > 0 && (
      <li>
        Your limit is {formatNumber(rateLimitPerMinute)} units a minute. Most requests cost one.{' '}
        <a href="/docs">The reference</a> says which cost more.
      </li>
    )}
    <li>
      Look at <a href={REQUESTS}>Requests</a> in the dashboard after the first day: it counts all refused
      calls, and lists most of them with the reason. <a href={HELP}>Help</a> has the contact of the
      wholesaler, if the wholesaler has entered one.
    </li>
  </ul>
);

const Downloads = () => (
  <>
    <p>Copy one file into your project. It needs no packages, and you may change it.</p>
    <div class="actions">
      <DownloadLink href={downloadPath('wholesale.php')}>PHP</DownloadLink>
      <DownloadLink href={downloadPath('wholesale.py')}>Python</DownloadLink>
      <DownloadLink href={downloadPath('wholesale.mjs')}>Node.js</DownloadLink>
      <DownloadLink href={downloadPath('wholesale.d.mts')}>Types for TypeScript</DownloadLink>
    </div>
    <p>
      <a href={downloadPath('store.mjs')}>store.mjs</a> is a whole small store.{' '}
      <a href="/docs">The reference</a> has every field, and{' '}
      <a href="/docs/openapi.json">an OpenAPI document</a> for generators. This guide is also{' '}
      <a href="/docs/guide.md">Markdown</a>, for programs.
    </p>
  </>
);

const Changes = () => (
  <>
    {apiChanges(CHANGELOG).map(({ when, texts }) => (
      <>
        <h3>{when}</h3>
        <ul>
          {texts.map((text) => (
            <li>
              <WithCode text={text} />
            </li>
          ))}
        </ul>
      </>
    ))}
    <p>We add fields, codes and addresses, and never change or remove them. Ignore unknown ones.</p>
  </>
);

const SECTIONS: Section[] = [
  { id: 'first-order', title: 'Your first order', Content: FirstOrder },
  { id: 'polling', title: 'Stock and catalog', Content: Stock },
  { id: 'follow', title: 'Orders and tracking', Content: Follow },
  { id: 'testing', title: 'Try your whole flow', Content: Testing },
  { id: 'errors', title: 'Errors', Content: Errors },
  { id: 'returns', title: 'Returns', Content: Returns },
  { id: 'invoices', title: 'Invoices', Content: Invoices },
  { id: 'going-live', title: 'Going live', Content: GoingLive },
  { id: 'clients', title: 'Clients to download', Content: Downloads },
  { id: 'changes', title: 'Changes of the API', Content: Changes },
];
