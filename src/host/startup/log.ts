/** Lines for the person who started the service. */
export function log(line: string): void {
  process.stdout.write(`${line}\n`);
}
