import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links by which people choose a password: an invitation and a reset of each at most. */
export class PersonLinks1700000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE person_links (
        person_id integer NOT NULL,
        kind text NOT NULL,
        hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        ends_at timestamptz NOT NULL,
        mail_id uuid,
        CONSTRAINT person_links_pk PRIMARY KEY (person_id, kind),
        CONSTRAINT person_links_person_fk FOREIGN KEY (person_id) REFERENCES people (id),
        CONSTRAINT person_links_hash_unique UNIQUE (hash),
        CONSTRAINT person_links_kind_known CHECK (kind IN ('invitation', 'reset'))
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE person_links');
  }
}
