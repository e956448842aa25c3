import { ApiProperty } from '@nestjs/swagger';

/** A constant by which a program distinguishes an answer from an error. */
export const AlwaysTrue = (description = 'Always true. Errors have `false`.') =>
  ApiProperty({ description, type: Boolean, enum: [true], example: true });

export const TimeField = (description: string, example: string) =>
  ApiProperty({ description, format: 'date-time', example });

export const TextOrNull = (description: string, example: string) =>
  ApiProperty({ description, type: String, nullable: true, example });
