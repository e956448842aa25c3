import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readiness } from '../../src/host/health.controller.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { type Run, runProgram } from '../support/run-node.js';
import { startTestApp } from '../support/test-app.js';

/** Checks without a container engine that the Dockerfile fits this repository. */
describe('The container image', () => {
  const read = (name: string) => readFileSync(join(process.cwd(), name), 'utf8');
  const recipe = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const lastStage = recipe.slice(recipe.findLastIndex((line) => line.startsWith('FROM')));
  const copied = recipe
    .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));

  it('copies only files that exist and that the ignore file admits', () => {
    const letThrough = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const name of copied.map((path) => path.replace('./', ''))) {
      expect([name, existsSync(name)]).toEqual([name, true]);
      expect(letThrough).toContain(name);
    }
  });

  it('builds with every file that configures the build', () => {
    const { compilerOptions } = JSON.parse(read('nest-cli.json')) as {
      compilerOptions: { tsConfigPath: string };
    };
    expect(copied).toEqual(
      expect.arrayContaining([
        'package.json',
        'package-lock.json',
        'nest-cli.json',
        compilerOptions.tsConfigPath,
        'ormconfig.ts',
        'src',
      ]),
    );
  });

  it('runs the same file as start:prod, not as root', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const command = JSON.stringify(scripts['start:prod']!.replace('exec ', '').split(' '));
    expect(lastStage).toContain(`CMD ${command.replaceAll('","', '", "')}`);
    expect(lastStage).toContain('USER node');
  });

  /** Runs the health check of the image, with only the variables that the image sets. */
  const checkHealth = (env: Record<string, string> = {}, ...nodeOptions: string[]): Promise<Run> => {
    const line = lastStage.find((each) => each.startsWith('HEALTHCHECK'))!;
    const [program, ...args] = JSON.parse(line.slice(line.indexOf('CMD') + 3)) as string[];
    expect(program).toBe('node');
    return runProgram(process.execPath, [...nodeOptions, ...args], { ...settings(), ...env });
  };

  const settings = () =>
    Object.fromEntries(
      lastStage
        .filter((line) => line.startsWith('ENV'))
        .flatMap((line) => line.split(/\s+/).slice(1))
        .map((setting) => setting.split('=') as [string, string]),
    );

  it('has a health check that asks the port on which the service listens', async () => {
    const tell =
      'data:text/javascript,globalThis.fetch = async (url) => (console.log(String(url)), { ok: true })';
    const { stdout } = await checkHealth({}, '--import', tell);
    const [, port] = lastStage.find((line) => line.startsWith('EXPOSE'))!.split(' ');
    expect(stdout.trim()).toBe(`http://127.0.0.1:${port}/health/ready`);
    expect(readSettings(settings())).toMatchObject({ port: Number(port), host: '0.0.0.0' });
  });

  it('is healthy while the service is ready, and unhealthy otherwise', async () => {
    const test = await startTestApp();
    const { port } = new URL(test.url);
    expect((await checkHealth({ PORT: port })).exitCode).toBe(0);
    test.app.get(Readiness).stop();
    expect((await checkHealth({ PORT: port })).exitCode).toBe(1);
    await test.close();
    expect((await checkHealth({ PORT: port })).exitCode).toBe(1);
  });

  it('is built from one pinned image of a supported Node version', () => {
    const [base, ...stages] = recipe.filter((line) => line.startsWith('FROM'));
    expect(base).toMatch(/^FROM node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64} AS base$/);
    expect(stages.filter((line) => !line.startsWith('FROM base'))).toEqual([]);
  });

  it('runs its nodes with the service role, after the owner of the tables has granted the rights', () => {
    const compose = read('compose.yaml');
    const roles = [...compose.matchAll(/CREATE ROLE (\w+) LOGIN PASSWORD/g)].map(([, role]) => role);
    expect(roles).toEqual(['wholesale_owner', 'wholesale_service']);
    expect(compose).toContain('CREATE DATABASE wholesale OWNER wholesale_owner');
    const service = (name: string) => new RegExp(`\\n  ${name}:.*?(?=\\n\\n)`, 's').exec(compose)![0];
    const userOf = (name: string) => /postgres:\/\/(\w+):/.exec(service(name))![1];
    expect(userOf('migrate')).toBe('wholesale_owner');
    expect(service('migrate')).toContain(`command: ['node', 'dist/src/cli.js', 'migrate']`);
    expect(service('rights')).toContain('migrate: { condition: service_completed_successfully }');
    expect(service('rights')).toContain('PGUSER: wholesale_owner');
    expect(compose).toContain('  rights:\n    file: docs/service-role.sql');
    expect(userOf('node-1')).toBe('wholesale_service');
    expect(service('node-1')).toContain('rights: { condition: service_completed_successfully }');
    expect(service('node-2')).toContain('*node');
    expect(compose).not.toMatch(/POSTGRES_USER|\bSUPERUSER\b/);
  });

  it('contains only production dependencies', () => {
    const installs = recipe.filter((line) => line.includes('npm ci'));
    expect(installs.at(-1)).toContain('--omit=dev');
    expect(lastStage.filter((line) => line.includes('node_modules'))).toEqual([
      'COPY --from=dependencies /app/node_modules ./node_modules',
    ]);
  });
});
