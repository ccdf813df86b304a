import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signIntent } from '../../../builders/signAsAgent.ts'
import { openKeyScene } from '../agents/keys/openKeyScene.ts'

export type ReceiptScene = Awaited<ReturnType<typeof openReceipts>>

/** The whole service with an owner and an agent, whose requests are answered with receipts. */
export async function openReceipts(settings: Record<string, string> = {}) {
  const scene = await openKeyScene(settings)
  const agentOwner = await scene.owner()
  const agentId = await agentOwner.agent()
  const issuer = scene.appUrl

  const ask = async (fields: object = {}, headers: Record<string, string> = {}, bearer = scene.shop.apiKey) =>
    (
      await scene.call('POST', '/api/agents/verify-access', {
        bearer,
        headers,
        body: scene.asking(agentId, {
          transactionValue: 20,
          attemptId: undefined,
          includeReceipt: true,
          ...fields,
        }),
      })
    ).body
  /** Adds a key to an agent, and returns it with a function that proves requests with it. */
  const addKey = async (id: string) => {
    const key = createAgentKey()
    await scene.added(agentOwner, id, key.jwk)
    const prove = (nonce: string = randomUUID()) => {
      const iat = Math.floor(scene.time.now / 1000)
      return { intentProof: signIntent(key, { iss: id, aud: scene.svceId, iat, exp: iat + 60, jti: nonce }) }
    }
    return { ...key, prove }
  }
  const readKeys = async () => (await scene.call('GET', '/.well-known/jwks.json')).body

  return {
    ...scene,
    agentOwner,
    agentId,
    issuer,
    ask,
    addKey,
    readKeys,
    /** Reads a receipt with a library of others, from the published keys. @throws Error if it is not valid. */
    async open(receipt: string, audience = scene.svceId): Promise<JWTPayload & Record<string, unknown>> {
      const keys = createLocalJWKSet(await readKeys())
      const expected = { issuer, audience, typ: 'svc-verdict+jwt', algorithms: ['EdDSA'] }
      const { payload } = await jwtVerify(receipt, keys, {
        ...expected,
        currentDate: new Date(scene.time.now),
      })
      return payload
    },
  }
}
