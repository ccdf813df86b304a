import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { openOwnerScene } from '../approvals/openOwnerScene.ts'

export type ReceiptScene = Awaited<ReturnType<typeof openReceipts>>

/** The whole service with an owner and an agent, whose requests are answered with receipts. */
export async function openReceipts() {
  const scene = await openOwnerScene()
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
  const readKeys = async () => (await scene.call('GET', '/.well-known/jwks.json')).body

  return {
    ...scene,
    agentOwner,
    agentId,
    issuer,
    ask,
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
