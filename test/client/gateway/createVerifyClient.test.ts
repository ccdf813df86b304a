import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createVerifyClient, SvcApiError, type VerifyClientConfig } from '@svc/client'
import { createReusingGateway } from '@svc/client/reuse'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'

type Reply = {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  type?: string
  hang?: boolean
}

const GRANTED: Reply = {
  body: { success: true, recommendation: 'grant', access: { allowed: true, accessLevel: 'full' } },
}
const refusal = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'x-request-id': 'req-1', ...headers },
  body: { success: false, code, message: `no: ${code}` },
})

/** Opens a server that gives the test's replies and records the requests. */
async function openScript(replies: Reply[], config: Partial<VerifyClientConfig> = {}) {
  const seen: { method: string; url: string; body: string; authorization?: string }[] = []
  const received: IncomingHttpHeaders[] = []
  const server = await listen(async (req: IncomingMessage, res: ServerResponse) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { method = '', url = '', headers } = req
    seen.push({ method, url, body, authorization: headers.authorization })
    received.push(headers)
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    if (reply === undefined || reply.hang) return
    res.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json', ...reply.headers })
    res.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
  })
  const pauses: number[] = []
  const client = createVerifyClient({
    apiBaseUrl: `${server.url}/api`,
    apiKey: 'svc_live_x',
    counterpartyId: 'SVCE-1',
    disableInitChecks: true,
    wait: async (ms) => {
      pauses.push(ms)
    },
    ...config,
  })
  return { client, seen, received, pauses, stop: server.stop }
}

async function failureOf(call: Promise<unknown>): Promise<SvcApiError> {
  const outcome = await call.then(
    () => new Error('it passed'),
    (error: unknown) => error,
  )
  expect(outcome).to.be.instanceOf(SvcApiError)
  return outcome as SvcApiError
}

describe('createVerifyClient', () => {
  it('sends the API key and the configured counterparty', async () => {
    const { client, seen, stop } = await openScript([GRANTED])
    expect(await client.verifyAccess({ agentId: 'SVC-1' })).to.deep.equal(GRANTED.body)
    await stop()
    expect(seen).to.have.lengthOf(1)
    expect(seen[0]).to.include({
      method: 'POST',
      url: '/api/agents/verify-access',
      authorization: 'Bearer svc_live_x',
    })
    expect(JSON.parse(seen[0]?.body ?? '')).to.deep.equal({ counterpartyId: 'SVCE-1', agentId: 'SVC-1' })
  })

  it('asks within the trace of the request that is verified, and hands over no other header of it', async () => {
    const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=a' }
    const { client, received, stop } = await openScript([GRANTED])
    await client.verifyAccess({ agentId: 'SVC-1' })
    await client.verifyAccess(
      { agentId: 'SVC-1' },
      { headers: { ...trace, authorization: 'Basic x', 'x-own': '1' } },
    )
    await stop()
    const [plain, traced] = received
    expect(traced).to.deep.equal({ ...plain, ...trace })
  })

  it('rejects a base URL that does not end in /api', () => {
    const make = (apiBaseUrl: string) => () => createVerifyClient({ apiBaseUrl, apiKey: 'k' })
    for (const wrong of ['https://svc.test', 'https://svc.test/api/v1', 'svc.test/api']) {
      expect(make(wrong)).to.throw('/api')
    }
    expect(make('https://svc.test/api/')).not.to.throw()
  })

  describe('rejects up front settings that would make the service seem unreachable at every request:', () => {
    const openTo = (settings: object) => () => {
      const all = {
        ...{ apiBaseUrl: 'https://svc.test/api', apiKey: 'k', counterpartyUrl: 'https://shop.io' },
        ...{ whenUnavailable: 'pass' as const, disableInitChecks: true },
      }
      createReusingGateway({ ...all, ...settings })
    }

    it('a base URL that cannot be called, without repeating a password', () => {
      for (const apiBaseUrl of [
        'https://svc test/api',
        'https://svc.test/?v=1/api',
        'https://svc.test/#/api',
      ]) {
        expect(openTo({ apiBaseUrl })).to.throw('/api')
      }
      expect(openTo({ apiBaseUrl: 'https://me:secret@svc.test/api' }))
        .to.throw('must not contain')
        .with.property('message')
        .that.does.not.include('secret')
    })

    it('a time limit that a slow challenge of the agent exceeds, which would then pass unverified', () => {
      for (const timeoutMs of [1, 3_999]) {
        expect(openTo({ timeoutMs })).to.throw('whenUnavailable')
        expect(openTo({ timeoutMs, whenUnavailable: 'refuse' })).to.not.throw()
      }
      for (const timeoutMs of [4_000, undefined]) expect(openTo({ timeoutMs })).to.not.throw()
    })

    it('a key that cannot be a header, without repeating it', () => {
      for (const apiKey of ['svc_live_x\nSVC_SHOP_ID=1', 'svc_live_…', '“svc_live_x”', '']) {
        expect(openTo({ apiKey })).to.throw('apiKey').with.property('message').that.does.not.include('svc_')
      }
      expect(openTo({ apiKey: 'svc_live_x\n' })).not.to.throw()
    })

    it('no key, which would be sent as the word undefined', () => {
      for (const apiKey of [undefined, null, '']) expect(openTo({ apiKey })).to.throw('apiKey is missing')
      expect(openTo({ apiKey: 5 })).to.throw('apiKey')
    })

    it('no base URL, as when an environment variable is not set', () => {
      for (const apiBaseUrl of [undefined, ''])
        expect(openTo({ apiBaseUrl })).to.throw('apiBaseUrl is missing')
    })

    it('a URL of the counterparty that cannot be one', () => {
      for (const counterpartyUrl of ['shop', 'ftp://shop.example']) {
        expect(openTo({ counterpartyUrl, counterpartyId: undefined })).to.throw('counterpartyUrl must be')
      }
    })

    it('a number that is a text or none, which would hold requests for ever, or read bodies of any length', () => {
      for (const name of ['holdStepUpMs', 'bodyBytesMax', 'reuseGrantSeconds']) {
        for (const value of [Number.NaN, '300', '5s', -1]) {
          expect(openTo({ [name]: value, counterpartyId: 'SVCE-1' }), `${name} ${value}`).to.throw(
            `${name} must be a number`,
          )
        }
      }
      expect(openTo({ holdStepUpMs: 0, bodyBytesMax: 0 })).not.to.throw()
    })

    it('a choice that does not exist', () => {
      expect(openTo({ whenUnavailable: 'open' })).to.throw('whenUnavailable must be refuse or pass, got open')
    })

    it('no counterparty', () => {
      for (const counterpartyUrl of [undefined, '']) {
        expect(openTo({ counterpartyUrl })).to.throw('counterpartyId')
        expect(openTo({ counterpartyUrl, counterpartyId: 'SVCE-1' })).not.to.throw()
      }
    })

    it('a time limit out of range', () => {
      for (const timeoutMs of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1, '5000', 2 ** 32]) {
        expect(openTo({ timeoutMs })).to.throw('timeoutMs')
      }
    })
  })

  describe('errors', () => {
    it('have code, status, request id and Retry-After', async () => {
      const { client, stop } = await openScript([
        refusal(403, 'COUNTERPARTY_KEY_MISMATCH', { 'retry-after': '7' }),
      ])
      const error = await failureOf(client.verifyAccess({}))
      await stop()
      expect(error).to.include({
        code: 'COUNTERPARTY_KEY_MISMATCH',
        status: 403,
        requestId: 'req-1',
        retryAfterSeconds: 7,
        message: 'no: COUNTERPARTY_KEY_MISMATCH',
      })
    })

    it('are INVALID_RESPONSE for a page, a redirect and a body that is not a decision', async () => {
      for (const reply of [
        { type: 'text/html', body: '<html>' },
        { status: 302, headers: { location: 'http://127.0.0.1:1/api' } },
        { body: { success: true } },
      ]) {
        const { client, stop } = await openScript([reply])
        expect((await failureOf(client.verifyAccess({}))).code).to.equal('INVALID_RESPONSE')
        await stop()
      }
    })

    it('are NETWORK_ERROR or TIMEOUT with status 0 without a response', async () => {
      const gone = await openScript([])
      await gone.stop()
      expect(await failureOf(gone.client.verifyAccess({}))).to.include({ code: 'NETWORK_ERROR', status: 0 })
      const hanging = await openScript([{ hang: true }], { timeoutMs: 50 })
      expect(await failureOf(hanging.client.verifyAccess({}))).to.include({ code: 'TIMEOUT', status: 0 })
      await hanging.stop()
    })
  })

  describe('retries', () => {
    it('wait as long as Retry-After asks', async () => {
      const busy = refusal(429, 'RATE_LIMITED', { 'retry-after': '2' })
      const { client, seen, pauses, stop } = await openScript([busy, busy, GRANTED])
      await client.verifyAccess({})
      await stop()
      expect(seen).to.have.lengthOf(3)
      for (const pause of pauses) expect(pause).to.be.within(2000, 2100)
    })

    it('end after two', async () => {
      const { client, seen, stop } = await openScript([refusal(429, 'RATE_LIMITED', { 'retry-after': '1' })])
      expect((await failureOf(client.verifyAccess({}))).retryAfterSeconds).to.equal(1)
      await stop()
      expect(seen).to.have.lengthOf(3)
    })

    it('do not happen if the pause exceeds the time limit', async () => {
      const busy = refusal(429, 'RATE_LIMITED', { 'retry-after': '60' })
      const { client, seen, stop } = await openScript([busy])
      expect((await failureOf(client.verifyAccess({}))).retryAfterSeconds).to.equal(60)
      await stop()
      expect(seen).to.have.lengthOf(1)
    })

    it('of verify-access after a 503 happen only if the service says that it did nothing', async () => {
      const own = await openScript([refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }), GRANTED])
      await own.client.verifyAccess({})
      await own.stop()
      expect(own.seen).to.have.lengthOf(2)
      const proxy = await openScript([{ status: 503, type: 'text/html', body: 'busy' }, GRANTED])
      expect((await failureOf(proxy.client.verifyAccess({}))).status).to.equal(503)
      await proxy.stop()
      expect(proxy.seen).to.have.lengthOf(1)
    })

    it('of idempotent calls happen after any 503', async () => {
      const busy = { status: 503, type: 'text/html', body: 'busy' }
      const { client, seen, stop } = await openScript([busy, { body: { status: 'pending' } }])
      expect((await client.pollApproval('a/b')).status).to.equal('pending')
      await stop()
      expect(seen.map(({ url }) => url)).to.deep.equal(Array(2).fill('/api/step-up-approvals/poll/a%2Fb'))
    })

    it('do not happen after other failures', async () => {
      const { client, seen, stop } = await openScript([refusal(500, 'INTERNAL_ERROR')])
      await failureOf(client.recordDecision('s', { decision: 'granted' }))
      await stop()
      expect(seen).to.have.lengthOf(1)
    })
  })

  describe('probe', () => {
    it('runs again after one without a response', async () => {
      const { client, seen, stop } = await openScript([{ hang: true }, {}, {}], { timeoutMs: 200 })
      expect([await client.probe(), await client.probe(), await client.probe()]).to.deep.equal([
        false,
        true,
        true,
      ])
      await stop()
      expect(seen).to.have.lengthOf(2)
    })

    it('warns once, however often it is called, if a web page responds', async () => {
      const warnings: string[] = []
      const page = await openScript([{ type: 'text/html' }], { warn: (text) => warnings.push(text) })
      expect(await page.client.probe()).to.equal(false)
      expect(await page.client.probe()).to.equal(false)
      await page.stop()
      expect(page.seen.map(({ method }) => method)).to.deep.equal(['HEAD'])
      expect(warnings).to.have.lengthOf(1)
    })

    it('passes on each warning of the service once, and only texts', async () => {
      const warnings: string[] = []
      const hint = 'The member agentID was ignored, because it is unknown; agentId was probably meant.'
      const body = { ...(GRANTED.body as object), warnings: [hint, 7] }
      const script = await openScript([{ body }], { warn: (text) => warnings.push(text) })
      await script.client.verifyAccess({})
      await script.client.verifyAccess({})
      await script.stop()
      expect(warnings).to.deep.equal([`verify-access: ${hint}`])
    })

    it('runs at the first verification, without the API key', async () => {
      const { client, seen, stop } = await openScript([GRANTED], { disableInitChecks: false })
      await client.verifyAccess({})
      await client.probe()
      await stop()
      expect(seen.filter(({ method }) => method === 'HEAD')).to.deep.equal([
        { method: 'HEAD', url: '/api/agents/verify-access', body: '', authorization: undefined },
      ])
    })

    it('never fails', async () => {
      const { client, stop } = await openScript([])
      await stop()
      expect(await client.probe()).to.equal(false)
    })
  })
})
