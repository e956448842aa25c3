import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response, Router } from 'express';
import helmet from 'helmet';
import { createOpenApiDocument } from './openapi-document.js';

/** Swagger UI at /docs, its document at /docs/openapi.json. */
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
  const adapter = new ExpressAdapter(pages);
  const host = Object.assign(Object.create(app) as NestExpressApplication, { getHttpAdapter: () => adapter });
  SwaggerModule.setup('docs', host, () => createOpenApiDocument(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Wholesale Order API',
    swaggerOptions: {
      displayRequestDuration: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
    },
  });
}

const PAGE_POLICY = {
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  // The page is also read over plain HTTP, from a laptop or inside a cluster.
  'upgrade-insecure-requests': null,
};
