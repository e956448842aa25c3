import { addApiCommands } from './api/api-commands.js';
import { findConnection } from './api/connection.js';
import { addLoginCommands } from './api/login.commands.js';
import { addAuditCommands, addChangeCommands } from './audit.commands.js';
import { addCatalogCommands, addProductCommands } from './catalog.commands.js';
import { Cli } from './cli.js';
import { addClientCommands, addTokenCommands } from './client.commands.js';
import { CliCommand } from './command.js';
import { addDemoCommands } from './demo.commands.js';
import { addInvoiceCommands, addSellerCommands } from './invoice.commands.js';
import { addKeyCommands } from './key.commands.js';
import { addMailCommands } from './mail.commands.js';
import { addOrderCommands } from './order.commands.js';
import { addPackingCommands, addShipmentCommands } from './packing.commands.js';
import { addPaymentCommands, addTransferCommands } from './payment.commands.js';
import { addPersonCommands } from './person.commands.js';
import { addPlanCommands, addPriceCommands, addSubscriptionCommands } from './plan.commands.js';
import { addReportCommands } from './report.commands.js';
import { addReturnCommands } from './return.commands.js';
import { addStockCommands } from './stock.commands.js';
import type { CliEnvironment } from './terminal.js';
import { addWalletCommands } from './wallet.commands.js';

/** In the order of the help. */
const GROUPS = [
  addPlanCommands,
  addClientCommands,
  addTokenCommands,
  addKeyCommands,
  addPersonCommands,
  addSubscriptionCommands,
  addCatalogCommands,
  addProductCommands,
  addStockCommands,
  addPriceCommands,
  addOrderCommands,
  addPackingCommands,
  addShipmentCommands,
  addReturnCommands,
  addSellerCommands,
  addInvoiceCommands,
  addWalletCommands,
  addPaymentCommands,
  addTransferCommands,
  addReportCommands,
  addMailCommands,
  addChangeCommands,
  addAuditCommands,
  addDemoCommands,
];

export function createCli(commandLine: readonly string[], environment: CliEnvironment = process): Cli {
  const cli = new Cli(commandLine, environment);
  const program = new CliCommand(cli, cli.program);
  addLoginCommands(cli, program);
  const connection = cli.unlessRefused(() => findConnection(environment));
  if (connection) {
    addApiCommands(cli, connection);
    return cli;
  }
  addMigrateCommand(cli, program);
  for (const add of GROUPS) add(program);
  return cli;
}

/** The only command without the services: it creates the schema that they need. */
function addMigrateCommand(cli: Cli, program: CliCommand): void {
  program
    .add('migrate', 'Updates the schema of the database; without DATABASE_URL, creates one in DATA_DIR.')
    .declared.action(async () => {
      const { migrateDatabase } = await import('./open-database.js');
      const settings = await cli.settings();
      await cli.printDatabase(settings);
      const migrated = await migrateDatabase(settings);
      const { applied, granted } = migrated;
      const done = applied.length === 0 ? 'The schema is up to date.\n' : `Done: ${applied.join(', ')}.\n`;
      const rights = granted === undefined ? '' : `The role ${granted} has its rights.\n`;
      await cli.answer({ json: migrated, text: done + rights }, settings.timeZone);
    });
}
