/** One fault of one field, as it stands in the `errors` of a 422. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
  [fact: string]: unknown;
}
