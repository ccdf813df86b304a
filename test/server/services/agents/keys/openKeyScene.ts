import { randomUUID } from 'node:crypto'
import type { AgentKey } from '@svc/core/signing/computeKeyThumbprint.ts'
import { expect } from 'chai'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createAgentKey } from '../../../../builders/createAgentKey.ts'
import { signHeaders } from '../../../../builders/participants.ts'
import { signIntent } from '../../../../builders/signAsAgent.ts'
import { type Owner, openOwnerScene } from '../../approvals/openOwnerScene.ts'

export type KeyScene = Awaited<ReturnType<typeof openKeyScene>>

/** A service with owners whose wallets sign requests, and what they do with the keys of their agents. */
export async function openKeyScene(settings: Record<string, string> = {}) {
  const scene = await openOwnerScene(settings)
  const pathOf = (agentId: string) => `/api/agents/${agentId}/keys`

  /** Links a new wallet to an account. */
  async function wallet(owner: Owner): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey())
    const address = account.address.toLowerCase()
    await scene.store('INSERT INTO wallets VALUES (?, ?, ?)', address, owner.userId, scene.time.now)
    return account
  }

  /** Sends a request signed by an Ethereum key. */
  async function signed(
    account: PrivateKeyAccount,
    method: string,
    path: string,
    body?: object,
    nonce: string = randomUUID(),
  ) {
    const text = body === undefined ? '' : JSON.stringify(body)
    const timestamp = Math.floor(scene.time.now / 1000)
    const headers = await signHeaders(account, { method, path, body: text, timestamp, nonce })
    return scene.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  }

  /** Proves to hold a key, for the agent of that name, apart from what is given. */
  function proveKey(
    key: ReturnType<typeof createAgentKey>,
    iss: string,
    claims: object = {},
    header: object = {},
  ) {
    const iat = Math.floor(scene.time.now / 1000)
    const stated = { iss, aud: scene.appUrl, iat, exp: iat + 300, ...claims }
    return signIntent(key, stated, { typ: 'svc-key-proof+jwt', ...header })
  }

  const elevated = async (by: Owner) => ({ 'x-svc-elevation': await by.elevation() })

  async function add(by: Owner, agentId: string, key: unknown, fields: object = {}) {
    return by.call('POST', pathOf(agentId), { body: { key, ...fields }, headers: await elevated(by) })
  }

  /** Adds a key that is accepted, a new one unless one is given, and returns its thumbprint. */
  async function added(by: Owner, agentId: string, key: AgentKey = createAgentKey().jwk): Promise<string> {
    const answer = await add(by, agentId, key)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    return answer.body.key.kid
  }

  async function revoke(by: Owner, agentId: string, kid: string) {
    return by.call('DELETE', `${pathOf(agentId)}/${kid}`, { headers: await elevated(by) })
  }

  const listed = async (by: Owner, agentId: string): Promise<{ kid: string; status: string }[]> =>
    (await by.call('GET', pathOf(agentId))).body.items

  /** The events of an agent as a person sees them, newest first, restricted to a type. */
  const events = async (by: Owner, agentId: string, eventType: string) =>
    (await by.call('GET', `/api/activity?agent=${agentId}&eventType=${eventType}`)).body.items

  /** The failed dimensions of a request that only names the agent. */
  const failures = async (agentId: string): Promise<string[]> => {
    const { access } = (await scene.verifyUnproven(scene.asking(agentId, { transactionValue: 1 }))).body
    return (access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension)
  }

  return {
    ...scene,
    pathOf,
    wallet,
    signed,
    proveKey,
    elevated,
    add,
    added,
    revoke,
    listed,
    events,
    failures,
  }
}
