import { expect } from 'chai'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { createProofAttacks } from '../builders/createProofAttacks.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { storeAgentKey } from '../builders/storeAgentKey.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const CASES = { none: 400, short: 2_000, full: 10_000 }[faultMode]
const BATCH = 20
const HOST = 'shop.acme.io'

type Fields = Record<string, unknown>

describe('a caller that names an agent and is not it', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  const [key, thiefs] = [createAgentKey(), createAgentKey()]
  let service: StartedService
  let apiKey: string
  let victim: string
  let thief: string
  let svceId: string
  let scene: ReturnType<typeof createProofAttacks>

  before(async () => {
    service = await startService({ settings: { VERIFY_RATE_PER_MINUTE: '100000000' } })
    apiKey = (await createOrganisation(service.baseUrl)).apiKey
    victim = (await registerAgent(service.baseUrl)).svcId
    thief = (await registerAgent(service.baseUrl)).svcId
    await storeAgentKey(service, victim, key)
    await storeAgentKey(service, thief, thiefs)
    const asking = { counterpartyUrl: `https://${HOST}`, minIdentityProof: 'signature' }
    svceId = await registerEndpoint(service.baseUrl, apiKey, asking)
    scene = createProofAttacks({
      ...{ key, thiefs, victim, thief, svceId, url: `https://${HOST}/orders/7` },
      seconds: () => Math.floor(Date.now() / 1000),
      useUp: async (fields) => void expect(await isGranted(fields)).to.equal(true),
    })
  })
  after(() => service?.stop())

  const verify = async (fields: Fields) => {
    const body = { agentId: victim, counterpartyId: svceId, resource: '/orders/7', ...fields }
    return (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: apiKey, body })).body
  }
  const isGranted = async (fields: Fields) => (await verify(fields)).recommendation === 'grant'

  it('is granted nothing at an endpoint that requires a signature', async () => {
    const { attacks, sign, intend, paying } = scene
    const names = Object.keys(attacks)
    const granted: string[] = []
    const undecided: string[] = []
    const attempt = async (nth: number) => {
      const name = names[nth % names.length] ?? ''
      const { recommendation } = await verify((await attacks[name]?.()) ?? {})
      if (recommendation === 'grant') granted.push(name)
      if (recommendation !== 'grant' && recommendation !== 'deny') undecided.push(name)
    }
    for (let at = 0; at < CASES; at += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, (_, index) => attempt(at + index)))
    }
    expect(granted).to.deep.equal([])
    expect(undecided).to.deep.equal([])
    expect(await isGranted({ callerMetadata: sign() })).to.equal(true)
    expect(await isGranted({ ...paying, intentProof: intend() })).to.equal(true)
    reportFaultFigure(
      `${CASES} proofs, stolen, replayed, cut, bound to something else, expired or of the future, in ${names.length} ways: 0 granted`,
    )
  })
})
