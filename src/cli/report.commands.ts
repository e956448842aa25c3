import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type ZipEntry, zipOf } from '../shared/pdf/zip.js';
import { filesOfReturn, type GstReturn, toFiledRow, toReturnView } from '../modules/invoices/gst-return.js';
import { formatFiled } from '../modules/invoices/rules/filed-return.js';
import { monthsOf, parseReturnPeriod } from '../modules/invoices/rules/return-period.js';
import { BALANCE_COLUMNS } from '../modules/payments/rules/balance-columns.js';
import { SALES_GROUPS } from '../modules/sales/sales-groups.js';
import type { Book, BooksService } from '../modules/sales/vouchers/books.service.js';
import { describeMailing } from '../modules/notices/statement-mailing.js';
import type { StatementView } from '../modules/payments/statements.service.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { COMMAND_OWNER } from '../platform/worker-threads/thread-owner.js';
import { amountFromMinor } from '../platform/money/money.js';
import { type Month, periodOf } from '../platform/time/time.js';
import { type CommandAnswer, listAnswer, table } from './answer.js';
import { type CliCommand, readDay, readEnd, readerOf, readMonth, readWords } from './command.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { OutputFile, writeTogether } from './output-file.js';

export function addReportCommands(program: CliCommand): void {
  const report = program.group('report', 'reports for the books');

  addOutputOptions(
    report
      .add('sales', 'Adds up paid orders and refunds, each when its money moved.')
      .requiredChoice('--by <what>', 'what each row stands for', SALES_GROUPS, 'day')
      .ofClient()
      .since('payments and refunds', '--from, --since <date>')
      .to('payments and refunds'),
  ).does(async ({ sales }, { by, clientId, since: from, to, ...output }) => {
    const { columns, rows } = await sales.soldBy(by, { clientId, from, to });
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
    .does(async ({ statements }, id, { month, ...options }) => {
      const { output } = options;
      if (output === undefined) return answerWithStatement(await statements.show(id, month));
      const statement = await statements.ofMonth(id, month);
      if (output.toLowerCase().endsWith('.pdf')) {
        await (await OutputFile.open(output)).write(statements.pdfOf(statement, COMMAND_OWNER));
        return { json: { file: output, rows: statement.entries }, text: `Wrote ${output}.\n` };
      }
      const { columns, rows } = statements.spreadsheetOf(statement);
      return exportRows(columns, rows, options);
    });

  report
    .add('mail-statements', 'Mails each client that its statement of a month is ready, once.')
    .requiredOption('--month <month>', 'the month, such as 2026-11', readMonth)
    .option('--dry-run', 'only shows what would be mailed')
    .by()
    .does(async ({ statementMails }, { month, dryRun, by }) => {
      const mailing = await (dryRun ? statementMails.preview(month) : statementMails.send(month, by));
      return { json: mailing, text: `${dryRun ? 'Without --dry-run: ' : ''}${describeMailing(mailing)}\n` };
    });

  addBookOptions(
    report
      .add('ledger', 'Shows the ledger of a client: each invoice, note, receipt and payment, with balances.')
      .forClient(),
  ).does(async ({ books }, id, { from, to, ...output }) =>
    answerWithBook(books, await books.ledger(id, from, to), output),
  );

  addBookOptions(
    report.add('register', 'Lists the invoices and notes of a period. Credit notes have negative amounts.'),
  ).does(async ({ books }, { from, to, ...output }) =>
    answerWithBook(books, await books.register(from, to), output),
  );

  report
    .add(
      'gst',
      'Shows or writes the return GSTR-1, as CSV and JSON for the portal, with a summary for GSTR-3B.',
    )
    .requiredOption('--month <month>', 'the month, or a quarter such as 2026-Q4', readPeriod)
    .option('--gstin <gstin>', 'one of your GSTINs (the last one of the period)', readWords)
    .option('--output <folder>', 'the folder, or a ZIP file whose name ends in .zip')
    .does(async ({ gstReport }, { month, gstin: requestedGstin, output }) => {
      const made = await gstReport.returnOf(month, requestedGstin);
      const { gstin, others, prefix, files } = made;
      const [first, last] = monthsOf(month);
      if (output === undefined) return answerWithReturn(month, made);
      await writeFiles(output, last, filesOfReturn(made, prefix));
      const rows = files.reduce((sum, file) => sum + file.rows.length, 0);
      const of = first === last ? first : `${first} to ${last}`;
      const count = files.length + (made.json ? 1 : 0);
      const text = `Wrote ${count} files of ${of} to ${output}.\n${describeReturn(made)}`;
      const { late, changes } = made;
      const json = { file: output, rows, gstin, other_gstins: others, late, changes_since_filing: changes };
      return { json, text };
    });

  report
    .add('filed', 'Marks the return of a month as filed. Goods of the month are then refused.')
    .requiredOption('--month <month>', 'the month, or a quarter such as 2026-Q4', readPeriod)
    .option('--gstin <gstin>', 'one of your GSTINs, if the period has several returns', readWords)
    .option('--arn <number>', 'the acknowledgement number of the portal')
    .option('--take-back <reason>', 'take the mark back')
    .by()
    .does(async ({ filedReturns }, { month, by, takeBack, ...options }) => {
      if (takeBack === undefined) {
        const rows = (await filedReturns.mark(month, options, by)).map(toFiledRow);
        return { json: { filed: rows }, text: table(rows) };
      }
      await filedReturns.takeBack(month, { ...options, reason: takeBack }, by);
      return { json: { filed: [] }, text: `${month} is not marked as filed any more.\n` };
    });

  addOutputOptions(
    report
      .add('balances', 'Lists what each client had paid in advance at the end of a day, for the accountant.')
      .option('--on <day>', 'the day (today)', readEnd),
  ).does(async ({ walletBooks }, { on = new Date(), ...output }) => {
    const rows = walletBooks.balances(on);
    if (output.output !== undefined) return exportRows(BALANCE_COLUMNS, rows, output);
    return listAnswer(rows, 'No clients.');
  });

  report
    .add('vouchers', 'Shows or writes a month of the books as vouchers for Tally: sales, notes and money.')
    .requiredOption('--month <month>', 'the month, such as 2026-11', readMonth)
    .option('--output <folder>', 'the folder, or a ZIP file whose name ends in .zip')
    .does(async ({ vouchers }, { month, output }) => {
      const sums = await vouchers.sums(month);
      const rows = sums.map((sum) => ({ ...sum, amount: amountFromMinor(sum.amount) }));
      if (output === undefined) return listAnswer(rows, 'No vouchers.');
      await writeFiles(output, month, vouchers.files(month));
      const count = sums.reduce((total, sum) => total + sum.vouchers, 0);
      return { json: { file: output, vouchers: count }, text: `Wrote ${count} vouchers to ${output}.\n` };
    });
}

function addBookOptions<Args extends unknown[], Options>(command: CliCommand<Args, Options>) {
  return addOutputOptions(command, '--output <file>', 'the file to write: a name that ends in .csv or .pdf')
    .option('--from <day>', 'the first day in India (1 April of the financial year)', readDay)
    .option('--to <day>', 'the last day in India (today)', readDay);
}

async function answerWithBook(books: BooksService, book: Book, output: OutputOptions) {
  const { output: file } = output;
  if (file === undefined) return listAnswer(book.rows, 'No documents.');
  if (!file.toLowerCase().endsWith('.pdf')) return exportRows(book.columns, book.rows, output);
  await (await OutputFile.open(file)).write(books.pdfOf(book, COMMAND_OWNER));
  return { json: { file }, text: `Wrote ${file}.\n` };
}

const readPeriod = readerOf(parseReturnPeriod, 'a month such as 2026-11, or a quarter such as 2026-Q4');

function answerWithStatement({ entries, documents, ...totals }: StatementView): CommandAnswer {
  const lines = entries.map(({ entry, reference, amount, balance_after: balance, ...line }) => ({
    ...line,
    reference,
    amount: amount.toFixed(2),
    balance: balance.toFixed(2),
  }));
  const { opening_balance: opening, closing_balance: closing, currency } = totals;
  return {
    json: { ...totals, entries, documents },
    text: (zone) =>
      `Opening balance: ${opening.toFixed(2)} ${currency}\n` +
      (lines.length === 0 ? 'No entries.\n' : table(lines, undefined, zone)) +
      `Closing balance: ${closing.toFixed(2)} ${currency}\n` +
      (documents.length === 0 ? '' : table(documents.map(toDocumentLine))),
  };
}

const toDocumentLine = ({
  issued_on,
  number,
  kind,
  order_number,
  amount,
}: StatementView['documents'][number]) => {
  return { issued_on, number, kind, order_number, amount: amount.toFixed(2) };
};

/** On the terminal, the number of rows of each file. With `--json`, the rows. */
function answerWithReturn(month: Month, made: GstReturn): CommandAnswer {
  const lines = made.files.map(({ name, rows }) => ({ file: `${name}.csv`, rows: rows.length }));
  return { json: toReturnView(month, made), text: table(lines) + describeReturn(made) };
}

function describeReturn({ gstin, others, late, filed, changes }: GstReturn): string {
  if (gstin === null) return '';
  const more = others.map((one) => `This period has a return of ${one} too: add --gstin ${one}.\n`);
  const earlier = `Goods of an earlier month, with documents of this period: ${late.join(', ')}.\n`;
  const marks = filed.map((one) => `${formatFiled(one)}\n`).join('');
  const due = changes.map(
    ({ month, subject, change, to_do }) => `${month}, ${subject}: ${change} ${to_do}\n`,
  );
  const amendments =
    due.length > 0 ? `Changed since the filing, so amendments are due:\n${due.join('')}` : '';
  return `GSTIN: ${gstin}.\n${more.join('')}${late.length > 0 ? earlier : ''}${marks}${amendments}`;
}

/** A ZIP file, or a folder: all files, or none. */
async function writeFiles(output: string, month: Month, entries: AsyncGenerator<ZipEntry>): Promise<void> {
  if (output.toLowerCase().endsWith('.zip'))
    return (await OutputFile.open(output)).write(zipOf(entries, periodOf(month, 'UTC').to));
  await mkdir(output, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    const message = `The folder ${output} cannot be created: ${cause.message}`;
    throw new DomainError('unwritable_file', message, { cause });
  });
  const opened: [OutputFile, ZipEntry['content']][] = [];
  try {
    for await (const { name, content } of entries)
      opened.push([await OutputFile.open(path.join(output, name)), content]);
  } catch (error) {
    await Promise.all(opened.map(([file]) => file.discard()));
    throw error;
  }
  await writeTogether(opened);
}
