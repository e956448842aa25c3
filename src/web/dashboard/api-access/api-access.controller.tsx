import { Get, Post } from '@nestjs/common';
import {
  ClientTokensService,
  type ReplacedToken,
  type ClientTokenView,
} from '../../../modules/auth/tokens/client-tokens.service.js';
import { ClientAdministrationService } from '../../../modules/clients/client-administration.service.js';
import { ClientDomainsService } from '../../../modules/clients/client-domains.service.js';
import { submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { type ClientPerson, hasRole, requireRole } from '../../../platform/access/signed-in-person.js';
import { OwnAddress } from '../../../platform/http/own-address.js';
import {
  revokePage,
  type CallCredentials,
  curlLine,
  EndedTokensCard,
  exampleCredentials,
  headerLines,
  NewTokenCard,
  TokenKindField,
  TokenNameField,
  tokenPage,
  TokensCard,
} from '../../shared/tokens.js';
import { DashboardPages, ClientPageRequest } from '../dashboard-pages.js';
import { API_ACCESS, tokenPath, GUIDE, NEW_TOKEN, REFERENCE } from '../paths.js';
import { randomUUID } from 'node:crypto';
import type { IssuedToken } from '../../../modules/auth/tokens/issue-token.js';
import {
  Button,
  ButtonLink,
  CopyBlock,
  CopyField,
  Field,
  FormCard,
  Select,
} from '../../../shared/ui/components/controls.js';
import { Card, Empty, Notice } from '../../../shared/ui/components/layout.js';
import { countOf } from '../../../platform/formats.js';
import { formPage, unavailablePage } from '../../shared/form-page.js';
import { SuspendedNotice, Wholesaler } from '../home/help-page.js';

@DashboardPages('api-access')
export class ApiAccessController {
  constructor(
    private readonly clients: ClientAdministrationService,
    private readonly tokens: ClientTokensService,
    private readonly domains: ClientDomainsService,
    private readonly address: OwnAddress,
  ) {}

  /** All roles see this page. Only owners get its buttons. */
  @Get()
  async list(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    const [client, tokens, ended] = await Promise.all([
      this.clients.find(me.clientId),
      this.tokens.listValid(me),
      this.tokens.listEnded(me),
    ]);
    const mayChange = hasRole(me, 'owner');
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
          <SuspendedNotice client={client} />
          {!mayChange && <Notice kind="info">Only owners can create, replace and revoke tokens.</Notice>}
          <TokensCard
            tokens={tokens}
            pathOf={mayChange ? tokenPath : undefined}
            empty={
              <Empty next={mayChange && { href: NEW_TOKEN, text: 'Create a token', kind: 'primary' }}>
                {'Your store needs a token to read the catalog and to place orders.' +
                  (mayChange ? '' : ' Ask an owner to create one.')}
              </Empty>
            }
          />
          <Card title="Connect your store">
            <Connection
              baseUrl={this.address.publicUrl}
              credentials={exampleCredentials(tokens)}
              hint="A token is shown only once, when you create it."
            />
          </Card>
          <EndedTokensCard ended={ended} />
        </>
      ),
    };
  }

  @Get('new')
  newForm(@ClientPageRequest() { me }: ClientPageRequest): Promise<Page> {
    return this.newTokenPage(me);
  }

  @PostForm('new')
  create(@ClientPageRequest() { me, fields }: ClientPageRequest): Promise<Reply> {
    const form = readTexts('kind', 'name', 'domain', 'key')(fields);
    const create = async () => this.secretPage(await this.tokens.create(me, form));
    return submitForm(create, () => this.newTokenPage(me, form.key));
  }

  @Get(':id')
  async show(@ClientPageRequest() { me, id }: ClientPageRequest): Promise<Page> {
    requireRole(me, 'owner');
    const token = await this.tokens.getValid(me, id);
    const path = tokenPath(token.id);
    return tokenPage({
      token,
      path,
      back: BACK_TO_TOKENS,
      children: (
        <FormCard title="Rename token" action={`${path}/name`}>
          <TokenNameField value={token.name} hint="Only a label. The token keeps working." />
          <Button>Rename</Button>
        </FormCard>
      ),
    });
  }

  @PostForm(':id/replace')
  replace(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    const { me, id, fields } = request;
    const form = readTexts('overlap', 'key')(fields);
    const replace = async () => this.secretPage(await this.tokens.replace(me, id, form));
    return submitForm(replace, () => this.show(request));
  }

  @PostForm(':id/name')
  rename(@ClientPageRequest() request: ClientPageRequest): Promise<Reply> {
    const { me, id, fields } = request;
    const name = textIn(fields, 'name');
    const rename = async () => {
      await this.tokens.rename(me, id, name);
      return seeOther(tokenPath(id), `The token is now called “${name.trim()}”.`);
    };
    return submitForm(rename, () => this.show(request));
  }

  @Get(':id/revoke')
  async revokeForm(@ClientPageRequest() { me, id }: ClientPageRequest): Promise<Page> {
    requireRole(me, 'owner');
    return revokePage(await this.tokens.getValid(me, id), tokenPath(id));
  }

  @Post(':id/revoke')
  async revoke(@ClientPageRequest() { me, id }: ClientPageRequest): Promise<SeeOther> {
    const { name, prefix } = await this.tokens.revoke(me, id);
    return seeOther(API_ACCESS, `“${name}” (${prefix}…) is revoked.`);
  }

  /** `key` keeps a form that is posted twice from creating two tokens. */
  private async newTokenPage(person: ClientPerson, key: string = randomUUID()): Promise<Page> {
    requireRole(person, 'owner');
    const domains = { allowed: await this.domains.ofClient(person.clientId), isAny: this.domains.isAny };
    if (!domains.isAny && domains.allowed.length === 0) return noDomainPage();
    return formPage({
      title: 'Create a token',
      lead: 'Create one token for each program, so that you can replace each one separately.',
      back: BACK_TO_TOKENS,
      hidden: { key },
      fields: (
        <>
          <TokenNameField />
          <DomainField {...domains} />
          <TokenKindField />
        </>
      ),
      buttons: <Button kind="primary">Create token</Button>,
    });
  }

  /** The answer to the form. It has no address, so that no reload shows the token again. */
  private secretPage(issued: IssuedToken | ReplacedToken): Page {
    const { name, domain } = issued;
    return {
      title: 'Copy your new token now',
      lead: `“${name}” is active for ${domain}. It is shown only once. If you lose it, create another one.`,
      back: BACK_TO_TOKENS,
      content: (
        <NewTokenCard issued={issued} path={API_ACCESS}>
          <Connection
            baseUrl={this.address.publicUrl}
            credentials={issued}
            hint="Run it on a machine that only you use: a shell keeps its history."
          />
        </NewTokenCard>
      ),
    };
  }
}

interface ConnectionProps {
  baseUrl: string;
  credentials: CallCredentials;
  /** About the first call. */
  hint: string;
}

/** Everything for the first call of a store. */
const Connection = ({ baseUrl, credentials, hint }: ConnectionProps) => (
  <>
    <CopyField label="Base address" id="base-address" text={baseUrl} />
    <p class="hint">Each call has these headers:</p>
    <CopyBlock id="headers" label="Headers" text={headerLines(credentials).join('\n')} />
    <p class="hint">Test your connection with this call. {hint}</p>
    <CopyBlock id="first-call" label="Test call" text={curlLine(baseUrl, credentials)} />
    <p>
      The <a href={GUIDE}>guide</a> leads to the first order. The <a href={REFERENCE}>reference</a> has all
      calls, to read and to try.
    </p>
  </>
);

function titleOf(tokens: ClientTokenView[]): string {
  const ending = tokens.filter(({ endsAt }) => endsAt !== null).length;
  if (tokens.length === 0) return 'Your store is not connected yet';
  if (ending > 0) return `${countOf(ending, 'token ends', 'tokens end')} soon`;
  return `${countOf(tokens.length, 'active token', 'active tokens')}`;
}

/** The domains that a new token may name. */
interface DomainOptions {
  allowed: string[];
  isAny: boolean;
}

const BACK_TO_TOKENS = { href: API_ACCESS, text: 'API access' };

const noDomainPage = (): Page =>
  unavailablePage(
    'No domain is allowed yet',
    <>
      A token belongs to your store’s domain. Ask <Wholesaler /> to allow your domain.
    </>,
    BACK_TO_TOKENS,
    { text: 'Back to API access' },
  );

const DomainField = ({ allowed, isAny }: DomainOptions) =>
  isAny ? (
    <Field
      label="Domain"
      name="domain"
      value={allowed[0]}
      hint="Your store’s domain, such as store.example.com. Each call of your store must name it."
      maxlength={253}
      required
    />
  ) : (
    <Select
      label="Domain"
      name="domain"
      options={allowed.map((domain) => ({ value: domain, text: domain }))}
      hint={
        <>
          Each call of your store must name it. To use another domain, ask <Wholesaler />.
        </>
      }
      required
    />
  );
