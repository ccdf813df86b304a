import type { Socket } from 'node:net'
import { createGateway, type RegisteredAnswer, type VerificationAnswer } from '@svc/client'
import { createVerifyClient } from '@svc/client/gateway/createVerifyClient.ts'
import { holdStepUp } from '@svc/client/gateway/holdStepUp.ts'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'
import { holding, openHoldingHost, visitOnce } from './openHoldingHosts.ts'

const HELD: RegisteredAnswer = {
  success: true,
  access: { allowed: false, accessLevel: 'none', reason: '' },
  recommendation: 'step_up_required',
  recommendationReasons: [],
  agent: {
    ...{ svcId: 'SVC-1', name: 'Buyer', trustScore: 50, runtimeChallengeSupported: false },
    agentStatus: 'active',
    blockchainStatus: 'verified',
  },
  identityProof: 'none',
  stepUpApproval: {
    approvalId: 'APR-1',
    attemptId: 'ATT-1',
    status: 'pending',
    expiresAt: '2026-01-07T12:05:00Z',
    pollUrl: '/api/step-up-approvals/poll/APR-1',
    approvalUrl: 'https://svc.test/activity/pending/APR-1',
  },
}
const GRANT = {
  ...HELD,
  access: { allowed: true, accessLevel: 'full', reason: '' },
  recommendation: 'grant',
  stepUpApproval: undefined,
}
const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const DENY = { ...GRANT, access: HELD.access, recommendation: 'deny' }
const pending = (pollAfterSeconds?: unknown) => Response.json({ status: 'pending', pollAfterSeconds })
const unreachable = () => {
  throw new TypeError('fetch failed')
}

type Answers = { polls: (() => Response)[]; resent?: () => Response }

/** A scripted service with a clock that only the pauses advance. */
function serviceOf({ polls, resent = () => Response.json(GRANT) }: Answers) {
  const pauses: number[] = []
  const sent: unknown[] = []
  const traces: (string | null)[] = []
  let polled = 0
  let now = 0
  const options = {
    apiBaseUrl: 'https://svc.test/api',
    apiKey: 'k',
    counterpartyUrl: 'https://shop.io',
    disableInitChecks: true,
    timeoutMs: 1,
    warn: () => undefined,
    async wait(ms: number) {
      pauses.push(ms)
      now += ms
    },
    async fetch(url: string | URL | Request, init?: RequestInit) {
      if (String(url).endsWith('/poll/APR-1')) {
        polled += 1
        // The last response repeats.
        return (polls[polled - 1] ?? polls.at(-1) ?? unreachable)()
      }
      const fields = JSON.parse(String(init?.body))
      sent.push(fields)
      traces.push(new Headers(init?.headers).get('traceparent'))
      return fields.attemptId === undefined ? Response.json(HELD) : resent()
    },
  }
  const hold = ({
    signal,
    ...more
  }: {
    holdMs?: number
    answer?: VerificationAnswer
    signal?: AbortSignal
  } = {}) =>
    holdStepUp(createVerifyClient(options), {
      ...{ answer: HELD, fields: { purpose: 'buy' }, facts: { signal } },
      ...{ holdMs: 60_000, wait: options.wait, now: () => now },
      ...more,
    })
  return { options, hold, pauses, sent, traces, polled: () => polled }
}

const decided = (status: string) => () => Response.json({ status, pollAfterSeconds: 5 })

describe('a request held for its owner’s approval', () => {
  it('polls exactly as often as the service asks', async () => {
    const service = serviceOf({
      polls: [() => pending(7), () => pending(2), () => pending(9), decided('approved')],
    })
    await service.hold()
    expect(service.pauses).to.deep.equal([7000, 2000, 9000])
    expect(service.polled()).to.equal(4)
  })

  for (const [what, pollAfterSeconds] of [
    ['no pause', 0],
    ['a negative pause', -5],
    ['a fraction of a second', 0.01],
    ['a word', 'soon'],
    ['nothing', undefined],
    ['a list', [1, 2]],
  ] as const) {
    it(`polls once a second if the service asks for ${what}`, async () => {
      const service = serviceOf({ polls: [() => pending(pollAfterSeconds), decided('approved')] })
      await service.hold()
      expect(service.pauses).to.deep.equal([1000])
    })
  }

  it('is held until the time limit, and then returned unchanged', async () => {
    for (const pollAfterSeconds of [7, 1e300]) {
      const service = serviceOf({ polls: [() => pending(pollAfterSeconds)] })
      expect(await service.hold({ holdMs: 10_000 })).to.equal(HELD)
      expect(service.pauses.reduce((sum, ms) => sum + ms)).to.equal(10_000)
      expect(service.sent).to.deep.equal([])
    }
  })

  it('is sent again with its attempt id as soon as the owner has decided, either way', async () => {
    for (const [status, resent] of [
      ['approved', GRANT],
      ['denied', DENY],
      ['expired', { ...HELD, stepUpApproval: { ...HELD.stepUpApproval, approvalId: 'APR-2' } }],
      ['consumed', DENY],
    ] as const) {
      const service = serviceOf({ polls: [decided(status)], resent: () => Response.json(resent) })
      const answer = await service.hold()
      expect(answer, status).to.deep.equal(JSON.parse(JSON.stringify(resent)))
      expect(service.sent).to.deep.equal([
        { counterpartyUrl: 'https://shop.io', purpose: 'buy', attemptId: 'ATT-1' },
      ])
      expect(service.pauses).to.deep.equal([])
    }
  })

  it('is sent again with the same proof and the same facts, in the same trace', async () => {
    const service = serviceOf({ polls: [decided('approved')] })
    const gateway = createGateway({ ...service.options, holdStepUpMs: 60_000, timeoutMs: 1_000, routes: [] })
    const outcome = await gateway.verify({
      ...{ method: 'POST', target: '/orders', body: '{"total":150}' },
      headers: {
        ...{ 'x-svc-id': 'SVC-1', 'x-svc-proof': 'a.b.c', 'x-svc-token': 't.u.v', host: 'shop.io' },
        ...{ signature: 'svc=:AA==:', 'signature-input': 'svc=("@method" "x-svc-id")' },
        traceparent: TRACEPARENT,
      },
      fields: { transactionValue: 150, currency: 'EUR' },
    })
    const [first, second] = service.sent as Record<string, unknown>[]
    expect(outcome.passes).to.equal(true)
    expect(first).to.include({ intentProof: 'a.b.c', agentToken: 't.u.v', transactionValue: 150 })
    expect(first?.callerMetadata).to.include({ 'x-svc-id': 'SVC-1', signature: 'svc=:AA==:' })
    expect(second).to.deep.equal({ ...first, attemptId: 'ATT-1' })
    expect(service.traces).to.deep.equal([TRACEPARENT, TRACEPARENT])
  })

  it('is not polled without a holding time or a pending approval', async () => {
    const service = serviceOf({ polls: [decided('approved')] })
    const { stepUpApproval: _, ...without } = HELD
    const denied: RegisteredAnswer = { ...HELD, recommendation: 'deny' }
    expect(await service.hold({ holdMs: 0 })).to.equal(HELD)
    expect(await service.hold({ answer: without })).to.equal(without)
    expect(await service.hold({ answer: denied })).to.equal(denied)
    expect(service.polled()).to.equal(0)
  })

  describe('while the service is unavailable', () => {
    const limited = () =>
      Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '30' } })

    it('is polled again after Retry-After or five seconds', async () => {
      const service = serviceOf({ polls: [unreachable, limited, decided('approved')] })
      expect((await service.hold()).recommendation).to.equal('grant')
      expect(service.pauses).to.deep.equal([5000, 30_000])
    })

    it('stays held until the time limit, also after the owner has decided', async () => {
      expect(await serviceOf({ polls: [unreachable] }).hold()).to.equal(HELD)
      expect(await serviceOf({ polls: [decided('approved')], resent: unreachable }).hold()).to.equal(HELD)
    })

    it('never passes, even if requests without a decision may pass', async () => {
      for (const answers of [
        { polls: [unreachable] },
        { polls: [decided('approved')], resent: unreachable },
      ]) {
        const { options } = serviceOf(answers)
        const { verify } = createGateway({
          ...options,
          whenUnavailable: 'pass',
          holdStepUpMs: 20,
          timeoutMs: 4_000,
        })
        const outcome = await verify({})
        expect(outcome.passes ? 'passed' : outcome.refusal.status).to.equal(202)
      }
    })
  })

  it('fails for an unknown approval and for an attempt of another request', async () => {
    const refusal = (status: number, code: string) => () => Response.json({ code, message: '' }, { status })
    const codeOf = (answers: Answers) =>
      serviceOf(answers)
        .hold()
        .catch(({ code }) => code)
    expect(await codeOf({ polls: [refusal(404, 'NOT_FOUND')] })).to.equal('NOT_FOUND')
    const resent = refusal(409, 'ATTEMPT_MISMATCH')
    expect(await codeOf({ polls: [decided('approved')], resent })).to.equal('ATTEMPT_MISMATCH')
  })

  describe('whose caller disconnects', () => {
    it('is not polled any more and consumes no approval', async () => {
      const gone = new AbortController()
      const service = serviceOf({
        polls: [
          () => {
            gone.abort()
            return Response.json({ status: 'approved' })
          },
        ],
      })
      expect(await service.hold({ signal: gone.signal })).to.equal(HELD)
      expect(await service.hold({ signal: gone.signal })).to.equal(HELD)
      expect([service.polled(), service.sent]).to.deep.equal([1, []])
    })

    for (const [kind, open] of Object.entries(openHoldingHost)) {
      it(`stops waiting on ${kind}`, async () => {
        const caller = new AbortController()
        const asked: string[] = []
        const service = await listen((req, res) => {
          asked.push(`${req.method} ${req.url}`)
          const isPoll = req.url?.includes('/poll/') === true
          // Only the caller's disconnecting ends this pause.
          res.end(JSON.stringify(isPoll ? { status: 'pending', pollAfterSeconds: 3600 } : HELD))
          if (isPoll) caller.abort()
        })
        const host = await open(holding(service.url))
        await visitOnce(host, caller.signal)
        await service.stop()
        expect(asked).to.deep.equal([
          'POST /api/agents/verify-access',
          'GET /api/step-up-approvals/poll/APR-1',
        ])
        expect(host.handled()).to.equal(0)
      })
    }

    for (const kind of ['Node', 'Fastify'] as const) {
      it(`stops waiting on ${kind}, also if that happens while the application describes the request`, async () => {
        const caller = new AbortController()
        const asked: string[] = []
        const service = await listen((req, res) => {
          asked.push(`${req.method} ${req.url}`)
          res.end(JSON.stringify(HELD))
        })
        const host = await openHoldingHost[kind]({
          ...holding(service.url),
          async describeRequest(req: unknown) {
            const { raw, socket = raw?.socket } = req as { socket?: Socket; raw?: { socket: Socket } }
            const left = new Promise((resolve) => socket?.once('close', resolve))
            caller.abort()
            await left
            return {}
          },
        })
        await visitOnce(host, caller.signal)
        await service.stop()
        expect(asked).to.deep.equal(['POST /api/agents/verify-access'])
        expect(host.handled()).to.equal(0)
      })
    }
  })
})
