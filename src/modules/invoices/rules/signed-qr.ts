/** The content of a signed QR code of the tax portal. */
interface SignedQr {
  /** The number of the document. */
  number: string;
  irn: string;
}

/** The capacity of a QR code, in bytes. */
const MAX_QR_LENGTH = 2_953;

/**
 * Reads the text of a signed QR code: a JSON Web Token, whose content is JSON within JSON. Null if none.
 * The signature is not checked.
 */
export function readSignedQr(text: string): SignedQr | null {
  const parts = text.split('.');
  if (parts.length !== 3 || text.length > MAX_QR_LENGTH) return null;
  try {
    const { data } = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString()) as { data: string };
    const { DocNo: number, Irn: irn } = JSON.parse(data) as Record<string, unknown>;
    return typeof number === 'string' && typeof irn === 'string' ? { number, irn } : null;
  } catch {
    return null;
  }
}
