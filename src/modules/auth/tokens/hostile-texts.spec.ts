import { runInNewContext } from 'node:vm';
import { hostDomain } from '../../clients/domain.js';
import { readAuthorization } from './token-secret.js';
import { formatOfCode } from '../../../shared/imports/xlsx/number-format.js';
import { matchesEtag } from '../../../platform/http/send-answer.js';

const LENGTH = 300_000;

/** A text of this length keeps a quadratic pattern busy for hours; the virtual machine breaks that off. */
function isRead(read: (text: string) => unknown, text: string): true {
  runInNewContext('read(text)', { read, text }, { timeout: 4_000 });
  return true;
}

describe('A hostile text of any length is read in linear time', () => {
  it.each<[string, (text: string) => unknown, string]>([
    ['Authorization', readAuthorization, '<'.repeat(LENGTH)],
    ['Authorization', readAuthorization, `Bearer ${' '.repeat(LENGTH)}${'='.repeat(LENGTH)}!`],
    ['Authorization', readAuthorization, `${'"'.repeat(LENGTH)}x`],
    ['X-Client-Domain', hostDomain, 'a.'.repeat(LENGTH)],
    ['X-Client-Domain', hostDomain, `a:${'a'.repeat(LENGTH)}`],
    ['If-None-Match', (text) => matchesEtag(text, '"x"'), '"W/'.repeat(LENGTH)],
    ['the number format of a workbook', formatOfCode, '['.repeat(LENGTH)],
    ['the number format of a workbook', formatOfCode, '"'.repeat(LENGTH)],
    ['the number format of a workbook', formatOfCode, '[h'.repeat(LENGTH)],
  ])('%s', (_, read, text) => {
    expect(isRead(read, text)).toBe(true);
  });
});
