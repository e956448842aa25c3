import { readFile, writeFile } from 'node:fs/promises';

const REPORT = new URL('../../docs/bench.md', import.meta.url);

/** A run rewrites the report above this line and keeps the notes below it. */
const MARK = '<!-- Written by hand from here on. -->';

export async function writeReport(machine: string[], table: string): Promise<void> {
  const former = await readFile(REPORT, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const notes = former.split(MARK)[1] ?? '\n';
  const date = new Date().toISOString().slice(0, 10);
  const facts = machine.map((fact) => `- ${fact}`).join('\n');
  await writeFile(
    REPORT,
    `# Bench\n\n\`npm run bench\` on ${date}:\n\n${facts}\n\n${table}\n\n${MARK}${notes}`,
  );
}
