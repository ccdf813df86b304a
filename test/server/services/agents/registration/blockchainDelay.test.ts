import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, signHeaders } from '../../../../builders/participants.ts'
import { createRpc } from '../../../../harness/chain/createRpc.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { startService } from '../../../../harness/service/startService.ts'

const REGISTER = '/api/agents/register'
/** A third of it pays for about five mints on the local chain. */
const BUDGET_GWEI = 6_000_000
/** The share of an account or a network, which is about as much. */
const SHARE_GWEI = 2_000_000
const STRANGERS = 12
const [PAUSE_MS, DAY_MS] = [11_000, 86_400_000]

type Shares = { account: string; network: string }

/** A service whose relayer may spend little, on a clock that the test moves, and accounts that register agents. */
async function openBudget(budgetGwei: number, shares: Shares) {
  const time = { ahead: 0 }
  const settings = {
    RELAYER_DAILY_BUDGET_ETH: String(budgetGwei / 1e9),
    RELAYER_BUDGET_SHARE_PER_ACCOUNT: shares.account,
    RELAYER_BUDGET_SHARE_PER_NETWORK: shares.network,
    AUDIT_BATCH_SECONDS: '3600',
  }
  const service = await startService({ settings, clock: () => Date.now() + time.ahead })

  /** Registers an agent of a wallet, by default one that nobody knows. All requests come from one network. */
  async function register(account: PrivateKeyAccount = newWallet()) {
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
  const spent = () => numberOf('SELECT SUM(cost_gwei) FROM relayer_transactions')
  const statusOf = async (svcId: string) =>
    (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent.blockchainStatus

  /**
   * Waits until the relayer has tried the next registration that waits after two pauses, in vain: a transfer becomes due
   * when its mint is confirmed, which may be during the first.
   */
  async function untilSpent() {
    for (let idle = 0; idle < 2; ) {
      const before = await transactions()
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
      idle = before === (await transactions()) ? idle + 1 : 0
    }
  }

  /** Registers agents while no block is mined, so that all mints which the budget allows come before any transfer. */
  async function registerBeforeBlocks(count: number, account?: PrivateKeyAccount) {
    const rpc = createRpc(service.rpcUrl)
    await rpc('evm_setAutomine', [false])
    for (let nth = 0; nth < count; nth += 1) await register(account)
    await waitUntil(async () => ((await transactions()) > 0 ? true : null))
    await rpc('evm_setAutomine', [true])
    await rpc('evm_mine')
  }

  return { service, time, register, registerBeforeBlocks, minted, spent, statusOf, untilSpent }
}

const newWallet = () => privateKeyToAccount(generatePrivateKey())

describe('a registration beyond the gas budget', () => {
  let budget: Awaited<ReturnType<typeof openBudget>>
  const known = newWallet()

  before(async () => {
    // A mint may cost more than an account's share of so little.
    budget = await openBudget(BUDGET_GWEI, { account: '1', network: '1' })
    for (let nth = 0; nth < STRANGERS; nth += 1) await budget.register()
    await budget.untilSpent()
  })
  after(() => budget?.service.stop())

  it('waits once strangers have used their third of the day’s gas', async () => {
    expect(await budget.minted()).to.be.within(2, STRANGERS - 2)
    expect(await budget.spent()).to.be.within(BUDGET_GWEI / 6, BUDGET_GWEI / 3)
  })

  it('succeeds nevertheless, and says why its identity is delayed, there and to its owner', async () => {
    const agent = await budget.register()
    expect(agent).to.include({ agentStatus: 'active', blockchainStatus: 'pending' })
    expect(agent.blockchainDelay.code).to.equal('unverified_gas_spent')
    const ada = await createOrganisation(budget.service.baseUrl)
    await budget.service.rows(
      'UPDATE agents SET owner_id = ? WHERE svc_id = ?',
      ada.organizationId,
      agent.svcId,
    )
    const read = (bearer?: string) =>
      api(budget.service.baseUrl, 'GET', `/api/agents/${agent.svcId}`, bearer === undefined ? {} : { bearer })
    expect((await read(ada.accessToken)).body.agent.blockchainDelay).to.deep.equal(agent.blockchainDelay)
    expect((await read()).body.agent).to.not.have.property('blockchainDelay')
  })

  it('is minted if its owner’s identity is verified', async () => {
    const first = await budget.register(known)
    await budget.service.rows(
      'UPDATE users SET kyd_verified_at = 1 WHERE id = (SELECT user_id FROM wallets WHERE address = ?)',
      known.address.toLowerCase(),
    )
    const second = await budget.register(known)
    expect(second).to.not.have.property('blockchainDelay')
    await waitUntil(async () => ((await budget.statusOf(second.svcId)) === 'verified' ? true : null))
    expect(await budget.statusOf(first.svcId)).to.equal('pending')
  })

  it('continues as soon as the last day’s gas allows it', async () => {
    const before = await budget.minted()
    budget.time.ahead += DAY_MS
    await budget.untilSpent()
    expect(await budget.minted()).to.be.above(before + 1)
  })
})

describe('a registration beyond the share of', () => {
  for (const [part, shares] of [
    ['account', { account: '0.1', network: '1' }],
    ['network', { account: '1', network: '0.1' }],
  ] as const) {
    describe(`its ${part}`, () => {
      let budget: Awaited<ReturnType<typeof openBudget>>
      const wallet = part === 'account' ? newWallet() : undefined

      before(async () => {
        budget = await openBudget(10 * SHARE_GWEI, shares)
        await budget.registerBeforeBlocks(STRANGERS, wallet)
        await budget.untilSpent()
      })
      after(() => budget?.service.stop())

      it('waits once the share of the day’s gas is used up, and says so', async () => {
        expect(await budget.minted()).to.be.within(2, STRANGERS - 2)
        expect(await budget.spent()).to.be.within(SHARE_GWEI / 2, SHARE_GWEI)
        const agent = await budget.register(wallet)
        expect(agent).to.include({ agentStatus: 'active', blockchainStatus: 'pending' })
        expect(agent.blockchainDelay.code).to.equal(`${part}_gas_spent`)
      })

      if (part === 'account') {
        it('does not wait if it is of another account', async () => {
          const { svcId, blockchainDelay } = await budget.register()
          expect(blockchainDelay).to.equal(undefined)
          await waitUntil(async () => ((await budget.statusOf(svcId)) === 'verified' ? true : null))
        })
      }
    })
  }
})
