import { addCatalogCommands } from './catalog.commands.js';
import { addChangeCommands } from './change.commands.js';
import { Cli } from './cli.js';
import { addClientCommands } from './client.commands.js';
import { addDemoCommands } from './demo.commands.js';
import { addMigrateCommand } from './migrate.command.js';
import { addOrderCommands } from './order.commands.js';
import { addPaymentCommands } from './payment.commands.js';
import { addPlanCommands } from './plan.commands.js';
import { addPriceCommands } from './price.commands.js';
import { addProductCommands } from './product.commands.js';
import { addShipmentCommands } from './shipment.commands.js';
import { addStockCommands } from './stock.commands.js';
import { addSubscriptionCommands } from './subscription.commands.js';
import type { Surroundings } from './surroundings.js';
import { addTokenCommands } from './token.commands.js';
import { addTransferCommands } from './transfer.commands.js';
import { addWalletCommands } from './wallet.commands.js';

export function createCli(commandLine: readonly string[], surroundings: Surroundings = process): Cli {
  const cli = new Cli(commandLine, surroundings);
  addMigrateCommand(cli);
  addPlanCommands(cli);
  addClientCommands(cli);
  addTokenCommands(cli);
  addSubscriptionCommands(cli);
  addCatalogCommands(cli);
  addProductCommands(cli);
  addStockCommands(cli);
  addPriceCommands(cli);
  addOrderCommands(cli);
  addShipmentCommands(cli);
  addWalletCommands(cli);
  addPaymentCommands(cli);
  addTransferCommands(cli);
  addChangeCommands(cli);
  addDemoCommands(cli);
  return cli;
}
