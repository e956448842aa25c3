/** Which worker somebody is, and what it alone does. */
export interface WorkerTask {
  /** From 1 on. Who takes another's place has its number. */
  number: number;
  /** The first of all fills the demo's database and tells people where the service is. */
  isFirst: boolean;
}

/** What was spent of a client's limit since it was last told, and what is asked for: client, units spent, units wanted, and whether the rest is given back. */
export type Spent = [clientId: number, spent: number, wanted: number, givesBack: boolean];

/** What a worker may spend of it in advance of what it wanted, and what is left for all besides. */
export type Lent = [clientId: number, wanted: number, granted: number, left: number];

/** What the first process tells a worker: each has one field, by whose name it is heard. */
export interface Orders {
  begin: WorkerTask;
  stop: { drainSeconds: number };
  hurry: true;
  tellMetrics: { question: number; withCounts: boolean };
  lend: Lent[];
}

/** What a worker tells the first process. */
export interface Reports {
  /** It hears what it is told from now on: what came before is lost. */
  hears: true;
  listening: true;
  metrics: { question: number; metrics: unknown[] };
  spent: Spent[];
}

/** One of them at a time. */
export type MessageOf<All> = { [Name in keyof All]: { name: Name; value: All[Name] } }[keyof All];
