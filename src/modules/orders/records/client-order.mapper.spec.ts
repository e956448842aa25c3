import { toChangeAuthor } from './client-order.mapper.js';

describe('toChangeAuthor', () => {
  it.each([
    ['store', { by: 'store' }],
    ['system', { by: 'service' }],
    ['auto-pay', { by: 'auto-pay' }],
    ['gateway', { by: 'gateway' }],
    ['person 17 (asha@example.com)', { by: 'person', email: 'asha@example.com' }],
    ['person 1 (asha@example.com)', { by: 'wholesaler' }],
    ['operator:asha', { by: 'wholesaler' }],
    ['toString', { by: 'wholesaler' }],
    ['a person 17 (asha@example.com)', { by: 'wholesaler' }],
    ['person 17 (asha@example.com) and others', { by: 'wholesaler' }],
    ['person seven (asha@example.com)', { by: 'wholesaler' }],
    ['person 17 ()', { by: 'wholesaler' }],
  ])('returns the actor that the client may see for %s', (actor, author) => {
    expect(toChangeAuthor(actor, [3, 17])).toEqual(author);
  });
});
