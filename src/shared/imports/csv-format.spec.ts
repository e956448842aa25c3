import { csvText } from './csv-format.js';

describe('The text of a file', () => {
  it('leaves the event loop after each piece, also for rows that are ready at once', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rows = Array.from({ length: 10_000 }, (_, row) => ({ row, text: 'some text that is long enough' }));
    let chunks = 0;
    for await (const chunk of csvText(['row', 'text'], rows)) if (chunk !== '') chunks++;
    isOver = true;
    expect(chunks).toBeGreaterThan(20);
    expect(turns).toBeGreaterThanOrEqual(chunks - 1);
  });
});
