import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createAgentKey } from '../builders/createAgentKey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../builders/participants.ts'
import { signAsAgent, signIntent } from '../builders/signAsAgent.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const RACES = { none: 200, short: 1_000, full: 10_000 }[faultMode]
const REVOCATIONS = { none: 15, short: 50, full: 500 }[faultMode]
/** Races at a time. */
const BATCH = 16
const URL = 'https://races.acme.io/api'

describe('proofs in two processes over one PostgreSQL', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  const account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())
  const key = createAgentKey()
  let two: TwoProcesses
  let shop: Organisation
  let counterpartyId: string
  let svcId: string

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
    shop = await createOrganisation(baseUrl(0))
    const fields = { counterpartyUrl: URL, minIdentityProof: 'signature' }
    counterpartyId = await registerEndpoint(baseUrl(0), shop.apiKey, fields)
    svcId = (await registerAgent(baseUrl(0), {}, { account })).svcId
    await changeKeys(0, 'POST', '', { key: key.jwk })
    await isGrantedSoon(1, key)
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth] ?? ''
  const seconds = () => Math.floor(Date.now() / 1000)
  const sign = (by = key) => ({ callerMetadata: signAsAgent(by, { svcId, url: URL, created: seconds() }) })
  const intend = () => {
    const [iat, jti] = [seconds(), crypto.randomUUID()]
    return { intentProof: signIntent(key, { iss: svcId, aud: counterpartyId, iat, exp: iat + 60, jti }) }
  }
  const verify = async (nth: number, proof: object): Promise<string> => {
    const body = { agentId: svcId, counterpartyId, ...proof }
    const answer = await api(baseUrl(nth), 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })
    return answer.body.recommendation
  }
  const isGrantedSoon = (nth: number, by: typeof key) =>
    waitUntil(async () => ((await verify(nth, sign(by))) === 'grant' ? true : null))
  const changeKeys = async (nth: number, method: string, place: string, body?: object) => {
    const path = `/api/agents/${svcId}/keys${place}`
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = await signHeaders(account, { method, path, body: text })
    const { status } = await api(baseUrl(nth), method, path, { headers, ...(body ? { body } : {}) })
    expect(status).to.be.below(300)
  }

  it('are good exactly once, however two requests with the same one race', async () => {
    const outcomes = new Map<string, number>()
    const race = async (nth: number) => {
      const proof = nth % 2 === 0 ? sign() : intend()
      const first = Math.floor(nth / 2) % 2
      const answers = await Promise.all([verify(first, proof), verify(1 - first, proof)])
      const outcome = answers.toSorted().join(' ')
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    for (let at = 0; at < RACES; at += BATCH) {
      const size = Math.min(BATCH, RACES - at)
      await Promise.all(Array.from({ length: size }, (_, index) => race(at + index)))
    }
    expect(Object.fromEntries(outcomes)).to.deep.equal({ 'deny grant': RACES })
    reportFaultFigure(
      `${RACES} proofs, each presented to two processes over one PostgreSQL at once: ${RACES} granted by exactly one`,
    )
  })

  it('are refused by the next request to the other process once the key is revoked', async () => {
    const late: number[] = []
    for (let nth = 0; nth < REVOCATIONS; nth += 1) {
      const rotated = createAgentKey()
      const [one, other] = nth % 2 === 0 ? [0, 1] : [1, 0]
      await changeKeys(one, 'POST', '', { key: rotated.jwk })
      await isGrantedSoon(other, rotated)
      const proof = sign(rotated)
      await changeKeys(one, 'DELETE', `/${rotated.kid}`)
      if ((await verify(other, proof)) !== 'deny') late.push(nth)
    }
    expect(late).to.deep.equal([])
    reportFaultFigure(
      `${REVOCATIONS} keys revoked in one process: the next request to the other was refused each time`,
    )
  })
})
