import { expect } from 'chai'
import type { Knex } from 'knex'
import { FEATURE_SETS } from '../../../../../server/config/featureSets.ts'
import { pollChanges } from '../../../../../server/store/database/changes/changes.polled.ts'
import type { Change, ChangesSubscription } from '../../../../../server/store/database/changes/changes.ts'
import { chooseFeatures } from '../../../../../server/store/database/databaseFeatures.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

for (const featureSet of FEATURE_SETS) {
  describe(`with ${featureSet} features: changes that processes notify each other of`, () => {
    let temporary: TemporaryDatabase
    let url: string
    let changes: ChangesSubscription
    let heard: string[]
    let missed: number

    before(function () {
      if (!testsPostgres) this.skip()
    })
    beforeEach(async () => {
      temporary = await openTemporaryDatabase('postgres', featureSet)
      url = temporary.files.databaseUrl ?? ''
      heard = []
      missed = 0
      changes = await chooseFeatures(featureSet).listen(url, {
        onChange: ({ kind, ids }: Change) => void heard.push([kind, ...ids].join(' ')),
        onMissed: () => {
          missed += 1
        },
        log: { warn: () => undefined },
      })
    })
    afterEach(async () => {
      await changes.stop()
      await temporary.remove()
    })

    /** Every earlier notification has arrived once this one has. */
    async function heardSince(work: () => Promise<unknown>): Promise<string[]> {
      heard.length = 0
      await work()
      await queryPostgres(url, `SELECT tell_change('end')`)
      await waitUntil(async () => (heard.includes('end') ? true : null))
      return heard.filter((said) => said !== 'end').sort()
    }
    const insert = (table: string, row: object) => temporary.db.query(table).insert(row)
    const update = (table: string, row: object) => temporary.db.query(table).update(row)

    it('concern keys, sessions, memberships, accounts and inputs of trust scores', async () => {
      const user = { id: 'u1', developer_id: 'SVCD-1', account_type: 'individual', created_at: 1 }
      expect(await heardSince(() => insert('users', user))).to.deep.equal([])
      expect(await heardSince(() => update('users', { kyd_verified_at: 1 }))).to.deep.equal([
        'account u1',
        'owner u1',
      ])
      await insert('organizations', { id: 'SVCO-1', name: 'o', created_by: 'u1', created_at: 1 })
      const member = {
        organization_id: 'SVCO-1',
        user_id: 'u1',
        role: 'owner',
        status: 'active',
        created_at: 1,
      }
      expect(await heardSince(() => insert('memberships', member))).to.deep.equal([
        'account u1',
        'organization SVCO-1',
      ])
      await insert('api_keys', {
        id: 'k',
        key_hash: 'hash',
        last_four: '1',
        name: 'n',
        user_id: 'u1',
        created_at: 1,
      })
      expect(await heardSince(() => update('api_keys', { revoked_at: 1 }))).to.deep.equal(['key hash'])
      await insert('sessions', { id: 's', user_id: 'u1', amr: '[]', authenticated_at: 1 })
      expect(await heardSince(() => update('sessions', { ended_at: 1 }))).to.deep.equal(['session s'])
      const passkey = {
        id: 'p',
        user_id: 'u1',
        credential_id: 'c',
        public_key: 'k',
        counter: 0,
        transports: '[]',
      }
      const made = { device_type: 'd', is_backed_up: false, name: 'n', created_at: 1 }
      expect(await heardSince(() => insert('passkeys', { ...passkey, ...made }))).to.deep.equal(['owner u1'])
      expect(await heardSince(() => update('passkeys', { last_used_at: 2 }))).to.deep.equal([])
      expect(await heardSince(() => temporary.db.query('passkeys').delete())).to.deep.equal(['owner u1'])
    })

    it('concern endpoints under both ids, and their allowlists, but not discovered endpoints', async () => {
      await insert('users', { id: 'u1', developer_id: 'SVCD-1', account_type: 'individual', created_at: 1 })
      await insert('organizations', { id: 'SVCO-1', name: 'o', created_by: 'u1', created_at: 1 })
      const texts = [
        'status',
        'counterparty_type',
        'name',
        'host',
        'unverified_agent_policy',
        'pdlss',
        'pdlss_salt',
      ]
      const endpoint = {
        ...Object.fromEntries([...texts, 'pdlss_hash', 'routes'].map((column) => [column, 'x'])),
        owner_id: 'SVCO-1',
        trust_score_requirement: 0,
        created_at: 1,
        updated_at: 1,
      }
      const claimed = { ...endpoint, id: 'e1', svce_id: 'SVCE-1', tier: 'registered', url: 'https://a' }
      const found = { ...endpoint, id: 'e2', tier: 'discovered', url: 'https://b' }
      expect(await heardSince(() => insert('endpoints', claimed))).to.deep.equal(['endpoint e1 SVCE-1'])
      expect(await heardSince(() => insert('endpoints', found))).to.deep.equal([])
      const rename = () => update('endpoints', { name: 'y' }).where({ id: 'e2' })
      expect(await heardSince(rename)).to.deep.equal(['endpoint e2 '])
      const prove = () => update('endpoints', { tier: 'domain_verified' }).where({ id: 'e1' })
      expect(await heardSince(prove)).to.deep.equal(['endpoint e1 SVCE-1', 'owner u1'])
      const entry = { id: 'a', endpoint_id: 'e1', allowed_owner_identifier: 'SVCD-2', created_at: 1 }
      expect(await heardSince(() => insert('allowlist_entries', entry))).to.deep.equal(['endpoint e1 SVCE-1'])
    })

    it('concern an agent when a key of it is added or revoked', async () => {
      const key = { id: 'k', agent_id: 'SVC-1', kid: 'thumbprint', jwk: '{}', created_at: 1 }
      expect(await heardSince(() => insert('agent_keys', key))).to.deep.equal(['agent SVC-1'])
      expect(await heardSince(() => update('agent_keys', { revoked_at: 2 }))).to.deep.equal(['agent SVC-1'])
      expect(await heardSince(() => temporary.db.query('agent_keys').delete())).to.deep.equal(['agent SVC-1'])
    })

    it('concern an adopted agent when the wallet of its token changes, not when its feedback is read', async () => {
      await insert('foreign_adoptions', {
        ...{ agent_id: 'SVC-1', agent_registry: 'eip155:1:0xaa', foreign_id: 7, owner: '0xbb' },
        ...{ adopted_block: 3, feedback_read_at: 4 },
      })
      const wallet = { wallet: '0xcc', wallet_block: 5 }
      expect(await heardSince(() => update('foreign_adoptions', wallet))).to.deep.equal(['agent SVC-1'])
      expect(await heardSince(() => update('foreign_adoptions', { feedback_read_at: 6 }))).to.deep.equal([])
    })

    it('cannot be subscribed to without a server', async () => {
      const listener = {
        onChange: () => undefined,
        onMissed: () => undefined,
        log: { warn: () => undefined },
      }
      const failure = await chooseFeatures(featureSet)
        .listen('postgres://svc@127.0.0.1:1/x', listener)
        .catch(String)
      expect(failure).to.contain('ECONNREFUSED')
    })

    it('arrive again after the connection broke, and what may have been missed is reported', async () => {
      await queryPostgres(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc-changes'",
      )
      // Rows wait for whoever reads them later, so none of them is missed.
      if (featureSet === 'full') await waitUntil(async () => (missed >= 2 ? true : null))
      expect(await heardSince(async () => undefined)).to.deep.equal([])
    })

    it('arrive whatever the order in which their transactions commit', async () => {
      const early = await temporary.db.query.transaction()
      await early.raw(`SELECT tell_change('early')`)
      expect(await heardSince(async () => undefined)).to.deep.equal([])
      expect(await heardSince(async () => early.commit())).to.deep.equal(['early'])
    })
  })
}

describe('changes in rows', () => {
  before(function () {
    if (!testsPostgres) this.skip()
  })

  it('are refused if they commit so late that nobody asks for them any more', async () => {
    const { db, remove } = await openTemporaryDatabase('postgres', 'portable')
    const late = () =>
      db.query.transaction((trx) =>
        trx.raw(`INSERT INTO changes (said, made_at) VALUES ('late', now() - interval '31 seconds')`),
      )
    expect(await late().catch(({ message }: Error) => message)).to.contain('not committed within 30 seconds')
    expect(await db.query('changes').select('id')).to.deep.equal([])
    await remove()
  })

  /** A listener to changes in rows that are not refused however late they are committed. */
  async function openLateChanges(options: Parameters<typeof pollChanges>[2] = {}) {
    const { db, files, remove } = await openTemporaryDatabase('postgres', 'portable')
    await db.query.raw('ALTER TABLE changes DISABLE TRIGGER refuse_late_change')
    const heard: string[] = []
    const warnings: string[] = []
    let missed = 0
    const listen = () =>
      pollChanges(
        files.databaseUrl ?? '',
        {
          onChange: ({ kind }) => void heard.push(kind),
          onMissed: () => {
            missed += 1
          },
          log: { warn: (_, message) => void warnings.push(message) },
        },
        options,
      )
    const say = (run: Knex, change: string, minutesAgo = 0) =>
      run.raw(`INSERT INTO changes (said, made_at) VALUES (?, now() - make_interval(mins => ?))`, [
        change,
        minutesAgo,
      ])
    const hears = (change: string) => waitUntil(async () => (heard.includes(change) ? true : null))
    return { db, heard, warnings, listen, say, hears, remove, missed: () => missed }
  }

  it('arrive although their commit waits for many minutes, as for a lost synchronous standby', async () => {
    let now = 0
    const { db, listen, say, hears, remove } = await openLateChanges({ clock: () => now })
    const { stop } = await listen()
    const hanging = await db.query.transaction()
    await say(hanging, 'hanging')
    await say(db.query, 'other')
    await hears('other')
    for (const minutes of [2, 30, 59]) {
      now = minutes * 60_000
      await say(db.query, `after${minutes}`)
      await hears(`after${minutes}`)
    }
    await hanging.commit()
    now += 10_000
    await hears('hanging')
    await stop()
    await remove()
  }).timeout(30_000)

  it('arrive also at a process that starts while their commit waits', async () => {
    const { db, listen, say, hears, remove } = await openLateChanges()
    const hanging = await db.query.transaction()
    await say(hanging, 'hanging', 30)
    await say(db.query, 'other', 29)
    const { stop } = await listen()
    await hears('other')
    await hanging.commit()
    await hears('hanging')
    await stop()
    await remove()
  })

  it('arrive without interruption although old ones cannot be deleted', async () => {
    const { db, warnings, listen, say, hears, remove, missed } = await openLateChanges({ sweepMs: 0 })
    await say(db.query, 'old', 180)
    await say(db.query, 'less old', 170)
    const holding = await db.query.transaction()
    await holding.raw('SELECT id FROM changes FOR UPDATE')
    const { stop } = await listen()
    await waitUntil(async () => (warnings.length > 0 ? true : null))
    expect(warnings).to.deep.equal(['changes that all processes have read cannot be deleted'])
    await holding.rollback()
    await say(db.query, 'new')
    await hears('new')
    expect(missed()).to.equal(1)
    await stop()
    await remove()
  }).timeout(10_000)

  it('are deleted after two hours, except the number from which a later listener counts', async () => {
    const { db, files, remove } = await openTemporaryDatabase('postgres', 'portable')
    const heard: string[] = []
    const listen = () =>
      pollChanges(
        files.databaseUrl ?? '',
        {
          onChange: ({ kind }) => void heard.push(kind),
          onMissed: () => undefined,
          log: { warn: () => undefined },
        },
        { sweepMs: 0 },
      )
    const storedIds = () => db.query('changes').orderBy('id').pluck('id')
    await db.query.raw('ALTER TABLE changes ALTER id RESTART WITH 1000000000')
    for (const change of ['first', 'second', 'third']) await db.query.raw('SELECT tell_change(?)', [change])
    await db.query.raw(`UPDATE changes SET made_at = now() - interval '121 minutes'`)
    const earlier = await listen()
    await waitUntil(async () => ((await storedIds()).length === 1 ? true : null))
    await earlier.stop()
    expect(await storedIds()).to.deep.equal([1_000_000_002])
    // Counting from zero, this listener would look for a billion missing numbers.
    const later = await listen()
    await db.query.raw(`SELECT tell_change('fourth')`)
    await waitUntil(async () => (heard.includes('fourth') ? true : null))
    expect(await storedIds()).to.deep.equal([1_000_000_002, 1_000_000_003])
    await later.stop()
    await remove()
    expect(heard).to.deep.equal(['fourth'])
  })
})
