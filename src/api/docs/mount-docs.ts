import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import { KeptFile } from '../../platform/http/representation.js';
import { sendRepresentation } from '../../platform/http/send-answer.js';
import { codeSamplesPlugin } from './code-samples.js';
import { createAdminDocument } from './admin-document.js';
import { createOpenApiDocument } from './openapi-document.js';

/** The files of the package that the page loads. */
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

/** Swagger UI at /docs, its document at /docs/openapi.json. */
export function mountDocs(app: NestExpressApplication): void {
  const pages = Router({ caseSensitive: true, strict: true });
  // Express tries patterns one by one. A router of its own costs other requests only one test.
  app.use((request: Request, response: Response, next: NextFunction) =>
    request.url.startsWith('/docs') ? pages(request, response, next) : next(),
  );
  // The page has inline styles. Only this page gets the weaker policy.
  pages.use(
    '/docs',
    helmet({ contentSecurityPolicy: { directives: PAGE_POLICY }, strictTransportSecurity: false }),
  );
  const [document, adminDocument] = [createOpenApiDocument, createAdminDocument].map((create) =>
    lazily(() => create(app)),
  ) as [() => OpenAPIObject, () => OpenAPIObject];
  serveDocument(pages, '/docs/openapi.json', document);
  serveDocument(pages, '/docs/admin/openapi.json', adminDocument);
  const adapter = new ExpressAdapter(pages);
  // Own properties, because the proxy of Nest's application drops assignments.
  const host = Object.create(app, {
    getHttpAdapter: { value: () => adapter },
    // Nest would let Express read the whole package from disk, at each request.
    useStaticAssets: { value: (directory: string) => serveFiles(pages, directory) },
  }) as NestExpressApplication;
  SwaggerModule.setup('docs/admin', host, adminDocument, {
    raw: false,
    customSiteTitle: 'Wholesale Admin API',
    swaggerOptions: { ...OPTIONS, docExpansion: 'none' },
  });
  SwaggerModule.setup('docs', host, document, {
    raw: false,
    customSiteTitle: 'Wholesale Order API',
    customCss: CODE_SAMPLES,
    swaggerOptions: { ...OPTIONS, docExpansion: 'list', plugins: [codeSamplesPlugin] },
  });
}

const OPTIONS = {
  displayRequestDuration: true,
  // A reload keeps the token.
  persistAuthorization: true,
  defaultModelsExpandDepth: 0,
};

function serveDocument(pages: Router, path: string, document: () => OpenAPIObject): void {
  const file = lazily(
    () => new KeptFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(document()))),
  );
  pages.get(path, (_, response) => sendRepresentation(response, file()));
}

function serveFiles(pages: Router, directory: string): void {
  for (const [name, type] of Object.entries(FILES)) {
    const file = new KeptFile(type, readFileSync(join(directory, name)));
    for (const folder of ['/docs', '/docs/admin'])
      pages.get(`${folder}/${name}`, (_, response) => sendRepresentation(response, file));
  }
}

/** The document describes all routes, so it is made at the first request, when they all exist. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

const CODE_SAMPLES =
  '.code-samples summary { cursor: pointer; font: 600 14px sans-serif; padding: 4px 0; } ' +
  '.code-samples > .opblock-description-wrapper pre { overflow: auto; padding: 10px; background: #f4f4f4; }';

const PAGE_POLICY = {
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  // The page is also served over plain HTTP, on a laptop or in a cluster.
  'upgrade-insecure-requests': null,
};
