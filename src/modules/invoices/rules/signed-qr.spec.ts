import { readSignedQr } from './signed-qr.js';

const IRN = 'ab'.repeat(32);

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (content: unknown) => `${inBase64({ alg: 'RS256' })}.${inBase64(content)}.c2ln`;

describe('The text of a signed QR code', () => {
  it('names its document and IRN', () => {
    const data = JSON.stringify({ SellerGstin: '27AAPFU0939F1ZV', DocNo: 'INV-2627-0000001', Irn: IRN });
    expect(readSignedQr(signed({ data, iss: 'NIC' }))).toEqual({ number: 'INV-2627-0000001', irn: IRN });
  });

  it('is not longer than a QR code', () => {
    const text = signed({ data: JSON.stringify({ DocNo: 'INV-1', Irn: IRN }) });
    expect(readSignedQr(text.padEnd(2_953, 'x'))).not.toBeNull();
    expect(readSignedQr(text.padEnd(2_954, 'x'))).toBeNull();
  });

  it.each([
    ['', 'nothing'],
    ['https://example.com/a.b.c', 'an address'],
    [inBase64({}), 'one part'],
    [`x.${inBase64({ data: JSON.stringify({ DocNo: 'INV-1', Irn: IRN }) })}`, 'no signature'],
    [signed({}), 'no data'],
    [signed('x'), 'a text'],
    [signed({ data: 'x' }), 'data that are no JSON'],
    [signed({ data: 'null' }), 'empty data'],
    [signed({ data: JSON.stringify({ DocNo: 'INV-1' }) }), 'no IRN'],
    [signed({ data: JSON.stringify({ Irn: IRN }) }), 'no number'],
    [signed({ data: JSON.stringify({ DocNo: 1, Irn: IRN }) }), 'a number that is no text'],
  ])('is not %j: %s', (text) => expect(readSignedQr(text)).toBeNull());
});
