import { Get, Post } from '@nestjs/common';
import { type AdminKeyListItem, AdminKeysService } from '../../../modules/auth/keys/admin-keys.service.js';
import { DESK_WORK } from '../../../platform/access/desk-permissions.js';
import { DESK_ROLES, type DeskPerson } from '../../../platform/access/signed-in-person.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { countOf } from '../../../platform/formats.js';
import { parseEnd } from '../../../platform/time/time.js';
import {
  Button,
  ButtonLink,
  Choices,
  ConfirmForm,
  CopyField,
  Field,
  FormCard,
} from '../../../shared/ui/components/controls.js';
import { Card, Empty } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, timeColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { idIn, readTexts, submitForm } from '../../../shared/ui/forms.js';
import { type Page, type Reply, type SeeOther, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { DeskPageRequest, DeskPages } from '../desk-pages.js';
import { LastUse, TokenState } from '../../shared/tokens.js';
import { KEYS, keyPath, TO_SETTINGS } from '../paths.js';
import { authorName } from '../words.js';

/** Keys of the wholesaler's programs. */
@DeskPages('settings/keys')
export class AdminKeysController {
  constructor(private readonly keys: AdminKeysService) {}

  @Get()
  async list(): Promise<Page> {
    const keys = await this.keys.list();
    const [good, ended] = [keys.filter(({ has_ended: over }) => !over), keys.filter((key) => key.has_ended)];
    return {
      title: `API keys: ${countOf(good.length, 'valid key', 'valid keys')}`,
      lead: 'A key lets a program of yours do what the desk does: ERP, warehouse, courier or books.',
      back: TO_SETTINGS,
      content: (
        <>
          <ListCard
            title="Keys"
            columns={[...COLUMNS, STATE]}
            rows={good}
            empty={<Empty>No keys. No program works for you.</Empty>}
          />
          <div class="columns">
            <FormCard title="New key" action={`${KEYS}/new`}>
              <Field label="Name" name="name" hint="The program, such as “ERP”." maxlength={100} required />
              <Choices
                label="Role"
                name="role"
                options={DESK_ROLES.map((value) => ({ value, text: value, hint: `It ${DESK_WORK[value]}.` }))}
                value="staff"
                required
              />
              <Field
                label="Networks"
                name="networks"
                hint="Addresses or networks from which it works, separated by spaces. Empty: from everywhere."
                maxlength={1_000}
              />
              <Field label="Last day" name="until" type="date" hint="Empty: until it is revoked." />
              <Button kind="primary">Make a key</Button>
            </FormCard>
            <Card title="For your programmers">
              <p>
                <a href="/docs/admin/guide.md">The guide</a> leads through the first hour.{' '}
                <a href="/docs/admin">All requests</a> can be tried in the browser. The key is sent as{' '}
                <code>Authorization: Bearer …</code>
              </p>
            </Card>
          </div>
          <ListCard title="Ended keys" columns={[...COLUMNS, ENDED]} rows={ended} />
        </>
      ),
    };
  }

  @PostForm('new')
  add(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const { until, networks, ...typed } = readTexts('name', 'role', 'networks', 'until')(fields);
    const add = async () => {
      const endsAt = readUntil(until, me);
      return keyMadePage(await this.keys.add({ ...typed, networks: networks.split(/[\s,]+/), endsAt }, me));
    };
    return submitForm(add, () => this.list());
  }

  @Get(':key/revoke')
  async askToRevoke(@DeskPageRequest() { key }: DeskPageRequest<'key'>): Promise<Page> {
    const { key_id: id, name, prefix, last_used_at: usedAt } = await this.keys.find(idIn(key));
    return {
      title: `Revoke “${name}”?`,
      lead: (
        <>
          Requests with <code>{prefix}…</code> will be refused at once. This cannot be undone.{' '}
          <LastUse at={usedAt} />
        </>
      ),
      back: { href: KEYS, text: 'API keys' },
      content: (
        <ConfirmForm
          action={`${keyPath(id)}/revoke`}
          confirm="Revoke the key"
          keep={{ href: KEYS, text: 'Keep the key' }}
        />
      ),
    };
  }

  @Post(':key/revoke')
  async revoke(@DeskPageRequest() { me, key }: DeskPageRequest<'key'>): Promise<SeeOther> {
    const { name, prefix } = await this.keys.revoke(idIn(key), me);
    return seeOther(KEYS, `“${name}” (${prefix}…) is revoked.`);
  }
}

/** No address can show it again, because only its hash is stored. */
function keyMadePage({ name, key }: { name: string; key: string }): Page {
  return {
    title: 'Copy the new key now',
    lead: `“${name}” works at once. It is shown only once: pass it on in private.`,
    back: { href: KEYS, text: 'API keys' },
    content: (
      <Card>
        <CopyField label="Key" id="key" text={key} />
        <div class="actions">
          <ButtonLink href={KEYS} kind="primary">
            I have saved it
          </ButtonLink>
        </div>
      </Card>
    ),
  };
}

/** The end of the day in the person's time zone. */
function readUntil(text: string, { timeZone }: DeskPerson): Date | undefined {
  if (text.trim() === '') return undefined;
  const end = parseEnd(text, timeZone);
  if (end) return end;
  throw new DomainError('invalid_value', 'The last day must be a day such as 2027-03-31.');
}

const COLUMNS: ListColumn<AdminKeyListItem>[] = [
  titleColumn('Name', ({ key_id: id, name, prefix, has_ended: over }) => ({
    text: name,
    href: over ? undefined : `${keyPath(id)}/revoke`,
    detail: <code>{prefix}…</code>,
  })),
  { heading: 'Role', cell: ({ role }) => role },
  { heading: 'Networks', cell: ({ networks }) => networks?.join(', ') ?? 'from everywhere' },
  { heading: 'Made by', cell: ({ created_by: by }) => authorName(by) },
  timeColumn('Created', ({ created_at: at }: AdminKeyListItem) => at),
  timeColumn('Last used', ({ last_used_at: at }: AdminKeyListItem) => at),
];

const STATE: ListColumn<AdminKeyListItem> = {
  heading: 'State',
  as: 'state',
  cell: ({ ends_at: end }) => <TokenState endsAt={end} />,
};

const ENDED = timeColumn('Ended', ({ revoked_at: at, ends_at: end }: AdminKeyListItem) => at ?? end);
