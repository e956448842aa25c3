import { Get, Inject, Post } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { COMPANY_FIELDS, COMPANY_FIELD_NAMES } from '../../../modules/company/company-fields.js';
import { CompanyService } from '../../../modules/company/company.service.js';
import {
  SELLER_FIELDS,
  SELLER_FIELD_NAMES,
  type SellerChange,
} from '../../../modules/invoices/seller-fields.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import {
  LEDGER_FIELDS,
  LEDGER_NAMES,
  readLedgerNames,
} from '../../../modules/sales/vouchers/ledger-names.js';
import { JobFailures } from '../../../modules/notices/job-failures.repository.js';
import { LedgerNamesService } from '../../../modules/sales/vouchers/ledger-names.service.js';
import { MailDesk } from '../../../shared/mail/mail-desk.service.js';
import { redirectWithWarning, submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { readRecord, fieldFacts, RecordFields } from '../../../shared/ui/record.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { MayHaveBody } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { listSettings, type ListedSetting } from '../../../platform/settings/list-settings.js';
import { requireTax, SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DAY_MS } from '../../../platform/time/time.js';
import { type Effects, renderChange, takeStep, ReviewButtons, reviewedForm } from '../action.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { readPicture } from '../goods/pictures.controller.js';
import {
  LOGO,
  SET_LOGO,
  SETTINGS_PAGE,
  COMPANY,
  FAILURES,
  LEDGERS,
  SELLER,
  settingPath,
  KEYS,
  TEST_MAIL,
  TO_SETTINGS,
} from '../paths.js';
import { failuresPage, MAILS } from './failures-page.js';
import { logoPath } from '../../../modules/pictures/picture-paths.js';
import { Button, ButtonLink, Form, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Facts } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard } from '../../../shared/ui/components/lists.js';
import { NameWithDetail } from '../../../shared/ui/components/values.js';
import { VERSION } from '../../../platform/version.js';
import { PictureField } from '../goods/pictures-pages.js';

const MAIL_DAYS = 30;

/** `mistyped` belongs only to a change. */
const FACT_NAMES = SELLER_FIELD_NAMES.filter((name) => name !== 'mistyped');

/** The settings of the seller, of the company and of its ledgers, for admins. */
@DeskPages('settings')
export class SettingsController {
  constructor(
    private readonly company: CompanyService,
    private readonly sellers: SellersService,
    private readonly ledgers: LedgerNamesService,
    private readonly jobFailures: JobFailures,
    private readonly mail: MailDesk,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  async show(@DeskPageRequest() { me }: DeskPageRequest): Promise<Page> {
    const [seller, company] = [await this.sellers.asText(), await this.company.show()];
    const [ledgers, logo] = [await this.ledgers.show(), await this.company.logo()];
    return {
      title: 'Settings',
      lead: 'Your name and logo, your bank account, and how clients reach you.',
      content: (
        <>
          {this.settings.tax === 'gst' && (
            <Card title="On your invoices" actions={<ButtonLink href={SELLER}>Change</ButtonLink>}>
              {seller.gstin === '' ? (
                <p>
                  There is no seller yet, so parcels leave without invoices. Without GST, turn the tax off
                  where the service starts.
                </p>
              ) : (
                <Facts of={fieldFacts(SELLER_FIELDS, FACT_NAMES, (name) => seller[name] || null)} />
              )}
            </Card>
          )}
          <Card
            title="For your clients"
            actions={this.company.open.length > 0 && <ButtonLink href={COMPANY}>Change</ButtonLink>}
          >
            <Facts
              of={fieldFacts(COMPANY_FIELDS, COMPANY_FIELD_NAMES, (name) => (
                <>
                  <Lines of={company[name]} />
                  {!this.company.open.includes(name) && (
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
          {this.settings.tax === 'gst' && (
            <Card title="Ledgers in Tally" actions={<ButtonLink href={LEDGERS}>Change</ButtonLink>}>
              <Facts of={fieldFacts(LEDGER_FIELDS, LEDGER_NAMES, (name) => ledgers[name])} />
            </Card>
          )}
          <Card title="API keys" actions={<ButtonLink href={KEYS}>API keys</ButtonLink>}>
            <p>Let programs of yours do what the desk does: ERP, warehouse, courier or books.</p>
          </Card>
          <Card
            title="Mail and background work"
            actions={<ButtonLink href={FAILURES}>What failed</ButtonLink>}
          >
            {this.settings.mail ? (
              <Form action={TEST_MAIL}>
                <p>Mail is set up. The test shows whether the mail server accepts a mail to {me.email}.</p>
                <Button>Send a test mail</Button>
              </Form>
            ) : (
              <p>
                The service sends no mail, and shows links instead. To send mail, set{' '}
                <a href={settingPath('SMTP_URL')}>SMTP_URL</a>, MAIL_FROM and PUBLIC_URL in the file .env of
                the service, then restart it.
              </p>
            )}
          </Card>
          <Card title="Set where the service starts">
            <Facts
              of={{
                'Time zone (TIME_ZONE)': this.settings.timeZone,
                'Currency (CURRENCY)': this.settings.currency,
                'Tax (TAX)':
                  this.settings.tax !== 'gst'
                    ? 'None'
                    : seller.gstin === ''
                      ? 'GST, as soon as there is a seller'
                      : 'GST',
                'Payment gateway (PAYMENT_GATEWAY)': this.settings.paymentGateway.name,
                'Address for browsers (PUBLIC_URL)': this.settings.publicUrl ?? 'This machine only',
                'Version of the service': VERSION,
              }}
            />
            <p class="hint">
              These follow from the settings below, under the names in brackets. To change one, edit the file
              .env of the service, then restart it.
            </p>
          </Card>
          <ListCard title="All settings of the start" columns={SETTING_COLUMNS} rows={listSettings()} />
        </>
      ),
    };
  }

  @Get('failures')
  async failures(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const since = new Date(Date.now() - MAIL_DAYS * DAY_MS);
    const query = MAILS.read(fields);
    const mails = await MAILS.find((limit) => this.mail.listUnsent(since, limit, query.mark));
    return failuresPage(await this.jobFailures.recent(), query, mails, this.settings.mail !== undefined);
  }

  @Post('test-mail')
  sendTestMail(@DeskPageRequest() { me: { email } }: DeskPageRequest): Promise<Reply> {
    return redirectWithWarning(SETTINGS_PAGE, ['mail_undelivered', 'conflict'], async () => {
      await this.mail.sendTestMail(email);
      return `The mail server accepted a test mail to ${email}.`;
    });
  }

  @Get('seller')
  async sellerForm(): Promise<Page> {
    requireTax(this.settings);
    const seller = await this.sellers.asText();
    return reviewedForm({
      title: 'On your invoices',
      lead: 'Each parcel gets an invoice with these values. Issued documents stay as they are.',
      back: TO_SETTINGS,
      fields: (
        <RecordFields
          of={SELLER_FIELDS}
          names={SELLER_FIELD_NAMES}
          typed={(name) => (name === 'from' ? '' : seller[name])}
        />
      ),
    });
  }

  @PostForm('seller')
  async setSeller(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const was = await this.sellers.asText();
    // The form shows the current registration. Unchanged values must not change a later registration.
    const typed = readRecord(SELLER_FIELD_NAMES, fields);
    const isFirst = was.gstin === '';
    const changed = SELLER_FIELD_NAMES.filter((name) => isFirst || typed[name] !== was[name]);
    const typedNames = changed.filter(
      (name) => typed[name] !== undefined && (name !== 'state' || typed[name] !== ''),
    );
    const change: SellerChange = Object.fromEntries(typedNames.map((name) => [name, typed[name]]));
    return takeStep(fields, {
      back: TO_SETTINGS,
      form: () => this.sellerForm(),
      review: async () => ({
        title: 'Change the seller on your invoices?',
        ...changesOf(SELLER_FIELDS, was, await this.sellers.preview(change)),
        button: 'Change the seller',
      }),
      run: async () => {
        const set = await this.sellers.set(change, actorOf(me), textIn(fields, 'was'));
        const when = set.since === change.from ? `From ${set.since}` : 'Set';
        return seeOther(SETTINGS_PAGE, `${when}: ${set.name}, ${set.gstin}.`);
      },
    });
  }

  @Get('house')
  async companyForm(): Promise<Page> {
    const company = await this.company.show();
    return reviewedForm({
      title: 'For your clients',
      lead: 'The dashboard shows the bank account where clients pay, and the rest on its help page.',
      back: TO_SETTINGS,
      fields: <RecordFields of={COMPANY_FIELDS} names={this.company.open} typed={(name) => company[name]} />,
    });
  }

  @PostForm('house')
  async setCompany(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const was = await this.company.show();
    const change = readRecord(COMPANY_FIELD_NAMES, fields);
    return takeStep(fields, {
      back: TO_SETTINGS,
      form: () => this.companyForm(),
      review: () => ({
        title: 'Change what your clients see?',
        ...changesOf(COMPANY_FIELDS, was, { ...was, ...this.company.read(change) }),
        button: 'Change it',
      }),
      run: async () => {
        await this.company.set(change, textIn(fields, 'was'), me);
        return seeOther(SETTINGS_PAGE, 'Your clients see it from now on.');
      },
    });
  }

  @Get('logo')
  async logoForm(): Promise<Page> {
    const logo = await this.company.logo();
    return {
      title: 'Logo',
      lead:
        'It heads the dashboard and stands on packing slips and new invoices. ' +
        'Old invoices stay as they are.',
      back: TO_SETTINGS,
      content: (
        <>
          <FormCard title="New logo" action={LOGO} enctype="multipart/form-data">
            <PictureField label="Picture" />
            <ReviewButtons back={TO_SETTINGS.href} />
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
    };
  }

  /** The picture is kept, and the review shows it. */
  @Post('logo')
  @MayHaveBody()
  uploadLogo(@DeskPageRequest() { me, owner, httpRequest }: DeskPageRequest): Promise<Reply> {
    const upload = async () => {
      const logo = await this.company.addLogo(await readPicture(httpRequest), owner);
      return this.changeLogo(me, { logo });
    };
    return submitForm(upload, () => this.logoForm());
  }

  @PostForm('logo/set')
  setLogo(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    return this.changeLogo(me, fields);
  }

  /** Without a picture it removes the logo. */
  private async changeLogo(me: DeskPerson, fields: FormFields): Promise<Reply> {
    const was = await this.company.logo();
    const logo = textIn(fields, 'logo') || null;
    return takeStep(fields, {
      path: SET_LOGO,
      back: { href: LOGO, text: 'Logo' },
      hasForm: false,
      form: () => this.logoForm(),
      review: async () => {
        if (logo !== null) await this.company.checkLogo(logo);
        return {
          title: logo === null ? 'Remove the logo?' : 'Change the logo?',
          effects: { Before: Logo({ of: was }), After: Logo({ of: logo }) },
          reviewedFields: { logo: logo ?? '', was: was ?? '' },
          button: logo === null ? 'Remove the logo' : 'Change the logo',
          isDanger: logo === null,
        };
      },
      run: async () => {
        await this.company.setLogo(logo, textIn(fields, 'was') || null, me);
        return seeOther(
          SETTINGS_PAGE,
          logo === null ? 'The logo is removed.' : 'New documents have the logo.',
        );
      },
    });
  }

  @Get('ledgers')
  async ledgersForm(): Promise<Page> {
    requireTax(this.settings);
    const ledgers = await this.ledgers.show();
    return reviewedForm({
      title: 'Ledgers in Tally',
      lead:
        'Vouchers for Tally use these names. The file creates a ledger only if you keep its first name. ' +
        'One with another name must stand in your Tally.',
      back: TO_SETTINGS,
      fields: <RecordFields of={LEDGER_FIELDS} names={LEDGER_NAMES} typed={(name) => ledgers[name]} />,
    });
  }

  @PostForm('ledgers')
  async setLedgers(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const was = await this.ledgers.show();
    const change = readRecord(LEDGER_NAMES, fields);
    return takeStep(fields, {
      back: TO_SETTINGS,
      form: () => this.ledgersForm(),
      review: () => ({
        title: 'Change the names of ledgers in Tally?',
        ...changesOf(LEDGER_FIELDS, was, readLedgerNames(change, was)),
        button: 'Change the names',
      }),
      run: async () => {
        await this.ledgers.set(change, textIn(fields, 'was'), me);
        return seeOther(SETTINGS_PAGE, 'The next vouchers have these names.');
      },
    });
  }
}

/** The fields that differ, as "old → new", and the values that the person saw. */
function changesOf<Name extends string>(
  fields: Readonly<Record<Name, { label: string }>>,
  was: Readonly<Record<Name, string>>,
  values: Readonly<Record<Name, string>>,
) {
  const differing = (Object.keys(fields) as Name[]).filter((name) => values[name] !== was[name]);
  const effects = differing.map((name) => [fields[name].label, renderChange(was[name], values[name])]);
  return { effects: Object.fromEntries(effects) as Effects, reviewedFields: { was: JSON.stringify(was) } };
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

const Logo = ({ of }: { of: string | null }) =>
  of === null ? <p>There is no logo.</p> : <img class="logo" src={logoPath(of)} alt="Logo" />;

const Lines = ({ of }: { of: string }) => (
  <>{of === '' ? 'Not set' : of.split('\n').map((line) => <div>{line}</div>)}</>
);
