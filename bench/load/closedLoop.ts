import autocannon from 'autocannon'
import type { ClosedLoopJob, ClosedLoopResult } from './closedLoopJob.ts'
import { respondToParent } from './respondToParent.ts'
import { signRequests } from './signRequests.ts'

/** How long a response may take, which it does on a busy machine with a slow disk and cold code. */
const TIMEOUT_SECONDS = 60

/**
 * Sends a number of requests, each connection one at a time and as fast as responses arrive.
 *
 * The load ends after a number of requests rather than a time, because requests in flight at a deadline would leave it
 * unknown how many the server recorded.
 */
function sendClosedLoop({ url, request, connections, amount }: ClosedLoopJob): Promise<ClosedLoopResult> {
  // Signed before the clock starts, one signature for each request of each connection.
  const share = Math.ceil(amount / connections)
  const signed = request.signer ? signRequests(request, request.signer, share * connections) : []
  let clients = 0
  return new Promise((resolve, reject) => {
    let notOk = 0
    const load = autocannon(
      {
        url: `${url}${request.path}`,
        method: request.method ?? 'POST',
        headers: request.headers,
        ...(request.method === 'GET' ? {} : { body: request.body }),
        connections,
        amount,
        setupClient(client) {
          if (signed.length > 0) client.setRequests(signed.splice(0, share))
          else if (request.bodies) client.setRequests(rotate(request.bodies, clients++))
        },
        sampleInt: 50,
        timeout: TIMEOUT_SECONDS,
        verifyBody: (body) => String(body).includes(request.expected),
      },
      (error, { '2xx': answered, errors, mismatches, latency }) => {
        if (error) return reject(error)
        const wrong: string[] = []
        if (notOk > 0) wrong.push(`${notOk} responses were not 200`)
        if (errors > 0) wrong.push(`${errors} requests failed`)
        if (mismatches > 0) wrong.push(`${mismatches} responses did not contain ${request.expected}`)
        if (answered !== amount) wrong.push(`${answered} responses to ${amount} requests`)
        const { user, system } = process.cpuUsage(cpuBefore)
        resolve({
          right: answered - mismatches,
          wrong,
          seconds: (end - begin) / 1_000,
          medianMs: latency.p50,
          cpuSeconds: (user + system) / 1_000_000,
        })
      },
    )
    // The requests are built, and no connection is open yet.
    const begin = performance.now()
    const cpuBefore = process.cpuUsage()
    let end = begin
    load.on('response', (_client, status: number) => {
      end = performance.now()
      if (status !== 200) notOk += 1
    })
  })
}

/** Each connection begins with a different body, so that those sent at the same time differ. */
function rotate(bodies: readonly string[], by: number): { body: string }[] {
  const start = by % bodies.length
  return [...bodies.slice(start), ...bodies.slice(0, start)].map((body) => ({ body }))
}

respondToParent(sendClosedLoop)
