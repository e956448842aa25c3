import { newToken, readAuthorization } from './token-secret.js';

describe('readAuthorization', () => {
  const { token } = newToken();

  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `])('reads the token of %j', (header) => {
    expect(readAuthorization(header)).toEqual({ token });
  });

  it.each([
    ['the word missing', token, 'The word "Bearer" is missing before the token'],
    ['quotes around the token', `Bearer "${token}"`, 'There are quotes around it'],
    ['quotes around all of it', `"Bearer ${token}"`, 'There are quotes around it'],
    ['quotes and no word', `'${token}'`, 'There are quotes around it'],
    ['the word twice', `Bearer Bearer ${token}`, 'It says "Bearer" twice'],
    ['another scheme', 'Basic dXNlcjpwYXNz', 'It uses the scheme Basic'],
    ['an unknown scheme', `Token ${token}`, 'It does not have this form'],
    ['no token', 'Bearer', 'There is no token after "Bearer"'],
    ['a colon', `Bearer: ${token}`, 'There is a sign between "Bearer" and the token'],
    ['the placeholder of the docs', 'Bearer <API_TOKEN>', 'There are angle brackets around the token'],
    ['two tokens', `Bearer ${token} ${token}`, 'The token is not one word of letters and digits'],
    ['two headers in one', `Bearer ${token}, Bearer ${token}`, 'It holds several values'],
  ])('names %s', (_, header, fault) => {
    expect(readAuthorization(header)).toEqual({ fault });
  });
});
