import type { StoreRequest } from '../../../activity/entities/store-request.entity.js';
import { faultWords, type KeptFault } from '../../../activity/rules/kept-parts.js';
import type { TokenNamed } from '../../../auth/tokens/token-overview.js';
import { CopyField } from '../../../pages/components/copy.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { ExactTime, StateLabel } from '../../../pages/components/values.js';
import type { Page } from '../../../pages/page.js';
import { ERROR_CODES, type StoreErrorCode } from '../../../platform/errors/error-codes.js';
import { orderPath } from '../paths.js';
import { REQUESTS } from './requests-query.js';

interface Props {
  request: StoreRequest;
  token: TokenNamed | undefined;
}

export function requestPage(props: Props): Page {
  const { code, faults, requestId } = props.request;
  return {
    title: titleOf(props.request),
    lead: code === '' ? undefined : <CodeMeaning code={code} />,
    back: { href: REQUESTS, text: 'Requests' },
    content: (
      <>
        {faults.length > 0 && (
          <Card title="What was wrong" flush>
            <Table caption="What was wrong" columns={FAULTS} rows={faults} />
          </Card>
        )}
        <Card title="Call">
          <RequestFacts {...props} />
        </Card>
        <Card title="Questions?">
          <p>Give the wholesaler this id. Your store also got it, in the header X-Request-Id.</p>
          <CopyField label="Request id" id="request-id" value={requestId} />
        </Card>
      </>
    ),
  };
}

function titleOf({ status, code, route }: StoreRequest): string {
  if (status >= 500) return 'This call failed because of our error';
  if (status >= 400) return `This call was refused: ${code.replaceAll('_', ' ')}`;
  return route === '/api/orders' ? 'This call placed an order' : 'This call succeeded';
}

const RequestFacts = ({ request, token }: Props) => (
  <Facts>
    <Fact term="Call">
      <code>
        {request.method} {request.path}
      </code>
    </Fact>
    {request.parameters.length > 0 && (
      <Fact term="Parameters">
        <code>{request.parameters.join(', ')}</code>
      </Fact>
    )}
    <Fact term="Answer">
      <OutcomeLabel status={request.status} /> {request.code !== '' && <code>{request.code}</code>}
    </Fact>
    <Fact term="When">
      <ExactTime at={request.answeredAt} />
    </Fact>
    <Fact term="Took">{request.milliseconds.toLocaleString('en-IN')} ms</Fact>
    {request.storeOrderId !== null && <Fact term="Your order id">{request.storeOrderId}</Fact>}
    {request.orderNumber !== null && (
      <Fact term="Order">
        <a href={orderPath(request.orderNumber)}>{request.orderNumber}</a>
      </Fact>
    )}
    <Fact term="Token">
      {token ? (
        <>
          {token.name} (<code>{token.prefix}…</code>), for {token.domain}
        </>
      ) : (
        'A deleted token'
      )}
    </Fact>
    <Fact term="X-Client-Domain">{request.domain ?? 'Missing, or not a domain'}</Fact>
  </Facts>
);

const FAULTS: Column<KeptFault>[] = [
  { heading: 'Field', as: 'title', cell: ({ field }) => (field === '' ? '…' : <code>{field}</code>) },
  {
    heading: 'What was wrong',
    as: 'line',
    cell: (fault) => (
      <>
        {faultWords(fault)}
        {fault.sku !== undefined && <small>{fault.sku}</small>}
      </>
    ),
  },
  { heading: 'Code', cell: ({ code }) => <code>{code}</code> },
];

/** The meaning from the API documentation. */
export const CodeMeaning = ({ code }: { code: string }) => {
  if (!Object.hasOwn(ERROR_CODES, code)) return null;
  const [, meaning] = ERROR_CODES[code as StoreErrorCode];
  return <>{meaning.split('`').map((text, at) => (at % 2 === 0 ? text : <code>{text}</code>))}</>;
};

/** The colour tells success, the store's fault, or the service's fault. */
export const OutcomeLabel = ({ status }: { status: number }) => {
  if (status < 400) return <StateLabel kind="accent">{status}</StateLabel>;
  return <StateLabel kind={status < 500 ? 'warn' : 'bad'}>{status}</StateLabel>;
};
