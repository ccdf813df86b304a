import { randomBytes } from 'node:crypto'
import { parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { expect } from 'chai'
import { createPostJson } from '../../../../../server/external/outbound/outboundHttp.ts'
import type { VerifiableAgent } from '../../../../../server/services/verification/parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from '../../../../../server/services/verification/parties/verifiableEndpoint.ts'
import { challengeAgent } from '../../../../../server/services/verification/proofs/challengeAgent.ts'
import { listen } from '../../../../harness/peers/listen.ts'

const NOW = Date.UTC(2026, 0, 5)
const SVCE = 'SVCE-0000000000000000000001'

type Challenge = { challengeId: string; counterpartyId: string; expiresAt: string; type: string }

describe('challengeAgent', () => {
  let answer: (challenge: Challenge) => object | null = () => null
  let asked: Challenge[] = []
  let passed: string[] = []
  let agentServer: Awaited<ReturnType<typeof listen>>

  before(async () => {
    agentServer = await listen(async (req, res) => {
      const challenge = JSON.parse(Buffer.concat(await req.toArray()).toString()) as Challenge
      asked.push(challenge)
      const body = answer(challenge)
      res.writeHead(body === null ? 500 : 200, { 'content-type': 'application/json' })
      res.end(JSON.stringify(body))
    })
  })
  after(() => agentServer.stop())
  beforeEach(() => {
    asked = []
    passed = []
    answer = good
  })

  const good = (challenge: Challenge) => ({
    challengeId: challenge.challengeId,
    acknowledged: true,
    pendingCounterparties: [SVCE],
    respondedAt: new Date(NOW + 1000).toISOString(),
  })
  const challenged = (
    agent: Partial<VerifiableAgent> = {},
    body: object = {},
    endpoint: Partial<VerifiableEndpoint> = {},
  ) => {
    const request = parseVerificationRequest({ counterpartyId: SVCE, ...body })
    if (!request.ok) throw new Error('bad test request')
    return challengeAgent(
      {
        postJson: createPostJson({ allowPrivate: true, timeoutMs: 1000 }),
        onPassed: async (svcId) => {
          passed.push(svcId)
        },
        onFailed: () => undefined,
        clock: () => NOW,
        randomBytes,
      },
      {
        svcId: 'SVC-1',
        challengeUrl: agentServer.url,
        hasPassedChallenge: false,
        ...agent,
      } as VerifiableAgent,
      { svceId: SVCE, id: 'id', url: null, ...endpoint } as VerifiableEndpoint,
      request.request,
    )
  }

  it('challenges an agent that never passed, and stores that it passed', async () => {
    expect((await challenged())?.passed).to.equal(true)
    expect(asked[0]).to.deep.include({ type: 'pending_verification', counterpartyId: SVCE })
    expect(Date.parse(asked[0]?.expiresAt ?? '')).to.equal(NOW + 30_000)
    expect(passed).to.deep.equal(['SVC-1'])
  })

  it('names an endpoint that nobody has claimed by its URL, under which the agent knows it', async () => {
    const url = 'https://shop.example/api'
    answer = (challenge) => ({ ...good(challenge), pendingCounterparties: ['https://shop.example', url] })
    expect((await challenged({}, {}, { svceId: null, url }))?.passed).to.equal(true)
    expect(asked[0]?.counterpartyId).to.equal(url)
  })

  it('does not challenge one that passed before, unless the request requires it', async () => {
    expect(await challenged({ hasPassedChallenge: true })).to.equal(null)
    expect(
      (await challenged({ hasPassedChallenge: true }, { enableRuntimeChallenge: true }))?.passed,
    ).to.equal(true)
  })

  it('does not challenge if the request opts out, without a URL, or in a dry run', async () => {
    expect(await challenged({}, { enableRuntimeChallenge: false })).to.equal(null)
    expect(await challenged({ challengeUrl: null }, { enableRuntimeChallenge: true })).to.equal(null)
    expect(await challenged({}, { dryRun: true })).to.equal(null)
    expect(asked).to.deep.equal([])
  })

  const bad: Record<string, (challenge: Challenge) => object | null> = {
    'another challenge id': (c) => ({ ...good(c), challengeId: '00000000-0000-4000-8000-000000000000' }),
    'no acknowledgement': (c) => ({ ...good(c), acknowledged: false }),
    'other counterparties': (c) => ({ ...good(c), pendingCounterparties: ['SVCE-other'] }),
    'a stale time': (c) => ({ ...good(c), respondedAt: new Date(NOW - 31_000).toISOString() }),
    'a time to come': (c) => ({ ...good(c), respondedAt: new Date(NOW + 31_000).toISOString() }),
    'no JSON object': () => [],
    'a failure': () => null,
  }
  for (const [what, respond] of Object.entries(bad)) {
    it(`fails on ${what}`, async () => {
      answer = respond
      expect((await challenged())?.passed).to.equal(false)
      expect(passed).to.deep.equal([])
    })
  }

  it('fails on an agent that cannot be reached', async () => {
    expect((await challenged({ challengeUrl: 'http://127.0.0.1:1/' }))?.passed).to.equal(false)
  })
})
