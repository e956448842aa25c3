import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { ServerModule } from './server.module.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { mountDocs } from '../api/docs/mount-docs.js';
import type { Settings } from '../platform/settings/settings.js';
import { ErrorFilter } from '../platform/http/error-filter.js';
import { Firm } from '../platform/settings/firm.js';
import { FastExpressAdapter } from '../platform/http/express-adapter.js';
import { identifyRequest } from '../platform/http/identify-request.js';
import { JsonLogger } from './observability/log-output.js';
import { RequestObserver } from './observability/request-observer.js';
import { answerBrokenRequests } from '../platform/http/answer-broken-requests.js';

interface AppOptions {
  logger?: LoggerService | false;
}

/** The application for production and for tests: filters and docs are set up only here. */
export async function createApp(
  settings: Settings,
  databaseUrl: string,
  { logger = new JsonLogger() }: AppOptions = {},
): Promise<NestExpressApplication> {
  const adapter = new FastExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(settings, databaseUrl, ServerModule.with(settings)),
    adapter,
    {
      bodyParser: false,
      abortOnError: false,
      logger,
    },
  );
  const observer = app.get(RequestObserver);
  adapter.observe((response) => observer.answered(response));
  app.set('trust proxy', settings.trustProxy);
  // The frames of pages find it there.
  app.set('firm', app.get(Firm));
  app.use(identifyRequest);
  app.useGlobalFilters(new ErrorFilter());
  mountDocs(app);
  answerBrokenRequests(app.getHttpServer());
  return app;
}
