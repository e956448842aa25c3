import { Get, type StreamableFile } from '@nestjs/common';
import { actorOf } from '../../../modules/audit/actor-of.js';
import { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import { E_WAY_BILL_FIELDS } from '../../../modules/invoices/e-way-bill-import.js';
import { documentNotFound, TaxDocumentsService } from '../../../modules/invoices/tax-documents.service.js';
import { readTexts, submitForm, textIn } from '../../../shared/ui/forms.js';
import { type Page, type Reply, seeOther, withQuery } from '../../../shared/ui/page.js';
import { PostForm } from '../../../shared/ui/pages-in.decorator.js';
import { firstRows, type FirstRows } from '../../../platform/lists/bounded-lists.js';
import { fileResponse } from '../../../platform/http/file-response.js';
import { DeskPageRequest, DeskPages } from '../desk-pages.js';
import { eWayBillPath, orderPath, E_WAY_BILLS, IMPORTS, TODAY } from '../paths.js';
import type { IssuedDocument } from '../../../modules/invoices/document-pdf.js';
import {
  LIMIT_BETWEEN_STATES,
  TRANSPORT_MODES,
  VEHICLE_TYPES,
} from '../../../modules/invoices/rules/e-way-bill.js';
import { LAW_TIME_ZONE } from '../../../modules/invoices/rules/law-time-zone.js';
import { Button, ButtonLink, DownloadLink, Field, FormCard } from '../../../shared/ui/components/controls.js';
import { Card } from '../../../shared/ui/components/layout.js';
import { ListCard, type ListColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { formatDay, formatMoney, formatNumber } from '../../../platform/formats.js';
import { FieldGroup } from '../../../shared/ui/record.js';
import { plainTime } from '../../../platform/time/time.js';
import type { Described } from '../../../platform/validation/described-field.js';
import { capitalised } from '../../../platform/validation/texts.js';

type One = DeskPageRequest<'number'>;

const MAX_WAITING = 50;

const readForm = readTexts(...E_WAY_BILL_FIELDS);

/** Transport and numbers of e-way bills, for those who send the goods. */
@DeskPages('e-way-bills')
export class EWayBillsController {
  constructor(
    private readonly bills: EWayBillsService,
    private readonly documents: TaxDocumentsService,
  ) {}

  @Get()
  async list(): Promise<Page> {
    const waiting = await firstRows(this.bills.waiting(MAX_WAITING));
    return eWayBillsPage({ ...waiting, gstins: await this.bills.gstins() });
  }

  @Get('file.json')
  file(@DeskPageRequest() { owner, fields }: DeskPageRequest): Promise<StreamableFile> {
    const file = this.bills.file(textIn(fields, 'gstin') || undefined);
    return fileResponse(owner, 'e-way-bills.json', 'application/json', file);
  }

  @Get(':number')
  async show(@DeskPageRequest() { number }: One): Promise<Page> {
    return eWayBillPage(await this.findInvoice(number));
  }

  @PostForm(':number')
  async save(@DeskPageRequest() { me, number, fields }: One): Promise<Reply> {
    const { orderNumber } = await this.findInvoice(number);
    return submitForm(
      async () => {
        const typed = readForm(fields);
        await this.bills.record(number, typed, actorOf(me));
        const recorded =
          typed.e_way_bill.trim() === ''
            ? `The transport of ${number} is recorded. Its e-way bill has no number yet.`
            : `The e-way bill of ${number} is recorded.`;
        return seeOther(orderPath(orderNumber!), recorded);
      },
      () => this.show({ number } as One),
    );
  }

  @PostForm(':number/end')
  async end(@DeskPageRequest() { me, number, fields }: One): Promise<Reply> {
    await this.findInvoice(number);
    return submitForm(
      async () => {
        await this.bills.end(number, textIn(fields, 'remark'), actorOf(me));
        return seeOther(eWayBillPath(number), 'It is recorded.');
      },
      () => this.show({ number } as One),
    );
  }

  private async findInvoice(number: string) {
    const document = await this.documents.find(number);
    if (document.kind !== 'invoice') throw documentNotFound();
    return document;
  }
}

type Waiting = ReturnType<EWayBillsService['waiting']> extends AsyncGenerator<infer Row> ? Row : never;

const FILE = `${E_WAY_BILLS}/file.json`;

const COLUMNS: ListColumn<Waiting>[] = [
  {
    ...titleColumn('Invoice', ({ document: { number } }: Waiting) => ({
      text: number,
      href: eWayBillPath(number),
    })),
    nowrap: true,
  },
  { heading: 'Client', cell: ({ document }) => document.facts.client.name },
  { heading: 'Date', nowrap: true, cell: ({ document }) => formatDay(document.issuedOn) },
  { heading: 'Not in the file, because', cell: ({ fault }) => fault },
];

/** The invoices that wait, oldest first. */
function eWayBillsPage({ rows, more, gstins }: FirstRows<Waiting> & { gstins: string[] }): Page {
  const actions = (
    <>
      {(gstins.length > 1 ? gstins : [undefined]).map((gstin) => (
        <DownloadLink href={withQuery(FILE, gstin === undefined ? {} : { gstin })}>
          {gstin === undefined ? 'File for the portal (JSON)' : `File of ${gstin} (JSON)`}
        </DownloadLink>
      ))}
      <ButtonLink href={withQuery(IMPORTS, { kind: 'e-way-bills' })}>Import the answers</ButtonLink>
    </>
  );
  return {
    title: 'E-way bills',
    lead: 'Goods of such an invoice need an e-way bill before they move (Rule 138).',
    back: { href: TODAY, text: 'Today' },
    content:
      rows.length === 0 ? (
        <Card title="No invoice waits for its e-way bill">
          <p>
            Goods that leave the state need one above {formatMoney(LIMIT_BETWEEN_STATES * 100, 'INR')}, others
            above the limit of your state: the setting E_WAY_BILL_FROM.
          </p>
        </Card>
      ) : (
        <ListCard
          title={`${formatNumber(rows.length + more)} wait for their e-way bill, oldest first`}
          actions={actions}
          columns={COLUMNS}
          rows={rows}
        />
      ),
  };
}

const optionsOf = (values: object) =>
  Object.keys(values).map((value) => ({ value, text: capitalised(value.replaceAll('_', ' ')) }));

const FIELDS: Described<(typeof E_WAY_BILL_FIELDS)[number]> = {
  mode: { label: 'Mode', options: optionsOf(TRANSPORT_MODES) },
  distance_km: { label: 'Distance in km', hint: 'Empty: the portal finds it by the PIN codes.' },
  vehicle_number: { label: 'Vehicle number', hint: 'Such as KA01AB1234.' },
  vehicle_type: { label: 'Kind of vehicle', options: optionsOf(VEHICLE_TYPES) },
  transporter_id: { label: 'GSTIN of the transporter' },
  transporter_name: { label: 'Name of the transporter' },
  transport_document: {
    label: 'Transport document',
    hint: 'The number of the LR, RR, airway bill or bill of lading.',
  },
  transport_document_on: { label: 'Its date', hint: 'Such as 2026-11-26.' },
  e_way_bill: { label: 'Number of the e-way bill', hint: '12 digits.' },
  generated_at: { label: 'Made at', hint: 'Such as 2026-11-26 10:15.' },
  valid_until: { label: 'Valid until', hint: 'Such as 2026-11-27 23:59.' },
};

const GROUPS = [
  ['Mode and distance', ['mode', 'distance_km']],
  [
    'Vehicle, or transport document',
    ['vehicle_number', 'vehicle_type', 'transport_document', 'transport_document_on'],
  ],
  ['Transporter', ['transporter_id', 'transporter_name']],
  ['Answer of the portal', ['e_way_bill', 'generated_at', 'valid_until']],
] as const;

const timeText = (time: number | null | undefined) => (time ? plainTime(new Date(time), LAW_TIME_ZONE) : '');

/** Transport, and the portal's answer if it was typed there; below it the end of the e-way bill. */
function eWayBillPage({ number, orderNumber, eWayBill }: IssuedDocument): Page {
  const { transport, billNumber, generatedAt, validUntil } = eWayBill ?? {};
  const path = eWayBillPath(number);
  const stored: Partial<Record<keyof typeof FIELDS, string>> = {
    mode: 'road',
    vehicle_type: 'regular',
    ...transport,
    e_way_bill: billNumber ?? '',
    generated_at: timeText(generatedAt),
    valid_until: timeText(validUntil),
  };
  return {
    title: `E-way bill of ${number}`,
    lead:
      'By road it needs the vehicle number; by rail, air or ship the transport document. ' +
      'With the GSTIN of the transporter, the transporter enters them.',
    back: { href: orderPath(orderNumber!), text: orderNumber! },
    content: (
      <>
        <FormCard action={path}>
          {GROUPS.map(([title, names]) => (
            <FieldGroup title={title} of={FIELDS} names={names} typed={(name) => stored[name] ?? ''} />
          ))}
          <div class="actions">
            <Button kind="primary">Save</Button>
          </div>
        </FormCard>
        <FormCard
          title={billNumber ? 'Cancelled at the portal' : 'No e-way bill is needed'}
          action={`${path}/end`}
        >
          <Field label="Reason" name="remark" maxlength={200} required />
          <div class="actions">
            <Button kind="danger">
              {billNumber ? 'Record the cancellation' : 'Record that none is needed'}
            </Button>
          </div>
        </FormCard>
      </>
    ),
  };
}
