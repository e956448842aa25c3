import type { EInvoicesService } from '../../../invoices/e-invoices.service.js';
import { ButtonLink, DownloadLink } from '../../../pages/components/controls.js';
import { Card } from '../../../pages/components/layout.js';
import { ListCard, titles } from '../../../pages/components/lists.js';
import { dayOf, formatNumber } from '../../../pages/formats.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { FirstRows } from '../../../platform/lists/bounded-lists.js';
import { DOCUMENT_KINDS, documentPath } from '../../shared/documents-page.js';
import { DOCUMENT_PATHS, E_INVOICES, IMPORTS, INVOICES } from '../paths.js';
import { type MoneyCounts, MoneyTabs } from './money-frame.js';

type Waiting = ReturnType<EInvoicesService['waiting']> extends AsyncGenerator<infer One> ? One : never;

/** The documents that wait for their IRN, oldest first, with the file for the tax portal. */
export function eInvoicesPage({ rows, more }: FirstRows<Waiting>, counts: MoneyCounts, isOn: boolean): Page {
  return {
    title: 'E-invoices',
    lead: 'Invoices and notes for clients with a GSTIN need an IRN of the tax portal (Rule 48(4)).',
    back: { href: INVOICES, text: 'Invoices' },
    content: (
      <>
        <MoneyTabs at={INVOICES} counts={counts} />
        {rows.length === 0 ? (
          <Card title={isOn ? 'No document waits for its IRN' : 'E-invoices are off'}>
            {isOn ? (
              <p>The next invoice for a client with a GSTIN appears here.</p>
            ) : (
              <p>The setting E_INVOICES_FROM turns them on: it names the first day.</p>
            )}
          </Card>
        ) : (
          <ListCard
            title={`${formatNumber(rows.length + more)} wait for their IRN, oldest first`}
            actions={
              <>
                <DownloadLink href={`${E_INVOICES}.json`}>File for the portal (JSON)</DownloadLink>
                <ButtonLink href={withQuery(IMPORTS, { kind: 'e-invoices' })}>Import the answers</ButtonLink>
              </>
            }
            columns={[
              titles('Document', ({ document: { number, kind } }: Waiting) => ({
                text: number,
                href: documentPath(DOCUMENT_PATHS, number),
                detail: DOCUMENT_KINDS[kind],
              })),
              { heading: 'Client', cell: ({ document }) => document.facts.client.name },
              {
                heading: 'Date',
                nowrap: true,
                cell: ({ document }) => dayOf(Date.parse(document.issuedOn), 'UTC'),
              },
              { heading: 'Not in the file, because', as: 'state', cell: ({ fault }) => fault },
            ]}
            rows={rows}
          />
        )}
      </>
    ),
  };
}
