import request from 'supertest';
import { type FormValues, postForm } from './sign-in.js';

/** A browser without scripts that keeps cookies and follows redirects on request. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly url: string,
    /** Headers that a proxy would add, for example. */
    private readonly headers: Record<string, string> = {},
  ) {}

  get(path: string): Promise<request.Response> {
    return this.send(request(this.url).get(path));
  }

  post(path: string, fields: FormValues = {}): Promise<request.Response> {
    return this.send(postForm(this.url, path, fields));
  }

  /** Posts, and then gets the page of the redirect. */
  async follow(path: string, fields: FormValues = {}): Promise<request.Response> {
    const { status, headers, text } = await this.post(path, fields);
    if (status !== 303) throw new Error(`${path} was answered with ${status}: ${text}`);
    return this.get(headers.location!);
  }

  private async send(outgoing: request.Test): Promise<request.Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await outgoing.set({ ...this.headers, ...(cookie && { Cookie: cookie }) });
    for (const line of setCookies(answer)) this.keep(line);
    return answer;
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export function setCookies({ headers }: request.Response): string[] {
  return [headers['set-cookie'] ?? []].flat();
}
