import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAdapterHost } from '@nestjs/core';
import { readSettings } from '../settings/settings.js';
import { OwnAddress } from './own-address.js';

/** Returns the addresses of a process that listens there, or nowhere. */
function addressOf(
  listening: { address: string; port: number } | undefined,
  environment: Record<string, string>,
) {
  const http = new HttpAdapterHost();
  if (listening)
    http.httpAdapter = {
      getHttpServer: () => ({ address: () => listening }),
    } as unknown as typeof http.httpAdapter;
  // A service that was started in this checkout left its port in the usual directory.
  return new OwnAddress(http, readSettings({ DATA_DIR: NOWHERE, ...environment }));
}

const NOWHERE = '/no/such/directory';
const PUBLIC = { PUBLIC_URL: 'https://wholesale.example.com' };

describe('OwnAddress', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:4711'],
    ['::', 'http://[::1]:4711'],
    ['10.0.0.5', 'http://10.0.0.5:4711'],
    ['fd00::5', 'http://[fd00::5]:4711'],
  ])('uses the actual port when the service listens on %s', (address, reachableUrl) => {
    expect(addressOf({ address, port: 4711 }, { PORT: '0' })).toMatchObject({
      publicUrl: 'http://localhost:4711',
      reachableUrl,
    });
  });

  it('uses the public URL for browsers, and the local address for the service itself', () => {
    expect(addressOf({ address: '0.0.0.0', port: 4711 }, PUBLIC)).toMatchObject({
      publicUrl: 'https://wholesale.example.com',
      reachableUrl: 'http://127.0.0.1:4711',
    });
  });

  it('uses the configured address for a command, which does not listen', () => {
    expect(addressOf(undefined, { PORT: '4711' }).reachableUrl).toBe('http://127.0.0.1:4711');
    expect(addressOf(undefined, PUBLIC).reachableUrl).toBe('https://wholesale.example.com');
  });

  it('uses the port of the service that has the same directory', () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'own-address-'));
    addressOf({ address: '0.0.0.0', port: 4711 }, { DATA_DIR }).keepPort();
    expect(addressOf(undefined, { DATA_DIR }).publicUrl).toBe('http://localhost:4711');
    const elsewhere = { DATA_DIR, DATABASE_URL: 'postgres://db/wholesale' };
    expect(addressOf(undefined, elsewhere).publicUrl).toBe('http://localhost:3000');
    rmSync(DATA_DIR, { recursive: true });
  });
});
