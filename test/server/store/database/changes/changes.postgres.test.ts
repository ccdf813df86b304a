import { expect } from 'chai'
import { FEATURE_SETS } from '../../../../../server/config/featureSets.ts'
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
