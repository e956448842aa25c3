import { type Command, Option } from 'commander';
import { DESK_ROLES } from '../../platform/access/signed-in-person.js';
import { table } from '../answer.js';
import { type Cli, groupOf } from '../cli.js';
import {
  byOption,
  jsonOption,
  operatorName,
  readCount,
  readEnd,
  readStart,
  type TypedTime,
} from '../options.js';
import { showProgress } from '../terminal.js';

/** The commands that need no running service: they use the database of this machine's settings. */
export function addLocalCommands(cli: Cli): void {
  addMigrate(cli);
  addDesk(cli);
  addKeys(cli);
  addNumbers(cli);
  addForget(cli);
  addWallet(cli);
  addDemo(cli);
}

const declare = (parent: Command, name: string, about: string) =>
  parent.command(name).description(about).addOption(jsonOption());

const confirmed = (command: Command) => command.option('--yes', 'do not ask').addOption(byOption());

function addMigrate(cli: Cli): void {
  const about = 'Updates the schema of the database; without DATABASE_URL, creates one in DATA_DIR.';
  declare(cli.program, 'migrate', about).action(async () => {
    const { databaseName, migrateDatabase } = await import('./open-database.js');
    const settings = await cli.settings();
    cli.tell(`Database: ${databaseName(settings)}`);
    const migrated = await migrateDatabase(settings);
    const { applied, granted } = migrated;
    const done = applied.length === 0 ? 'The schema is up to date.\n' : `Done: ${applied.join(', ')}.\n`;
    const rights = granted === undefined ? '' : `The role ${granted} has its rights.\n`;
    await cli.answer({ json: migrated, text: done + rights });
  });
}

function addDesk(cli: Cli): void {
  const desk = groupOf(cli.program, 'desk');
  declare(desk, 'invite', 'Invites a person to work at the desk, with a link. The link is shown only once.')
    .requiredOption('--email <address>', 'the address of the invitation and of later sign-ins')
    .addOption(roleOption('the rights of the person'))
    .option('--name <name>', 'a name, which the person may change')
    .addOption(byOption())
    .action((options: { email: string; role: string; name?: string; by: string }) =>
      cli.run(async (app) => {
        const { PeopleAdministrationService } =
          await import('../../modules/people/people-administration.service.js');
        const { by: actor, email, role, name } = options;
        const invited = await app
          .get(PeopleAdministrationService)
          .invite({ clientId: null, actor }, { email, role, ...(name && { name }) });
        const way = invited.mailed
          ? 'It was sent by mail too.'
          : 'It was not sent by mail: pass it on in confidence.';
        const once = 'It works for the first person who opens it, and is not shown again.';
        const { person_id, email: address, role: given } = invited;
        const text = table([{ person_id, email: address, role: given }]);
        return { json: invited, text: `${text}\nLink:   ${invited.url}\n${once} ${way}\n` };
      }),
    );
}

function addKeys(cli: Cli): void {
  const key = groupOf(cli.program, 'key');
  const open = async () => (await import('../../modules/auth/keys/admin-keys.service.js')).AdminKeysService;

  declare(key, 'add', 'Makes a key for a program. It is shown only once.')
    .requiredOption('--name <name>', 'the program, such as ERP')
    .addOption(roleOption('what it may do, as a person with this role at the desk'))
    .option(
      '--network <cidr>',
      'works only from here, such as 203.0.113.0/24; repeat it for more',
      (text: string, before: string[] = []) => [...before, text],
    )
    .option('--until <date>', 'when it ends; a date includes that day', readEnd)
    .addOption(byOption())
    .action((options: { name: string; role: string; network?: string[]; until?: TypedTime; by: string }) =>
      cli.run(async (app, { timeZone }) => {
        const { by, network: networks, until, name, role } = options;
        const input = { name, role, networks, endsAt: until?.(timeZone) };
        const made = await app.get(await open()).add(input, by);
        const text = `Made key ${made.key_id} for ${made.name}:\n${made.key}\n`;
        return { json: made, text: `${text}Keep it now: it is not shown again.\n` };
      }),
    );

  declare(key, 'list', 'Lists the keys, those that work first.').action(() =>
    cli.run(async (app, { timeZone }) => {
      const keys = await app.get(await open()).list();
      const rows = keys.map(({ networks, revoked_at, last_used_address, has_ended, ...one }) => ({
        ...one,
        networks: networks?.join(' ') ?? '',
        state: has_ended ? 'ended' : 'active',
      }));
      return {
        json: keys,
        text: rows.length === 0 ? 'No keys.\n' : table(rows, undefined, timeZone),
      };
    }),
  );

  declare(key, 'revoke', 'Refuses a key from now on. This cannot be undone.')
    .argument('<key-id>', 'the number of the key, as `key list` shows it', readCount)
    .addOption(byOption())
    .action((id: number, { by }: { by: string }) =>
      cli.run(async (app) => {
        const revoked = await app.get(await open()).revoke(id, by);
        return { json: revoked, text: `Key ${id} (${revoked.prefix}…, ${revoked.name}) is revoked.\n` };
      }),
    );
}

function addNumbers(cli: Cli): void {
  const about =
    'After a restore: skips the numbers up to these. New documents go on. Needs the database’s owner.';
  const numbers = 'the last number of each series that was issued after the backup, such as INV-2627-0000123';
  confirmed(declare(groupOf(cli.program, 'invoice'), 'continue-after', about))
    .argument('[numbers...]', numbers)
    .action((typed: string[], { yes, by }: { yes?: true; by: string }) =>
      cli.run(async (app) => {
        const { DocumentSeriesService } = await import('../../modules/invoices/document-series.service.js');
        const series = app.get(DocumentSeriesService);
        const plan = await series.plan(typed.map((text) => text.trim()));
        const skipped = plan.skips.flatMap(({ skipped: range }) => range ?? []);
        const all = skipped.map(({ from, to, count }) => `${from} to ${to}, ${count} in all`).join('; ');
        const last = plan.skips.map((skip) => skip.last).join(', ');
        const others = plan.others.length > 0 ? ` Other series go on after ${plan.others.join(', ')}.` : '';
        if (!plan.isHeld && skipped.length === 0) {
          const why = last ? `the last number is ${last} already` : 'no backup was restored';
          return { json: plan, text: `Nothing to skip: ${why}.\n` };
        }
        const question = skipped.length > 0 ? `Skip ${all}?` : 'Skip no number?';
        const effect = plan.isHeld ? `${others} New documents are issued then.` : '';
        const refusal = `Nothing was changed; --yes skips ${all || 'no number'}.${effect}`;
        await cli.requireConfirmation(yes, `${question}${effect} It cannot be undone.`, refusal);
        const done = await series.continueAfter(typed, by);
        const next = last ? ` The next number is the one after ${last}.` : '';
        return { json: done, text: `Skipped ${all || 'no number'}.${next}${effect && others}\n` };
      }),
    );
}

function addForget(cli: Cli): void {
  const about = 'Deletes old entries; those about tax after 8 years. Needs the rights of the owner.';
  declare(groupOf(cli.program, 'audit'), 'forget', about)
    .requiredOption(
      '--before <date>',
      'delete entries before this time, which is at least 365 days ago',
      readStart,
    )
    .addOption(byOption())
    .action(({ before, by }: { before: TypedTime; by: string }) =>
      cli.run(async (app, { timeZone }) => {
        const { AuditLog } = await import('../../modules/audit/audit-log.js');
        const entries = await app.get(AuditLog).forget(before(timeZone), by);
        return { json: { entries }, text: `${entries} entries were deleted.\n` };
      }),
    );
}

function addWallet(cli: Cli): void {
  const wallet = groupOf(cli.program, 'wallet');
  const open = async () => (await import('../../modules/payments/test-money.service.js')).TestMoneyService;
  const describe = (held: readonly object[]) =>
    `Wallets hold test money:\n${table(held)}` +
    'Paid orders stay paid. The spent money is written off at your cost.\n' +
    'To undo such an order, cancel it first: its money returns to the wallet and is removed too.\n';

  declare(wallet, 'check', 'Checks that the books add up; exit status 1 if they do not.').action(() =>
    cli.run(async (app) => {
      const { WalletBooks } = await import('../../modules/payments/wallet-books.repository.js');
      const contradictions = await app.get(WalletBooks).check();
      const testMoney = app.get(await open());
      const held = await testMoney.list();
      const lines = contradictions.map(({ what, rows }) => `${what}: ${JSON.stringify(rows)}\n`).join('');
      return {
        json: { contradictions, test_money: held },
        text: `${lines || 'The books add up.\n'}${held.length > 0 ? describe(held) : ''}`,
        incomplete: contradictions.length > 0 || (held.length > 0 && !testMoney.isAllowed),
      };
    }),
  );

  const about = 'Removes the money of test gateways from all wallets, before real payments.';
  confirmed(declare(wallet, 'remove-test-money', about)).action(({ yes, by }: { yes?: true; by: string }) =>
    cli.run(async (app) => {
      const testMoney = app.get(await open());
      const held = await testMoney.list();
      if (held.length === 0) return { json: [], text: 'No wallet holds test money.\n' };
      const warning = describe(held);
      const refusal = `${warning}Nothing was removed; --yes removes it.`;
      await cli.requireConfirmation(yes, `${warning}Remove it?`, refusal);
      const removed = await testMoney.remove(by);
      return { json: removed, text: `Removed:\n${table(removed)}` };
    }),
  );
}

function addDemo(cli: Cli): void {
  const demo = groupOf(cli.program, 'demo');
  const open = async () => (await import('../../demo/demo-unload.service.js')).DemoUnload;

  declare(demo, 'load', 'Loads a sample catalog of any size, with stock. Other products stay.')
    .requiredOption('--products <n>', 'how many products', readCount)
    .option('--yes', 'do not ask, even if the database holds real data')
    .action(({ products, yes }: { products: number; yes?: true }) =>
      cli.run(
        async (app) => {
          const { SyntheticLoad } = await import('../../demo/synthetic-load.service.js');
          const { countOf } = await import('../../platform/formats.js');
          const samples = app.get(SyntheticLoad);
          // Before a question, whose "yes" would not help.
          samples.refuseInProduction();
          const { clients, products: goods, orders } = await app.get(await open()).realThings();
          if (clients + goods + orders > 0) {
            const counts = [
              countOf(clients, 'client', 'clients'),
              countOf(goods, 'product', 'products'),
              countOf(orders, 'order', 'orders'),
            ];
            const holds = `This database holds real data: ${counts.join(', ')}.`;
            const refusal = `${holds} Nothing was loaded; --yes loads the sample all the same.`;
            await cli.requireConfirmation(yes, `${holds} Load sample products into it?`, refusal);
          }
          const progress = showProgress(cli.environment);
          const loaded = await samples.load(products, { actor: operatorName(), onProgress: progress.show });
          progress.end();
          const { created, updated, unchanged } = loaded.products;
          const text = `Products: ${created} created, ${updated} updated, ${unchanged} unchanged.\n`;
          return { json: loaded, text };
        },
        { mayMakeDatabase: true },
      ),
    );

  const about = 'Deactivates the products of a demo and suspends its store. All other data stays.';
  declare(demo, 'unload', about).action(() =>
    cli.run(async (app) => {
      const unloaded = await app.get(await open()).unload();
      const store = unloaded.store_suspended ? ' The demo’s store is suspended; its plans stay.' : '';
      return { json: unloaded, text: `Products: ${unloaded.deactivated} deactivated.${store}\n` };
    }),
  );
}

const roleOption = (about: string) =>
  new Option('--role <role>', about).choices([...DESK_ROLES]).makeOptionMandatory();
