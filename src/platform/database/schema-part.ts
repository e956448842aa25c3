import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that only runs statements. There is no way down, because it would drop the data. */
export abstract class SchemaPart implements MigrationInterface {
  protected abstract readonly statements: readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of this.statements) await runner.query(statement);
  }

  down(): never {
    throw new Error('A migration cannot be reverted. Restore a backup.');
  }
}
