import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { createRefreshToken } from '../../../../../server/services/agents/token/refreshToken.ts'
import { createAgentStore } from '../../../../../server/store/agents/agentStore.ts'
import { createOwnerFactsStore } from '../../../../../server/store/agents/ownerFactsStore.ts'
import { createTokenStore } from '../../../../../server/store/agents/tokenStore.ts'
import { createAlertStore } from '../../../../../server/store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../../../../../server/store/audit/auditRecordStore.ts'
import { createReceiptStore } from '../../../../../server/store/receipts/receiptStore.ts'
import { buildAgentRow } from '../../../../builders/buildAgentRow.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../../harness/database/openTemporaryDatabase.ts'
import { placeRecords } from '../../../../harness/database/placeRecords.ts'

const RELAYER = `0x${'aa'.repeat(20)}` as const
const ADA = `0x${'bb'.repeat(20)}` as const

describe('the stored state of an agent’s token', () => {
  let database: TemporaryDatabase
  let owner: `0x${string}`
  let wallet: `0x${string}` | null
  let block: number
  let asked: object[]

  beforeEach(async () => {
    database = await openTemporaryDatabase()
    owner = RELAYER
    wallet = null
    block = 5
    asked = []
    const minted = { chain_agent_id: 0, chain_registry: 'eip155:1:0x1', blockchain_status: 'verified' }
    await database.db.query('agents').insert({ ...buildAgentRow('SVC-a', 1), ...minted })
  })
  afterEach(() => database.remove())

  const refresh = () => {
    const { db } = database
    return createRefreshToken({
      db,
      agents: createAgentStore(db.query),
      tokens: createTokenStore(db.query),
      records: createAuditRecordStore(db.query),
      receipts: createReceiptStore(db.query),
      owners: createOwnerFactsStore(db.query),
      alerts: createAlertStore(db.query),
      chainTokens: {
        relayers: [RELAYER],
        async read(name) {
          asked.push(name)
          return { owner, wallet, uri: 'https://a.test', block }
        },
      },
      settings: { clock: () => 7, randomBytes },
    })
  }
  const token = () => createTokenStore(database.db.query).bySvcId('SVC-a')
  const transfers = async () => {
    await placeRecords(database.db.query)
    const rows = await database.db.query('audit_records').select('event_type', 'event_data')
    return rows.map((row) => [row.event_type, JSON.parse(row.event_data)])
  }

  it('is that of the chain, also for the token with id 0', async () => {
    await refresh()('SVC-a')
    expect(asked).to.deep.equal([{ agentId: 0, agentRegistry: 'eip155:1:0x1' }])
    const uri = 'https://a.test'
    expect(await token()).to.deep.equal({
      svcId: 'SVC-a',
      custody: 'registry',
      holder: RELAYER,
      ...{ wallet: null, uri, seenBlock: 5 },
    })
    expect(await transfers()).to.deep.equal([])
  })

  it('withdraws the grants of a former agentWallet that signs for the agent no more', async () => {
    const { query } = database.db
    const [former, registering] = [ADA, `0x${'cc'.repeat(20)}`] as const
    await query('agents').update({ signer_address: registering })
    const issued = { agent_id: 'SVC-a', status_index: 1, receipt: '', expires_at: 9 }
    const accounts = [former, registering, null]
    await query('receipts').insert(
      accounts.map((account, nth) => ({ ...issued, account, record_id: String(nth) })),
    )
    const withdrawn = async () =>
      (await query('receipts').whereNotNull('withdrawn_at')).map((row) => row.account)
    const again = refresh()
    for (wallet of [former, registering]) {
      await again('SVC-a')
      expect(await withdrawn()).to.deep.equal(wallet === former ? [] : [former])
    }
    wallet = null
    await again('SVC-a')
    expect(await withdrawn()).to.deep.equal([former])
  })

  it('changes with the holder, which is recorded once', async () => {
    const again = refresh()
    await again('SVC-a')
    owner = ADA
    await Promise.all([again('SVC-a'), again('SVC-a')])
    expect(await token()).to.deep.include({ custody: 'owner', holder: ADA })
    expect(await transfers()).to.deep.equal([
      ['agent.token_transferred', { agentName: 'SVC-a', previousHolder: RELAYER, holder: ADA }],
    ])
  })

  describe('and warnings to the owner', () => {
    const [LINKED, OTHER, EVE, MAX, NEW] = ['b1', 'b2', 'e1', 'e2', 'e3'].map(
      (byte) => `0x${byte.repeat(20)}` as const,
    )
    const warnings = async () => {
      const rows = await database.db
        .query('alerts')
        .select('owner_id', 'code', 'severity', 'data')
        .orderBy('position')
      return rows.map(({ owner_id, code, severity, data }) => {
        expect([owner_id, severity]).to.deep.equal(['SVCD-1', 'critical'])
        const { holder, wallet: set, signs } = JSON.parse(data)
        return code === 'agent.token_transferred' ? [code, holder] : [code, set, signs]
      })
    }
    const sees = async (holder = LINKED, set: typeof wallet = null) => {
      owner = holder ?? RELAYER
      wallet = set
      await refresh()('SVC-a')
    }

    beforeEach(async () => {
      const { query } = database.db
      const user = { id: 'user', developer_id: 'SVCD-1', account_type: 'individual', created_at: 1 }
      await query('users').insert(user)
      for (const address of [LINKED, OTHER])
        await query('wallets').insert({ address, user_id: 'user', created_at: 1 })
    })

    it('are none while it is in custody or moves between wallets of the owner, which sign anyway', async () => {
      await sees(RELAYER, RELAYER)
      await sees(LINKED)
      await sees(LINKED, OTHER)
      await sees(OTHER)
      expect(await warnings()).to.deep.equal([])
    })

    it('tell of a new wallet that the owner’s account has set, because it signs from now on', async () => {
      await sees(LINKED, LINKED)
      await sees(LINKED, NEW)
      await sees(LINKED, NEW)
      expect(await warnings()).to.deep.equal([['agent.wallet_set', NEW, 'true']])
    })

    it('tell of a transfer to somebody else, and of each wallet that the new holder sets', async () => {
      await sees(LINKED, LINKED)
      await sees(EVE)
      await sees(EVE, NEW)
      await sees(EVE, EVE)
      await sees(MAX, EVE)
      expect(await warnings()).to.deep.equal([
        ['agent.token_transferred', EVE],
        ['agent.wallet_set', NEW, 'false'],
        ['agent.wallet_set', EVE, 'false'],
        ['agent.token_transferred', MAX],
        ['agent.wallet_set', EVE, 'false'],
      ])
    })

    it('tell of a transfer before the token was first read', async () => {
      await sees(EVE)
      expect(await warnings()).to.deep.equal([['agent.token_transferred', EVE]])
    })
  })

  it('is that of the latest read, even if a reorganisation made the chain shorter', async () => {
    await refresh()('SVC-a')
    block = 3
    owner = ADA
    await refresh()('SVC-a')
    expect(await token()).to.deep.include({ holder: ADA, seenBlock: 3 })
  })

  it('is deleted when the agent is no longer on chain', async () => {
    await refresh()('SVC-a')
    await database.db.query('agents').update({ blockchain_status: 'pending' })
    await refresh()('SVC-a')
    expect(await token()).to.equal(null)
    expect(asked.length).to.equal(1)
  })

  it('is not created for an unknown agent', async () => {
    await refresh()('SVC-none')
    expect(asked).to.deep.equal([])
  })
})
