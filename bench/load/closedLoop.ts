import autocannon from 'autocannon'
import { answerParent } from './answerParent.ts'
import type { ClosedLoopJob, ClosedLoopResult } from './closedLoopJob.ts'

/**
 * Sends a number of requests as fast as they are answered, each connection one at a time.
 *
 * A number rather than a time: when time is up requests are on their way, and it could not be said how many of them
 * the server has recorded.
 */
function runClosedLoop({ url, request, connections, amount }: ClosedLoopJob): Promise<ClosedLoopResult> {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    let end = begin
    let notOk = 0
    const load = autocannon(
      {
        url: `${url}${request.path}`,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        ...(request.bodies ? { requests: request.bodies.map((body) => ({ body })) } : {}),
        connections,
        amount,
        sampleInt: 50,
        verifyBody: (body) => String(body).includes(request.expected),
      },
      (error, { '2xx': answered, errors, mismatches }) => {
        if (error) return reject(error)
        const wrong: string[] = []
        if (notOk > 0) wrong.push(`${notOk} answers were not 200`)
        if (errors > 0) wrong.push(`${errors} requests failed`)
        if (mismatches > 0) wrong.push(`${mismatches} answers were without ${request.expected}`)
        if (answered !== amount) wrong.push(`${answered} answers to ${amount} requests`)
        resolve({ right: answered - mismatches, wrong, seconds: (end - begin) / 1_000 })
      },
    )
    load.on('response', (_client, status: number) => {
      end = performance.now()
      if (status !== 200) notOk += 1
    })
  })
}

answerParent(runClosedLoop)
