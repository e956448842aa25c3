import type { StoreRequest } from '../../../modules/request-log/entities/store-request.entity.js';
import { isTestRoute } from '../../../modules/request-log/recording/request-counts.js';
import { wasDemanded } from '../../../modules/request-log/recording/kept-request.js';
import { faultWords, type KeptFault } from '../../../modules/request-log/rules/kept-parts.js';
import type { TokenLabels } from '../../../modules/auth/tokens/client-tokens.service.js';
import { CopyField } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard } from '../../../shared/ui/components/lists.js';
import {
  ExactTime,
  NameWithDetail,
  ShortNumber,
  StateLabel,
  WithCode,
} from '../../../shared/ui/components/values.js';
import { formatNumber } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import { ERROR_CODES, type StoreErrorCode } from '../../../platform/errors/error-codes.js';
import type { RequestPageLinks } from './requests-query.js';

interface RequestPageProps {
  request: StoreRequest;
  token: TokenLabels | undefined;
  links: RequestPageLinks;
}

export function requestPage(props: RequestPageProps): Page {
  const { links } = props;
  const { code, faults, requestId } = props.request;
  return {
    title: titleOf(props.request),
    lead: code === '' ? undefined : <CodeMeaning code={code} links={links} />,
    back: { href: links.list, text: 'Requests' },
    content: (
      <>
        <ListCard title="What was wrong" columns={FAULTS} rows={faults} />
        <Card title="Call">
          <RequestFacts {...props} />
        </Card>
        <Card title="Questions?">
          <p>{links.advice}</p>
          <CopyField label="Request id" id="request-id" text={requestId} />
        </Card>
      </>
    ),
  };
}

function titleOf(request: StoreRequest): string {
  const { status, code, route } = request;
  if (wasDemanded(request)) return `This test call asked for a failure: ${code.replaceAll('_', ' ')}`;
  if (status >= 500) return 'This call failed because of our error';
  if (status >= 400) return `This call was refused: ${code.replaceAll('_', ' ')}`;
  if (isTestRoute(route)) return 'This test call succeeded';
  return route === '/api/orders' ? 'This call placed an order' : 'This call succeeded';
}

const RequestFacts = ({ request, token, links }: RequestPageProps) => {
  const { method, path, route, parameters, code, answeredAt, milliseconds, storeOrderId, orderNumber } =
    request;
  return (
    <Facts
      of={{
        Call: (
          <code>
            {method} {path}
          </code>
        ),
        Parameters: parameters.length > 0 && <code>{parameters.join(', ')}</code>,
        Answer: (
          <>
            <OutcomeLabel of={request} /> {code !== '' && <code>{code}</code>}
          </>
        ),
        When: <ExactTime at={answeredAt} />,
        Took: `${formatNumber(milliseconds)} ms`,
        [links.isDesk ? 'The store’s order id' : 'Your order id']: storeOrderId,
        Order: orderNumber !== null && <OrderOf number={orderNumber} route={route} links={links} />,
        Token: token ? <TokenOf token={token} /> : 'A deleted token',
        'Domain in the call': request.domain ?? 'Missing, or not a domain',
      }}
    />
  );
};

/** A test order has no page. */
export const OrderOf = ({
  number,
  route,
  links,
}: {
  number: string;
  route: string;
  links: RequestPageLinks;
}) => {
  const text = <ShortNumber of={number} />;
  return isTestRoute(route) ? text : <a href={links.order(number)}>{text}</a>;
};

const TokenOf = ({ token: { name, prefix, domain } }: { token: TokenLabels }) => (
  <>
    {name} (<code>{prefix}…</code>), for {domain}
  </>
);

const FAULTS: ListColumn<KeptFault>[] = [
  { heading: 'Field', as: 'title', cell: ({ field }) => (field === '' ? '…' : <code>{field}</code>) },
  {
    heading: 'What was wrong',
    as: 'line',
    cell: (fault) => <NameWithDetail detail={fault.sku ?? null}>{faultWords(fault)}</NameWithDetail>,
  },
  { heading: 'Code', cell: ({ code }) => <code>{code}</code> },
];

/** The meaning from the API documentation, and the advice for the developer of the store. */
export const CodeMeaning = ({ code, links }: { code: string; links: Pick<RequestPageLinks, 'isDesk'> }) => {
  if (!Object.hasOwn(ERROR_CODES, code)) return null;
  const [, meaning, advice] = ERROR_CODES[code as StoreErrorCode];
  return <WithCode text={`${meaning} ${links.isDesk ? 'Advice for the store: ' : ''}${advice}`} />;
};

/** The colour shows success, an error of the store, or an error of the service. */
export const OutcomeLabel = ({ of: request }: { of: StoreRequest }) => {
  const { status } = request;
  if (status < 400) return <StateLabel kind="accent">{status}</StateLabel>;
  const isOurs = status >= 500 && !wasDemanded(request);
  return <StateLabel kind={isOurs ? 'bad' : 'warn'}>{status}</StateLabel>;
};
