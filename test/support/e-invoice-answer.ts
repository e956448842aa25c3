/** An answer as the portal gives it. The IRN is of the test. */
export function answerTo(number: string, more: Record<string, unknown> = {}) {
  const Irn = Buffer.from(number.padEnd(32, '.')).toString('hex');
  const data = JSON.stringify({ DocNo: number, DocTyp: 'INV', Irn });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const SignedQRCode = `${part({ alg: 'RS256' })}.${part({ data, iss: 'NIC' })}.${'s'.repeat(342)}`;
  return { AckNo: 232210036743849, AckDt: '2026-11-26 10:15:00', Irn, SignedQRCode, Status: 'ACT', ...more };
}
