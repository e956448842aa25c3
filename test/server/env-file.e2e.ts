import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setUpDatabase } from '../support/suite-database.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { INSTALLED_CLI } from '../support/run-command.js';
import { runNode } from '../support/run-node.js';
import { ServiceProcess } from '../support/service-process.js';

describe('A .env file in the working directory', () => {
  const database = setUpDatabase();
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await realpath(await makeOpenDirectory('env-'));
    file = join(directory, '.env');
  });
  afterEach(async () => {
    await ServiceProcess.killAll();
    await rm(directory, { recursive: true, force: true });
  });
  const command = (...args: string[]) => runNode([INSTALLED_CLI, ...args], {}, directory);

  it('sets missing variables, and the service names them without their values', async () => {
    await writeFile(file, `DATABASE_URL=${database.serviceUrl}\nCURRENCY=EUR\nRATE_LIMIT_PER_MINUTE=1000\n`);
    const store = await database.fixtures.store();
    const service = ServiceProcess.spawn({ CURRENCY: 'USD' }, directory);
    const answer = await fetch(`${await service.listening()}/api/plan`, { headers: store.headers });
    expect([answer.status, answer.headers.get('RateLimit-Limit')]).toEqual([200, '1000']);
    expect(await answer.text()).toContain('USD');
    expect(service.output).toContain(`Read from ${file}: DATABASE_URL, RATE_LIMIT_PER_MINUTE.\n`);
    expect(service.output).not.toContain(new URL(database.serviceUrl).password);
  });

  it('applies to commands, which name the variables on stderr, but not with --json', async () => {
    await writeFile(file, `DATABASE_URL=${database.serviceUrl}\n`);
    const notice = await command('key', 'list');
    expect(notice).toMatchObject({ exitCode: 0, stderr: `Read from ${file}: DATABASE_URL.\n` });
    const scripted = await command('key', 'list', '--json');
    expect(scripted).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(scripted.stdout)).toBeInstanceOf(Array);
  });

  it('may have names that are no settings of the service, which are told', async () => {
    await writeFile(file, `DATABASE_URL=${database.serviceUrl}\nRATE_LIMIT=5\nTZ_NAME=x\n`);
    const { exitCode, stderr } = await command('key', 'list');
    expect([exitCode, stderr]).toEqual([
      0,
      `Read from ${file}: DATABASE_URL, RATE_LIMIT, TZ_NAME. ` +
        'No settings of this service: RATE_LIMIT, TZ_NAME.\n',
    ]);
  });

  it('is checked like the environment', async () => {
    await writeFile(file, 'PORT=many\nCURRENCY=rupees\n');
    const service = ServiceProcess.spawn({}, directory);
    expect(await service.ended).toBe(1);
    expect(service.output).toContain('- CURRENCY must');
    // The environment of a spawned service sets the port.
    expect(service.output).not.toContain('- PORT must');
  });

  it('is reported when it cannot be read', async () => {
    await mkdir(file);
    const { exitCode, stderr } = await command('key', 'list', '--json');
    expect([exitCode, JSON.parse(stderr)]).toEqual([
      1,
      { code: 'wrong_settings', message: expect.stringContaining(`The file ${file} cannot be read`) },
    ]);
  });
});
