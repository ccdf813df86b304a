import { getListFromStatusListJWT, getStatusListFromJWT } from '@sd-jwt/jwt-status-list'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../builders/buildSiweBody.ts'
import { createOrganisation, type Organisation, registerEndpoint } from '../builders/participants.ts'
import { signAsAccount } from '../builders/signAsAccount.ts'
import {
  type ForeignAccount,
  type ForeignScene,
  foreignAccount,
  openForeignRegistry,
} from '../harness/chain/openForeignRegistry.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const URL_SIGNED = 'https://wallets.acme.io/orders/1'

describe('the agentWallet of an adopted agent in two processes over one PostgreSQL', function () {
  this.timeout(180_000)
  const holder = foreignAccount(3)
  const [first, second] = [foreignAccount(6), foreignAccount(7)]
  let foreign: ForeignScene
  let two: TwoProcesses
  let shop: Organisation
  let counterpartyId: string

  before(async function () {
    if (!testsPostgres) return this.skip()
    foreign = await openForeignRegistry()
    two = await startTwoProcesses({ FOREIGN_REGISTRIES: foreign.setting, ALLOW_PRIVATE_NETWORK: 'true' })
    shop = await createOrganisation(baseUrl(0))
    const counterpartyUrl = 'https://wallets.acme.io'
    counterpartyId = await registerEndpoint(baseUrl(0), shop.apiKey, { counterpartyUrl })
  })
  after(async () => {
    await two?.stop()
    await foreign?.stop()
  })

  const baseUrl = (nth: number): string => two.baseUrls[nth] ?? ''

  it('is refused by both once one of them has read another, which withdraws what the other granted', async () => {
    const { agentId, token } = await foreign.register(holder)
    await foreign.setWallet(holder, agentId, first)
    const siwe = await buildSiweBody(baseUrl(0), privateKeyToAccount(generatePrivateKey()))
    const bearer = (await api(baseUrl(0), 'POST', '/api/auth/siwe', { body: siwe })).body.data.accessToken
    const stated = await api(baseUrl(0), 'POST', '/api/agents/adopt/statement', { bearer, body: { token } })
    const { message, expiresAt } = stated.body
    const signature = await holder.signMessage({ message })
    const adopting = { bearer, body: { token, expiresAt, signature } }
    const { svcId } = (await api(baseUrl(0), 'POST', '/api/agents/adopt', adopting)).body.agent

    const ask = async (nth: number, account: ForeignAccount) => {
      const signing = { name: token, url: URL_SIGNED, created: Math.floor(Date.now() / 1000) }
      const callerMetadata = await signAsAccount(account, signing)
      const wanted = { includeReceipt: true, sessionDuration: 3_600 }
      const body = { agentId: svcId, counterpartyId, callerMetadata, ...wanted }
      const sent = { bearer: shop.apiKey, body }
      return (await api(baseUrl(nth), 'POST', '/api/agents/verify-access', sent)).body
    }
    const stateOf = async (receipt: string) => {
      const response = await fetch(`${baseUrl(0)}/.well-known/status/0`)
      return getListFromStatusListJWT(await response.text()).getStatus(getStatusListFromJWT(receipt).idx)
    }

    const granted = [await ask(0, first), await ask(1, first)]
    expect(granted.map(({ recommendation }) => recommendation)).to.deep.equal(['grant', 'grant'])
    await foreign.setWallet(holder, agentId, second)
    await waitUntil(async () => ((await ask(0, second)).recommendation === 'grant' ? true : null))
    // The other process has read the token less than a second ago, and may still take the first wallet for its own.
    expect((await ask(1, first)).recommendation).to.equal('deny')
    expect((await ask(0, first)).recommendation).to.equal('deny')
    for (const { receipt } of granted) {
      await waitUntil(async () => ((await stateOf(receipt)) === 1 ? true : null))
    }
    await waitUntil(async () => ((await ask(1, second)).recommendation === 'grant' ? true : null))
  })
})
