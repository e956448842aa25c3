/** A piece of a page that is safe as it stands. */
export class Html {
  constructor(readonly text: string) {}
}

type Piece = string | Html | Html[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Whatever is put into a page is text there, unless it was made by this itself. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(String.raw({ raw: parts }, ...pieces.map(render)));
}

function render(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (Array.isArray(piece)) return piece.map(render).join('');
  return piece.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
