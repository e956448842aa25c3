import { Controller, Get, Injectable, Logger } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Open } from '../platform/access/access-rule.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { ApiErrors } from '../platform/http/api-errors.decorator.js';
import { VERSION } from '../platform/version.js';
import { SnapshotService } from '../read-model/snapshot/snapshot.service.js';

/**
 * The time for which an answer of the database is reused. Balancers ask every few seconds; anyone may ask.
 */
const REUSED_MS = 1_000;

/** A node is ready if its database can be written and has the schema, and the node is not stopping. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  private stopping = false;
  private fault: string | undefined;
  private answer: Promise<unknown> | undefined;

  constructor(
    private readonly database: Database,
    private readonly snapshot: SnapshotService,
  ) {}

  /** Balancers then use other nodes. */
  stop(): void {
    this.stopping = true;
  }

  async check(): Promise<void> {
    this.checkReads();
    await (this.answer ??= this.ask());
  }

  /** Without its database a node still serves reads, until the snapshot is too old. */
  checkReads(): void {
    this.refuseWhileStopping();
    this.snapshot.current();
  }

  private refuseWhileStopping(): void {
    if (this.stopping)
      throw new DomainError('unavailable', 'This node is shutting down.', { retryAfterSeconds: 1 });
  }

  /** One query at a time, however many callers ask. */
  private async ask(): Promise<void> {
    try {
      await this.database.ping();
      if (this.fault !== undefined) this.logger.log('The database works again.');
      this.fault = undefined;
    } catch (error) {
      this.logOnce(error as DomainError);
      throw error;
    } finally {
      setTimeout(() => (this.answer = undefined), REUSED_MS).unref();
    }
  }

  /** The same fault is logged once until the database works again. */
  private logOnce({ message, cause }: DomainError): void {
    if (message !== this.fault) this.logger.error(`Not ready: ${message}`, String(cause));
    this.fault = message;
  }
}

class HealthResponse {
  @ApiProperty({ example: 'ok', enum: ['ok'] })
  status: string;
}

class LiveResponse extends HealthResponse {
  @ApiProperty({ description: 'The version of the service on this node.', example: '1.0.0' })
  version: string;
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
    description: 'Does not ask the database. Restart the process if it does not answer.',
    security: [],
  })
  @ApiOkResponse({ type: LiveResponse })
  live(): LiveResponse {
    return { status: 'ok', version: VERSION };
  }

  @Get('serving')
  @ApiOperation({
    operationId: 'isServing',
    summary: 'Should a balancer send requests here?',
    description:
      'Not while the service is shutting down. While the database is away, catalog and stock are still ' +
      'answered for a while, and orders with `unavailable`.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse })
  @ApiErrors('unavailable')
  serving(): HealthResponse {
    this.readiness.checkReads();
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'isReady',
    summary: 'Can everything be served here?',
    description:
      'Not while the database is away, full, read-only or being restored, and not while the service is ' +
      'shutting down.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse })
  @ApiErrors('unavailable')
  async ready(): Promise<HealthResponse> {
    await this.readiness.check();
    return { status: 'ok' };
  }
}
