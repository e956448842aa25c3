import { accept, receive, refund, refuse } from '../modules/fulfilment/returns/actions/return-actions.js';
import { RETURN_STATES } from '../modules/orders/rules/return-request.js';
import type { ReturnRecord } from '../modules/fulfilment/returns/returns.repository.js';
import { formatLineQuantities, parseLineQuantities } from '../modules/orders/rules/order-units.js';
import type { TimeZone } from '../platform/time/time.js';
import { type CommandAnswer, table } from './answer.js';
import type { CliCommand } from './command.js';
import { addImportCommand } from './import-command.js';
import { KEY, LINE, withOrderNumber, readLines } from './order-changes.commands.js';

const ALREADY_REQUESTED = 'This return was requested before, so nothing was changed. Use another --key.\n\n';

export function addReturnCommands(program: CliCommand): void {
  const returns = program.group('return', 'goods that customers send back');

  withOrderNumber(returns.add('add', 'Records that a customer returns shipped units of an order.'), '<order>')
    .requiredOption(LINE, 'the units of a line, such as 1=2; repeat it for more lines', readLines)
    .requiredOption('--reason <text>', 'why they come back')
    .option('--note <text>', 'a note to the reason')
    .option('--key <text>', KEY)
    .by()
    .does(async ({ returns: service }, number, { by, line, reason, note, key }) => {
      const request = { lines: parseLineQuantities(line), reason, note, key };
      const added = await service.add(number, request, by);
      return answerWith(added, added.is_new ? '' : ALREADY_REQUESTED);
    });

  ofReturn(returns.add(accept.name, accept.sentence))
    .requiredOption('--send-to <address>', 'the address for the goods')
    .requiredOption('--send-by <day>', 'the last day to send them, such as 2026-12-12')
    .by()
    .does(async ({ returns: service }, number, { by, sendTo, sendBy }) => {
      return answerWith(await service.act(number, accept.change({ sendTo, sendBy }), by));
    });

  ofReturn(returns.add(receive.name, receive.sentence))
    .option('--restock <line=units>', 'the units of a line to put back on sale, such as 1=2', readLines)
    .option(LINE, 'only these units of a line arrived; without it, all arrived', readLines)
    .option('--refund', 'refund the price of the units that arrived (without it, decide later)')
    .option('--note <text>', 'a note, which the client can read')
    .by()
    .does(async ({ returns: service }, number, { by, line, restock = [], refund: isRefunded, note }) => {
      const receipt = {
        lines: line && parseLineQuantities(line),
        restock: parseLineQuantities(restock),
        refund: isRefunded,
        note,
      };
      return answerWith(await service.act(number, receive.change(receipt), by));
    });

  ofReturn(returns.add(refuse.name, refuse.sentence))
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .by()
    .does(async ({ returns: service }, number, { by, reason }) => {
      return answerWith(await service.act(number, refuse.change({ reason }), by));
    });

  ofReturn(returns.add(refund.name, refund.sentence))
    .option('--none <reason>', 'closes it without a refund')
    .by()
    .does(async ({ returns: service }, number, { by, none }) => {
      return answerWith(await service.act(number, refund.change({ none }), by));
    });

  returns
    .add('list', 'Lists returns, the newest first.')
    .choice('--state <state>', 'only returns in this state', RETURN_STATES)
    .ofClient()
    .since('returns')
    .withLimit()
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
  return command.argument('<number>', 'the number of the return, also as pages shorten it');
}

function inRow(orderReturn: ReturnRecord) {
  const { number, order_number, client, store_order_id, state, requested_at, lines, reason, refunded } =
    orderReturn;
  const units = formatLineQuantities(lines);
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

function answerWith(orderReturn: ReturnRecord, warning = ''): CommandAnswer {
  const { note, decision, decided_at, decided_by, send_to, send_by, refund_open } = orderReturn;
  const received = orderReturn.lines.map(({ received: units, restocked, ...line }) => ({
    ...line,
    received: units,
    restocked,
    written_off: (units ?? 0) - restocked,
  }));
  const texts = [
    ['Note', note],
    ['Send to', send_to],
    ['Send by', send_by],
    ['Refund', refund_open ? 'not decided' : null],
    [orderReturn.state === 'refused' ? 'Refused because' : 'Answer', decision],
    ['Decided by', decided_by],
  ].filter(([, text]) => text !== null);
  const words = texts.map(([name, text]) => `${name}: ${text!.replace(/[\t\r\n]+/g, ' ')}\n`).join('');
  const head = (zone: TimeZone) => table([{ ...inRow(orderReturn), decided_at }], undefined, zone);
  const tail = words === '' ? '' : `\n${words}`;
  return { json: orderReturn, text: (zone) => `${warning}${head(zone)}\n${table(received)}${tail}` };
}
