import type { SalesBy } from '../../orders/desk/order-desk.repository.js';
import type { StatementShown } from '../../payments/statements.service.js';
import type { Month } from '../../platform/time/time.js';
import { type Answer, listAnswer, table } from './answer.js';
import { type CliCommand, clientIdOf, readMonth } from './command.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { OutputFile } from './output-file.js';

const SALES_BY: SalesBy[] = ['day', 'month', 'client', 'product', 'state'];

interface SalesOptions extends OutputOptions {
  by: SalesBy;
  client?: string;
  since?: Date;
  to?: Date;
}

interface StatementOptions extends OutputOptions {
  month: Month;
}

export function addReportCommands(program: CliCommand): void {
  const report = program.group('report', 'reports for the books');

  addOutputOptions(
    report
      .add('sales', 'Adds up paid orders and refunds, each when its money moved.')
      .choice('--by <what>', 'what each row stands for', SALES_BY, 'day')
      .ofClient()
      .since('payments and refunds', '--from, --since <date>')
      .to('payments and refunds'),
  ).does(async (services, { by, client, since: from, to, ...output }: SalesOptions) => {
    const clientId = await clientIdOf(services, client);
    const { columns, rows } = await services.orders.soldBy(by, { clientId, from, to });
    if (output.output !== undefined) return exportRows(columns, rows, output);
    return listAnswer(rows, 'No sales.');
  });

  addOutputOptions(
    report
      .add('statement', 'Shows a month of a wallet: balances, and each entry with its order.')
      .forClient(),
    '--output <file>',
    'the file to write: a name that ends in .csv or .pdf',
  )
    .requiredOption('--month <month>', 'the month, such as 2026-11', readMonth)
    .doesForClient(async ({ statements }, id, { month, ...given }: StatementOptions) => {
      const { output } = given;
      if (output === undefined) return shown(await statements.show(id, month));
      const statement = await statements.ofMonth(id, month);
      if (output.toLowerCase().endsWith('.pdf')) {
        await (await OutputFile.open(output)).write(statements.pdfOf(statement));
        return { json: { file: output, rows: statement.entries }, text: `Wrote ${output}.\n` };
      }
      const { columns, rows } = statements.sheetOf(statement);
      return exportRows(columns, rows, given);
    });
}

function shown({ entries, ...totals }: StatementShown): Answer {
  const lines = entries.map(({ entry, amount, balance_after: balance, ...line }) => ({
    ...line,
    amount: amount.toFixed(2),
    balance: balance.toFixed(2),
  }));
  const { opening_balance: opening, closing_balance: closing, currency } = totals;
  return {
    json: { ...totals, entries },
    text: (zone) =>
      `Opening balance: ${opening.toFixed(2)} ${currency}\n` +
      (lines.length === 0 ? 'No entries.\n' : table(lines, undefined, zone)) +
      `Closing balance: ${closing.toFixed(2)} ${currency}\n`,
  };
}
