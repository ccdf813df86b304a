import type { Socket } from 'node:net'
import { createGateway, type GatewayOptions } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import { createVerifyClient } from '@svc/client/gateway/createVerifyClient.ts'
import { holdStepUp } from '@svc/client/gateway/holdStepUp.ts'
import type { VerificationAnswer } from '@svc/client/gateway/verificationAnswer.ts'
import { expect } from 'chai'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'

const HELD: VerificationAnswer = {
  success: true,
  access: { allowed: false, accessLevel: 'none', reason: '' },
  recommendation: 'step_up_required',
  recommendationReasons: [],
  stepUpApproval: {
    ...{ approvalId: 'APR-1', attemptId: 'ATT-1', status: 'pending', expiresAt: '2026-01-07T12:05:00Z' },
    ...{
      pollUrl: '/api/step-up-approvals/poll/APR-1',
      approvalUrl: 'https://svc.test/activity/pending/APR-1',
    },
  },
}
const GRANT = {
  ...HELD,
  access: { allowed: true, accessLevel: 'full', reason: '' },
  recommendation: 'grant',
  stepUpApproval: undefined,
}
const DENY = { ...GRANT, access: HELD.access, recommendation: 'deny' }
const pending = (pollAfterSeconds?: unknown) => Response.json({ status: 'pending', pollAfterSeconds })
const away = () => {
  throw new TypeError('fetch failed')
}

type Answers = { polls: (() => Response)[]; again?: () => Response }

/** A service that answers as it is told to, on a clock that only the pauses move. */
function serviceOf({ polls, again = () => Response.json(GRANT) }: Answers) {
  const pauses: number[] = []
  const sent: unknown[] = []
  let polled = 0
  let now = 0
  const options = {
    apiBaseUrl: 'https://svc.test/api',
    apiKey: 'k',
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
        // The last one goes on for ever.
        return (polls[polled - 1] ?? polls.at(-1) ?? away)()
      }
      const fields = JSON.parse(String(init?.body))
      sent.push(fields)
      return fields.attemptId === undefined ? Response.json(HELD) : again()
    },
  }
  const hold = (more: { holdMs?: number; answer?: VerificationAnswer; signal?: AbortSignal } = {}) =>
    holdStepUp(createVerifyClient(options), {
      ...{ answer: HELD, fields: { purpose: 'buy' }, holdMs: 60_000, wait: options.wait, now: () => now },
      ...more,
    })
  return { options, hold, pauses, sent, polled: () => polled }
}

const decided = (status: string) => () => Response.json({ status, pollAfterSeconds: 5 })

describe('a request that is held for its owner', () => {
  it('polls as often as the service asks for, and not more often', async () => {
    const service = serviceOf({
      polls: [() => pending(7), () => pending(2), () => pending(9), decided('approved')],
    })
    await service.hold()
    expect(service.pauses).to.deep.equal([7000, 2000, 9000])
    expect(service.polled()).to.equal(4)
  })

  for (const [what, pollAfterSeconds] of [
    ['no pause', 0],
    ['a pause that has been', -5],
    ['a part of a second', 0.01],
    ['a word', 'soon'],
    ['nothing', undefined],
    ['a list', [1, 2]],
  ] as const) {
    it(`polls once a second where the service asks for ${what}`, async () => {
      const service = serviceOf({ polls: [() => pending(pollAfterSeconds), decided('approved')] })
      await service.hold()
      expect(service.pauses).to.deep.equal([1000])
    })
  }

  it('is held no longer than it is to be, and then as it was', async () => {
    for (const pollAfterSeconds of [7, 1e300]) {
      const service = serviceOf({ polls: [() => pending(pollAfterSeconds)] })
      expect(await service.hold({ holdMs: 10_000 })).to.equal(HELD)
      expect(service.pauses.reduce((sum, ms) => sum + ms)).to.equal(10_000)
      expect(service.sent).to.deep.equal([])
    }
  })

  it('is sent again under its attempt as soon as the owner has decided, whatever that is', async () => {
    for (const [status, again] of [
      ['approved', GRANT],
      ['denied', DENY],
      ['expired', { ...HELD, stepUpApproval: { ...HELD.stepUpApproval, approvalId: 'APR-2' } }],
      ['consumed', DENY],
    ] as const) {
      const service = serviceOf({ polls: [decided(status)], again: () => Response.json(again) })
      const answer = await service.hold()
      expect(answer, status).to.deep.equal(JSON.parse(JSON.stringify(again)))
      expect(service.sent).to.deep.equal([{ purpose: 'buy', attemptId: 'ATT-1' }])
      expect(service.pauses).to.deep.equal([])
    }
  })

  it('asks nothing where it is not to be held, and where there is nothing to wait for', async () => {
    const service = serviceOf({ polls: [decided('approved')] })
    const { stepUpApproval: _, ...without } = HELD
    const denied: VerificationAnswer = { ...HELD, recommendation: 'deny' }
    expect(await service.hold({ holdMs: 0 })).to.equal(HELD)
    expect(await service.hold({ answer: without })).to.equal(without)
    expect(await service.hold({ answer: denied })).to.equal(denied)
    expect(service.polled()).to.equal(0)
  })

  describe('while the service is away', () => {
    const limited = () =>
      Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers: { 'retry-after': '30' } })

    it('asks again, after the pause that it was told or five seconds', async () => {
      const service = serviceOf({ polls: [away, limited, decided('approved')] })
      expect((await service.hold()).recommendation).to.equal('grant')
      expect(service.pauses).to.deep.equal([5000, 30_000])
    })

    it('stays held to the end, and after the owner has decided', async () => {
      expect(await serviceOf({ polls: [away] }).hold()).to.equal(HELD)
      expect(await serviceOf({ polls: [decided('approved')], again: away }).hold()).to.equal(HELD)
    })

    it('never passes, also where requests without a decision are to pass', async () => {
      for (const answers of [{ polls: [away] }, { polls: [decided('approved')], again: away }]) {
        const { options } = serviceOf(answers)
        const { verify } = createGateway({ ...options, whenUnavailable: 'pass', holdStepUpMs: 20 })
        const outcome = await verify({})
        expect(outcome.passes ? 'passed' : outcome.refusal.status).to.equal(202)
      }
    })
  })

  it('tells of an approval that is not known, and of an attempt that is another request’s', async () => {
    const refusal = (status: number, code: string) => () => Response.json({ code, message: '' }, { status })
    const codeOf = (answers: Answers) =>
      serviceOf(answers)
        .hold()
        .catch(({ code }) => code)
    expect(await codeOf({ polls: [refusal(404, 'NOT_FOUND')] })).to.equal('NOT_FOUND')
    const again = refusal(409, 'ATTEMPT_MISMATCH')
    expect(await codeOf({ polls: [decided('approved')], again })).to.equal('ATTEMPT_MISMATCH')
  })

  describe('and whose caller goes away', () => {
    it('is polled no more, and uses up no approval', async () => {
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

    for (const [kind, open] of Object.entries({ Node: openNode, Fastify: openFastify, Fetch: openFetch })) {
      it(`is noticed on ${kind}`, async () => {
        const caller = new AbortController()
        const asked: string[] = []
        const service = await listen((req, res) => {
          asked.push(`${req.method} ${req.url}`)
          const isPoll = req.url?.includes('/poll/') === true
          // Nothing but the caller's going ends this pause.
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

    for (const [kind, open] of Object.entries({ Node: openNode, Fastify: openFastify })) {
      it(`is noticed on ${kind}, also while the application still described the request`, async () => {
        const caller = new AbortController()
        const asked: string[] = []
        const service = await listen((req, res) => {
          asked.push(`${req.method} ${req.url}`)
          res.end(JSON.stringify(HELD))
        })
        const host = await open({
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

type Host = {
  visit(signal: AbortSignal): Promise<Response>
  guarded(): Promise<unknown> | undefined
  stop(): Promise<unknown>
}

type Described = GatewayOptions & { describeRequest?(req: unknown): Promise<object> }

/** A gateway that holds requests for as long as a test may take. */
function holding(serviceUrl: string) {
  const quiet = { disableInitChecks: true, warn: () => undefined }
  return { apiBaseUrl: `${serviceUrl}/api`, apiKey: 'k', ...quiet, holdStepUpMs: 3_600_000 }
}

async function visitOnce(host: Host, signal: AbortSignal): Promise<void> {
  await host.visit(signal).catch(() => undefined)
  await host.guarded()
  await host.stop()
}

async function openNode(options: Described) {
  const guard = expressGateway(options)
  let handled = 0
  let guarded: Promise<unknown> | undefined
  const { url, stop } = await listen((req, res) => {
    guarded = guard(req, res, () => {
      handled += 1
    })
  })
  const visit = (signal: AbortSignal) => fetch(url, { signal })
  return { visit, stop, handled: () => handled, guarded: () => guarded }
}

async function openFastify(options: Described) {
  const guard = fastifyGateway(options)
  let handled = 0
  let guarded: Promise<unknown> | undefined
  const app = Fastify()
  app.addHook('preHandler', (request, reply) => {
    guarded = guard(request, reply)
    return guarded
  })
  app.get('/', async () => {
    handled += 1
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const visit = (signal: AbortSignal) => fetch(url, { signal })
  return { visit, stop: () => app.close(), handled: () => handled, guarded: () => guarded }
}

async function openFetch(options: GatewayOptions) {
  let handled = 0
  const handle = fetchGateway(options)(() => {
    handled += 1
    return new Response()
  })
  const visit = (signal: AbortSignal) => handle(new Request('https://shop.io/', { signal }))
  return { visit, stop: async () => undefined, handled: () => handled, guarded: async () => undefined }
}
