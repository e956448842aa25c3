import { PLAN_FIELDS, PLAN_NAMES, planAnswer, planWords } from '../modules/plans/plan-fields.js';
import { PRICE_COLUMNS, PRICE_EXPORT_COLUMNS, VALUE_COLUMNS } from '../modules/plans/price-import.js';
import { inSnakeCase } from '../platform/snake-case.js';
import { plainTime, type TimeZone } from '../platform/time/time.js';
import { pickTexts } from '../platform/validation/described-field.js';
import { listAnswer } from './answer.js';
import { type CliCommand, readEnd, readId, readStart } from './command.js';
import { addExportCommand } from './export-command.js';
import { addDates, addImportCommand, addOverwrite, addPriceGuards } from './import-command.js';

export function addPlanCommands(program: CliCommand): void {
  const plan = program.group('plan', 'plans: the discount that a subscription gives');

  const setting = plan
    .add('set <code>', 'Creates a plan, or changes the given values of a plan.')
    .fields(PLAN_FIELDS, PLAN_NAMES);
  addDates(setting)
    .by()
    .does(async ({ plans, priceSchedules }, code, { by, from, to, ...options }) => {
      if (from || to) {
        const change = pickTexts(PLAN_NAMES, options);
        const scheduled = await plans.schedule(code, change, { from, to }, by);
        const line = `Plan ${code}: ${scheduled.old} % → ${scheduled.new} % off.\n`;
        return { json: scheduled, text: priceSchedules.describe(scheduled) + line };
      }
      const set = await plans.set(code, pickTexts(PLAN_NAMES, options), by);
      const { created } = set;
      const words = planWords(set);
      const facts = PLAN_NAMES.map((name) => `${PLAN_FIELDS[name].label}: ${words(name)}\n`).join('');
      return {
        json: { code, ...planAnswer(set), created },
        text: `${created ? 'Created' : 'Changed'} plan ${code}.\n${facts}`,
      };
    });

  plan
    .add('delete <code>', 'Deletes a plan that no client has or had, with its fixed prices.')
    .by()
    .does(async ({ subscriptions }, code, { by }) => {
      const deleted = await subscriptions.deletePlan(code, by);
      return {
        json: inSnakeCase(deleted),
        text: `Deleted plan ${code} and ${deleted.fixedPrices} fixed prices.\n`,
      };
    });

  plan
    .add('list', 'Lists the plans.')
    .lists('No plans.', async ({ subscriptions }) => inSnakeCase(await subscriptions.plans()));
}

export function addSubscriptionCommands(program: CliCommand): void {
  const subscription = program.group('subscription', 'subscriptions: the plan of a client, and its dates');

  subscription
    .add('set', 'Sets the subscription of a client from a time on. The one before it ends then.')
    .forClient()
    .requiredOption('--plan <code>', 'the plan')
    .option('--from <date>', 'when it starts (now; a subscription to the same plan continues)', readStart)
    .requiredOption('--until <date>', 'when it ends; a date includes that day', readEnd)
    .by()
    .does(async ({ subscriptions }, id, { by, ...terms }) => {
      const set = await subscriptions.set(id, terms, by);
      const text = (timeZone: TimeZone) => {
        const from = plainTime(new Date(set.from), timeZone);
        return `Client ${id} has plan ${set.plan} from ${from} until ${set.until}.\n`;
      };
      return { json: inSnakeCase(set), text };
    });

  subscription
    .add('end', 'Ends the subscription of a client now, and deletes future ones.')
    .forClient()
    .by()
    .does(async ({ subscriptions }, id, { by }) => ({
      json: inSnakeCase(await subscriptions.end(id, by)),
      text: `The subscription of client ${id} has ended.\n`,
    }));
}

export function addPriceCommands(program: CliCommand): void {
  const price = program.group('price', 'fixed prices: the price of a product in one plan');
  addImportCommand(price, {
    description: 'Sets and removes the fixed prices of a file; others stay.',
    columns: `${PRICE_COLUMNS.join(',')}; an empty price removes the fixed price`,
    files: ({ priceFiles }) => priceFiles,
    addOptions: (command) => addDates(addPriceGuards(addOverwrite(command))),
  });
  addImportCommand(price, {
    name: 'import-rates',
    description: 'Schedules the GST rates of a file, which apply from a date on.',
    columns: VALUE_COLUMNS.gst_rate.join(),
    files: ({ priceFiles }) => priceFiles.rates,
    addOptions: (command) =>
      command.option('--from <date>', 'the day from which they apply', readStart) as CliCommand,
  });
  addExportCommand(price, PRICE_EXPORT_COLUMNS, 'Writes all fixed prices.', ({ priceFiles }) => priceFiles);

  price
    .add('upcoming', 'Lists the scheduled changes of prices and discounts, or the prices of one.')
    .argument('[change]', 'the number of a scheduled change', readId)
    .withLimit()
    .option('--past', 'also changes that have ended or were withdrawn')
    .does(async ({ priceSchedules }, change, { past, limit }) =>
      change === undefined
        ? listAnswer(priceSchedules.list({ past }, limit), 'No scheduled changes.')
        : listAnswer(await priceSchedules.prices(change, limit), 'No prices.'),
    );

  price
    .add('withdraw', 'Withdraws a scheduled change. A running change ends now.')
    .argument('<change>', 'the number of the scheduled change', readId)
    .by()
    .does(async ({ priceSchedules }, change, { by }) => {
      const withdrawn = await priceSchedules.withdraw(change, by);
      const outcome = withdrawn.had_begun
        ? 'It had started and ends now: the earlier prices return in a moment.'
        : 'It had not started: the prices stay as they are.';
      return { json: withdrawn, text: `Withdrew. ${priceSchedules.describe(withdrawn)}${outcome}\n` };
    });
}
