import { forTerminal } from './texts.js';

const TERMINAL = { isTTY: true };

describe('forTerminal', () => {
  it.each([
    ['\u001b[2J', String.raw`\u001b[2J`],
    ['\u009b2J\u007f', String.raw`\u009b2J\u007f`],
    ['progress\rdone', String.raw`progress\u000ddone`],
    ['\u202egnp.exe', String.raw`\u202egnp.exe`],
    ['a\tb\r\nc\n', 'a\tb\nc\n'],
    ['नमस्ते ‏محمد‏ 👩\u200d👧', 'नमस्ते ‏محمد‏ 👩\u200d👧'],
  ])('shows %j as %j', (text, escaped) => {
    expect(forTerminal(TERMINAL, text)).toBe(escaped);
  });

  it('keeps the value of JSON', () => {
    const value = { message: 'duplicate key (name)=(\u001b[2J\u009b2J\u202e)' };
    const escaped = forTerminal(TERMINAL, JSON.stringify(value));
    expect(JSON.parse(escaped)).toEqual(value);
    expect(escaped).not.toMatch(/[^\P{Cc}]|\u202e/u);
  });

  it('does not change text for a file or a pipe', () => {
    expect(forTerminal({}, 'a\u001b[2J\r\n')).toBe('a\u001b[2J\r\n');
  });
});
