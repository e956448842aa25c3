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
import { readRecord } from '../../../shared/ui/record.js';
import type { DeskPerson } from '../../../platform/access/signed-in-person.js';
import { MayHaveBody } from '../../../platform/http/bodies.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { listSettings } from '../../../platform/settings/list-settings.js';
import { requireTax, SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { DAY_MS } from '../../../platform/time/time.js';
import { type Effects, renderChange, takeStep } from '../action.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { readPicture } from '../goods/pictures.controller.js';
import { LOGO, SET_LOGO, SETTINGS_PAGE } from '../paths.js';
import { failuresPage, MAILS } from './failures-page.js';
import {
  BACK,
  companyPage,
  ledgersPage,
  Logo,
  logoPage,
  sellerPage,
  settingsPage,
} from './settings-pages.js';

const MAIL_DAYS = 30;

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
    const ledgers = await this.ledgers.show();
    return settingsPage({
      seller,
      company,
      ledgers,
      logo: await this.company.logo(),
      open: this.company.open,
      settings: this.settings,
      listed: listSettings(),
      email: me.email,
    });
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
    return sellerPage(await this.sellers.asText());
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
      back: BACK,
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
    return companyPage(await this.company.show(), this.company.open);
  }

  @PostForm('house')
  async setCompany(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const was = await this.company.show();
    const change = readRecord(COMPANY_FIELD_NAMES, fields);
    return takeStep(fields, {
      back: BACK,
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
    return logoPage(await this.company.logo());
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
    return ledgersPage(await this.ledgers.show());
  }

  @PostForm('ledgers')
  async setLedgers(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const was = await this.ledgers.show();
    const change = readRecord(LEDGER_NAMES, fields);
    return takeStep(fields, {
      back: BACK,
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
