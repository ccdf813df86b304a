import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, signHeaders } from '../../../../builders/participants.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'

const REGISTER = '/api/agents/register'
/** A third of it pays for about five mints on the local chain. */
const BUDGET_GWEI = 6_000_000
const STRANGERS = 12
const [PAUSE_MS, DAY_MS] = [11_000, 86_400_000]

describe('a registration beyond the gas budget', () => {
  let service: StartedService
  const time = { ahead: 0 }
  const known = privateKeyToAccount(generatePrivateKey())

  before(async () => {
    const settings = {
      RELAYER_DAILY_BUDGET_ETH: String(BUDGET_GWEI / 1e9),
      // All requests come from one network, and a mint may cost more than an account's share of so little.
      RELAYER_BUDGET_SHARE_PER_NETWORK: '1',
      RELAYER_BUDGET_SHARE_PER_ACCOUNT: '1',
      AUDIT_BATCH_SECONDS: '3600',
    }
    service = await startService({ settings, clock: () => Date.now() + time.ahead })
    for (let nth = 0; nth < STRANGERS; nth += 1) await register()
    await untilSpent()
  })
  after(() => service?.stop())

  async function register(account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())) {
    const body = { name: 'Shopper' }
    const timestamp = Math.floor((Date.now() + time.ahead) / 1000)
    const signed = { method: 'POST', path: REGISTER, body: JSON.stringify(body), timestamp }
    const answer = await api(service.baseUrl, 'POST', REGISTER, {
      body,
      headers: await signHeaders(account, signed),
    })
    expect(answer.status).to.equal(201)
    return answer.body.data.agent
  }
  const numberOf = async (sql: string, ...values: unknown[]) =>
    Number(Object.values((await service.rows<object>(sql, ...values))[0] ?? {})[0])
  const minted = () => numberOf(`SELECT COUNT(*) FROM agents WHERE blockchain_status = 'verified'`)
  const transactions = () => numberOf('SELECT COUNT(*) FROM relayer_transactions')
  const statusOf = async (svcId: string) =>
    (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent.blockchainStatus

  /** Waits until the relayer has tried the next registration of a stranger after each pause, in vain. */
  async function untilSpent() {
    for (let before = -1; before !== (await transactions()); ) {
      before = await transactions()
      time.ahead += PAUSE_MS
      await waitUntil(async () => {
        const open = await numberOf(
          `SELECT COUNT(*) FROM relayer_intents WHERE settled_at IS NULL AND status <> 'queued'`,
        )
        const paused = await numberOf(
          `SELECT COUNT(*) FROM relayer_intents WHERE last_error LIKE 'the share %' AND next_attempt_at > ?`,
          Date.now() + time.ahead,
        )
        return open === 0 && paused > 0 ? true : null
      })
    }
  }

  it('waits once strangers have used their third of the day’s gas', async () => {
    expect(await minted()).to.be.within(2, STRANGERS - 2)
    const cost = await numberOf('SELECT SUM(cost_gwei) FROM relayer_transactions')
    expect(cost).to.be.within(BUDGET_GWEI / 6, BUDGET_GWEI / 3)
  })

  it('succeeds nevertheless, and says why its identity is delayed, there and to its owner', async () => {
    const agent = await register()
    expect(agent).to.include({ agentStatus: 'active', blockchainStatus: 'pending' })
    expect(agent.blockchainDelay.code).to.equal('unverified_gas_spent')
    const ada = await createOrganisation(service.baseUrl)
    await service.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', ada.organizationId, agent.svcId)
    const read = (bearer?: string) =>
      api(service.baseUrl, 'GET', `/api/agents/${agent.svcId}`, bearer === undefined ? {} : { bearer })
    expect((await read(ada.accessToken)).body.agent.blockchainDelay).to.deep.equal(agent.blockchainDelay)
    expect((await read()).body.agent).to.not.have.property('blockchainDelay')
  })

  it('is minted if its owner’s identity is verified', async () => {
    const first = await register(known)
    await service.rows(
      'UPDATE users SET kyd_verified_at = 1 WHERE id = (SELECT user_id FROM wallets WHERE address = ?)',
      known.address.toLowerCase(),
    )
    const second = await register(known)
    expect(second).to.not.have.property('blockchainDelay')
    await waitUntil(async () => ((await statusOf(second.svcId)) === 'verified' ? true : null))
    expect(await statusOf(first.svcId)).to.equal('pending')
  })

  it('continues as soon as the last day’s gas allows it', async () => {
    const before = await minted()
    time.ahead += DAY_MS
    await untilSpent()
    expect(await minted()).to.be.above(before + 1)
  })
})
