import { ApiProperty } from '@nestjs/swagger';
import { StockRecordResponse } from './stock-record.response.js';

export class StockResponse extends StockRecordResponse {
  @ApiProperty({ example: true })
  success: boolean;
}
