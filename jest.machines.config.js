import base from './jest.config.js';

/** The service on a PostgreSQL of three machines, one of which dies: etcd, Patroni, HAProxy, nginx and PgBouncer as processes. */
export default {
  ...base,
  roots: ['<rootDir>/test/machines'],
  testMatch: ['**/*.machine.ts'],
  maxWorkers: 1,
};
