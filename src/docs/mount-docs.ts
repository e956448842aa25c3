import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import { createOpenApiDocument } from './openapi-document.js';

/** Swagger UI at /docs, its document at /docs/openapi.json. */
export function mountDocs(app: NestExpressApplication): void {
  // The page styles itself inline. Everything else of the policy stays, and only here, for only here are there pages.
  app.use(
    '/docs',
    helmet({ contentSecurityPolicy: { directives: PAGE_POLICY }, strictTransportSecurity: false }),
  );
  SwaggerModule.setup('docs', app, () => createOpenApiDocument(app), {
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
