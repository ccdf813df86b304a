import { type AgentKey, exportPublicKey, generateAgentKey, signHttpRequest, signRequest } from '@svc/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import { callService } from './callService.ts'
import { checkReceipt } from './checkReceipt.ts'
import type { DemoContext, Shop } from './demoContext.ts'

/**
 * Gives the agent a key, and shows that from then on its name alone is worth nothing: a signed request is granted, the same
 * one again and a thief who only knows the name are refused. The grant has a receipt that anyone can verify.
 */
export async function proveIdentity(
  context: DemoContext,
  owner: PrivateKeyAccount,
  svcId: string,
  shop: Shop,
): Promise<void> {
  const { baseUrl, narrator } = context
  narrator.chapter('7. A proven identity')
  const key = await generateAgentKey()
  await addKey(context, owner, svcId, key)
  narrator.fact('agent’s key', key.keyid)
  const verify = (body: object = {}) =>
    callService(baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId: svcId, counterpartyId: shop.svceId, ...ORDER, ...body },
    })
  const callerMetadata = await signOrder(key, svcId, shop)
  const proven = await verify({ callerMetadata, includeReceipt: true })
  narrator.check(
    'a request that the agent signed is granted, with the proof on record',
    proven.recommendation === 'grant' && proven.identityProof === 'signature',
    proven,
  )
  const replayed = await verify({ callerMetadata })
  narrator.check('the same signature again is refused', isUnproven(replayed), replayed)
  const named = await verify()
  narrator.check('a stranger that only knows the agent’s name is refused', isUnproven(named), named)
  const { receipt } = proven
  await checkReceipt(context, { receipt, svcId, shop, keyThumbprint: key.keyid })
}

const ORDER = {
  purpose: 'shopping:buy',
  resource: '/orders/4712',
  jurisdiction: 'DE',
  transactionValue: 12,
  currency: 'EUR',
}

/** Adds a key by a request that the owner signs, as an owner without a session does. */
async function addKey(
  { baseUrl }: DemoContext,
  owner: PrivateKeyAccount,
  svcId: string,
  key: AgentKey,
): Promise<void> {
  const path = `/api/agents/${svcId}/keys`
  const body = { key: await exportPublicKey(key), name: 'demo' }
  const headers = await signRequest(owner, {
    ...{ method: 'POST', path, body: JSON.stringify(body) },
    service: new URL(baseUrl).origin,
  })
  await callService(baseUrl, 'POST', path, { body, headers, status: 201 })
}

/** Signs a request to the shop, and returns what the shop's gateway reports about it. */
async function signOrder(key: AgentKey, agentId: string, { url }: Shop): Promise<object> {
  const targetUri = `${url}${ORDER.resource}`
  const { signature, ...headers } = await signHttpRequest(key, { method: 'GET', url: targetUri }, { agentId })
  const { 'signature-input': signatureInput, ...covered } = headers
  return { signature, signatureInput, method: 'GET', targetUri, ...covered }
}

type Answer = { recommendation: string; access: { failures?: { dimension: string }[] } }

function isUnproven({ recommendation, access }: Answer): boolean {
  return (
    recommendation === 'deny' &&
    access.failures?.some(({ dimension }) => dimension === 'agent.proof') === true
  )
}
