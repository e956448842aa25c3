import { ApiProperty } from '@nestjs/swagger';

/** A constant by which a program distinguishes an answer from an error. */
export const AlwaysTrue = (description = 'Always true. Errors have `false`.') =>
  ApiProperty({ description, type: Boolean, enum: [true], example: true });

export const TimeField = (description: string, example: string) =>
  ApiProperty({ description, format: 'date-time', example });

export const TextOrNull = (description: string, example: string | null) =>
  ApiProperty({ description, type: String, nullable: true, example });

export const TimeOrNull = (description: string, example: string | null) =>
  ApiProperty({ description, type: String, format: 'date-time', nullable: true, example });

export const WholeNumberField = (description: string, example: number) =>
  ApiProperty({ description, type: 'integer', example });

export const CountField = (description: string, example: number) =>
  ApiProperty({ description, type: 'integer', minimum: 0, example });

export const WholeNumberOrNull = (description: string, example: number | null) =>
  ApiProperty({ description, type: 'integer', nullable: true, example });

export const AmountOrNull = (description: string, example: number | null) =>
  ApiProperty({ description, type: Number, nullable: true, example });
