export interface TokenView {
  readonly id: number;
  readonly clientId: number;
  readonly prefix: string;
  readonly domain: string;
  readonly createdAt: Date;
}
