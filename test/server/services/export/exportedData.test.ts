import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Owner } from '../approvals/openOwnerScene.ts'
import { openExportScene } from './openExportScene.ts'

describe('what an export of a person’s data contains', () => {
  let scene: Awaited<ReturnType<typeof openExportScene>>
  let owner: Owner
  let svcId: string
  let key: string
  let opened: Awaited<ReturnType<typeof scene.open>>

  before(async () => {
    scene = await openExportScene()
    owner = await scene.owner()
    await (await scene.owner({ withPasskey: false })).agent({ name: 'Of another' })
    svcId = await owner.agent({ name: 'Buyer of the owner' })
    key = (await owner.call('POST', '/api/api-keys', { body: { name: 'laptop' } })).body.key
    await owner.organizationWith([])
    await scene.asked(svcId)
    await addAlerts(250)
    await addStanding()
    await scene.prepare(owner)
    opened = await scene.open(owner, { 'x-svc-elevation': await owner.elevation() })
  })
  after(() => scene.service.stop())

  async function addAlerts(count: number) {
    for (let i = 0; i < count; i += 1) {
      await scene.store(
        `INSERT INTO alerts (id, owner_id, code, severity, subject, day, data, created_at)
         VALUES (?, ?, 'approval_pending', 'info', ?, 'd', '{"n":1}', 1)`,
        ...[randomUUID(), owner.developerId, `subject ${i}`],
      )
    }
  }
  /** An approval in advance by somebody else, with the owner as the counterparty. */
  const addStanding = () =>
    scene.store(
      `INSERT INTO standing_approvals (id, agent_id, endpoint_id, currency, owner_id, counterparty_owner_id, amount, used,
        min_identity_proof, created_at, expires_at) VALUES ('s', 'SVC-x', 'e', 'USD', 'SVCD-x', ?, '4711.25', '0', 'token', 1, 2)`,
      owner.developerId,
    )

  it('has a file for each kind of thing, which about.json counts', () => {
    const { about, ...rest } = opened.files['about.json']
    expect(about).to.contain('Everything')
    expect(rest.owners).to.include(owner.developerId)
    const counts = Object.entries(opened.files).filter(([name]) => name !== 'about.json')
    expect(rest.files).to.deep.equal(
      Object.fromEntries(counts.map(([name, items]) => [name, (items as unknown[]).length])),
    )
    expect(rest.leftOut).to.include.keys('refresh_tokens', 'recovery_codes', 'webhook_deliveries')
  })

  it('has the account, its organisation, agents, keys and passkeys, with times and JSON as such', () => {
    const { files } = opened
    const [account] = files['account.json']
    expect(account).to.include({ developerId: owner.developerId, email: owner.email, fullName: 'An Owner' })
    expect(account.createdAt).to.match(/^20\d\d-.*Z$/)
    expect(files['organisations.json'][0].name).to.equal('Org')
    expect(files['memberships.json'][0].role).to.equal('owner')
    expect(files['agents.json']).to.have.length(1)
    expect(files['agents.json'][0]).to.include({ svcId, name: 'Buyer of the owner' })
    expect(files['agents.json'][0].pdlss.limits.autonomousThreshold).to.equal(100.25)
    expect(files['api-keys.json'][0]).to.include({ name: 'laptop', lastFour: key.slice(-4) })
    expect(files['passkeys.json'][0].name).to.equal('key')
    expect(files['approvals.json'][0]).to.include({ agentId: svcId, status: 'pending' })
    expect(files['approvals.json'][0].request.transactionValue).to.equal(150)
  })

  it('has all rows of a long table, each once', () => {
    const subjects = opened.files['alerts.json'].map(({ subject }: { subject: string }) => subject)
    expect(new Set(subjects).size).to.equal(subjects.length)
    expect(subjects.filter((subject: string) => subject.startsWith('subject '))).to.have.length(250)
  })

  it('has the events as the person’s activity shows them', async () => {
    const { body } = await owner.call('GET', '/api/activity?limit=100')
    const events = opened.files['events.json']
    expect(events.length).to.be.greaterThan(1)
    // Newest first: what the chain has added since then comes before.
    expect(events).to.deep.equal(body.items.slice(-events.length))
  })

  it('has no secret, no hash of one, and nothing of another person', async () => {
    const secrets = await scene.store(
      `SELECT password_hash AS secret FROM users UNION SELECT key_hash FROM api_keys UNION SELECT token_hash FROM refresh_tokens
       UNION SELECT public_key FROM passkeys UNION SELECT pdlss_salt FROM agents UNION SELECT challenge_salt FROM step_up_approvals`,
    )
    const texts = secrets.map((row) => String((row as { secret: unknown }).secret))
    expect(texts.length).to.be.greaterThan(6)
    const others = ['Of another', '4711.25', key]
    expect(
      [...texts, ...others].filter((text) => text !== 'null' && opened.text.includes(text)),
    ).to.deep.equal([])
  })

  it('masks the other party of an event', async () => {
    const { accessToken } = scene.shop
    await scene.prepare({ call: (method, path) => scene.call(method, path, { bearer: accessToken }) })
    const { text, files } = await scene.open({
      async download(path) {
        const response = await fetch(scene.baseUrl + path, {
          headers: { authorization: `Bearer ${accessToken}` },
        })
        return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
      },
    })
    expect(files['events.json'].some(({ agentId }: { agentId: string }) => agentId === svcId)).to.equal(true)
    expect(text).to.not.contain('Buyer of the owner')
    expect(text).to.not.contain(owner.developerId)
  })

  it('has what others sent to the address only if the address is confirmed', async () => {
    const body = { agentName: 'Asked for', ownerEmail: owner.email }
    await scene.call('POST', '/api/agents/request-registration', { body })
    const read = async () => {
      scene.time.now += 86_400_000
      await scene.prepare(owner)
      return (await scene.open(owner, { 'x-svc-elevation': await owner.elevation() })).files
    }
    const unconfirmed = await read()
    expect([unconfirmed['registration-requests.json'], unconfirmed['mails.json']]).to.deep.equal([[], []])
    await scene.store('UPDATE users SET email_verified_at = 1 WHERE id = ?', owner.userId)
    const confirmed = await read()
    expect(confirmed['registration-requests.json'][0].registration.name).to.equal('Asked for')
    expect(confirmed['mails.json'].map(({ template }: { template: string }) => template)).to.include(
      'export_ready',
    )
  })
})
