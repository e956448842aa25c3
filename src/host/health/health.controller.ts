import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Open } from '../../platform/access/access-rule.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { Readiness } from './readiness.js';

class HealthResponse {
  @ApiProperty({ example: 'ok', enum: ['ok'] })
  status: string;
}

@ApiTags('Health')
@ApiErrors('malformed_request')
@Open()
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({
    operationId: 'isLive',
    summary: 'Does the process answer?',
    description: 'Whatever the database does; to be restarted if not.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse })
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'isReady',
    summary: 'May requests be sent here?',
    description:
      'Not while the database is away or being restored, and not while the service is shutting down.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse })
  @ApiErrors('unavailable')
  async ready(): Promise<HealthResponse> {
    await this.readiness.check();
    return { status: 'ok' };
  }
}
