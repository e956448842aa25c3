/** A signed-in person, or the name of an operator who uses a command. */
export type Author = string | { id: number; email: string; address: string };

/** An author as the columns name it: a person by number too, because addresses change hands. */
export function actorOf(by: string | { id: number; email: string }): string {
  return typeof by === 'string' ? by : `person ${by.id} (${by.email})`;
}
