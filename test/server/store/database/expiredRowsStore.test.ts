import { findPeriodEnd, findPeriodStart, PERIODS } from '@svc/core/time/period.ts'
import { zoneOf } from '@svc/core/time/zone.ts'
import { expect } from 'chai'
import { nameSpendPeriod } from '../../../../server/services/verification/counterNames.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createMailOutboxStore } from '../../../../server/store/accounts/mailOutboxStore.ts'
import { createRefreshTokenStore } from '../../../../server/store/accounts/refreshTokenStore.ts'
import { createSessionStore } from '../../../../server/store/accounts/sessionStore.ts'
import { createUserStore } from '../../../../server/store/accounts/userStore.ts'
import { createExpiredRowsStore } from '../../../../server/store/database/expiredRowsStore.ts'
import { createAttemptStore } from '../../../../server/store/recorder/attemptStore.ts'
import { createIdempotencyStore } from '../../../../server/store/recorder/idempotencyStore.ts'
import { createNonceStore } from '../../../../server/store/recorder/nonceStore.ts'
import { buildCounterQuery } from '../../../builders/buildCounterQuery.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 5)

describe('expiredRowsStore', () => {
  let opened: TemporaryDatabase
  beforeEach(async () => {
    opened = await openTemporaryDatabase()
  })
  afterEach(() => opened.remove())

  const expire = (now: number, most = 100) =>
    opened.db.transaction((trx) => createExpiredRowsStore().delete(trx, now, most))
  const left = async (table: string) => (await opened.db.query(table).select()).length

  async function addMails(count: number): Promise<void> {
    const mails = createMailOutboxStore()
    for (let nth = 1; nth <= count; nth += 1) {
      const mail = { key: `mail-${nth}`, recipient: 'a@b.io', template: 't', data: {}, expiresAt: null }
      await opened.db.transaction((trx) => mails.add(trx, { ...mail, now: NOW }))
    }
  }
  const settle = async () => {
    const rows = await opened.db.query('mail_outbox').select('id')
    for (const { id } of rows) {
      await opened.db.transaction((trx) =>
        createMailOutboxStore().settle(trx, id, { status: 'sent', error: null, now: NOW }),
      )
    }
  }

  it('keeps a mail until 30 days after it was settled, and a pending one forever', async () => {
    await addMails(1)
    await settle()
    await addMails(2)
    await expire(NOW + 30 * DAY)
    expect(await left('mail_outbox')).to.equal(2)
    expect(await expire(NOW + 30 * DAY + 1)).to.equal(1)
    expect(await left('mail_outbox')).to.equal(1)
  })

  it('deletes expired counts, keys and nonces without new requests', async () => {
    const { db } = opened
    const counts = { taken: 1, windowEndsAt: 0, locks: 0, lockedUntil: 0, forgetAt: NOW + DAY }
    await db.transaction((trx) => createAttemptStore().put(trx, 'login:a', counts, NOW))
    await createNonceStore().take(db.query, { address: '0xa', nonce: 'n', expiresAt: NOW + DAY }, NOW)
    const claim = { caller: 'c', key: 'k', claimId: 'id', fingerprint: 'f', claimedAt: NOW }
    await createIdempotencyStore(db.query).claim(claim)
    expect(await expire(NOW + DAY)).to.equal(0)
    expect(await expire(NOW + DAY + 1)).to.equal(3)
    for (const table of ['attempts', 'request_nonces', 'idempotency_keys']) {
      expect(await left(table)).to.equal(0)
    }
  })

  it('deletes the span of a record once its deliveries have ended, and that of an intent after 30 days', async () => {
    const { query } = opened.db
    await query('record_origins').insert({ record_id: 'r', trace_parent: 't', recorded_at: NOW })
    await query('intent_origins').insert({ intent_id: 1, trace_parent: 't', ordered_at: NOW })
    expect(await expire(NOW + 4 * DAY)).to.equal(0)
    expect(await expire(NOW + 4 * DAY + 1)).to.equal(1)
    expect(await left('record_origins')).to.equal(0)
    expect(await expire(NOW + 30 * DAY)).to.equal(0)
    expect(await expire(NOW + 30 * DAY + 1)).to.equal(1)
  })

  async function addSession(id: string, usedAt: number, ...expiries: number[]): Promise<void> {
    const { query, transaction } = opened.db
    const user = {
      id,
      developerId: id,
      email: `${id}@a.io`,
      emailVerifiedAt: null,
      fullName: 'Ada',
      kydVerifiedAt: null,
    }
    const times = { authenticatedAt: NOW, lastUsedAt: usedAt, endedAt: null }
    const kinds = { accountType: 'individual', role: 'user' } as const
    await transaction(async (trx) => {
      await createUserStore(query).insert(trx, { ...user, ...kinds, createdAt: NOW }, null)
      const client = { browser: null, network: null }
      await createSessionStore(query).insert(trx, {
        id,
        userId: id,
        walletAddress: null,
        amr: ['pwd'],
        client,
        ...times,
      })
      for (const expiresAt of expiries) {
        const token = {
          tokenHash: `${id}-${expiresAt}`,
          sessionId: id,
          createdAt: NOW,
          usedAt: null,
          exchange: null,
        }
        await createRefreshTokenStore().insert(trx, { ...token, expiresAt })
      }
    })
  }
  const ids = async (table: string, name: string) =>
    (await opened.db.query(table).select(name).orderBy(name)).map((row) => row[name])

  it('deletes an expired refresh token', async () => {
    await addSession('s', NOW + DAY, NOW + DAY, NOW + 2 * DAY)
    expect(await expire(NOW + DAY)).to.equal(0)
    expect(await expire(NOW + DAY + 1)).to.equal(1)
    expect(await ids('refresh_tokens', 'token_hash')).to.deep.equal([`s-${NOW + 2 * DAY}`])
  })

  it('deletes a session 30 days after its last use, unless a token or a challenge refers to it', async () => {
    const [over, since] = [NOW + DAY, NOW + 31 * DAY + 1]
    await addSession('over', over, over)
    await addSession('late', over + 1)
    await addSession('renewable', over, since + DAY)
    await addSession('asked', over)
    await opened.db
      .query('auth_challenges')
      .insert({ value: 'c', purpose: 'p', session_id: 'asked', expires_at: since + DAY })
    await expire(since - 1)
    expect(await ids('sessions', 'id')).to.include('over')
    expect(await expire(since)).to.equal(1)
    expect(await ids('sessions', 'id')).to.deep.equal(['asked', 'late', 'renewable'])
  })

  describe('of counters', () => {
    const AGENT = 'SVC-0000000000000000000001'
    const HOUR = 3_600_000

    it('deletes grants a day after they were made, and the recorder counts on', async () => {
      const recorder = opened.openRecorder()
      const grantAt = (now: number) => {
        const since = now - HOUR
        return recorder.record({
          counters: buildCounterQuery({ agentId: AGENT, agentScope: AGENT, since, now }),
          approval: null,
          decide: ({ agentGrants }) => ({
            ...commitmentOf([buildRecord()], agentGrants),
            grants: [{ scope: AGENT, grantedAt: now, since }],
          }),
        })
      }
      try {
        for (const [nth, at] of [NOW, NOW, NOW + HOUR / 2].entries()) expect(await grantAt(at)).to.equal(nth)
        expect(await expire(NOW + DAY)).to.equal(0)
        expect(await expire(NOW + DAY + 1, 1)).to.equal(1)
        expect(await grantAt(NOW + DAY + HOUR)).to.equal(0)
        expect(await expire(NOW + DAY + HOUR)).to.equal(2)
        expect(await grantAt(NOW + DAY + HOUR)).to.equal(1)
        expect(await expire(NOW + 3 * DAY)).to.equal(2)
        expect(await left('transaction_grants')).to.equal(0)
        expect(await grantAt(NOW + 3 * DAY)).to.equal(0)
        expect(await grantAt(NOW + 3 * DAY)).to.equal(1)
      } finally {
        await recorder.close()
      }
    })

    it('deletes a sum of spend only once its period has ended in every zone, and a total never', async () => {
      const zone = zoneOf('America/Santiago')
      const periods = PERIODS.flatMap((period) =>
        [undefined, 'JPY'].map((currency) => {
          const start = findPeriodStart(period, NOW, zone)
          return {
            name: nameSpendPeriod(period, start, currency),
            end: findPeriodEnd(period, NOW, zone) ?? Number.POSITIVE_INFINITY,
          }
        }),
      )
      for (const { name: period } of periods) {
        await opened.db
          .query('cumulative_spend')
          .insert({ endpoint_id: 'e', agent_id: AGENT, period, total: '1' })
      }
      for (let now = NOW; now < NOW + 70 * DAY; now += DAY / 2) {
        await expire(now)
        const kept = await ids('cumulative_spend', 'period')
        const running = periods.filter(({ end }) => now < end + DAY / 2).map(({ name }) => name)
        expect(kept).to.include.members(running)
      }
      expect(await ids('cumulative_spend', 'period')).to.deep.equal(['total:0', 'total:0:JPY'])
    })

    it('finds what to delete by an index', async () => {
      const sqlite = await openTemporaryDatabase('sqlite')
      try {
        const { query, transaction } = sqlite.db
        const asked: { sql: string; bindings: string[] }[] = []
        query.on('query', (statement) => asked.push(statement))
        await transaction((trx) => createExpiredRowsStore().delete(trx, NOW, 1))
        const deletes = asked.filter(({ sql }) =>
          /^delete from `(transaction_grants|cumulative_spend)`/.test(sql),
        )
        expect(deletes).to.have.length(5)
        for (const { sql, bindings } of deletes) {
          const plan: { detail: string }[] = await query.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings)
          const details = plan.map(({ detail }) => detail).join('; ')
          expect(details).to.match(/INDEX (transaction_grants_granted_at|cumulative_spend_period)/)
          expect(details).not.to.match(/SCAN (transaction_grants|cumulative_spend)/)
        }
      } finally {
        await sqlite.remove()
      }
    })
  })

  it('deletes no more than its limit at once', async () => {
    await addMails(3)
    await settle()
    expect(await expire(NOW + 31 * DAY, 2)).to.equal(2)
    expect(await expire(NOW + 31 * DAY, 2)).to.equal(1)
  })

  describe('with days of retention', () => {
    const addAlert = (id: string, createdAt: number) =>
      opened.db.query('alerts').insert({
        ...{ id, owner_id: 'o', code: 'c', severity: 'info', subject: id, day: '2026-01-05' },
        ...{ data: '{}', created_at: createdAt },
      })
    const addApproval = (id: string, status: string, expiresAt: number) =>
      opened.db.query('step_up_approvals').insert({
        ...{ id, agent_id: 'a', owner_id: 'o', api_key_id: 'k', attempt_id: id, request_hash: 'h' },
        ...{ request: '{}', dimensions: '[]', needs_fresh_assertion: false, challenge_salt: 's', status },
        ...{ created_at: NOW, expires_at: expiresAt },
      })
    const expireAfter = (days: object, now: number, most = 100) =>
      opened.db.transaction((trx) => createExpiredRowsStore(days).delete(trx, now, most))

    beforeEach(async () => {
      await addAlert('old', NOW)
      await addAlert('new', NOW + DAY)
      await addApproval('settled', 'consumed', NOW)
      await addApproval('waiting', 'pending', NOW)
    })

    it('deletes alerts that are older, and settled approvals, but none that waits', async () => {
      expect(await expireAfter({ alerts: 7, approvals: 7 }, NOW + 7 * DAY)).to.equal(0)
      expect(await expireAfter({ alerts: 7, approvals: 7 }, NOW + 7 * DAY + 1)).to.equal(2)
      expect(await ids('alerts', 'id')).to.deep.equal(['new'])
      expect(await ids('step_up_approvals', 'id')).to.deep.equal(['waiting'])
    })

    it('keeps both for ever without them', async () => {
      expect(await expireAfter({}, NOW + 100_000 * DAY)).to.equal(0)
    })
  })
})
