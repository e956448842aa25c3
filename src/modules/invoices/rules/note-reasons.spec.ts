import { LOSS, NOTE_REASONS, noteReasonOf, readNoteReason } from './note-reasons.js';

describe('The reason of a note', () => {
  it.each([
    ['returned', '01'],
    ['lines', '01'],
    ['amount', '02'],
    ['delivery', '07'],
    ['taken_back', '07'],
  ])('for a refund of the kind %s is %s, unless a person chose another', (kind, code) => {
    expect(noteReasonOf({ kind })).toBe(code);
    expect(noteReasonOf({ kind, reasonCode: null })).toBe(code);
    expect(noteReasonOf({ kind, reasonCode: '03' })).toBe('03');
  });

  it('is a code of the list', () => {
    expect(Object.entries(NOTE_REASONS).toSorted()).toEqual([
      ['01', 'Sales return'],
      ['02', 'Post-sale discount'],
      ['03', 'Deficiency in services'],
      ['04', 'Correction in invoice'],
      ['05', 'Change in place of supply'],
      ['06', 'Finalisation of provisional assessment'],
      ['07', 'Others'],
    ]);
    expect(readNoteReason('05')).toBe('05');
    expect(LOSS).toBe('07');
    for (const text of ['', '1', '08', 'Others', 'constructor'])
      expect(() => readNoteReason(text)).toThrow(
        expect.objectContaining({
          code: 'invalid_value',
          message: expect.stringMatching(/^The code of the reason is one of 01 \(Sales return\), 02 /),
        }),
      );
  });
});
