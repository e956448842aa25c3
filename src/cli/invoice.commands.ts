import { DOCUMENT_KINDS } from '../modules/invoices/rules/document-number.js';
import { E_WAY_BILL_FIELDS } from '../modules/invoices/e-way-bill-import.js';
import { SELLER_FIELDS, SELLER_FIELD_NAMES } from '../modules/invoices/seller-fields.js';
import type { SellerView } from '../modules/invoices/sellers.service.js';
import { COMMAND_OWNER } from '../platform/worker-threads/thread-owner.js';
import { stateName } from '../modules/tax/gstin.js';
import { type CommandAnswer, table } from './answer.js';
import { type CliCommand, readDay, readMonth, readWords } from './command.js';
import { addOutputOptions, exportRows } from './export-command.js';
import { addImportCommand, readConstant } from './import-command.js';
import { OutputFile } from './output-file.js';

export function addInvoiceCommands(program: CliCommand): void {
  const invoice = program.group('invoice', 'invoices, credit and debit notes, and receipt vouchers');

  withFilter(invoice.add('list', 'Lists documents, the newest first.').withLimit())
    .option('--month <month>', 'only documents of this month, such as 2026-11', readMonth)
    .option('--search <text>', "only with this part of a number, order, store's id, name or GSTIN", readWords)
    .lists('No documents.', ({ documents }, { limit, ...filter }) => documents.list(filter, limit));

  withDocumentNumber(invoice.add('show', 'Shows a document with its lines.')).does(
    async ({ documents }, number) => {
      const document = await documents.show(number);
      const { title, issued_on, client, order_number, against, place_of_supply } = document;
      const { items, taxable, cgst, sgst, igst, total } = document;
      const head = {
        number: document.number,
        title,
        issued_on,
        client: client.name,
        gstin: client.gstin,
        place_of_supply,
        order_number,
        against: against?.number ?? null,
      };
      const lines = items.map(({ line: _, ...item }) => item);
      const sums = { taxable, cgst, sgst, igst, total };
      const tables = [[head], lines, [sums]];
      return {
        json: document,
        text: (zone) => tables.map((rows) => table<object>(rows, undefined, zone)).join('\n'),
      };
    },
  );

  withDocumentNumber(invoice.add('pdf', 'Writes a document as a PDF. It has the same bytes each time.'))
    .requiredOption('--output <file.pdf>', 'the file to write')
    .option('--copies', 'three copies of an invoice: for recipient, transporter and supplier')
    .does(async ({ documents }, number, { output, copies }) => {
      const document = await documents.find(number);
      const pdf = documents.pdfOf(document, COMMAND_OWNER, copies ? 'all' : 'original');
      await (await OutputFile.open(output)).write(pdf);
      const isReadable = documents.isReadable(document);
      const boxes = isReadable ? '' : 'The PDF shows [?] for letters that its fonts lack.\n';
      return {
        json: { number: document.number, file: output, readable: isReadable },
        text: `Wrote ${document.number} to ${output}.\n${boxes}`,
      };
    });

  invoice
    .add(
      'continue-after',
      'After a restore: skips the numbers up to these. New documents go on. Needs the database’s owner.',
    )
    .argument(
      '[numbers...]',
      'the last number of each series that was issued after the backup, such as INV-2627-0000123',
      (text: string, before: string[] = []) => [...before, readWords(text)],
    )
    .option('--yes', 'do not ask')
    .by()
    .does(async ({ documentSeries }, numbers = [], { yes, by }) => {
      const plan = await documentSeries.plan(numbers);
      const skipped = plan.skips.flatMap(({ skipped: range }) => range ?? []);
      const all = skipped.map(({ from, to, count }) => `${from} to ${to}, ${count} in all`).join('; ');
      const last = plan.skips.map((skip) => skip.last).join(', ');
      const others = plan.others.length > 0 ? ` Other series go on after ${plan.others.join(', ')}.` : '';
      if (!plan.isHeld && skipped.length === 0)
        return {
          json: plan,
          text: last
            ? `Nothing to skip: the last number is ${last} already.\n`
            : 'Nothing to skip: no backup was restored.\n',
        };
      const question = skipped.length > 0 ? `Skip ${all}?` : 'Skip no number?';
      const effect = plan.isHeld ? `${others} New documents are issued then.` : '';
      const refusal = `Nothing was changed; --yes skips ${all || 'no number'}.${effect}`;
      await invoice.requireConfirmation(yes, `${question}${effect} It cannot be undone.`, refusal);
      const done = await documentSeries.continueAfter(numbers, by);
      const next = last ? ` The next number is the one after ${last}.` : '';
      return { json: done, text: `Skipped ${all || 'no number'}.${next}${effect && others}\n` };
    });

  withFilter(
    addOutputOptions(
      invoice
        .add('export', 'Writes the documents of a month: a row for each line.')
        .requiredOption('--month <month>', 'the month, such as 2026-11', readMonth),
    ),
  ).does(async ({ documents }, { output, excel, ...filter }) => {
    const { columns, rows } = documents.lines(filter);
    return exportRows(columns, rows, { output, excel });
  });

  invoice
    .add(
      'e-invoices',
      'Writes the documents that wait for their IRN as the JSON file that the tax portal takes.',
    )
    .requiredOption('--output <file.json>', 'the file to write')
    .option('--on <day>', 'only documents of this day', readDay)
    .option('--gstin <gstin>', 'the GSTIN of the seller, if documents of several wait')
    .does(({ eInvoices }, { output, ...filter }) =>
      writePortalFile(output, (leave) => eInvoices.file(filter, leave)),
    );

  addImportCommand(invoice, {
    name: 'register',
    description:
      'Records the answers of the tax portal: registrations of documents and cancellations of IRNs.',
    columns: 'number,irn,ack_number,acked_at,signed_qr; or irn,cancelled_at; or the JSON list of the portal',
    files: ({ eInvoices }) => eInvoices,
  });

  invoice
    .add(
      'e-way-bills',
      'Writes the invoices that wait for their e-way bill as the JSON file of the bulk tool.',
    )
    .requiredOption('--output <file.json>', 'the file to write')
    .option('--gstin <gstin>', 'the GSTIN of the seller, if invoices of several wait')
    .does(async ({ eWayBills, orders }, { output, gstin }) => {
      const { json, text, ...answer } = await writePortalFile(output, (leave) =>
        eWayBills.file(gstin, leave),
      );
      const due = await orders.dueForEWayBills();
      const lines = due.map(
        ({ order_number: number, state, value }) =>
          `Before dispatch: ${number} (${value} to ${state}) will need an e-way bill.\n`,
      );
      return { ...answer, json: { ...json, to_ship: due }, text: `${text}${lines.join('')}` };
    });

  withDocumentNumber(
    invoice.add('e-way-bill', 'Records the transport, the number or the end of an e-way bill.'),
  )
    .option(
      '--set <column=value>',
      `a value, such as vehicle_number=KA01AB1234; repeatable: ${E_WAY_BILL_FIELDS.join(', ')}`,
      readConstant,
    )
    .option('--end <reason>', 'it was cancelled at the portal, or none is needed', readWords)
    .by()
    .does(async ({ eWayBills, documents }, number, { set = {}, end, by }) => {
      await eWayBills.change(number, set, end, by);
      const { number: own, e_way_bill: bill = null, transport = null } = await documents.show(number);
      const state = bill === null ? 'has no e-way bill' : `has the e-way bill ${bill}`;
      return { json: { number: own, e_way_bill: bill, transport }, text: `${own} ${state}.\n` };
    });

  addImportCommand(invoice, {
    name: 'register-e-way-bills',
    description: 'Records transport, and the answers of the portal of e-way bills, from a file.',
    columns: `number, and one of ${E_WAY_BILL_FIELDS.join(', ')}, cancelled_at, remark`,
    files: ({ eWayBills }) => eWayBills,
  });
}

/** The documents that cannot be in the file are printed with their reasons. */
async function writePortalFile(
  output: string,
  contentOf: (leave: (number: string, reason: string) => void) => AsyncIterable<string>,
): Promise<CommandAnswer & { text: string }> {
  const leftOut: { number: string; reason: string }[] = [];
  let count = -1;
  async function* counted() {
    for await (const piece of contentOf((number, reason) => leftOut.push({ number, reason }))) {
      count++;
      yield piece;
    }
  }
  await (await OutputFile.open(output)).write(counted());
  const lines = leftOut.map(({ number, reason }) => `Left out ${number}: ${reason}\n`);
  return {
    json: { file: output, documents: count, left_out: leftOut },
    text: `Wrote ${count} documents to ${output}.\n${lines.join('')}`,
    incomplete: leftOut.length > 0,
  };
}

function withDocumentNumber(command: CliCommand) {
  return command.argument('<number>', 'the number of the document, such as INV-2627-0000001', readWords);
}

function withFilter<Options>(command: CliCommand<[], Options>) {
  return command.ofClient().choice('--kind <kind>', 'only documents of this kind', DOCUMENT_KINDS);
}

export function addSellerCommands(program: CliCommand): void {
  const seller = program.group('seller', 'the seller on the invoices: the wholesaler');

  seller
    .add('set', 'Sets the given values of the seller. From the first time on, shipments get invoices.')
    .fields(SELLER_FIELDS, ['name', 'gstin', 'address', 'state', 'from'])
    .choice('--receipt-vouchers <choice>', 'whether each top-up gets a receipt voucher', ['yes', 'no'])
    .option('--mistyped', 'the old GSTIN was mistyped: corrects it in all documents to come')
    .by()
    .changes(SELLER_FIELD_NAMES)
    .does(async ({ sellers }, { by, mistyped, ...change }) => {
      const view = await sellers.set({ ...change, ...(mistyped && { mistyped: 'yes' }) }, by);
      return { json: view, text: describeSeller(view) };
    });

  seller.add('show', 'Shows the seller, and how much tax data is missing.').does(async ({ sellers }) => {
    const view = await sellers.show();
    const {
      seller: now,
      coming,
      products_without_tax_data: products,
      clients_without_tax_data: clients,
    } = view;
    const text = [
      now ? describeSeller(now) : 'There is no seller, so there are no invoices. See "seller set".\n',
      coming && `From ${coming.since}:\n${describeSeller(coming)}`,
      products > 0 &&
        `Active products without rate or long enough HSN code: ${products}. See "catalog import".\n`,
      clients > 0 && `Clients without state or billing address: ${clients}. See "client set".\n`,
      products + clients > 0 && 'Their parcels are refused while there is a seller.\n',
    ];
    return { json: view, text: text.filter(Boolean).join('') };
  });
}

function describeSeller({ name, gstin, address, state, receipt_vouchers: vouchers }: SellerView): string {
  const receipts = vouchers ? 'Top-ups get receipt vouchers.' : 'Top-ups get no receipt vouchers.';
  return `Seller: ${name}, ${address}.\nGSTIN: ${gstin}. State: ${stateName(state)}.\n${receipts}\n`;
}
