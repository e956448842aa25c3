import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What each client has ordered and not paid is kept, not counted: a client with thousands of unpaid orders would have them all looked at
 * with every order and every quote. The database keeps it itself, whoever writes orders, and nobody else may.
 */
export class ClientStandings1700000000058 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(LOCKED);
    await runner.query(KEPT);
    await runner.query(FILLED);
    await runner.query('DROP INDEX orders_unpaid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX orders_unpaid ON orders (client_id) INCLUDE (total) WHERE status = 'awaiting_payment';
      DROP TRIGGER placed_counted ON orders;
      DROP TRIGGER moved_counted ON orders;
      DROP TRIGGER deleted_counted ON orders;
      DROP TRIGGER standing ON clients;
      DROP FUNCTION count_placed, count_moved, count_deleted, open_standing, lock_standings;
      DROP TABLE client_standings;`);
  }
}

/** Apart from `clients`, whose rows the snapshots read whenever they change. */
const TABLE = `
  CREATE TABLE client_standings (
    client_id integer NOT NULL,
    unpaid_orders integer NOT NULL DEFAULT 0,
    unpaid_value numeric(24,2) NOT NULL DEFAULT 0,
    CONSTRAINT client_standings_pk PRIMARY KEY (client_id),
    CONSTRAINT client_standings_client_fk FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
    CONSTRAINT client_standings_not_negative CHECK (unpaid_orders >= 0 AND unpaid_value >= 0)
  );`;

/** Nothing here needs rights of whoever causes it, and none leads it astray by a temporary table that is called like ours. */
const AS_THE_OWNER = 'SECURITY DEFINER SET search_path = public, pg_temp';

/** Locking a row takes the right to change it, which the service has not: it may lock by this alone. */
const LOCKED = `
  CREATE FUNCTION lock_standings(clients integer[]) RETURNS SETOF client_standings LANGUAGE sql ${AS_THE_OWNER} AS $$
    SELECT * FROM client_standings WHERE client_id = ANY (clients) ORDER BY client_id FOR UPDATE
  $$;
  REVOKE EXECUTE ON FUNCTION lock_standings FROM PUBLIC;`;

const unpaidOf = (rows: 'before' | 'after', sign: '+' | '-') =>
  `SELECT client_id, ${sign} 1 AS orders, ${sign} total AS value FROM ${rows} WHERE status = 'awaiting_payment'`;

/**
 * Once for each statement, summed up by client, and nothing is touched where nothing became paid or unpaid. The rows are locked in the
 * order of their ids, so that two who move orders of several clients never wait in a circle.
 */
const counting = (name: string, event: string, tables: string, changes: string) => `
  CREATE FUNCTION count_${name}() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  BEGIN
    UPDATE client_standings s
       SET unpaid_orders = s.unpaid_orders + locked.orders, unpaid_value = s.unpaid_value + locked.value
      FROM (SELECT client_id, change.orders, change.value
              FROM client_standings
              JOIN (SELECT client_id, sum(orders) AS orders, sum(value) AS value
                      FROM (${changes}) AS each
                     GROUP BY client_id HAVING sum(orders) <> 0 OR sum(value) <> 0) AS change USING (client_id)
             ORDER BY client_id
               FOR UPDATE OF client_standings) AS locked
     WHERE s.client_id = locked.client_id;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION count_${name} FROM PUBLIC;
  CREATE TRIGGER ${name}_counted AFTER ${event} ON orders REFERENCING ${tables}
    FOR EACH STATEMENT EXECUTE FUNCTION count_${name}();`;

/** The lock keeps orders from being written until those that are there were counted. */
const KEPT = `
  LOCK TABLE clients, orders IN SHARE ROW EXCLUSIVE MODE;
  CREATE FUNCTION open_standing() RETURNS trigger LANGUAGE plpgsql ${AS_THE_OWNER} AS $$
  BEGIN
    INSERT INTO client_standings (client_id) VALUES (NEW.id);
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION open_standing FROM PUBLIC;
  CREATE TRIGGER standing AFTER INSERT ON clients FOR EACH ROW EXECUTE FUNCTION open_standing();
  ${counting('placed', 'INSERT', 'NEW TABLE AS after', unpaidOf('after', '+'))}
  ${counting(
    'moved',
    'UPDATE',
    'OLD TABLE AS before NEW TABLE AS after',
    `${unpaidOf('after', '+')} UNION ALL ${unpaidOf('before', '-')}`,
  )}
  ${counting('deleted', 'DELETE', 'OLD TABLE AS before', unpaidOf('before', '-'))}`;

const FILLED = `
  INSERT INTO client_standings (client_id, unpaid_orders, unpaid_value)
  SELECT c.id, count(o.total), coalesce(sum(o.total), 0)
    FROM clients c LEFT JOIN orders o ON o.client_id = c.id AND o.status = 'awaiting_payment'
   GROUP BY c.id;`;
