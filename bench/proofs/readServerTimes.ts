const ROUTE = 'GET /api/audit/records/:id/proof'

/** The service's own metrics about proofs since it started, and its CPU time. */
export type ServerTimes = {
  readonly answers: number
  /** Responses that took at most 1 ms, from the head of the request to the end of the response. */
  readonly withinMillisecond: number
  readonly seconds: number
  readonly cpuSeconds: number
}

/** Reads the service's own timings from its metrics, which exclude delays of the client. */
export async function readServerTimes(url: string): Promise<ServerTimes> {
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
