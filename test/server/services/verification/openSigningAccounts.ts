import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../../../builders/buildSiweBody.ts'
import { registerAgent, registerEndpoint, signHeaders } from '../../../builders/participants.ts'
import { signByAccount } from '../../../builders/signByAccount.ts'
import { type Owner, openOwnerScene } from '../approvals/openOwnerScene.ts'

/** What agents ask for. */
export const URL = 'https://accounts.acme.io/orders/1'
export const newAccount = () => privateKeyToAccount(generatePrivateKey())

export type SigningAccounts = Awaited<ReturnType<typeof openSigningAccounts>>

/** Opens a scene with an endpoint that requires signatures, and owners whose wallets sign for their agents. */
export async function openSigningAccounts() {
  const scene = await openOwnerScene()
  const asking = { counterpartyUrl: 'https://accounts.acme.io', minIdentityProof: 'signature' }
  const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, asking)

  const register = async (account: PrivateKeyAccount) => {
    const timestamp = Math.floor(scene.time.now / 1000)
    return (await registerAgent(scene.baseUrl, {}, { account, timestamp })).svcId
  }
  const link = async (by: Owner, account: PrivateKeyAccount, headers: Record<string, string> = {}) => {
    const body = await buildSiweBody(scene.baseUrl, account)
    expect((await by.call('POST', '/api/auth/siwe', { body, headers })).status).to.equal(200)
  }
  return {
    ...{ scene, counterpartyId, register, link },
    /** An owner with two wallets: one that registered the agent, and one that is only linked to the account. */
    async owner() {
      const ada = await scene.owner({ withPasskey: false })
      const [registering, linked] = [newAccount(), newAccount()]
      await link(ada, registering)
      await link(ada, linked)
      return { ada, registering, linked, svcId: await register(registering) }
    },
    async unlink(by: Owner, { address }: PrivateKeyAccount) {
      expect((await by.call('DELETE', `/api/auth/wallets/${address}`)).status).to.equal(200)
    },
    async decide(account: PrivateKeyAccount, agentId: string) {
      const callerMetadata = await signByAccount(account, { svcId: agentId, url: URL, now: scene.time.now })
      const body = { agentId, counterpartyId, callerMetadata }
      const { recommendation, identityProof, access } = (await scene.verifyUnproven(body)).body
      const dimensions = (access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension)
      return [recommendation, identityProof, ...dimensions]
    },
    async askToken(account: PrivateKeyAccount, svcId: string, body?: object) {
      const path = `/api/agents/${svcId}/token`
      const text = body === undefined ? '' : JSON.stringify(body)
      const signing = { method: 'POST', path, body: text, timestamp: Math.floor(scene.time.now / 1000) }
      const headers = await signHeaders(account, signing)
      return scene.call('POST', path, body === undefined ? { headers } : { headers, body })
    },
  }
}
