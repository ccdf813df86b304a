import autocannon from 'autocannon'
import type { ClosedLoopJob, ClosedLoopResult } from './closedLoopJob.ts'
import { respondToParent } from './respondToParent.ts'
import { signRequests } from './signRequests.ts'

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
  return new Promise((resolve, reject) => {
    let notOk = 0
    const load = autocannon(
      {
        url: `${url}${request.path}`,
        method: request.method ?? 'POST',
        headers: request.headers,
        ...(request.method === 'GET' ? {} : { body: request.body }),
        ...(request.bodies ? { requests: request.bodies.map((body) => ({ body })) } : {}),
        connections,
        amount,
        ...(signed.length > 0
          ? { setupClient: (client) => client.setRequests(signed.splice(0, share)) }
          : {}),
        sampleInt: 50,
        verifyBody: (body) => String(body).includes(request.expected),
      },
      (error, { '2xx': answered, errors, mismatches }) => {
        if (error) return reject(error)
        const wrong: string[] = []
        if (notOk > 0) wrong.push(`${notOk} responses were not 200`)
        if (errors > 0) wrong.push(`${errors} requests failed`)
        if (mismatches > 0) wrong.push(`${mismatches} responses did not contain ${request.expected}`)
        if (answered !== amount) wrong.push(`${answered} responses to ${amount} requests`)
        resolve({ right: answered - mismatches, wrong, seconds: (end - begin) / 1_000 })
      },
    )
    // The requests are built, and no connection is open yet.
    const begin = performance.now()
    let end = begin
    load.on('response', (_client, status: number) => {
      end = performance.now()
      if (status !== 200) notOk += 1
    })
  })
}

respondToParent(sendClosedLoop)
