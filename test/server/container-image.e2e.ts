import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import request from 'supertest';
import { Readiness } from '../../src/server/health.controller.js';
import { readSettings } from '../../src/platform/settings/settings.js';
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
    expect(stdout.trim()).toBe(`http://127.0.0.1:${port}/health/live`);
    expect(readSettings(settings())).toMatchObject({ port: Number(port), host: '0.0.0.0' });
  });

  /** An orchestrator replaces unhealthy containers. A node without its database still answers reads. */
  it('is healthy while the process answers, also when it is not ready, and unhealthy otherwise', async () => {
    const test = await startTestApp();
    const { port } = new URL(test.url);
    expect((await checkHealth({ PORT: port })).exitCode).toBe(0);
    test.app.get(Readiness).stop();
    await request(test.url).get('/health/ready').expect(503);
    expect((await checkHealth({ PORT: port })).exitCode).toBe(0);
    await test.close();
    expect((await checkHealth({ PORT: port })).exitCode).toBe(1);
  });

  it('is built from one pinned image of a supported Node version', () => {
    const [base, ...stages] = recipe.filter((line) => line.startsWith('FROM'));
    expect(base).toMatch(/^FROM node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64} AS base$/);
    expect(stages.filter((line) => !line.startsWith('FROM base'))).toEqual([]);
  });

  it('holds the rights of the service role, so that a migration can grant them', () => {
    const { compilerOptions } = JSON.parse(read('nest-cli.json')) as {
      compilerOptions: { assets: { include: string; outDir: string }[] };
    };
    expect(compilerOptions.assets).toContainEqual({ include: 'platform/database/*.sql', outDir: 'dist/src' });
    expect(lastStage).toContain('COPY --from=build /app/dist ./dist');
    expect(read('src/platform/database/service-role.sql')).toMatch(/^GRANT .* TO wholesale_service;$/m);
  });

  it('contains what the guide shows', () => {
    expect(read('nest-cli.json')).toContain('"api/guide/*.md"');
    expect(lastStage).toContain('COPY examples ./examples');
    expect(lastStage).toContain('COPY package.json CHANGELOG.md ./');
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    expect(files).toEqual(expect.arrayContaining(['examples', 'CHANGELOG.md']));
  });

  it('contains only production dependencies', () => {
    const installs = recipe.filter((line) => line.includes('npm ci'));
    expect(installs.at(-1)).toContain('--omit=dev');
    expect(lastStage.filter((line) => line.includes('node_modules'))).toEqual([
      'COPY --from=dependencies /app/node_modules ./node_modules',
    ]);
  });
});

interface ComposeService {
  image: string;
  build?: string;
  command?: string[];
  entrypoint?: string[];
  environment: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  profiles?: string[];
  depends_on: Record<string, { condition: string }>;
  configs: { source: string; target: string }[];
  stop_grace_period: string;
  volumes?: string[];
  user?: string;
  restart?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
}

interface Compose {
  services: Record<string, ComposeService>;
  configs: Record<string, { file: string }>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
}

/** The places that programs write. Nodes keep uploads, and files with slow readers, in /tmp. */
const WRITTEN: Record<string, string[]> = {
  database: ['/tmp', '/run/postgresql', '/var/lib/postgresql'],
  balancer: ['/config', '/data'],
  cli: ['/tmp', './files:/files:ro'],
};

/** Checks without a container engine that compose.yaml fits the image and the settings. */
describe('compose.yaml', () => {
  const text = readFileSync(join(process.cwd(), 'compose.yaml'), 'utf8');
  const given = { POSTGRES_PASSWORD: 'p1', OWNER_PASSWORD: 'p2', SERVICE_PASSWORD: 'p3' };

  /** Compose replaces variables after it has read the file. */
  const read = (variables: Record<string, string> = given): Compose => {
    const fill = (value: unknown): unknown => {
      if (typeof value === 'string')
        return value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name: string, other = '') => {
          return variables[name] ?? (other as string);
        });
      if (Array.isArray(value)) return value.map(fill);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
    };
    return fill(load(text, { schema: CORE_SCHEMA.withTags(mergeTag) })) as Compose;
  };

  const { services, configs, networks } = read();
  const roles = readFileSync(configs.roles!.file, 'utf8');
  const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

  it('runs one image as migration, two nodes and commands', () => {
    expect(ours.map(([name, { image, build }]) => [name, image, build])).toEqual(
      ['migrate', 'node-1', 'node-2', 'cli'].map((name) => [name, 'wholesale-order-api', '.']),
    );
    expect(services['node-2']).toEqual(services['node-1']);
    expect(services['node-1']).not.toHaveProperty('command');
    expect(services.migrate!.command).toEqual(['node', 'dist/src/cli.js', 'migrate']);
    // Another working directory holds the files.
    expect(services.cli).toMatchObject({
      entrypoint: ['node', '/app/dist/src/cli.js'],
      profiles: ['commands'],
      volumes: ['/tmp', './files:/files:ro'],
    });
    for (const file of ['main', 'cli']) expect(existsSync(`src/${file}.ts`)).toBe(true);
  });

  it('runs nodes and commands with the service role, after the owner of the tables has migrated', () => {
    const created = [...roles.matchAll(/CREATE ROLE (\w+) LOGIN PASSWORD :'(\w+)'/g)];
    expect(created.map(([, role, password]) => [role, password])).toEqual([
      ['wholesale_owner', 'owner_password'],
      ['wholesale_service', 'service_password'],
    ]);
    for (const [, , password] of created)
      expect(roles).toContain(`\\getenv ${password} ${password!.toUpperCase()}`);
    expect(services.database!.environment).toMatchObject({ OWNER_PASSWORD: 'p2', SERVICE_PASSWORD: 'p3' });
    expect(roles).toContain('CREATE DATABASE wholesale OWNER wholesale_owner;');
    const loginOf = (name: string) => new URL(services[name]!.environment.DATABASE_URL!);
    expect(loginOf('migrate').href).toBe('postgres://wholesale_owner:p2@database:5432/wholesale');
    for (const name of ['node-1', 'node-2', 'cli'])
      expect(loginOf(name).href).toBe('postgres://wholesale_service:p3@database:5432/wholesale');
    expect(services['node-1']!.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
    });
    expect(JSON.stringify(services['node-1'])).not.toContain('p2');
    expect(JSON.stringify(services.cli)).not.toContain('p2');
  });

  it('gives each container settings that the service knows and accepts', () => {
    const known = readFileSync('.env.example', 'utf8').match(/^\w+(?==)/gm);
    for (const [name, { environment, env_file: files }] of ours) {
      const { WHOLESALE_URL, WHOLESALE_KEY, ...settingsOfService } = environment;
      expect(WHOLESALE_URL).toBe(name === 'cli' ? 'http://node-1:3000' : undefined);
      expect(known).toEqual(expect.arrayContaining(Object.keys(settingsOfService)));
      const settings = readSettings({
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        PORT: '3000',
        ...environment,
      });
      if (name === 'migrate') {
        // The settings of nodes need others that a migration has not.
        expect(files).toEqual([]);
        continue;
      }
      expect(files).toEqual([{ path: 'service.env', required: false }]);
      expect(settings).toMatchObject({
        publicUrl: 'https://localhost',
        trustProxy: [networks.default.ipam.config[0]!.subnet],
        paymentGateway: { name: 'none' },
      });
      const [drain, grace] = [settings.shutdownDrainSeconds, settings.shutdownGraceSeconds];
      expect(drain).toBeLessThan(grace);
      if (name !== 'cli') expect(Number.parseInt(services[name]!.stop_grace_period)).toBeGreaterThan(grace);
    }
  });

  it('requires a password for each role', () => {
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    expect(required).toEqual(Object.keys(given));
    expect(text).not.toMatch(/POSTGRES_USER|\bSUPERUSER\b/);
  });

  it('ends TLS at the public address, in front of all nodes', () => {
    const caddyfile = readFileSync(configs.caddyfile!.file, 'utf8');
    expect(services.balancer!.configs).toEqual([{ source: 'caddyfile', target: '/etc/caddy/Caddyfile' }]);
    expect(Object.values(services.balancer!.depends_on)).toEqual([
      { condition: 'service_healthy' },
      { condition: 'service_healthy' },
    ]);
    expect(caddyfile).toMatch(/^\{\$PUBLIC_URL\} \{\n\treverse_proxy node-1:3000 node-2:3000 \{/m);
    expect(caddyfile).toContain('redir /dashboard* {$PUBLIC_URL}{uri}');
    const addressOf = (variables: Record<string, string>) =>
      read(variables).services.balancer!.environment.PUBLIC_URL;
    expect(addressOf(given)).toBe('https://localhost');
    const real = 'https://wholesale.example.com';
    expect(addressOf({ ...given, PUBLIC_URL: real })).toBe(real);
  });

  describe.each(Object.entries(services))('gives %s', (name, service) => {
    it('only the rights and the memory that it needs', () => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
      });
      // Ports below 1024.
      expect(service.cap_add).toEqual(name === 'balancer' ? ['NET_BIND_SERVICE'] : undefined);
      expect(service).not.toHaveProperty('privileged');
      if (name === 'database') expect(service.user).toBe('postgres');
    });

    it('a place for each file that it writes', () => {
      const places = [service.tmpfs ?? [], service.volumes ?? []].flat();
      expect(places.map((place) => place.replace(/^\w+:|:\w+=.*$/g, ''))).toEqual(WRITTEN[name] ?? ['/tmp']);
    });

    it('a restart, unless it runs once', () => {
      expect(service.restart).toBe(['migrate', 'cli'].includes(name) ? undefined : 'unless-stopped');
    });

    it('an image that cannot be replaced', () => {
      if (service.build === undefined)
        expect(service.image).toMatch(/^\w+:\d+\.\d+(\.\d+)?@sha256:[0-9a-f]{64}$/);
    });
  });

  // Compose refuses the text of a config in the file itself for a service that is read-only.
  it('reads each config from a file', () => {
    for (const { file, ...rest } of Object.values(configs))
      expect([file, existsSync(file), rest]).toEqual([file, true, {}]);
  });
});
