import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** A constant by which a program distinguishes an answer from an error. */
export const AlwaysTrue = (description = 'Always true. Errors have `false`.') =>
  ApiProperty({ description, type: Boolean, enum: [true], example: true });

export const TimeField = (description: string, example: string, more: { required?: false } = {}) =>
  ApiProperty({ description, type: String, format: 'date-time', example, ...more });

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

export const TextField = (description: string, example: string) =>
  ApiProperty({ description, type: String, example });

/** Sentences for a person. A program shows them, and does not parse them. */
export const WarningsField = (description: string, example: string[]) =>
  ApiPropertyOptional({ description, type: [String], example });

export const AmountField = (description: string, example: number) =>
  ApiProperty({ description, type: Number, example });

export const FlagField = (description: string, example: boolean) =>
  ApiProperty({ description, type: Boolean, example });

export const ChoiceField = (description: string, values: readonly string[], example = values[0]) =>
  ApiProperty({ description, enum: [...values], example });

export const DayOrNull = (description: string, example: string | null) =>
  ApiProperty({ description, type: String, format: 'date', nullable: true, example });

/** One of these names. Several routes share the schema by its name. */
export const NameField = (description: string, names: readonly string[], enumName?: string) =>
  ApiProperty({
    description,
    enum: names as string[],
    ...(enumName === undefined ? { example: names[0] } : { enumName }),
  });
