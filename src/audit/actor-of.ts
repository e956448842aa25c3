/** A person as the columns name who did something: by number, for addresses change hands. */
export function actorOf({ id, email }: { id: number; email: string }): string {
  return `person ${id} (${email})`;
}
