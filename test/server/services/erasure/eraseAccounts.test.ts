import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { archiveToFile } from '../../../../scripts/archive/archiveToFile.ts'
import { readConfig } from '../../../../server/config.ts'
import { registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { postKyd } from '../../../builders/postKyd.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { PDLSS } from '../approvals/openOwnerScene.ts'
import { type ErasureScene, openErasureScene } from './openErasureScene.ts'

/** What must not be found, by what it is. */
const NAMES = {
  'name of the person': 'Zyxwina Quuxfield',
  'name of an agent': 'Quuxfield shopping agent',
  'name of an organisation': 'Quuxfield and nobody',
  'name of a session': 'Quuxfield laptop key',
  'address of a request': '203.0.113.77',
  'purpose in free text': 'shopping:quuxbirthday',
}

describe('the erasure of an account', function () {
  this.timeout(180_000)
  let scene: ErasureScene
  /** Texts and bytes to search for. */
  const canaries = new Map<string, Buffer>()
  let proofs: { recordId: string; leafHash: string }[] = []
  let person: { userId: string; developerId: string; svcId: string; email: string; bearer: string }
  let ownOrganisation: string
  let shared: { organizationId: string; heir: Awaited<ReturnType<ErasureScene['owner']>> }

  const rows = <Row>(sql: string, ...values: unknown[]) => scene.current().rows<Row>(sql, ...values)

  before(async () => {
    scene = await openErasureScene()
    await live()
    const asked = await api(scene.baseUrl, 'DELETE', '/api/me', { bearer: person.bearer })
    expect(asked.status).to.equal(200)
    // The other owner leaves within the days of grace, so that only an administrator remains.
    await rows(`UPDATE memberships SET role = 'admin' WHERE user_id = ?`, shared.heir.userId)
    await scene.passGrace()
    await waitUntil(async () => ((await scene.stepOf(person.userId)) === 'identity' ? null : true))
    await scene.restart()
    await scene.untilErased(person.userId)
  })
  after(() => scene.remove())

  /** Leaves traces of a person in as many places as possible. */
  async function live() {
    const { call } = scene
    const email = 'zyxwina.quuxfield@people.io'
    const body = {
      email,
      password: 'correct horse battery',
      fullName: NAMES['name of the person'],
      accountType: 'individual',
    }
    const { data } = (await call('POST', '/api/auth/register', { body })).body
    const { id: userId, developerId } = data.user
    const bearer = data.accessToken
    expect((await postKyd(scene.baseUrl, bearer)).status).to.equal(201)
    const account = privateKeyToAccount(generatePrivateKey())
    await rows('INSERT INTO wallets VALUES (?, ?, ?)', account.address.toLowerCase(), userId, scene.time.now)
    const timestamp = Math.floor(scene.time.now / 1000)
    const fields = { pdlss: PDLSS, name: NAMES['name of an agent'] }
    const { svcId } = await registerAgent(scene.baseUrl, fields, { account, timestamp })
    scene.add(svcId, account)
    person = { userId, developerId, svcId, email, bearer }
    const own = await call('POST', '/api/organizations', {
      bearer,
      body: { name: NAMES['name of an organisation'] },
    })
    ownOrganisation = own.body.organizationId
    const key = await call('POST', '/api/api-keys', {
      bearer,
      body: { name: NAMES['name of a session'], organizationId: ownOrganisation },
    })
    await registerEndpoint(scene.baseUrl, key.body.key, { name: NAMES['name of an organisation'] })
    shared = await shareOrganisation({ email, userId, bearer })
    const caller = { sourceIp: NAMES['address of a request'] }
    const request = scene.asking(svcId, {
      purpose: NAMES['purpose in free text'],
      transactionValue: 12,
      callerMetadata: caller,
    })
    expect((await scene.verify(request)).body.recommendation).to.equal('deny')
    const held = { ...request, purpose: 'shopping:buy', attemptId: randomUUID(), transactionValue: 150 }
    expect((await scene.verify(held)).body.recommendation).to.equal('step_up_required')
    for (const [what, text] of Object.entries(NAMES)) canaries.set(what, Buffer.from(text))
    canaries.set('address', Buffer.from(email))
    const pictures = await rows<{ sealed: Buffer }>('SELECT sealed FROM kyd_documents')
    for (const [i, { sealed }] of pictures.entries())
      canaries.set(`picture ${i}`, Buffer.from(sealed).subarray(64, 128))
    scene.time.now += 2_000
    proofs = await readProofs()
  }

  /** An organisation of the person and of somebody else who can manage it. */
  async function shareOrganisation({
    email,
    userId,
    bearer,
  }: {
    email: string
    userId: string
    bearer: string
  }) {
    const call = (method: string, path: string, options: { body: object }) =>
      scene.call(method, path, { ...options, bearer })
    const heir = await scene.owner({ withPasskey: false })
    const organizationId = await heir.organizationWith([[{ email, userId, call }, 'owner']])
    await rows('UPDATE organizations SET created_by = ? WHERE id = ?', userId, organizationId)
    return { organizationId, heir }
  }

  /** Proofs of all records of the person, once they are anchored. */
  async function readProofs() {
    const records = await rows<{ record_id: string }>(
      'SELECT record_id FROM audit_records WHERE owner_id = ?',
      person.developerId,
    )
    expect(records).to.have.length.at.least(2)
    return Promise.all(records.map(({ record_id }) => readProof(record_id)))
  }
  const readProof = (recordId: string) =>
    waitUntil(async () => {
      const { baseUrl } = scene.current()
      const { status, body } = await api(baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
      if (status !== 200) return null
      const document = proofDocument.parse(body)
      expect(checkProofDocument(document)).to.include({ ok: true })
      return { recordId, leafHash: document.leafHash }
    })

  /** Every value of every column of every table, in the log and in the feed. */
  async function dump(): Promise<Buffer> {
    const sqlite = testedDatabase === 'sqlite'
    const schemas = sqlite ? ['main'] : ['public', 'feed']
    const texts: Buffer[] = []
    for (const schema of schemas) {
      const tables = sqlite
        ? await rows<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`)
        : await rows<{ name: string }>(
            'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?',
            schema,
          )
      for (const { name } of tables) texts.push(...valuesOf(await rows(`SELECT * FROM ${schema}."${name}"`)))
    }
    if (sqlite) texts.push(...valuesOf(readFeed()))
    return Buffer.concat(texts)
  }
  function readFeed(): object[] {
    const feed = new Sqlite(join(scene.dataDir, 'feed.sqlite'), { readonly: true })
    try {
      return feed.prepare('SELECT * FROM party_events').all() as object[]
    } finally {
      feed.close()
    }
  }
  const valuesOf = (found: object[]): Buffer[] =>
    found.flatMap((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`))),
    )
  const findIn = (bytes: Buffer) =>
    [...canaries].filter(([, canary]) => bytes.includes(canary)).map(([what]) => what)

  it('leaves no name, address, network address, free text or document in any column of any table', async () => {
    expect(findIn(await dump())).to.deep.equal([])
  })

  it('leaves nobody for whom, and no network from which, the relayer pays', async () => {
    const paid = await rows<{ stranger_id: string | null }>(
      `SELECT stranger_id FROM relayer_intents WHERE kind LIKE 'identity.%' AND account_id IS NULL AND network IS NULL`,
    )
    expect(paid).to.not.deep.equal([])
    // What was still to be paid stays the expense of a stranger, whoever that was.
    for (const { stranger_id } of paid) expect(stranger_id).to.be.oneOf([null, 'erased'])
    expect(
      await rows('SELECT id FROM relayer_intents WHERE ? IN (account_id, stranger_id)', person.userId),
    ).to.deep.equal([])
  })

  it('leaves none in the files of the database, once they are vacuumed, or in the registration files', async function () {
    if (testedDatabase !== 'sqlite') this.skip()
    const folder = join(scene.dataDir, 'registration-files')
    const databases = ['svc.sqlite', 'feed.sqlite'].map((name) => join(scene.dataDir, name))
    let found: string[] = []
    await scene.restart(() => {
      for (const file of databases) vacuum(file)
      const files = [...databases, ...readdirSync(folder).map((name) => join(folder, name))]
      found = files.flatMap((file) => findIn(readFileSync(file)))
    })
    expect(found).to.deep.equal([])
  })
  function vacuum(file: string): void {
    const database = new Sqlite(file)
    database.exec('VACUUM')
    database.pragma('wal_checkpoint(TRUNCATE)')
    database.close()
  }

  it('leaves the proof of every earlier record as it was', async () => {
    for (const { recordId, leafHash } of proofs) {
      expect(await readProof(recordId)).to.deep.equal({ recordId, leafHash })
    }
  })

  it('deletes inputs and salt of the person’s records, and leaves the entry', async () => {
    const records = await rows<{ inputs: string; inputs_salt: string; entry: string }>(
      `SELECT inputs, inputs_salt, entry FROM audit_records WHERE record_id IN (${proofs.map(() => '?').join(', ')})`,
      ...proofs.map(({ recordId }) => recordId),
    )
    expect(records).to.have.length(proofs.length)
    for (const { inputs, inputs_salt, entry } of records) {
      expect([inputs, inputs_salt]).to.deep.equal(['', ''])
      expect(JSON.parse(entry)).to.have.property('inputsHash')
    }
  })

  it('leaves the amount and the decision to the other party of a record', async () => {
    const records = await rows<{ event_data: string }>(
      `SELECT event_data FROM audit_records WHERE owner_id = ? AND event_type = 'verification.denied' ORDER BY seq`,
      person.developerId,
    )
    expect(JSON.parse(records[0]?.event_data ?? '{}')).to.include({
      recommendation: 'deny',
      transactionValue: 12,
      currency: 'USD',
      erased: true,
    })
  })

  it('retires the agents, whose identifiers stay', async () => {
    const agent = await api(scene.current().baseUrl, 'GET', `/api/agents/${person.svcId}`)
    expect(agent.body.agent).to.include({ agentStatus: 'retired', name: 'Erased' })
    const endpoints = await rows(
      'SELECT id FROM endpoints WHERE owner_id = ? AND status <> ?',
      ownOrganisation,
      'archived',
    )
    expect(endpoints).to.deep.equal([])
  })

  it('denies what an erased agent asks for', async () => {
    const verified = await api(scene.current().baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: scene.shop.apiKey,
      body: scene.asking(person.svcId),
    })
    expect([verified.status, verified.body.recommendation]).to.deep.equal([200, 'deny'])
  })

  it('signs the person out for good', async () => {
    const { baseUrl } = scene.current()
    expect((await api(baseUrl, 'GET', '/api/me', { bearer: person.bearer })).status).to.equal(401)
    const body = { email: person.email, password: 'correct horse battery' }
    expect((await api(baseUrl, 'POST', '/api/auth/login', { body })).status).to.equal(401)
  })

  it('leaves a shared organisation to an administrator if no owner remains', async () => {
    const members = await rows<{ user_id: string; role: string }>(
      'SELECT user_id, role FROM memberships WHERE organization_id = ?',
      shared.organizationId,
    )
    expect(members).to.deep.equal([{ user_id: shared.heir.userId, role: 'owner' }])
    const [organization] = await rows<{ name: string; created_by: string }>(
      'SELECT name, created_by FROM organizations WHERE id = ?',
      shared.organizationId,
    )
    expect(organization).to.deep.equal({ name: 'Org', created_by: shared.heir.userId })
  })

  it('comes to the same end when every step is taken again', async () => {
    const before = await dump()
    await rows(
      `UPDATE account_erasures SET step = 'identity', erased_at = NULL WHERE user_id = ?`,
      person.userId,
    )
    await scene.restart()
    await scene.untilErased(person.userId)
    expect(findIn(await dump())).to.deep.equal([])
    expect(before.length).to.be.greaterThan(0)
  })

  it('leaves a log that can be archived', async function () {
    if (testedDatabase !== 'sqlite') this.skip()
    const { now } = scene.time
    const to = join(scene.dataDir, 'archive.jsonl')
    const config = readConfig({ DATA_DIR: scene.dataDir })
    // Null until the first batch is final.
    const archive = await waitUntil(() => archiveToFile(config, to, { before: now - 1, now }))
    expect(archive).to.include({ firstSeq: 0 })
  })
})
