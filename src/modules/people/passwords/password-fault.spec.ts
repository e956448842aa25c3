import { passwordFault } from './password-fault.js';

const PERSON = ['anaya.rao@anaya-home.example.com', 'Anaya Rao', 'Anaya Home'];

const fault = (password: string) => passwordFault(password, PERSON);

describe('passwordFault', () => {
  it.each([
    'correct horse battery staple',
    'rain on a tin roof',
    'xK9#mPq2vLw!',
    'ಮೈಸೂರು ಪಾಕ್ ತಿನ್ನೋಣ',
    'three goats, 2 bridges',
    'a very long pass-phrase of mine',
  ])('takes "%s"', (password) => {
    expect(fault(password)).toBeUndefined();
  });

  it('wants twelve characters, as people count them, and at most two hundred', () => {
    expect(fault('xK9#mPq2vLw')).toContain('at least 12');
    expect(fault('🦊🐻🐼🐨🐯🦁')).toContain('at least 12');
    expect(fault('xK9#mPq2vLw!'.repeat(17))).toContain('at most 200');
  });

  it.each([
    'password1234',
    'P@ssw0rd2024!',
    'Welcome@12345',
    'qwertyuiop123',
    '123456789012',
    '098765432109',
    'aaaaaaaaaaaa',
    'abcabcabcabcabc',
    'Summer2025!!',
    'iloveyou1234',
    'letmein letmein',
    'administrator',
    'AnayaHome2024',
    'anaya.rao.1234',
    'admin@123456',
    'India@1947!!',
    'passwordpassword',
    '1q1q1q1q1q1q1q',
  ])('refuses "%s", which an attacker would try', (password) => {
    expect(fault(password)).toContain('too easy to guess');
  });

  it('is fast for texts that are built to be slow', () => {
    expect(fault('ab'.repeat(99) + 'a!')).toContain('too easy');
  });
});
