import { RETURN_STATES } from '../modules/orders/rules/return-request.js';
import type { ReturnShown } from '../modules/fulfilment/returns/returns.repository.js';
import { lineQuantitiesText, readLineQuantities } from '../modules/orders/rules/order-units.js';
import type { TimeZone } from '../platform/time/time.js';
import { type Answer, table } from './answer.js';
import type { CliCommand } from './command.js';
import { addImportCommand } from './import-command.js';
import { KEY, LINE, named, readLines } from './order-changes.commands.js';

const KNOWN = 'This return was requested before, so nothing was changed. Use another --key.\n\n';

export function addReturnCommands(program: CliCommand): void {
  const returns = program.group('return', 'goods that customers send back');

  named(returns.add('add', 'Records that a customer returns shipped units of an order.'), '<order>')
    .requiredOption(LINE, 'the units of a line, such as 1=2; repeat it for more lines', readLines)
    .requiredOption('--reason <text>', 'why they come back')
    .option('--note <text>', 'a note to the reason')
    .option('--key <text>', KEY)
    .by()
    .does(async ({ returns: service }, number, { by, line, reason, note, key }) => {
      const asked = { lines: readLineQuantities(line), reason, note, key };
      const added = await service.add(number, asked, by);
      return answerWith(added, added.is_new ? '' : KNOWN);
    });

  ofReturn(
    returns.add('receive', 'Records that the goods of a return arrived. They are written off, or restocked.'),
  )
    .option('--restock <line=units>', 'the units of a line to put back on sale, such as 1=2', readLines)
    .option(LINE, 'only these units of a line arrived; without it, all arrived', readLines)
    .option('--refund', 'refund the price of the units that arrived to the wallet')
    .option('--note <text>', 'a note, which the client can read')
    .by()
    .does(async ({ returns: service }, number, { by, line, restock = [], refund, note }) => {
      const receipt = {
        lines: line && readLineQuantities(line),
        restock: readLineQuantities(restock),
        refund: refund === true,
        note,
      };
      await service.receive(number, receipt, by);
      return answerWith(await service.show(number));
    });

  ofReturn(returns.add('refuse', 'Refuses a return. Its goods can be returned again.'))
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .by()
    .does(async ({ returns: service }, number, { by, reason }) => {
      await service.refuse(number, reason, by);
      return answerWith(await service.show(number));
    });

  returns
    .add('list', 'Lists returns, the newest first.')
    .choice('--state <state>', 'only returns in this state', RETURN_STATES)
    .ofClient()
    .since('returns')
    .listed()
    .lists('No returns.', ({ returnList }, { limit, ...filter }) => returnList.list(filter, limit), inRow);

  ofReturn(returns.add('show', 'Shows a return.')).does(async ({ returns: service }, number) =>
    answerWith(await service.show(number)),
  );

  addImportCommand(returns, {
    description: 'Records the returns of a file. A row that was imported before changes nothing.',
    columns: 'order_number,lines,reason,note; the last may be missing or empty; lines are such as 1=2 3=1',
    files: (services) => services.returns.files,
  });
}

function ofReturn(command: CliCommand) {
  return command.argument('<number>', 'the number of the return, in any spelling');
}

function inRow(shown: ReturnShown) {
  const { number, order_number, client, store_order_id, state, requested_at, lines, reason, refunded } =
    shown;
  const units = lineQuantitiesText(lines);
  return {
    number,
    order_number,
    client,
    store_order_id,
    state,
    requested_at,
    lines: units,
    reason,
    refunded,
  };
}

function answerWith(shown: ReturnShown, warning = ''): Answer {
  const { note, decision, decided_at, decided_by } = shown;
  const received = shown.lines.map(({ received: came, restocked, ...line }) => ({
    ...line,
    received: came,
    restocked,
    written_off: (came ?? 0) - restocked,
  }));
  const texts = [
    ['Note', note],
    [shown.state === 'refused' ? 'Refused because' : 'Answer', decision],
    ['Decided by', decided_by],
  ].filter(([, text]) => text !== null);
  const words = texts.map(([name, text]) => `${name}: ${text!.replace(/[\t\r\n]+/g, ' ')}\n`).join('');
  const head = (zone: TimeZone) => table([{ ...inRow(shown), decided_at }], undefined, zone);
  const tail = words === '' ? '' : `\n${words}`;
  return { json: shown, text: (zone) => `${warning}${head(zone)}\n${table(received)}${tail}` };
}
