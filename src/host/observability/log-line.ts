export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One JSON object, and so one line, whatever the fields hold: nobody can forge a second one. */
export function logLine(level: LogLevel, event: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;
}
