import { expect } from 'chai'
import { type Owner, type OwnerScene, openOwnerScene, PDLSS } from '../approvals/openOwnerScene.ts'

/** Refuses endpoints without a proven domain, and most requests. */
const TRUSTING = { ...PDLSS, scope: { ...PDLSS.scope, minCounterpartyTrustScore: 60 } }

describe('a counterparty that the agent’s own rules refuse', () => {
  let scene: OwnerScene
  let ada: Owner

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  after(() => scene?.service.stop())

  /** What its owner learns of a decision, from the answer, the event, the audit entry and a replay. */
  async function learnt(agentId: string, fields: object) {
    const { body } = await scene.verify(scene.asking(agentId, fields))
    const bearer = scene.shop.apiKey
    const { items } = (await scene.call('GET', `/api/activity?agent=${agentId}&limit=1`, { bearer })).body
    const [row] = await scene.store('SELECT entry FROM audit_records WHERE record_id = ?', body.auditRecordId)
    const path = `/api/audit/records/${body.auditRecordId}/replay`
    const replayed = (await scene.call('POST', path, { bearer })).body
    expect(replayed.reproduced).to.equal(true)
    return [
      (body.access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension),
      items[0].eventData.dimensions,
      JSON.parse((row as { entry: string }).entry).dimensions,
      replayed.replayed.dimensions,
    ]
  }
  const everywhere = (...dimensions: string[]) => Array(4).fill(dimensions)

  it('learns that, and nothing else of the mandate, wherever it looks', async () => {
    const agentId = await ada.agent({ pdlss: TRUSTING })
    const outside = { purpose: 'gaming', resource: '/x', jurisdiction: 'FR', transactionValue: 90_000 }
    expect(await learnt(agentId, outside)).to.deep.equal(everywhere('counterparty.trust'))
    expect(await learnt(agentId, {})).to.deep.equal(everywhere('counterparty.trust'))
    const denials = await scene.store(
      `SELECT event_data FROM audit_records WHERE agent_id = ? AND event_type = 'verification.denied'`,
      agentId,
    )
    expect(denials.length).to.equal(2)
    expect(JSON.stringify(denials)).to.not.include('countsAgainstAgent\\":true')
  })

  it('learns only the scope if the mandate lists other counterparties', async () => {
    const scope = { ...PDLSS.scope, counterparties: ['other.example'] }
    const agentId = await ada.agent({ pdlss: { ...PDLSS, scope } })
    expect(await learnt(agentId, { purpose: 'gaming' })).to.deep.equal(everywhere('pdlss.scope'))
    expect(await learnt(agentId, {})).to.deep.equal(everywhere('pdlss.scope'))
  })

  it('learns what fails once it is trusted enough', async () => {
    const agentId = await ada.agent({ pdlss: PDLSS })
    const fails = everywhere('pdlss.purpose', 'pdlss.limits')
    expect(await learnt(agentId, { purpose: 'gaming', transactionValue: 90_000 })).to.deep.equal(fails)
  })
})
