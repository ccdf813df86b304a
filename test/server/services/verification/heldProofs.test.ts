import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signAsAgent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'held.acme.io'
/** The rules of a new agent, and some that also ask about the purpose. */
const RULES = [{ dimension: 'spend', match: {} }]
const MORE_RULES = [...RULES, { dimension: 'purpose', match: { categories: ['shopping'] } }]

describe('a signature with which a request was held', () => {
  const key = createAgentKey()
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  /** Two endpoints of one account on one host. */
  let here: string
  let elsewhere: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent()
    await storeAgentKey(scene.service, agentId, key)
    await scene.store(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, agentId)
    const register = (path: string) =>
      registerEndpoint(scene.baseUrl, scene.shop.apiKey, { counterpartyUrl: `https://${HOST}/${path}` })
    here = await register('here')
    elsewhere = await register('elsewhere')
  })
  beforeEach(() => setRules(RULES))
  after(() => scene?.service.stop())

  const setRules = async (rules: readonly object[]) => {
    const headers = { 'x-svc-elevation': await ada.elevation() }
    const path = `/api/agents/${agentId}/approval-rules`
    expect((await ada.call('PUT', path, { headers, body: { rules } })).status).to.equal(200)
  }
  const wait = (minutes: number) => {
    scene.time.now += minutes * MINUTE_MS
  }
  const sign = () => {
    const created = Math.floor(scene.time.now / 1000)
    return {
      callerMetadata: signAsAgent(key, { svcId: agentId, url: `https://${HOST}/orders/1`, created }),
      attemptId: randomUUID() as string,
    }
  }
  const verify = async (counterpartyId: string, fields: object) =>
    (await scene.verifyUnproven(scene.asking(agentId, { counterpartyId, ...fields }))).body
  const found = async (counterpartyId: string, fields: object) => {
    const { recommendation, identityProof, access } = await verify(counterpartyId, fields)
    return [recommendation, identityProof, ...(access.failures?.slice(0, 1) ?? []).map(causeOf)]
  }
  const causeOf = ({ cause }: { cause?: string }) => cause ?? null
  const hold = async (counterpartyId: string, fields: object): Promise<string> => {
    const { recommendation, stepUpApproval } = await verify(counterpartyId, fields)
    expect(recommendation).to.equal('step_up_required')
    return stepUpApproval.approvalId
  }
  const approve = async (approvalId: string) => expect((await ada.approve(approvalId)).status).to.equal(200)
  const [HELD, GRANTED] = [
    ['step_up_required', 'signature', null],
    ['grant', 'signature'],
  ]
  const REPLAYED = ['deny', 'none', 'replayed']
  const EXPIRED = ['deny', 'none', 'expired']
  /** Its row, which contains what it may be presented again for. */
  const rowOf = async (text: string) =>
    scene.store('SELECT attempt_id, expires_at FROM used_proofs WHERE attempt_id LIKE ?', `%${text}%`)
  const storeAsFormerRelease = async (approvalId: string, attemptId: string) => {
    expect(await rowOf(approvalId)).to.have.length(1)
    const [stored] = await rowOf(approvalId)
    const { attempt_id } = stored as { attempt_id: string }
    await scene.store('UPDATE used_proofs SET attempt_id = ? WHERE attempt_id = ?', attemptId, attempt_id)
  }

  it('proves no request at another endpoint for which the same attempt is named', async () => {
    const signed = sign()
    const { attemptId } = signed
    const genuine = await hold(here, signed)
    const unproven = await hold(elsewhere, { attemptId })
    expect(await found(elsewhere, signed)).to.deep.equal(REPLAYED)
    wait(10)
    expect(await found(elsewhere, signed)).to.deep.equal(REPLAYED)
    await approve(unproven)
    expect(await found(elsewhere, signed)).to.deep.equal(REPLAYED)
    expect(await found(here, signed)).to.deep.equal(HELD)
    await approve(genuine)
    expect(await found(here, signed)).to.deep.equal(GRANTED)
    expect(await found(here, signed)).to.deep.equal(REPLAYED)
    expect(await found(elsewhere, { attemptId })).to.deep.equal(['grant', 'none'])
  })

  it('proves it also for an approval that replaces the first one, until that ends', async () => {
    const signed = sign()
    const first = await hold(here, signed)
    wait(20)
    await setRules(MORE_RULES)
    const second = await hold(here, signed)
    expect(second).to.not.equal(first)
    expect(await rowOf(first)).to.have.length(0)
    const [row] = await rowOf(second)
    const { expires_at } = row as { expires_at: number | string }
    expect(Number(expires_at)).to.equal(scene.time.now + 30 * MINUTE_MS)
    wait(20)
    await approve(second)
    expect(await found(here, signed)).to.deep.equal(GRANTED)
    expect(await found(here, signed)).to.deep.equal(REPLAYED)
  })

  it('does not prove it any more after the approval has ended', async () => {
    const signed = sign()
    const approvalId = await hold(here, signed)
    await approve(approvalId)
    wait(31)
    expect(await found(here, signed)).to.deep.equal(REPLAYED)
    const { attemptId } = signed
    await approve(await hold(here, { attemptId }))
    expect(await found(here, signed)).to.deep.equal(REPLAYED)
  })

  it('had to be in time when it was held', async () => {
    const signed = sign()
    wait(10)
    expect(await found(here, signed)).to.deep.equal(EXPIRED)
  })

  describe('of which the former release has stored the attempt', () => {
    it('proves its request until the approval ends, once', async () => {
      const signed = sign()
      const approvalId = await hold(here, signed)
      await storeAsFormerRelease(approvalId, signed.attemptId)
      wait(10)
      await approve(approvalId)
      expect(await found(here, signed)).to.deep.equal(GRANTED)
      expect(await found(here, signed)).to.deep.equal(REPLAYED)
    })

    it('is bound to its approval as soon as the request is held again', async () => {
      const signed = sign()
      const approvalId = await hold(here, signed)
      await storeAsFormerRelease(approvalId, signed.attemptId)
      expect(await hold(here, signed)).to.equal(approvalId)
      expect(await rowOf(signed.attemptId)).to.have.length(0)
      expect(await rowOf(approvalId)).to.have.length(1)
    })

    it('proves no request of this attempt at another endpoint', async () => {
      const signed = sign()
      const { attemptId } = signed
      const genuine = await hold(here, signed)
      await storeAsFormerRelease(genuine, attemptId)
      scene.time.now += 1
      const unproven = await hold(elsewhere, { attemptId })
      expect(await found(elsewhere, signed)).to.deep.equal(REPLAYED)
      await approve(unproven)
      expect(await found(elsewhere, signed)).to.deep.equal(REPLAYED)
      await approve(genuine)
      expect(await found(here, signed)).to.deep.equal(GRANTED)
    })
  })
})
