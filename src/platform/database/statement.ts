/** A statement that the server parses and plans once for each connection. The name must be unique in the service. */
export interface Statement {
  name: string;
  text: string;
}
