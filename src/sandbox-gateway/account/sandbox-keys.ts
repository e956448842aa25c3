import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SandboxAccount } from './sandbox-account.entity.js';

@Injectable()
export class SandboxKeys {
  private known: Promise<SandboxAccount> | undefined;

  constructor(@InjectRepository(SandboxAccount) private readonly accounts: Repository<SandboxAccount>) {}

  /** They never change, so they are read once. */
  read(): Promise<SandboxAccount> {
    return (this.known ??= this.accounts.findOneOrFail({ where: {} }).catch((error: unknown) => {
      this.known = undefined;
      throw error;
    }));
  }
}
