import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Global, Inject, Injectable, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SETTINGS, type Settings } from '../settings/settings.js';

/** Addresses that a server listens on for "all of this machine", and the address that a client uses. */
const OF_ALL: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The addresses of the service: origins, without a slash at the end. */
@Injectable()
export class OwnAddress {
  constructor(
    private readonly http: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** For browsers and gateways. */
  get publicUrl(): string {
    return this.settings.publicUrl ?? `http://localhost:${this.listening?.port ?? portOf(this.settings)}`;
  }

  /** For requests from this machine: this process if it listens, else the service that the settings name. */
  get reachableUrl(): string {
    const { listening } = this;
    if (listening) return originOf(listening.address, listening.port);
    return this.settings.publicUrl ?? originOf(this.settings.host, portOf(this.settings));
  }

  /** For commands in another terminal, which may have another `PORT`. */
  keepPort(): void {
    writeFileSync(portFile(this.settings), String(this.listening!.port));
  }

  private get listening(): AddressInfo | null {
    const server = this.http.httpAdapter?.getHttpServer() as { address(): AddressInfo | null } | undefined;
    return server?.address() ?? null;
  }
}

const portFile = ({ dataDir }: Pick<Settings, 'dataDir'>) => join(dataDir, 'port');

/** The port at which the service of this directory listens, or listened last. */
function portOf(settings: Settings): number {
  if (settings.databaseUrl !== undefined) return settings.port;
  try {
    return Number(readFileSync(portFile(settings), 'utf8')) || settings.port;
  } catch {
    return settings.port;
  }
}

function originOf(address: string, port: number): string {
  const host = OF_ALL[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

@Global()
@Module({ providers: [OwnAddress], exports: [OwnAddress] })
export class OwnAddressModule {}
