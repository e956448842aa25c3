import type { AddressInfo } from 'node:net';
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
    return this.settings.publicUrl ?? `http://localhost:${this.listening?.port ?? this.settings.port}`;
  }

  /** For this process if it listens. The wholesaler's commands look for a service on the same machine. */
  get reachableUrl(): string {
    const { listening } = this;
    if (listening) return originOf(listening.address, listening.port);
    return this.settings.publicUrl ?? originOf(this.settings.host, this.settings.port);
  }

  private get listening(): AddressInfo | null {
    const server = this.http.httpAdapter?.getHttpServer() as { address(): AddressInfo | null } | undefined;
    return server?.address() ?? null;
  }
}

function originOf(address: string, port: number): string {
  const host = OF_ALL[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

@Global()
@Module({ providers: [OwnAddress], exports: [OwnAddress] })
export class OwnAddressModule {}
