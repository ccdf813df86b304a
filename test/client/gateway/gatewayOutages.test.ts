import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import { openGuardedHosts } from './openGuardedHosts.ts'

const TIMEOUT_MS = 400

const refusing =
  (status: number, headers: { [name: string]: string } = {}): RequestListener =>
  (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers })
    res.end('{"success":false,"code":"RATE_LIMITED","message":"slow down"}')
  }

const neverRespond: RequestListener = () => undefined

/** Retry-After is the service's own, or five seconds if it has none. */
const OUTAGES: [what: string, retryAfter: string, service: RequestListener][] = [
  ['never responds', '5', neverRespond],
  ['hangs up', '5', (_req, res) => void res.destroy()],
  ['limits the rate', '17', refusing(429, { 'retry-after': '17' })],
  ['limits the rate for a day', '86400', refusing(429, { 'retry-after': '86400' })],
  ['limits the rate with an unreadable Retry-After', '5', refusing(429, { 'retry-after': 'soon' })],
  ['limits the rate with a Retry-After of zero', '5', refusing(429, { 'retry-after': '0' })],
  ['is overloaded', '9', refusing(503, { 'retry-after': '9' })],
  ['fails', '5', refusing(500)],
  ['does not know the key', '5', refusing(401)],
]

describe('every kind of gateway refuses with 503 and runs no handler when the service', () => {
  for (const [what, retryAfter, service] of OUTAGES) {
    it(what, async () => {
      const at = await listen(service)
      const { answers, ...seen } = await ask(`${at.url}/api`)
      await at.stop()
      expect(seen).to.deep.equal({ statuses: [503, 503, 503], handled: 0, thrown: [] })
      for (const answer of answers) {
        expect(answer.headers.get('retry-after')).to.equal(retryAfter)
        expect(await answer.json()).to.include({ success: false, code: 'verification_unavailable' })
      }
    })
  }

  it('is unreachable', async () => {
    const { answers: _, ...seen } = await ask(`http://127.0.0.1:${await findFreePort()}/api`)
    expect(seen).to.deep.equal({ statuses: [503, 503, 503], handled: 0, thrown: [] })
  })

  async function ask(apiBaseUrl: string) {
    const hosts = await openGuardedHosts({ apiBaseUrl, timeoutMs: TIMEOUT_MS })
    try {
      return await hosts.ask()
    } finally {
      await hosts.stop()
    }
  }
})
