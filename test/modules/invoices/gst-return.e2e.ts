import { adminApi, dataOf } from '../../support/admin-api.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The return GSTR-1 of a month', () => {
  const test = setUpTestApp();
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));

  beforeAll(async () => {
    const { clientId } = await test.fixtures.store({ name: '=Anaya' });
    await test.fixtures.rewrite(
      `WITH document AS (
              INSERT INTO tax_documents
                (number, kind, issued_at, issued_on, client_id, order_number, parcel, refund, against,
                 place_of_supply, gross, taxable, cgst, sgst, igst, facts)
              SELECT number, kind, now(), day::date, $1::int, 'X', parcel, refund, against, place, gross, taxable,
                     tax / 2.0 * (place = '29')::int, tax / 2.0 * (place = '29')::int, tax * (place <> '29')::int,
                     jsonb_build_object('seller', '{"state": "29", "gstin": "29AAGCB7383J1Z4"}'::jsonb, 'client',
                       CASE place WHEN '29' THEN '{"state": "29", "name": "=Anaya", "gstin": "29AAPFU0939F1ZR"}'
                                  ELSE '{"state": "27", "name": "Bela", "gstin": null}' END::jsonb)
                FROM (VALUES
                  ('INV-2627-0000001', 'invoice', '2026-11-30', 1, NULL, NULL, '29', 118, 100, 18),
                  ('INV-2627-0000002', 'invoice', '2026-12-01', 2, NULL, NULL, '29', 118, 100, 18),
                  ('INV-2627-0000003', 'invoice', '2026-11-01', 3, NULL, NULL, '27', 118000, 100000, 18000),
                  ('CN-2627-0000001', 'credit_note', '2026-11-30', NULL, 1, 'INV-2627-0000001', '29', 59, 50, 9),
                  ('CN-2627-0000002', 'credit_note', '2026-11-30', NULL, 2, 'INV-2627-0000003', '27', 118, 100, 18)
                  ) AS given (number, kind, day, parcel, refund, against, place, gross, taxable, tax)
              RETURNING *)
       INSERT INTO tax_document_items
         (number, position, line, description, sku, hsn, unit, quantity, unit_price, gst_rate, gross, taxable,
          cgst, sgst, igst)
       SELECT number, half, 2 - half, 'Shirt', 'A', '6109', CASE half WHEN 1 THEN 'NOS' ELSE '' END,
              CASE half WHEN 1 THEN gross / 59 ELSE 1 END, 59, 18, gross / 2, taxable / 2, cgst / 2, sgst / 2,
              igst / 2
         FROM document, generate_series(1, 2) AS half`,
      [clientId],
    );
  });

  const filesOf = async (month: string) =>
    (await dataOf(staff.get(`reports/gst?month=${month}`))).files as Record<string, Record<string, string>[]>;

  it('has the documents of its days, or of those of a quarter', async () => {
    const numbers = async (month: string) => (await filesOf(month)).b2b!.map((row) => row['Invoice Number']);
    expect(await numbers('2026-11')).toEqual(['INV-2627-0000001']);
    expect(await numbers('2026-12')).toEqual(['INV-2627-0000002']);
    expect(await numbers('2026-Q4')).toEqual(['INV-2627-0000001', 'INV-2627-0000002']);
    expect(await numbers('2026-Q3')).toEqual([]);
    await staff.get('reports/gst?month=2026-Q5').expect(422);
  });

  it('has a note where its invoice stands, and sums by HSN code, in which a delivery has no units', async () => {
    const files = await filesOf('2026-11');
    const place = { 'Place Of Supply': '27-Maharashtra' };
    expect(files).toMatchObject({
      b2cl: [{ ...place, 'Invoice Number': 'INV-2627-0000003' }],
      b2cs: [],
      cdnr: [{ 'Note Number': 'CN-2627-0000001' }],
      cdnur: [{ ...place, 'Note Number': 'CN-2627-0000002' }],
      exemp: expect.any(Array) as object[],
      'hsn(b2b)': [
        {
          HSN: '6109',
          UQC: 'NOS-NUMBERS',
          'Total Quantity': '1',
          'Total Value': '59.00',
          'Taxable Value': '50.00',
        },
      ],
      'hsn(b2c)': [
        { 'Total Quantity': '1998', 'Taxable Value': '99900.00', 'Integrated Tax Amount': '17982.00' },
      ],
      docs: [{ 'Total Number': '2' }, { 'Total Number': '2' }],
    });
  });

  it('is a file for each table, which no spreadsheet runs', async () => {
    const { text } = await staff.get('reports/gst?month=2026-11&file=b2b.csv').expect(200);
    expect(text).toBe(
      [
        'GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice date,Invoice Value,Place Of Supply,' +
          'Reverse Charge,Applicable % of Tax Rate,Invoice Type,E-Commerce GSTIN,Rate,Taxable Value,Cess Amount',
        "29AAPFU0939F1ZR,'=Anaya,INV-2627-0000001,30-Nov-2026,118.00,29-Karnataka,N,,Regular B2B,,18,100.00,0.00",
        '',
      ].join('\r\n'),
    );
  });
});
