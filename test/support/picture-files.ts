import { crc32, deflateSync } from 'node:zlib';

/** A photo of 24 by 16 pixels that is to be shown upright, 16 by 24. */
export const JPEG = Buffer.from(
  '/9j/4QAiRXhpZgAASUkqAAgAAAABABIBAwABAAAABgAAAAAAAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAQABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAABAD/xAAVEAEBAAAAAAAAAAAAAAAAAAAAA//EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAGhEBAAEFAAAAAAAAAAAAAAAAAAECAwQxMv/aAAwDAQACEQMRAD8APMqYsypqNYeOTNKaGna1b5f/2Q==',
  'base64',
);

export const WEBP = Buffer.from(
  'UklGRlYAAABXRUJQVlA4IEoAAADQAwCdASoYABAAPtFWpEu/pKOhsAgD8BoJagCdMoRwN5AAgG0rIaAA/rT97l/Ov+xOaMf+WZtJKjuTHpi2cKVLO325/XdT7tAAAA==',
  'base64',
);

/** A picture in one colour. A declared size may differ from the pixels. */
export function png(width: number, height = width, { shade = 0, pixelRows = height } = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const pixels = Buffer.alloc(pixelRows * (width + 1), shade);
  for (let row = 0; row < pixelRows; row++) pixels[row * (width + 1)] = 0;
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
