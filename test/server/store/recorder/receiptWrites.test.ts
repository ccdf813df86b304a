import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createUserStore } from '../../../../server/store/accounts/userStore.ts'
import type { IssuedReceipt } from '../../../../server/store/audit/newAuditRecord.ts'
import { createReceiptStore } from '../../../../server/store/receipts/receiptStore.ts'
import type { Recorder } from '../../../../server/store/recorder/recorder.ts'
import { buildAgentRow } from '../../../builders/buildAgentRow.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const NOW = Date.UTC(2026, 0, 5)
const ACCOUNT = {
  address: `0x${'aa'.repeat(20)}`,
  revocation: accountRevocationOf({ ownerId: 'SVCD-1', address: `0x${'aa'.repeat(20)}` }),
}
const AGENT = 'SVC-0000000000000000000001'

/** The owner of the agents that `buildAgentRow` builds. */
const OWNER = {
  ...{ developerId: 'SVCD-1', email: null, emailVerifiedAt: null, fullName: null, kydVerifiedAt: null },
  ...({ accountType: 'individual', role: 'user' } as const),
}

for (const kind of ['sqlite', 'postgres'] as const)
  describe(`receipts that the recorder stores on ${kind}`, () => {
    let temporary: TemporaryDatabase
    let recorder: Recorder

    before(function () {
      if (kind === 'postgres' && !testsPostgres) this.skip()
    })
    beforeEach(async () => {
      temporary = await openTemporaryDatabase(kind)
      recorder = temporary.openRecorder()
      await temporary.db.query('agents').insert(buildAgentRow(AGENT, NOW))
    })
    afterEach(async () => {
      await recorder.close()
      await temporary.remove()
    })

    const buildIssued = (fields: Partial<IssuedReceipt> = {}): IssuedReceipt => ({
      receipt: 'a.b.c',
      agentId: AGENT,
      statusIndex: 7,
      keyThumbprint: null,
      account: null,
      expiresAt: NOW + 60_000,
      ...fields,
    })
    const issue = (fields: Partial<IssuedReceipt> = {}): Promise<string> => {
      const record = buildRecord({ issueReceipt: () => buildIssued(fields) }, NOW)
      const decide = () => commitmentOf([record], record.recordId)
      return recorder.record({ counters: null, approval: null, decide })
    }
    const isWithdrawn = async (recordId: string): Promise<boolean> => {
      const row = await temporary.db.query('receipts').where({ record_id: recordId }).first('withdrawn_at')
      return row.withdrawn_at !== null
    }
    const suspend = (reader = temporary.db.query) => reader('agents').update({ status: 'suspended' })
    const suspendOwner = async (trx: Knex.Transaction) => {
      const { owner_id: ownerId } = await trx('agents').where({ svc_id: AGENT }).first('owner_id')
      const row = { subject_id: ownerId, reason: 'A reason.', decided_by: 'SVCD-a', decided_at: NOW }
      await trx('interventions').insert(row)
      await createReceiptStore(temporary.db.query).withdrawOfOwner(trx, { ownerId, at: NOW })
    }
    /** Stores the owner, who then unlinks an account. */
    const unlinkAccount = async (trx: Knex.Transaction) => {
      const users = createUserStore(trx)
      await users.insert(trx, { ...OWNER, id: 'a', createdAt: NOW }, null)
      await users.noteUnlinked(trx, 'a', { address: ACCOUNT.address, now: NOW })
    }
    const addKey = (kid: string) =>
      temporary.db.query('agent_keys').insert({ id: kid, agent_id: AGENT, kid, jwk: '{}', created_at: NOW })
    const revoke = () => temporary.db.query('agent_keys').update({ revoked_at: NOW })

    it('are stored with the record of their decision, many at a time', async () => {
      const ids = await Promise.all(Array.from({ length: 300 }, (_, nth) => issue({ statusIndex: nth })))
      const rows = await temporary.db.query('receipts').select('record_id', 'receipt', 'withdrawn_at')
      expect(rows.map((row) => row.record_id)).to.have.members(ids)
      expect(rows.every((row) => row.receipt === 'a.b.c' && row.withdrawn_at === null)).to.equal(true)
    })

    it('are withdrawn from the start if the agent, or the key, is no longer active', async () => {
      await addKey('key')
      expect(await isWithdrawn(await issue({ keyThumbprint: 'key' }))).to.equal(false)
      expect(await isWithdrawn(await issue({ keyThumbprint: 'another' }))).to.equal(true)
      await revoke()
      expect(await isWithdrawn(await issue({ keyThumbprint: 'key' }))).to.equal(true)
      expect(await isWithdrawn(await issue())).to.equal(false)
      await suspend()
      expect(await isWithdrawn(await issue())).to.equal(true)
    })

    it('are withdrawn with their agent or key, but not those of others, refusals or expired ones', async () => {
      await addKey('key')
      const bound = await issue({ keyThumbprint: 'key' })
      const [free, expired] = [await issue(), await issue({ expiresAt: NOW })]
      const refused = await issue({ statusIndex: null })
      const other = await issue({ agentId: 'SVC-other' })
      await temporary.db.query('receipts').where({ record_id: other }).update({ withdrawn_at: null })
      await revoke()
      expect([await isWithdrawn(bound), await isWithdrawn(free)]).to.deep.equal([true, false])
      await suspend()
      const states = await Promise.all([free, expired, refused, other].map(isWithdrawn))
      expect(states).to.deep.equal([true, false, false, false])
    })

    it('are withdrawn from the start, and afterwards, if the owner is suspended, but not those of others', async () => {
      const other = 'SVC-0000000000000000000002'
      await temporary.db.query('agents').insert({ ...buildAgentRow(other, NOW), owner_id: 'SVCD-other' })
      const earlier = [await issue(), await issue({ agentId: other }), await issue({ expiresAt: NOW })]
      await temporary.db.transaction(suspendOwner)
      const later = [await issue(), await issue({ agentId: other })]
      expect(await Promise.all(earlier.map(isWithdrawn))).to.deep.equal([true, false, false])
      expect(await Promise.all(later.map(isWithdrawn))).to.deep.equal([true, false])
    })

    it('are withdrawn with the account on which they rest, and from the start while its revocation is stored', async () => {
      const { query, transaction } = temporary.db
      const [other, elsewhere] = [{ address: '0xbb', revocation: '0xbb' }, 'SVC-0000000000000000000002']
      await query('agents').insert({ ...buildAgentRow(elsewhere, NOW), owner_id: 'SVCD-other' })
      const own = await issue({ account: ACCOUNT })
      const others = [await issue({ account: other }), await issue()]
      others.push(await issue({ agentId: elsewhere, account: { ...ACCOUNT, revocation: 'another' } }))
      await transaction(unlinkAccount)
      expect(await Promise.all([own, ...others].map(isWithdrawn))).to.deep.equal([true, false, false, false])
      expect(await isWithdrawn(await issue({ account: ACCOUNT }))).to.equal(true)
      expect(await isWithdrawn(await issue({ account: other }))).to.equal(false)
      const wallet = { userId: 'a', address: ACCOUNT.address, createdAt: NOW }
      await transaction((trx) => createUserStore(query).insertWallet(trx, wallet))
      expect(await isWithdrawn(await issue({ account: ACCOUNT }))).to.equal(false)
      expect(await isWithdrawn(own)).to.equal(true)
    })

    const changes: [string, (trx: Knex.Transaction) => Promise<unknown>][] = [
      ['changes the agent', async (trx) => suspend(trx)],
      ['suspends its owner', suspendOwner],
      ['unlinks the account', unlinkAccount],
    ]
    for (const [what, change] of changes)
      describe(`while a use case ${what}`, () => {
        it('wait for it, and then know of it', async function () {
          // On SQLite nobody else writes meanwhile.
          if (kind === 'sqlite') this.skip()
          let issued: Promise<string> | undefined
          let isStored = false
          await temporary.db.transaction(async (trx) => {
            await change(trx)
            issued = issue({ account: ACCOUNT }).finally(() => {
              isStored = true
            })
            await waitUntil(async () => {
              const { rows } = await trx.raw('SELECT 1 FROM pg_locks WHERE NOT granted')
              return rows.length > 0 ? true : null
            })
            expect(isStored).to.equal(false)
          })
          expect(await isWithdrawn((await issued) ?? '')).to.equal(true)
        })

        it('are found by it, even if they are being stored', async () => {
          const [ids] = await Promise.all([
            Promise.all(
              Array.from({ length: 40 }, (_, nth) => issue({ statusIndex: nth, account: ACCOUNT })),
            ),
            temporary.db.transaction(change),
          ])
          const withdrawn = await Promise.all(ids.map(isWithdrawn))
          expect(withdrawn).to.not.include(false)
        })
      })
  })
