import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSiweMessage } from 'viem/siwe'
import { createOrganisation, registerAgent } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { type Owner, type OwnerScene, openOwnerScene, PDLSS } from '../approvals/openOwnerScene.ts'

type Alert = {
  id: string
  code: string
  data: Record<string, string>
  readAt: string | null
  mayMarkRead: boolean
}

describe('alerts', () => {
  let scene: OwnerScene
  let ada: Owner

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  after(() => scene?.service.stop())

  const alertsOf = async (owner: Owner, query = ''): Promise<Alert[]> =>
    (await owner.call('GET', `/api/alerts?limit=100${query}`)).body.items
  const ofCode = (alerts: Alert[], code: string) => alerts.filter((alert) => alert.code === code)
  const arrived = (owner: Owner, code: string) =>
    waitUntil(async () => {
      const found = ofCode(await alertsOf(owner), code)
      return found.length > 0 ? found : null
    })
  const mails = () => {
    const folder = join(scene.dataDir, 'mail')
    return existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /^approval(_pending|s_unproven).*\.eml$/.test(name))
          .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }))
      : []
  }
  const mailsTo = (email: string) => mails().filter(({ text }) => text.includes(`To: ${email}`))

  it('notify an owner once of a pending approval, on the dashboard and by mail', async () => {
    const request = scene.asking(await ada.agent({ name: 'Buyer <b>"9&' }))
    const { approvalId } = (await scene.verify(request)).body.stepUpApproval
    await Promise.all([1, 2, 3].map(() => scene.verify(request)))
    const found = await arrived(ada, 'approval_pending')
    expect(found.map(({ data }) => [data.approvalId, data.agentName])).to.deep.equal([
      [approvalId, 'Buyer <b>"9&'],
    ])
    const [mail] = await waitUntil(async () => (mailsTo(ada.email).length > 0 ? mailsTo(ada.email) : null))
    expect(mailsTo(ada.email).length).to.equal(1)
    const text = mail?.text.replace(/=\r?\n/g, '').replace(/=3D/g, '=') ?? ''
    expect(text).to.contain(
      `${scene.baseUrl.replace('127.0.0.1', 'localhost')}/activity/pending/${approvalId}`,
    )
    expect(text).to.match(/You have (29|30) minutes to decide/)
    expect(text).to.contain('Buyer &lt;b&gt;&quot;9&amp;')
    expect(text).to.contain('Auto-Submitted: auto-generated')
    for (const secret of ['canary', '100.25', '200.75', '50000.5', '150', '/orders']) {
      expect(containsValue(text, secret), secret).to.equal(false)
    }
    expect(statSync(mail?.path ?? '').mode & 0o777).to.equal(0o600)
  })

  it('are marked as read, once and permanently, by their owner only', async () => {
    const [alert] = await arrived(ada, 'approval_pending')
    const eve = await scene.owner()
    const path = `/api/alerts/${alert?.id}/read`
    expect((await eve.call('POST', path)).status).to.equal(404)
    expect((await ada.call('POST', `/api/alerts/${randomUUID()}/read`)).status).to.equal(404)
    const read = await ada.call('POST', path)
    expect([read.status, read.body.alert.readAt]).to.deep.equal([200, new Date(scene.time.now).toISOString()])
    scene.time.now += 1000
    expect((await ada.call('POST', path)).body.alert).to.deep.equal(read.body.alert)
    expect(ofCode(await alertsOf(ada, '&status=unread'), 'approval_pending')).to.deep.equal([])
    expect(await alertsOf(eve)).to.deep.equal([])
  })

  it('are marked together, all or none, by their owner only', async () => {
    const [ben, eve] = [await scene.owner(), await scene.owner()]
    const read = (owner: Owner, alertIds: unknown) =>
      owner.call('POST', '/api/alerts/read', { body: { alertIds } })
    for (let nth = 0; nth < 3; nth += 1) await scene.verify(scene.asking(await ben.agent()))
    await scene.verify(scene.asking(await eve.agent()))
    const [foreign] = await arrived(eve, 'approval_pending')
    const unread = await waitUntil(async () => {
      const found = await alertsOf(ben, '&status=unread')
      return found.length === 3 ? found : null
    })
    const ids = unread.map(({ id }) => id)
    for (const refused of [
      await read(ben, [...ids, foreign?.id]),
      await read(ben, [...ids, randomUUID()]),
      await read(eve, ids),
    ]) {
      expect([refused.status, refused.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    }
    expect(await alertsOf(ben, '&status=unread')).to.deep.equal(unread)
    expect(await alertsOf(eve, '&status=unread')).to.have.lengthOf(1)
    const first = await read(ben, [ids[2], ids[0], ids[2]])
    expect(first.status, JSON.stringify(first.body)).to.equal(200)
    expect(first.body.alerts.map(({ id }: Alert) => id)).to.deep.equal([ids[0], ids[2]])
    const at = new Date(scene.time.now).toISOString()
    scene.time.now += 1000
    const second = await read(ben, ids)
    expect(second.body.alerts.map(({ readAt }: Alert) => readAt)).to.deep.equal([
      at,
      new Date(scene.time.now).toISOString(),
      at,
    ])
    expect(await alertsOf(ben, '&status=unread')).to.deep.equal([])
  })

  it('are marked by identifier, at most a hundred at once, in a session', async () => {
    const path = '/api/alerts/read'
    const many = Array.from({ length: 101 }, () => randomUUID())
    for (const body of [
      {},
      { alertIds: [] },
      { alertIds: many },
      { alertIds: ['no\u0000id'] },
      { alertIds: 'all' },
    ]) {
      const refused = await ada.call('POST', path, { body })
      expect([refused.status, refused.body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
    expect((await ada.call('POST', path, { body: { alertIds: many.slice(1) } })).status).to.equal(404)
    const byKey = await scene.call('POST', path, {
      bearer: scene.shop.apiKey,
      body: { alertIds: many.slice(100) },
    })
    expect([byKey.status, byKey.body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
    const byNobody = await scene.call('POST', path, { body: { alertIds: many.slice(100) } })
    expect([byNobody.status, byNobody.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
  })

  it('are available to sessions, and accept no other filter', async () => {
    const byKey = await scene.call('GET', '/api/alerts', { bearer: scene.shop.apiKey })
    expect([byKey.status, byKey.body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect((await ada.call('GET', '/api/alerts?status=old')).status).to.equal(400)
  })

  /** An organisation of Ada with an agent that awaits approval. */
  async function openOrganisation(): Promise<{ member: Owner; viewer: Owner }> {
    const [member, viewer] = [await scene.owner(), await scene.owner()]
    const organizationId = await ada.organizationWith([
      [member, 'member'],
      [viewer, 'viewer'],
    ])
    await scene.verify(scene.asking(await ada.agent({}, organizationId)))
    return { member, viewer }
  }

  it('are mailed to everyone who may decide for an organisation, but not to its viewers', async () => {
    const earlier = mailsTo(ada.email).length
    const { member, viewer } = await openOrganisation()
    await waitUntil(async () => (mailsTo(member.email).length === 1 ? true : null))
    await waitUntil(async () => (mailsTo(ada.email).length === earlier + 1 ? true : null))
    expect(mailsTo(viewer.email)).to.deep.equal([])
    expect(ofCode(await alertsOf(viewer), 'approval_pending').length).to.equal(1)
  })

  it('of an organisation are visible to its viewers, and marked for all by those who may decide for it', async () => {
    const { member, viewer } = await openOrganisation()
    const [seen] = await arrived(viewer, 'approval_pending')
    expect(seen).to.include({ readAt: null, mayMarkRead: false })
    const path = `/api/alerts/${seen?.id}/read`
    for (const refused of [
      await viewer.call('POST', path),
      await viewer.call('POST', '/api/alerts/read', { body: { alertIds: [seen?.id] } }),
    ]) {
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'FORBIDDEN'])
    }
    expect(await alertsOf(viewer, '&status=unread')).to.deep.equal([seen])
    const read = await member.call('POST', path)
    expect([read.status, read.body.alert.mayMarkRead]).to.deep.equal([200, true])
    expect(await alertsOf(viewer, '&status=unread')).to.deep.equal([])
  })

  it('are not mailed for a wallet-only account', async () => {
    const timestamp = Math.floor(scene.time.now / 1000)
    const { svcId } = await registerAgent(scene.baseUrl, { name: 'Of a wallet', pdlss: PDLSS }, { timestamp })
    await scene.verify(scene.asking(svcId))
    const after = await ada.agent({ name: 'Afterwards' })
    await scene.verify(scene.asking(after))
    const mailsAbout = (name: string) => mails().filter(({ text }) => text.includes(name))
    await waitUntil(async () => (mailsAbout('Afterwards').length > 0 ? true : null))
    expect(mailsAbout('Of a wallet')).to.deep.equal([])
  })

  it('notify the new owner of a transferred agent of pending approvals', async () => {
    const timestamp = Math.floor(scene.time.now / 1000)
    const { svcId, account } = await registerAgent(scene.baseUrl, { pdlss: PDLSS }, { timestamp })
    const { approvalId } = (await scene.verify(scene.asking(svcId))).body.stepUpApproval
    const ben = await scene.owner()
    const { nonce } = (await scene.call('GET', '/api/auth/siwe/nonce')).body
    const message = createSiweMessage({
      address: account.address,
      chainId: 31337,
      domain: new URL(scene.appUrl).host,
      nonce,
      uri: scene.appUrl,
      version: '1',
      issuedAt: new Date(scene.time.now),
    })
    const signature = await account.signMessage({ message })
    const linked = await ben.call('POST', '/api/auth/siwe', {
      body: { message, signature },
      headers: { 'X-Svc-Elevation': await ben.elevation() },
    })
    expect(linked.status, JSON.stringify(linked.body)).to.equal(200)
    const found = await arrived(ben, 'approval_pending')
    expect(found.map(({ data }) => data.approvalId)).to.deep.equal([approvalId])
    await waitUntil(async () => (mailsTo(ben.email).length === 1 ? true : null))
    expect((await ben.approve(approvalId)).status).to.equal(200)
  })

  it('stop the mails, not the alerts, of an agent that floods its owner', async () => {
    const ben = await scene.owner()
    const flooding = await ben.agent()
    for (let nth = 0; nth < 25; nth += 1) await scene.verify(scene.asking(flooding))
    await waitUntil(async () => (ofCode(await alertsOf(ben), 'approval_pending').length === 25 ? true : null))
    await waitUntil(async () => (mailsTo(ben.email).length >= 20 ? true : null))
    expect(mailsTo(ben.email).length).to.equal(20)
  })

  it('notify an owner once a day that a foreign key acts as owner of its agent, without naming the key', async () => {
    const own = await ada.agent({ name: 'Buyer' })
    const stranger = await createOrganisation(scene.baseUrl)
    for (let nth = 0; nth < 3; nth += 1) {
      const refused = await scene.call('PATCH', `/api/agents/${own}`, {
        bearer: stranger.apiKey,
        body: { name: 'Mine' },
      })
      expect(refused.status).to.equal(403)
    }
    const found = await arrived(ada, 'agent.ownership_mismatch_attempt')
    expect(found.length).to.equal(1)
    expect(found[0]).to.deep.include({ severity: 'critical', data: { agentId: own, agentName: 'Buyer' } })
    expect(JSON.stringify(found)).to.not.contain(stranger.organizationId)
    expect(await scene.call('GET', `/api/agents/${own}`, { bearer: stranger.apiKey })).to.include({
      status: 200,
    })
  })

  it('notify a caller whose URL nobody has claimed, by that URL', async () => {
    const url = `https://${randomUUID()}.acme.io`
    await scene.call('POST', '/api/agents/verify-access', {
      bearer: scene.shop.apiKey,
      body: { counterpartyUrl: url },
    })
    const found = await waitUntil(async () => {
      const bearer = scene.shop.accessToken
      const { items } = (await scene.call('GET', '/api/alerts', { bearer })).body
      return ofCode(items, 'sdk_unregistered_endpoint')[0] ?? null
    })
    expect(found).to.deep.include({ severity: 'warning', readAt: null })
    expect(found.data.url).to.equal(url)
  })
})
