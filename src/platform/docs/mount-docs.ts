import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import { OwnAddress } from '../http/own-address.js';
import { sendRepresentation } from '../http/send-answer.js';
import { KeptFile } from '../http/kept-file.js';
import { createOpenApiDocument } from './openapi-document.js';
import { postmanCollection } from './postman-collection.js';

/** What the page loads, and nothing else of the package that it comes in. */
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

/** Swagger UI at /docs, its document at /docs/openapi.json, the same for Postman at /docs/postman.json. */
export function mountDocs(app: NestExpressApplication): void {
  const pages = Router({ caseSensitive: true, strict: true });
  // Express tries one pattern after the other: in a router of their own those of the docs cost every other request one look.
  app.use((request: Request, response: Response, next: NextFunction) =>
    request.url.startsWith('/docs') ? pages(request, response, next) : next(),
  );
  // The page styles itself inline. Everything else of the policy stays, and only here, for only here are there pages.
  pages.use(
    '/docs',
    helmet({ contentSecurityPolicy: { directives: PAGE_POLICY }, strictTransportSecurity: false }),
  );
  const document = lazily(() => createOpenApiDocument(app));
  const openApi = lazily(() => keptJson(document()));
  const postman = lazily(() => keptJson(postmanCollection(document(), app.get(OwnAddress).publicUrl)));
  pages.get('/docs/openapi.json', (_, response) => sendRepresentation(response, openApi()));
  pages.get('/docs/postman.json', (_, response) => sendRepresentation(response, postman()));
  const adapter = new ExpressAdapter(pages);
  // Own properties, because what is assigned to Nest's application is silently dropped by its proxy.
  const host = Object.create(app, {
    getHttpAdapter: { value: () => adapter },
    // Nest would have Express read the package from the disk, all of it and anew with each request.
    useStaticAssets: { value: (directory: string) => serveFiles(pages, directory) },
  }) as NestExpressApplication;
  SwaggerModule.setup('docs', host, document, {
    raw: false,
    customSiteTitle: 'Wholesale Order API',
    swaggerOptions: {
      displayRequestDuration: true,
      // A reload of the page is no reason to look for the token again.
      persistAuthorization: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
    },
  });
}

function serveFiles(pages: Router, directory: string): void {
  for (const [name, type] of Object.entries(FILES)) {
    const file = new KeptFile(type, readFileSync(join(directory, name)));
    pages.get(`/docs/${name}`, (_, response) => sendRepresentation(response, file));
  }
}

function keptJson(value: object): KeptFile {
  return new KeptFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(value)));
}

/** The document tells of all routes, and is made when they are there and somebody wants to know. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

const PAGE_POLICY = {
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  // The page is also read over plain HTTP, from a laptop or inside a cluster.
  'upgrade-insecure-requests': null,
};
