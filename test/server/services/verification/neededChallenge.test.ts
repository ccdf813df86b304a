import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('a runtime challenge', () => {
  let scene: OwnerScene
  let ada: Owner
  let site: Awaited<ReturnType<typeof listen>>
  let challenges = 0

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    site = await listen((_req, res) => {
      challenges += 1
      res.writeHead(500).end()
    })
  })
  after(async () => {
    await scene?.service.stop()
    await site?.stop()
  })

  it('is sent only if nothing else denies the request', async () => {
    const agentId = await ada.agent({ apiEndpoint: site.url, pdlss: { limits: { approvalThreshold: 100 } } })
    const pdlss = { scope: { deniedResources: ['/secret'] } }
    const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { pdlss })
    const verify = async (fields: object) =>
      (await scene.verify({ agentId, counterpartyId, enableRuntimeChallenge: true, ...fields })).body
    for (const denied of [{ resource: '/secret' }, { transactionValue: 100 }, { subAgent: { depth: 1 } }]) {
      const { recommendation, runtimeChallenge } = await verify(denied)
      expect([recommendation, runtimeChallenge], JSON.stringify(denied)).to.deep.equal(['deny', undefined])
    }
    await verify({ resource: '/open', dryRun: true })
    expect(challenges).to.equal(0)
    const { access, runtimeChallenge } = await verify({ resource: '/open' })
    expect(access.failures[0].dimension).to.equal('runtime.challenge')
    expect([runtimeChallenge.passed, challenges]).to.deep.equal([false, 1])
  })
  it('is sent at most six times a minute for one agent and one person behind the counterparty', async () => {
    const eve = await scene.owner()
    const agentId = await ada.agent({ apiEndpoint: site.url, pdlss: {} })
    /** An endpoint of an organisation of this person. */
    const openPlace = async (person: Owner) => {
      const organizationId = await person.organizationWith([])
      const body = { name: 'key', organizationId }
      const bearer = (await person.call('POST', '/api/api-keys', { body })).body.key
      return { bearer, counterpartyId: await registerEndpoint(scene.baseUrl, bearer) }
    }
    const places = [await openPlace(eve), await openPlace(eve)]
    const verify = async ({ bearer, counterpartyId } = places[0] ?? { bearer: '', counterpartyId: '' }) =>
      (
        await scene.call('POST', '/api/agents/verify-access', {
          bearer,
          body: await scene.prove({ agentId, counterpartyId, enableRuntimeChallenge: true }),
        })
      ).body
    challenges = 0
    for (let nth = 0; nth < 6; nth += 1)
      expect((await verify(places[nth % 2])).runtimeChallenge.passed).to.equal(false)
    expect(challenges).to.equal(6)
    for (const place of places) {
      const { recommendation, access, runtimeChallenge, auditRecordId } = await verify(place)
      expect([recommendation, runtimeChallenge]).to.deep.equal(['deny', undefined])
      expect(access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.deep.equal([
        'runtime.challenge',
      ])
      expect(access.failures[0].guidance).to.match(/^Retry in a minute/)
      const path = `/api/audit/records/${auditRecordId}/replay`
      expect((await scene.call('POST', path, { bearer: place.bearer })).body.reproduced).to.equal(true)
      const { body } = await scene.call('GET', '/api/activity?limit=1', { bearer: place.bearer })
      expect(body.items[0].eventData).to.include({ challengeFailed: false, challengeWithheld: true })
    }
    expect(challenges).to.equal(6)
    const [row] = await scene.service.rows<{ event_data: string }>(
      // Not the publication of its registration file, which may follow at any time.
      `SELECT event_data FROM audit_records WHERE agent_id = ? AND event_type LIKE 'verification.%'
       ORDER BY seq DESC LIMIT 1`,
      agentId,
    )
    expect(JSON.parse(row?.event_data ?? '').countsAgainstAgent).to.equal(false)
    await verify(await openPlace(await scene.owner()))
    expect(challenges).to.equal(7)
    scene.time.now += 60_000
    await verify()
    expect(challenges).to.equal(8)
  })
})
