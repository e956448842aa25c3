import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Open } from '../../platform/access/access-rule.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { HealthResponse } from './health.response.js';
import { Readiness } from './readiness.js';

@ApiTags('Health')
@Open()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ operationId: 'isLive', summary: 'Does the process answer?', security: [] })
  @ApiOkResponse({ type: HealthResponse })
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'isReady',
    summary: 'May requests be sent here?',
    description: 'Not while the database is away and not while the service is shutting down.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse })
  @ApiErrors('unavailable')
  ready(): Promise<HealthResponse> {
    return this.readiness.check();
  }
}
