import { Get, Inject, Param, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../audit/actor-of.js';
import { type DeskPerson, requireRole } from '../../../auth/people/signed-in-person.js';
import {
  type PlanListed,
  SubscriptionAdministration,
} from '../../../auth/subscriptions/subscription-administration.js';
import { ProductAdministration } from '../../../catalog/product-administration.service.js';
import { again, AskedFields, IdParam, placeIn, SentFields, textIn } from '../../../pages/forms.js';
import type { AskedOf } from '../../../pages/list-page.js';
import { type Page, type Reply, seeOther } from '../../../pages/page.js';
import { PostForm } from '../../../pages/pages-in.decorator.js';
import { ChangeLog } from '../../../plans/change-log.repository.js';
import { PlanAdministration } from '../../../plans/plan-administration.service.js';
import { PriceFiles } from '../../../plans/price-files.service.js';
import { PRICE_EXPORT_COLUMNS } from '../../../plans/price-import.js';
import { type Dates, PriceSchedules } from '../../../plans/price-schedules.service.js';
import { Me } from '../../../platform/access/access.decorators.js';
import { DomainError, type FieldError, validationFailed } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { parseEnd, parseInstant, type TimeZone } from '../../../platform/time/time.js';
import { csvFile } from '../../shared/file-answer.js';
import { QueryReadBy } from '../../../platform/validation/readers.js';
import { DeskPages, For } from '../desk-pages.js';
import { goodsPricePath, productPath, planPath, PRICE_CHANGES, PRICES } from '../paths.js';
import { fromTo, takeStep } from '../action.js';
import { GoodsTabs } from './goods-page.js';
import { CHANGE_LIST, planPage, pricesPage, upcomingPage } from './prices-pages.js';
import { pricePage } from './product-pages.js';

/** Plans, the prices of products in them, and prices that begin later. */
@DeskPages('goods', 'staff')
export class PricesController {
  constructor(
    private readonly subscriptions: SubscriptionAdministration,
    private readonly plans: PlanAdministration,
    private readonly products: ProductAdministration,
    private readonly files: PriceFiles,
    private readonly schedules: PriceSchedules,
    private readonly changes: ChangeLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get('prices')
  async list(@Me() me: DeskPerson, @AskedFields() query: FormFields): Promise<Page> {
    const past = textIn(query, 'past') === 'yes';
    const after = placeIn(query, 'after');
    const upcoming = await this.schedules.page(past, after);
    return pricesPage({ me, plans: await this.subscriptions.plans(), upcoming, after, past });
  }

  @Get('prices.csv')
  file(): Promise<StreamableFile> {
    return csvFile('prices', PRICE_EXPORT_COLUMNS, this.files.export());
  }

  @Get('changes')
  async changeList(@QueryReadBy(CHANGE_LIST.read) asked: AskedOf<typeof CHANGE_LIST>): Promise<Page> {
    const { sku, subject } = asked.chosen;
    const found = await CHANGE_LIST.find((most) => this.changes.newest({ sku, subject }, most, asked.mark));
    const above = GoodsTabs({ at: PRICE_CHANGES });
    return CHANGE_LIST.page({ title: 'Who changed prices and plans', above, asked, found, context: {} });
  }

  @Get('prices/upcoming/:id')
  async upcoming(
    @Me() me: DeskPerson,
    @IdParam() id: number,
    @AskedFields() query: FormFields,
  ): Promise<Page> {
    const [change, after] = [await this.schedules.show(id), placeIn(query, 'after')];
    return upcomingPage(me, change, await this.schedules.pricePage(id, after), after);
  }

  @PostForm('prices/upcoming/:id/withdraw')
  async withdraw(@Me() me: DeskPerson, @IdParam() id: number): Promise<Reply> {
    if ((await this.schedules.show(id)).isDiscount) requireRole(me, 'admin');
    try {
      const { had_begun: hadBegun } = await this.schedules.withdraw(id, actorOf(me));
      const outcome = hadBegun ? 'It had begun: the earlier prices return in a moment.' : 'No price changes.';
      return seeOther(PRICES, `Withdrew change ${id}. ${outcome}`);
    } catch (error) {
      return again(error, await this.upcoming(me, id, {}), 'conflict');
    }
  }

  @Get('plans/:code')
  @For('admin')
  async planForm(@Param('code') code: string): Promise<Page> {
    return planPage(await this.planCalled(code));
  }

  @PostForm('plans/:code')
  @For('admin')
  async setPlan(
    @Me() me: DeskPerson,
    @Param('code') code: string,
    @SentFields() fields: FormFields,
  ): Promise<Reply> {
    const plan = await this.planCalled(code);
    const read = () => readPlanForm(fields, plan, me.timeZone);
    return takeStep(fields, {
      path: planPath(code),
      back: { href: planPath(code), text: plan.name },
      form: () => planPage(plan),
      review: async () => {
        const { name, discount, dates } = read();
        await this.schedules.periodOf(dates);
        return {
          title: `Change plan ${code} for ${plan.active_subscriptions} clients?`,
          effects: {
            Name: name !== plan.name && fromTo(plan.name, name),
            Discount: fromTo(`${plan.discount} %`, `${discount} %${whenText(fields)}`),
          },
          seen: { shown_name: plan.name, shown_discount: String(plan.discount) },
          button: 'Change the plan',
        };
      },
      run: async () => {
        const { name, discount, dates } = read();
        if (dates.from) {
          const scheduled = await this.plans.schedule(code, { discount }, dates, actorOf(me));
          return seeOther(PRICES, this.schedules.tell(scheduled).trim());
        }
        const shown = {
          name: textIn(fields, 'shown_name'),
          discount: Number(textIn(fields, 'shown_discount')),
        };
        await this.plans.set(code, { name, discount }, actorOf(me), shown);
        return seeOther(PRICES, `Changed plan ${code}: ${discount} % off.`);
      },
      told: ['conflict', 'invalid_value'],
    });
  }

  @Get('products/:sku/prices{/:plan}')
  async priceForm(@Param('sku') sku: string, @Param('plan') plan?: string): Promise<Page> {
    return pricePage(await this.priceOf(sku, plan));
  }

  @PostForm('products/:sku/prices{/:plan}')
  async setPrice(
    @Me() me: DeskPerson,
    @Param('sku') sku: string,
    @SentFields() fields: FormFields,
    @Param('plan') plan?: string,
  ): Promise<Reply> {
    const now = await this.priceOf(sku, plan);
    const [price, was] = [textIn(fields, 'price').trim(), textIn(fields, 'was')];
    const options = { actor: actorOf(me), force: textIn(fields, 'force') === 'yes' };
    const row = { plan: plan ?? '', sku, wholesale_price: price, was };
    const datesOf = () => {
      const dates = readDates(fields, me.timeZone);
      if (was !== now.was) throw late(now.plan?.price ?? now.basePrice);
      return dates;
    };
    return takeStep(fields, {
      path: goodsPricePath(sku, plan),
      back: { href: productPath(sku), text: sku },
      form: (error) => pricePage(error === undefined ? { ...now, was } : now),
      review: async () => {
        const dates = datesOf();
        await this.schedules.periodOf(dates);
        const { change } = await atPrice(
          plan
            ? this.files.set(row, { ...options, ...dates, dryRun: true })
            : this.products.preview(sku, { base_price: price }, options, was),
        );
        if (!change && !dates.from)
          return seeOther(productPath(sku), {
            kind: 'info',
            text: 'It is this price already. Nothing was changed.',
          });
        const [, from, to] = change?.fields[0] ?? ['', now.basePrice, price];
        return {
          title: plan ? `Change the price of ${sku} in plan ${plan}?` : `Change the base price of ${sku}?`,
          effects: {
            [plan ? `Plan ${plan}` : 'Base price']: fromTo(
              from ?? `${now.plan?.price ?? ''} by the discount`,
              `${to ?? 'By the discount'}${whenText(fields)}`,
            ),
          },
          button: dates.from ? 'Schedule the price' : 'Change the price',
        };
      },
      run: async () => {
        const dates = datesOf();
        if (plan) await atPrice(this.files.set(row, { ...options, ...dates }));
        else if (dates.from)
          await atPrice(this.products.schedule(sku, { base_price: price }, dates, options));
        else await atPrice(this.products.set(sku, { base_price: price }, options, was));
        return seeOther(
          productPath(sku),
          `${dates.from ? 'The price is scheduled' : 'The price is changed'}${whenText(fields)}.`,
        );
      },
      told: ['conflict', 'import_running', 'invalid_value'],
    });
  }

  private async priceOf(sku: string, code: string | undefined) {
    const product = await this.products.show(sku);
    const plan =
      code === undefined ? undefined : (await this.files.ofProduct(sku)).find((each) => each.plan === code);
    if (code !== undefined && !plan) throw new DomainError('plan_not_found', `There is no plan "${code}".`);
    const { currency } = this.settings;
    return { sku, plan, basePrice: String(product.base_price), was: plan?.was ?? product.was, currency };
  }

  private async planCalled(code: string) {
    const plan = (await this.subscriptions.plans()).find((each) => each.code === code);
    if (!plan) throw new DomainError('plan_not_found', `There is no plan "${code}".`);
    return plan;
  }
}

function readDates(fields: FormFields, timeZone: TimeZone): Dates {
  const faults: FieldError[] = [];
  const read = (name: 'from' | 'to', parse: typeof parseInstant) => {
    const text = textIn(fields, name).trim();
    const at = text === '' ? undefined : parse(text, timeZone);
    if (at === null)
      faults.push({ field: name, code: 'invalid_value', message: 'must be a date such as 2026-01-31' });
    return at ?? undefined;
  };
  const dates = { from: read('from', parseInstant), to: read('to', parseEnd) };
  if (faults.length > 0) throw validationFailed(faults);
  return dates;
}

function readPlanForm(fields: FormFields, plan: PlanListed, timeZone: TimeZone) {
  const dates = readDates(fields, timeZone);
  const name = textIn(fields, 'name').trim();
  const discount = textIn(fields, 'discount').trim().replace(/ ?%$/, '');
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(discount) || Number(discount) > 100)
    throw fault('discount', 'must be a percentage from 0 to 100, with up to 2 decimals');
  if (dates.from && name !== plan.name) throw fault('name', 'can only change now: leave the dates empty');
  return { name, discount, dates };
}

function whenText(fields: FormFields): string {
  const [from, to] = [textIn(fields, 'from').trim(), textIn(fields, 'to').trim()];
  return (from && ` from ${from}`) + (to && ` to ${to}`);
}

function fault(field: string, message: string): DomainError {
  return validationFailed([{ field, code: 'invalid_value', message }]);
}

function late(price: string): DomainError {
  return new DomainError(
    'conflict',
    `The price is ${price} now. Another person changed the product or its price since you opened this ` +
      'page. Nothing was changed.',
  );
}

/** The form has one field for the price; the rules name that of a file. */
async function atPrice<Result>(work: Promise<Result>): Promise<Result> {
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
