import { Get, Inject, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { requirePermission } from '../../../platform/access/signed-in-person.js';
import { SubscriptionAdministrationService } from '../../../modules/clients/subscription-administration.service.js';
import { PRICE_WITHOUT_GST } from '../../../modules/catalog/catalog-import.js';
import { ProductAdministration } from '../../../modules/catalog/product-administration.service.js';
import { csvText } from '../../../shared/imports/csv-format.js';
import { ImportRuns } from '../../../shared/imports/import-runs.service.js';
import { replaceFlags } from '../../../shared/imports/option-labels.js';
import { countOf, formatMoney, periodText } from '../../../platform/formats.js';
import { submitForm, readTexts, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { ChangeLog } from '../../../modules/plans/change-log.repository.js';
import { MUST_BE_NEW, PlanAdministration } from '../../../modules/plans/plan-administration.service.js';
import {
  PLAN_FIELDS,
  PLAN_NAMES,
  planAsText,
  type PlanFieldName,
  planWords,
  readPlan,
} from '../../../modules/plans/plan-fields.js';
import { fieldFacts, readRecord } from '../../../shared/ui/record.js';
import { PriceFiles } from '../../../modules/plans/price-files.service.js';
import { SellersService } from '../../../modules/invoices/sellers.service.js';
import { PRICE_EXPORT_COLUMNS } from '../../../modules/plans/price-import.js';
import { type ScheduleDates, PriceSchedules } from '../../../modules/plans/price-schedules.service.js';
import { NO_ROWS } from '../../../platform/lists/bounded-lists.js';
import { DomainError, validationFailed } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readTimes } from '../../../platform/validation/readers.js';
import type { TimeZone } from '../../../platform/time/time.js';
import { csvResponse } from '../../../shared/imports/csv-response.js';
import { renderChange, takeStep } from '../action.js';
import { DeskPages, DeskPageRequest } from '../desk-pages.js';
import { importPath, planPath, PRICES, productPath } from '../paths.js';
import { PRODUCT_LIST, productFilter } from './goods-page.js';
import {
  basePricesPage,
  CHANGE_LIST,
  changesPage,
  newPlanPage,
  planPage,
  pricesPage,
  SCHEDULED_PRICES,
  SCHEDULES,
  upcomingPage,
} from './prices-pages.js';
import { pricePage, ratePage } from './product-pages.js';

const readBulkChange = readTexts('percent', 'gst_rate', 'hsn');

/** Plans, the prices of products in them, and prices that begin later. */
@DeskPages('goods')
export class PricesController {
  constructor(
    private readonly subscriptions: SubscriptionAdministrationService,
    private readonly plans: PlanAdministration,
    private readonly products: ProductAdministration,
    private readonly files: PriceFiles,
    private readonly schedules: PriceSchedules,
    private readonly changes: ChangeLog,
    private readonly sellers: SellersService,
    private readonly runs: ImportRuns,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('prices')
  async list(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Page> {
    const query = SCHEDULES.read(fields);
    const past = query.selected.past === 'yes';
    const found = await SCHEDULES.find((limit) => this.schedules.page(past, query.mark, limit));
    return pricesPage({ me, plans: await this.subscriptions.plans(), query, found });
  }

  @Get('prices/base')
  basePricesForm(@DeskPageRequest() { fields }: Pick<DeskPageRequest, 'fields'>): Page {
    return basePricesPage(PRODUCT_LIST.read(fields).selected);
  }

  @PostForm('prices/base')
  changeBasePrices(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const makeFile = async () => {
      const { from, to } = readDates(fields, me.timeZone);
      await this.schedules.periodOf({ from, to });
      const filter = productFilter(PRODUCT_LIST.read(fields).selected);
      const { percent, gst_rate: rate, hsn } = readBulkChange(fields);
      const change = await this.files.changedBy({ percent, rate }, { ...filter, ...(hsn && { hsn }) });
      const bytes = csvText(change.columns, change.rows);
      const id = await this.runs.upload(
        { kind: change.isRate ? 'rates' : 'base-prices', name: change.name, bytes },
        actorOf(me),
      );
      const options = { from: from?.toISOString(), to: to?.toISOString() };
      await this.runs.check(id, change.isRate ? this.files.rates : this.files.basePrices, options);
      return seeOther(importPath(id));
    };
    return submitForm(makeFile, () => this.basePricesForm({ fields }));
  }

  @Get('prices.csv')
  file(@DeskPageRequest() { owner }: DeskPageRequest): Promise<StreamableFile> {
    return csvResponse(owner, 'prices', PRICE_EXPORT_COLUMNS, this.files.export());
  }

  @Get('changes')
  async changeList(@DeskPageRequest() { fields }: DeskPageRequest): Promise<Page> {
    const query = CHANGE_LIST.read(fields);
    const { sku, subject } = query.selected;
    const found = await CHANGE_LIST.find((limit) => this.changes.newest({ sku, subject }, limit, query.mark));
    const waiting =
      query.mark === undefined && sku === undefined && subject === undefined
        ? await SCHEDULES.find((limit) => this.schedules.page(false, undefined, limit))
        : NO_ROWS;
    return changesPage({
      query,
      found,
      waiting,
      plans: await this.subscriptions.plans(),
      currency: this.settings.currency,
    });
  }

  @Get('prices/upcoming/:id')
  async upcoming(
    @DeskPageRequest() { me, id, fields }: Pick<DeskPageRequest, 'me' | 'id' | 'fields'>,
  ): Promise<Page> {
    const query = SCHEDULED_PRICES.read(fields);
    const change = await this.schedules.show(id);
    const found = await SCHEDULED_PRICES.find((limit) => this.schedules.pricePage(id, query.mark, limit));
    const { isDiscount, isRate } = change;
    const priceNote = isDiscount || isRate ? '' : await this.sellers.priceNote();
    return upcomingPage({ me, change, query, found, priceNote, currency: this.settings.currency });
  }

  @PostForm('prices/upcoming/:id/withdraw')
  async withdraw(@DeskPageRequest() { me, id }: DeskPageRequest): Promise<Reply> {
    if ((await this.schedules.show(id)).isDiscount) requirePermission(me, 'manage plans');
    const withdraw = async () => {
      const { had_begun: hadStarted } = await this.schedules.withdraw(id, actorOf(me));
      const outcome = hadStarted
        ? 'It had begun: the earlier prices return in a moment.'
        : 'No price changes.';
      return seeOther(PRICES, `Withdrew change ${id}. ${outcome}`);
    };
    return submitForm(withdraw, () => this.upcoming({ me, id, fields: {} }));
  }

  @Get('new-plan')
  async newPlanForm(): Promise<Page> {
    return newPlanPage(await this.sellers.priceNote());
  }

  @PostForm('new-plan')
  addPlan(@DeskPageRequest() { me, fields }: DeskPageRequest): Promise<Reply> {
    const code = textIn(fields, 'code');
    const change = readRecord(PLAN_NAMES, fields);
    if (change.name === '') change.name = code;
    return takeStep(fields, {
      back: { href: PRICES, text: 'Plans and prices' },
      form: () => this.newPlanForm(),
      review: async () => {
        const effects = fieldFacts(
          PLAN_FIELDS,
          PLAN_NAMES,
          planWords(await this.plans.previewNew(code, change)),
        );
        return { title: `Add the plan ${change.name}?`, effects, button: 'Add the plan' };
      },
      run: async () => {
        await this.plans.set(code, change, actorOf(me), MUST_BE_NEW);
        return seeOther(
          PRICES,
          `The plan ${change.name} is there. Give it to clients by their subscriptions.`,
        );
      },
    });
  }

  @Get('plans/:code')
  async planForm(@DeskPageRequest() { code }: DeskPageRequest<'code'>): Promise<Page> {
    return planPage(await this.plans.byCode(code), await this.sellers.priceNote());
  }

  @PostForm('plans/:code')
  async setPlan(@DeskPageRequest() request: DeskPageRequest<'code'>): Promise<Reply> {
    const { me, code, fields } = request;
    const plan = await this.plans.byCode(code);
    const change = readRecord(PLAN_NAMES, fields);
    const { discount } = change;
    const datesOf = () => readDates(fields, me.timeZone);
    return takeStep(fields, {
      back: { href: planPath(code), text: plan.name },
      form: () => this.planForm(request),
      review: async () => {
        const [dates, { activeSubscriptions }] = [datesOf(), await this.subscriptions.plan(code)];
        const [before, after] = [planWords(plan), planWords({ ...plan, ...readPlan(change) })];
        await this.schedules.periodOf(dates);
        const changed = PLAN_NAMES.filter((name) => before(name) !== after(name));
        if (dates.from && changed.some((name) => name !== 'discount')) throw onlyNow(changed);
        if (changed.length === 0 && !dates.from)
          return seeOther(planPath(code), { kind: 'info', text: 'It is so already. Nothing was changed.' });
        return {
          title: `Change plan ${plan.name} for ${countOf(activeSubscriptions, 'client', 'clients')}?`,
          effects: fieldFacts(PLAN_FIELDS, dates.from ? ['discount'] : changed, (name) =>
            renderChange(before(name), `${after(name)}${periodText(dates, me.timeZone)}`),
          ),
          reviewedFields: { shown: planAsText(plan) },
          button: 'Change the plan',
        };
      },
      run: async () => {
        const dates = datesOf();
        if (dates.from) {
          const scheduled = await this.plans.schedule(code, { discount }, dates, actorOf(me));
          const from = periodText(dates, me.timeZone);
          return seeOther(PRICES, `Scheduled change ${scheduled.change}: the discount${from}.`);
        }
        const set = await this.plans.set(code, change, actorOf(me), textIn(fields, 'shown'));
        return seeOther(PRICES, `Changed plan ${set.name}: ${planWords(set)('discount')} off.`);
      },
    });
  }

  @Get('products/:sku/prices{/:plan}')
  async priceForm(@DeskPageRequest() { sku, plan }: PriceRequest): Promise<Page> {
    return pricePage(await this.priceOf(sku, plan));
  }

  @PostForm('products/:sku/prices{/:plan}')
  async setPrice(@DeskPageRequest() { me, sku, plan, fields }: PriceRequest): Promise<Reply> {
    const now = await this.priceOf(sku, plan);
    const { price, was, force } = readTexts('price', 'was', 'force')(fields);
    const options = { actor: actorOf(me), force: force === 'yes', formatMessage: replaceFlags };
    const row = { plan: plan ?? '', sku, wholesale_price: price.trim(), was };
    const change = { base_price: row.wholesale_price };
    const datesOf = () => {
      const dates = readDates(fields, me.timeZone);
      if (was !== now.was) throw priceConflict(now.plan?.price ?? now.basePrice);
      return dates;
    };
    const back = { href: productPath(sku), text: sku };
    return takeStep(fields, {
      back,
      form: (error) => pricePage(error === undefined ? { ...now, was } : now),
      review: async () => {
        const dates = datesOf();
        await this.schedules.periodOf(dates);
        const { change: rowChange } = await errorsAtPrice(
          plan
            ? this.files.set(row, { ...options, ...dates, dryRun: true })
            : this.products.preview(sku, change, options, was),
        );
        if (!rowChange && !dates.from)
          return seeOther(back.href, {
            kind: 'info',
            text: 'It is this price already. Nothing was changed.',
          });
        const [, from, to] = rowChange?.fields[0] ?? ['', now.basePrice, row.wholesale_price];
        return {
          title: now.plan
            ? `Change the price of ${sku} in plan ${now.plan.name}?`
            : `Change the base price of ${sku}?`,
          effects: {
            [`${now.plan ? `Plan ${now.plan.name}` : 'Base price'}${now.priceNote}`]: renderChange(
              from ?? `${now.plan?.price ?? ''} by the discount`,
              `${to ?? 'By the discount'}${periodText(dates, me.timeZone)}`,
            ),
          },
          button: dates.from ? 'Schedule the price' : 'Change the price',
        };
      },
      run: async () => {
        const dates = datesOf();
        if (plan) await errorsAtPrice(this.files.set(row, { ...options, ...dates }));
        else if (dates.from) await errorsAtPrice(this.files.scheduleOne(sku, change, dates, options));
        else await errorsAtPrice(this.products.set(sku, change, options, was));
        const done = dates.from ? 'The price is scheduled' : 'The price is changed';
        return seeOther(back.href, `${done}${periodText(dates, me.timeZone)}.`);
      },
    });
  }

  @Get('products/:sku/gst-rate')
  async rateForm(@DeskPageRequest() { sku }: DeskPageRequest<'sku'>): Promise<Page> {
    return ratePage(await this.products.show(sku));
  }

  @PostForm('products/:sku/gst-rate')
  async setRate(@DeskPageRequest() { me, sku, fields }: DeskPageRequest<'sku'>): Promise<Reply> {
    const now = await this.products.show(sku);
    const { gst_rate: rate, was } = readTexts('gst_rate', 'was')(fields);
    const change = { gst_rate: rate.trim() };
    const options = { actor: actorOf(me), formatMessage: replaceFlags };
    const dates = () => readDates({ from: textIn(fields, 'from') }, me.timeZone);
    return takeStep(fields, {
      back: { href: productPath(sku), text: sku },
      form: () => ratePage(now),
      review: async () => {
        await this.schedules.periodOf(dates());
        const { change: rowChange } = await this.products.preview(sku, change, options, was);
        const [, from, to] = rowChange?.fields.find(([name]) => name === PRICE_WITHOUT_GST) ?? [];
        const money = (amount: string) => formatMoney(minorFromNumeric(amount), this.settings.currency);
        return {
          title: `Change the GST rate of ${sku}?`,
          effects: {
            'GST rate': renderChange(
              now.gst_rate && `${String(now.gst_rate)} %`,
              `${change.gst_rate.replace(/ ?%$/, '')} %${periodText(dates(), me.timeZone)}`,
            ),
            'Base price without GST': from && to && renderChange(money(from), money(to)),
            'Prices with GST': from && 'stay, also those of plans',
            Invoices: 'have the rate of their day',
          },
          button: dates().from ? 'Schedule the rate' : 'Change the rate',
        };
      },
      run: async () => {
        if (dates().from) await this.files.scheduleOne(sku, change, dates(), options);
        else await this.products.set(sku, change, options, was);
        return seeOther(
          productPath(sku),
          `The GST rate counts${periodText(dates(), me.timeZone) || ' now'}.`,
        );
      },
    });
  }

  private async priceOf(sku: string, code: string | undefined) {
    const product = await this.products.show(sku);
    const plan = code === undefined ? undefined : await this.files.ofPlan(sku, code);
    const context = { currency: this.settings.currency, priceNote: await this.sellers.priceNote() };
    const was = plan?.was ?? product.was;
    return { sku, plan, basePrice: String(product.base_price), was, ...context };
  }
}

/** Without a plan it is the base price. */
type PriceRequest = DeskPageRequest<'sku'> & { plan?: string };

const readDates = (fields: FormFields, zone: TimeZone): ScheduleDates =>
  readTimes(readTexts('from', 'to')(fields), zone);

/** Only a discount can begin later. */
function onlyNow(changed: readonly PlanFieldName[]): DomainError {
  const message = 'can only change now: leave the dates empty';
  const errors = changed
    .filter((field) => field !== 'discount')
    .map((field) => ({ field, code: 'invalid_value', message }));
  return validationFailed(errors);
}

function priceConflict(price: string): DomainError {
  return new DomainError(
    'conflict',
    `The price is ${price} now. Another person changed the product or its price since you opened this ` +
      'page. Nothing was changed.',
  );
}

/** The form has one price field; the rules name the columns of a file. */
async function errorsAtPrice<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DomainError) || !error.errors) throw error;
    const errors = error.errors.map((each) =>
      ['from', 'to'].includes(each.field) ? each : { ...each, field: 'price' },
    );
    throw new DomainError(error.code, error.message, { errors });
  }
}
