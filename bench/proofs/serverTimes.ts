const ROUTE = 'GET /api/audit/records/:id/proof'

/** What the service says of its own proofs since it started, and of itself. */
export type ServerTimes = {
  readonly answers: number
  /** Answers that took at most a millisecond, from the request's head to the answer's end. */
  readonly withinMillisecond: number
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Reads the service's own clock from its metrics: what a client adds by waiting for its turn is not in it. */
export async function serverTimes(url: string): Promise<ServerTimes> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const figure = (start: string): number => {
    const line = text.split('\n').find((candidate) => candidate.startsWith(start))
    return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ') + 1))
  }
  return {
    answers: figure(`svc_http_request_seconds_count{route="${ROUTE}"}`),
    withinMillisecond: figure(`svc_http_request_seconds_bucket{le="0.001",route="${ROUTE}"}`),
    seconds: figure(`svc_http_request_seconds_sum{route="${ROUTE}"}`),
    cpuSeconds: figure('process_cpu_seconds_total '),
  }
}
