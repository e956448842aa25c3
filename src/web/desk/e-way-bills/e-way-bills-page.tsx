import type { IssuedDocument } from '../../../modules/invoices/document-pdf.js';
import type { EWayBillsService } from '../../../modules/invoices/e-way-bills.service.js';
import type { EWayBillState } from '../../../modules/invoices/e-way-bills.repository.js';
import type { E_WAY_BILL_FIELDS } from '../../../modules/invoices/e-way-bill-import.js';
import {
  LIMIT_BETWEEN_STATES,
  NEEDS_E_WAY_BILL,
  TRANSPORT_MODES,
  VEHICLE_TYPES,
} from '../../../modules/invoices/rules/e-way-bill.js';
import { LAW_TIME_ZONE } from '../../../modules/invoices/rules/law-time-zone.js';
import { Button, ButtonLink, DownloadLink, Field, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Notice } from '../../../shared/ui/components/layout.js';
import { ListCard, type ListColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { ExactTime } from '../../../shared/ui/components/values.js';
import { formatDay, formatMoney, formatNumber } from '../../../platform/formats.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import { FieldGroup } from '../../../shared/ui/record.js';
import type { FirstRows } from '../../../platform/lists/bounded-lists.js';
import { plainTime } from '../../../platform/time/time.js';
import type { Described } from '../../../platform/validation/described-field.js';
import { capitalised } from '../../../platform/validation/texts.js';
import { E_WAY_BILLS, eWayBillPath, IMPORTS, orderPath, TODAY } from '../paths.js';

type Waiting = ReturnType<EWayBillsService['waiting']> extends AsyncGenerator<infer One> ? One : never;

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
export function eWayBillsPage({ rows, more, gstins }: FirstRows<Waiting> & { gstins: string[] }): Page {
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
export function eWayBillPage({ number, orderNumber, eWayBill }: IssuedDocument): Page {
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

/** On the page of the order. */
export const EWayBillNotice = ({ of: bill }: { of: EWayBillState }) => {
  const { number, isMissing, hasTransport, billNumber, validUntil, endedAt, reason } = bill;
  const link = <a href={eWayBillPath(number)}>{number}</a>;
  if (endedAt !== null)
    return (
      <Notice kind="info">
        {link} needs no e-way bill: {reason}
      </Notice>
    );
  if (isMissing)
    return (
      <Notice kind="warn">
        {link} {NEEDS_E_WAY_BILL}
        {hasTransport && ' Its transport is recorded: upload it to the portal, and record the answer.'}
      </Notice>
    );
  if (billNumber === null) return null;
  return (
    <Notice kind="info">
      E-way bill {billNumber} of {link}
      {validUntil && (
        <>
          , valid until <ExactTime at={validUntil} />
        </>
      )}
    </Notice>
  );
};
