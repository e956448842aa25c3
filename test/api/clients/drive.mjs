/** Runs calls of a client one after the other, without real pauses. Prints what each returned or threw. */
const [file, job] = process.argv.slice(2);
const { Wholesale } = await import(file);
const { url, token, domain, timeout, attempts, headers, calls } = JSON.parse(job);
const pauses = [];
const sleep = async (seconds) => void pauses.push(seconds);
const api = new Wholesale(url, token, domain, { timeout, attempts, sleep, headers });
const results = [];
for (const [method, ...args] of calls) {
  try {
    const result = await api[method](...args);
    results.push({ result: result instanceof Uint8Array ? Buffer.from(result).toString('base64') : result });
  } catch ({ status = null, body = null, message }) {
    results.push({ error: { status, body, message } });
  }
}
process.stdout.write(JSON.stringify({ results, pauses }));
