/**
 * A pattern for exactly this text. Patterns ignore case without a folded copy of each name, and making those is what a search
 * through many names would otherwise spend its time on.
 */
export function literally(text: string): string {
  return text.replace(
    /[\\^$.*+?()[\]{}|/-]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
