import type { TokenShown } from '../../../auth/tokens/client-tokens.service.js';
import { ButtonLink, CopyBlock, CopyField } from '../../../pages/components/controls.js';
import { Card, Empty, Notice } from '../../../pages/components/layout.js';
import { countOf } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import { exampleCall } from '../../shared/example-call.js';
import { GUIDE } from '../../store-api/guide/guide-frame.js';
import { EndedCard, TokensCard } from '../../shared/tokens.js';
import { NEW_TOKEN, tokenPath } from '../paths.js';

interface Props {
  baseUrl: string;
  tokens: TokenShown[];
  ended: TokenShown[];
  mayChange: boolean;
}

/** All roles see this page. Only owners get its buttons. */
export function apiAccessPage(props: Props): Page {
  const { tokens, ended, mayChange } = props;
  return {
    title: titleOf(tokens),
    lead: 'Keep tokens on your store’s server. Never put one into a browser or an app.',
    actions: mayChange && tokens.length > 0 && (
      <ButtonLink href={NEW_TOKEN} kind="primary">
        New token
      </ButtonLink>
    ),
    content: (
      <>
        {!mayChange && <Notice kind="info">Only owners can create, replace and revoke tokens.</Notice>}
        <TokensCard
          tokens={tokens}
          pathOf={mayChange ? tokenPath : undefined}
          empty={<NoTokens mayChange={mayChange} />}
        />
        <Calling {...props} />
        <EndedCard ended={ended} />
      </>
    ),
  };
}

function titleOf(tokens: TokenShown[]): string {
  const ending = tokens.filter(({ endsAt }) => endsAt !== null).length;
  if (tokens.length === 0) return 'Your store is not connected yet';
  if (ending > 0) return `${countOf(ending, 'token ends', 'tokens end')} soon`;
  return `${countOf(tokens.length, 'active token', 'active tokens')}`;
}

const NoTokens = ({ mayChange }: Pick<Props, 'mayChange'>) =>
  mayChange ? (
    <Empty next={{ href: NEW_TOKEN, text: 'Create a token', kind: 'primary' }}>
      Your store needs a token to read the catalog and to place orders.
    </Empty>
  ) : (
    <Empty>
      Your store needs a token to read the catalog and to place orders. Ask an owner to create one.
    </Empty>
  );

const Calling = ({ baseUrl, tokens }: Props) => (
  <Card title="Connect your store" actions={<ButtonLink href={GUIDE}>Read the guide</ButtonLink>}>
    <CopyField label="Base address" id="base-address" text={baseUrl} />
    <p class="hint">Test your connection with this call. A token is shown only once, when you create it.</p>
    <CopyBlock id="first-call" label="Test call" text={exampleCall(baseUrl, tokens)} />
  </Card>
);
