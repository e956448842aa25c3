import {
  COMPANY_FIELDS,
  COMPANY_FIELD_NAMES,
  type CompanyFieldName,
} from '../../../modules/company/company-fields.js';
import {
  SELLER_FIELDS,
  SELLER_FIELD_NAMES,
  type SellerFieldName,
} from '../../../modules/invoices/seller-fields.js';
import {
  LEDGER_FIELDS,
  LEDGER_NAMES,
  type LedgerNames,
} from '../../../modules/sales/vouchers/ledger-names.js';
import { logoPath } from '../../../modules/pictures/picture-paths.js';
import { Button, ButtonLink, Form, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard } from '../../../shared/ui/components/lists.js';
import { NameWithDetail } from '../../../shared/ui/components/values.js';
import type { Page } from '../../../shared/ui/page.js';
import { fieldFacts, RecordFields } from '../../../shared/ui/record.js';
import type { ListedSetting } from '../../../platform/settings/list-settings.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { VERSION } from '../../../platform/version.js';
import { ReviewButtons, reviewedForm } from '../action.js';
import { PictureField } from '../goods/pictures-pages.js';
import {
  COMPANY,
  FAILURES,
  LEDGERS,
  LOGO,
  SELLER,
  SET_LOGO,
  settingPath,
  KEYS,
  SETTINGS_PAGE,
  TEST_MAIL,
} from '../paths.js';

export const BACK = { href: SETTINGS_PAGE, text: 'Settings' };

export type CompanyTexts = Record<CompanyFieldName, string>;
export type SellerTexts = Record<SellerFieldName, string>;

/** `mistyped` belongs only to a change. */
const FACT_NAMES = SELLER_FIELD_NAMES.filter((name) => name !== 'mistyped');

interface Props {
  seller: SellerTexts;
  company: CompanyTexts;
  ledgers: LedgerNames;
  logo: string | null;
  /** The fields that the desk sets. */
  open: readonly CompanyFieldName[];
  settings: Settings;
  listed: readonly ListedSetting[];
  /** The recipient of a test mail. */
  email: string;
}

export function settingsPage({ seller, company, ledgers, logo, open, settings, listed, email }: Props): Page {
  return {
    title: 'Settings',
    lead: 'Your name and logo, your bank account, and how clients reach you.',
    content: (
      <>
        {settings.tax === 'gst' && (
          <Card title="On your invoices" actions={<ButtonLink href={SELLER}>Change</ButtonLink>}>
            {seller.gstin === '' ? (
              <p>
                There is no seller yet, so parcels leave without invoices. Without GST, turn the tax off where
                the service starts.
              </p>
            ) : (
              <Facts of={fieldFacts(SELLER_FIELDS, FACT_NAMES, (name) => seller[name] || null)} />
            )}
          </Card>
        )}
        <Card
          title="For your clients"
          actions={open.length > 0 && <ButtonLink href={COMPANY}>Change</ButtonLink>}
        >
          <Facts
            of={fieldFacts(COMPANY_FIELDS, COMPANY_FIELD_NAMES, (name) => (
              <>
                <Lines of={company[name]} />
                {!open.includes(name) && (
                  <small>
                    Set by{' '}
                    <a href={settingPath(COMPANY_FIELDS[name].variable)}>{COMPANY_FIELDS[name].variable}</a>
                  </small>
                )}
              </>
            ))}
          />
        </Card>
        <Card title="Logo" actions={<ButtonLink href={LOGO}>Change</ButtonLink>}>
          <Logo of={logo} />
        </Card>
        {settings.tax === 'gst' && (
          <Card title="Ledgers in Tally" actions={<ButtonLink href={LEDGERS}>Change</ButtonLink>}>
            <Facts of={fieldFacts(LEDGER_FIELDS, LEDGER_NAMES, (name) => ledgers[name])} />
          </Card>
        )}
        <Card title="API keys" actions={<ButtonLink href={KEYS}>API keys</ButtonLink>}>
          <p>Let programs of yours do what the desk does: ERP, warehouse, courier or books.</p>
        </Card>
        <Card title="Mail and background work" actions={<ButtonLink href={FAILURES}>What failed</ButtonLink>}>
          {settings.mail ? (
            <Form action={TEST_MAIL}>
              <p>Mail is set up. The test shows whether the mail server accepts a mail to {email}.</p>
              <Button>Send a test mail</Button>
            </Form>
          ) : (
            <p>
              The service sends no mail, and shows links instead. To send mail, set{' '}
              <a href={settingPath('SMTP_URL')}>SMTP_URL</a>, MAIL_FROM and PUBLIC_URL in the file .env of the
              service, then restart it.
            </p>
          )}
        </Card>
        <Card title="Set where the service starts">
          <Facts
            of={{
              'Time zone (TIME_ZONE)': settings.timeZone,
              'Currency (CURRENCY)': settings.currency,
              'Tax (TAX)':
                settings.tax !== 'gst'
                  ? 'None'
                  : seller.gstin === ''
                    ? 'GST, as soon as there is a seller'
                    : 'GST',
              'Payment gateway (PAYMENT_GATEWAY)': settings.paymentGateway.name,
              'Address for browsers (PUBLIC_URL)': settings.publicUrl ?? 'This machine only',
              'Version of the service': VERSION,
            }}
          />
          <p class="hint">
            These follow from the settings below, under the names in brackets. To change one, edit the file
            .env of the service, then restart it.
          </p>
        </Card>
        <ListCard title="All settings of the start" columns={SETTING_COLUMNS} rows={listed} />
      </>
    ),
  };
}

const SETTING_COLUMNS: ListColumn<ListedSetting>[] = [
  {
    heading: 'Setting',
    as: 'title',
    cell: ({ name, meaning }) => (
      <NameWithDetail detail={meaning}>
        <code id={name}>{name}</code>
      </NameWithDetail>
    ),
  },
  {
    heading: 'Value',
    as: 'line',
    cell: ({ value, isSecret, isDefault }) =>
      isSecret ? isDefault ? 'Not set' : 'Set' : value === '' ? 'Not set' : <code>{value}</code>,
  },
  {
    heading: 'From',
    as: 'state',
    cell: ({ isDefault, isFromFile }) => (isDefault ? 'Default' : isFromFile ? '.env' : 'Environment'),
  },
];

export const Logo = ({ of }: { of: string | null }) =>
  of === null ? <p>There is no logo.</p> : <img class="logo" src={logoPath(of)} alt="Logo" />;

const Lines = ({ of }: { of: string }) => (
  <>{of === '' ? 'Not set' : of.split('\n').map((line) => <div>{line}</div>)}</>
);

export const sellerPage = (seller: SellerTexts): Page =>
  reviewedForm({
    title: 'On your invoices',
    lead: 'Each parcel gets an invoice with these values. Issued documents stay as they are.',
    back: BACK,
    fields: (
      <RecordFields
        of={SELLER_FIELDS}
        names={SELLER_FIELD_NAMES}
        typed={(name) => (name === 'from' ? '' : seller[name])}
      />
    ),
  });

export const companyPage = (company: CompanyTexts, names: readonly CompanyFieldName[]): Page =>
  reviewedForm({
    title: 'For your clients',
    lead: 'The dashboard shows the bank account where clients pay, and the rest on its help page.',
    back: BACK,
    fields: <RecordFields of={COMPANY_FIELDS} names={names} typed={(name) => company[name]} />,
  });

export const logoPage = (logo: string | null): Page => ({
  title: 'Logo',
  lead: 'It heads the dashboard and stands on packing slips and new invoices. Old invoices stay as they are.',
  back: BACK,
  content: (
    <>
      <FormCard title="New logo" action={LOGO} enctype="multipart/form-data">
        <PictureField label="Picture" />
        <ReviewButtons back={BACK.href} />
      </FormCard>
      {logo !== null && (
        <Card title="Logo of now">
          <Logo of={logo} />
          <Form action={SET_LOGO} bare>
            <Button>Remove the logo</Button>
          </Form>
        </Card>
      )}
    </>
  ),
});

export const ledgersPage = (ledgers: LedgerNames): Page =>
  reviewedForm({
    title: 'Ledgers in Tally',
    lead:
      'Vouchers for Tally use these names. The file creates a ledger only if you keep its first name. One ' +
      'with another name must stand in your Tally.',
    back: BACK,
    fields: <RecordFields of={LEDGER_FIELDS} names={LEDGER_NAMES} typed={(name) => ledgers[name]} />,
  });
