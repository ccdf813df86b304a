import { expect } from 'chai'
import {
  type AnnounceApprovalsDeps,
  announceApprovals,
} from '../../../../server/services/approvals/announceApprovals.ts'
import { type MailDigestsDeps, mailDigests } from '../../../../server/services/approvals/mailDigests.ts'
import { createMailOutboxStore } from '../../../../server/store/accounts/mailOutboxStore.ts'
import { createAlertStore } from '../../../../server/store/approvals/alertStore.ts'
import { createApprovalDigestStore } from '../../../../server/store/approvals/approvalDigestStore.ts'
import { createApprovalStore } from '../../../../server/store/approvals/approvalStore.ts'
import { createOwnerContactsStore } from '../../../../server/store/approvals/ownerContactsStore.ts'
import { createPushMessageStore } from '../../../../server/store/approvals/pushMessageStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const OWNER = 'SVCD-0000000000000000000001'
const MINUTE_MS = 60_000

describe('announceApprovals', () => {
  let database: TemporaryDatabase
  let time: { now: number }
  let deps: AnnounceApprovalsDeps & MailDigestsDeps

  beforeEach(async () => {
    database = await openTemporaryDatabase()
    const { db } = database
    time = { now: Date.UTC(2026, 10, 21, 12) }
    deps = {
      db,
      approvals: createApprovalStore(db.query),
      alerts: createAlertStore(db.query),
      digests: createApprovalDigestStore(),
      contacts: createOwnerContactsStore(db.query),
      outbox: createMailOutboxStore(),
      pushes: createPushMessageStore(),
      settings: {
        appUrl: 'https://svc.test',
        clock: () => time.now,
        randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      },
    }
    await db.query('users').insert({
      id: 'user',
      developer_id: OWNER,
      email: 'ada@people.io',
      account_type: 'individual',
      role: 'user',
      created_at: time.now,
    })
  })
  afterEach(() => database.remove())

  const ask = (id: string, fields: object = {}) =>
    database.db.query('step_up_approvals').insert({
      id,
      agent_id: 'SVC-0000000000000000000001',
      owner_id: OWNER,
      api_key_id: 'key',
      attempt_id: id,
      request_hash: 'hash',
      request: '{"agentName":"Buyer"}',
      dimensions: '[]',
      needs_fresh_assertion: false,
      status: 'pending',
      created_at: time.now,
      expires_at: time.now + 30 * MINUTE_MS,
      ...fields,
    })
  const stored = async () => ({
    alerts: (await database.db.query('alerts').select('subject').orderBy('position')).map(
      (row) => row.subject,
    ),
    mails: (await database.db.query('mail_outbox').select('message_key').orderBy('id')).map(
      (row) => row.message_key,
    ),
  })

  it('announces each approval once, however many processes run it', async () => {
    await ask('one')
    await ask('two')
    const taken = await Promise.all([1, 2, 3].map(() => announceApprovals(deps)))
    expect(taken.reduce((sum, count) => sum + count, 0)).to.equal(2)
    expect(await stored()).to.deep.equal({
      alerts: ['one', 'two'],
      mails: ['approval_pending.one.user', 'approval_pending.two.user'],
    })
  })

  it('names agent and counterparty in the mail', async () => {
    await ask('one', { request: '{"agentName":"Buyer","endpointName":"Acme Shop"}' })
    await announceApprovals(deps)
    const [mail] = await database.db.query('mail_outbox').select('data')
    expect(JSON.parse(mail.data)).to.include({ agentName: 'Buyer', counterpartyName: 'Acme Shop' })
  })

  it('claims nothing if it fails, and everything the next time', async () => {
    await ask('one')
    const broken = {
      ...deps,
      contacts: { ...deps.contacts, writersOf: () => Promise.reject(new Error('no answer')) },
    }
    await announceApprovals(broken).then(
      () => expect.fail('it passed'),
      (error: Error) => expect(error.message).to.equal('no answer'),
    )
    expect(await stored()).to.deep.equal({ alerts: [], mails: [] })
    expect(await announceApprovals(deps)).to.equal(1)
    expect(await stored()).to.deep.equal({ alerts: ['one'], mails: ['approval_pending.one.user'] })
  })

  it('skips approvals that were decided or expired before the notification', async () => {
    await ask('denied', { status: 'denied' })
    await ask('late', { expires_at: time.now })
    expect(await announceApprovals(deps)).to.equal(2)
    expect(await stored()).to.deep.equal({ alerts: [], mails: [] })
    expect(await announceApprovals(deps)).to.equal(0)
  })

  it('processes all approvals, a bounded number at a time', async () => {
    for (let nth = 0; nth < 60; nth += 1) await ask(`approval ${String(nth).padStart(2, '0')}`)
    for (let round = 0; round < 12; round += 1) expect(await announceApprovals(deps)).to.equal(5)
    expect(await announceApprovals(deps)).to.equal(0)
    const { alerts, mails } = await stored()
    expect(alerts).to.have.lengthOf(60)
    expect(mails).to.have.lengthOf(20)
    time.now += 61 * MINUTE_MS
    await ask('next hour')
    await announceApprovals(deps)
    expect((await stored()).mails).to.include('approval_pending.next hour.user')
  })

  describe('of requests that prove nothing', () => {
    let asked = 0
    const claim = async (accountId: string, fields: object = {}) => {
      asked += 1
      const id = `claim ${asked}`
      const request = JSON.stringify({ agentName: 'Buyer', identityProof: 'none' })
      await ask(id, { counterparty_account_id: accountId, request, ...fields })
      return id
    }
    const rounds = async () => {
      while ((await announceApprovals(deps)) + (await mailDigests(deps)) > 0);
    }
    const mails = async (): Promise<{ count: number; link: string; minutes: number }[]> =>
      (await database.db.query('mail_outbox').where({ template: 'approvals_unproven' }).orderBy('id')).map(
        ({ data }) => {
          const { count, link, expiresAt } = JSON.parse(data)
          return { count, link, minutes: Math.round((expiresAt - time.now) / MINUTE_MS) }
        },
      )

    it('mails the first at once and the others together, ten minutes after the last mail', async () => {
      const first = await claim('SVCO-a')
      await rounds()
      const one = { count: 1, link: `https://svc.test/activity/pending/${first}`, minutes: 30 }
      expect(await mails()).to.deep.equal([one])
      time.now += MINUTE_MS
      for (let nth = 0; nth < 3; nth += 1) await claim('SVCO-a')
      await rounds()
      time.now += 9 * MINUTE_MS - 1
      await rounds()
      expect((await mails()).length).to.equal(1)
      time.now += 1
      await rounds()
      const [, together, ...more] = await mails()
      expect(together).to.deep.equal({ count: 3, link: 'https://svc.test/approvals', minutes: 21 })
      expect(more).to.deep.equal([])
      expect((await stored()).alerts.length).to.equal(4)
      time.now += 60 * MINUTE_MS
      await rounds()
      expect((await mails()).length).to.equal(2)
    })

    it('leaves out what was decided or expired meanwhile, and mails nothing if nothing is left', async () => {
      await claim('SVCO-a')
      await rounds()
      const ids = [await claim('SVCO-a'), await claim('SVCO-a'), await claim('SVCO-b')]
      await rounds()
      expect((await mails()).map(({ count }) => count)).to.deep.equal([1, 1])
      await database.db.query('step_up_approvals').where({ id: ids[0] }).update({ status: 'denied' })
      time.now += 10 * MINUTE_MS
      await rounds()
      expect((await mails()).map(({ count }) => count)).to.deep.equal([1, 1, 1])
      await claim('SVCO-a', { expires_at: time.now + MINUTE_MS })
      await rounds()
      time.now += 10 * MINUTE_MS
      await rounds()
      expect((await mails()).length).to.equal(3)
    })

    it('mails once, however many processes run it', async () => {
      for (let nth = 0; nth < 4; nth += 1) await claim('SVCO-a')
      await announceApprovals(deps)
      await Promise.all([1, 2, 3].map(() => mailDigests(deps)))
      expect((await mails()).map(({ count }) => count)).to.deep.equal([4])
    })

    it('mails at most twenty an hour, however many accounts ask, and withholds no mail about a proven one', async () => {
      for (let nth = 0; nth < 30; nth += 1) await claim(`SVCO-${nth}`)
      await ask('proven', { counterparty_account_id: 'SVCO-1', request: '{"identityProof":"signature"}' })
      await rounds()
      expect((await mails()).length).to.equal(20)
      expect((await stored()).mails).to.include('approval_pending.proven.user')
    })
  })
})
