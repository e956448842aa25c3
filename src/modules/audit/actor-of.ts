/** A signed-in person, or the name of an operator who uses a command. */
export type Author = string | { id: number; email: string; address: string };

/** The e-mail address of a person, the name of a program, or the actor as it is stored. */
export const actorName = (actor: string): string => /^(?:person|key) \d+ \((.+)\)$/.exec(actor)?.[1] ?? actor;

/** The author as stored in columns. A person also has a number, because e-mail addresses change owners. */
export function actorOf(by: string | { id: number; email: string }): string {
  return typeof by === 'string' ? by : `person ${by.id} (${by.email})`;
}
