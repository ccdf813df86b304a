import { Role } from '@a2a-js/sdk'
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { createFetch, RefusedError } from '@svc/client/a2a'
import type { Purchase } from './shop.ts'

/** Orders by a message to the shop's agent, and returns its reply, or why the message was refused. */
export async function buyByA2a(
  { agent, shopUrl, counterpartyId, waitMs }: Purchase,
  sku: string,
): Promise<string> {
  const fetchImpl = createFetch(agent, { purpose: 'shopping:buy', counterpartyId, waitMs })
  const transports = [new JsonRpcTransportFactory({ fetchImpl })]
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports }),
  )
  const client = await factory.createFromUrl(shopUrl)
  const message = {
    messageId: crypto.randomUUID(),
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text' as const, value: sku }, metadata: undefined, filename: '', mediaType: '' },
    ],
    ...{ contextId: '', taskId: '', metadata: undefined, extensions: [], referenceTaskIds: [] },
  }
  try {
    const reply = await client.sendMessage({
      ...{ tenant: '', message, configuration: undefined, metadata: undefined },
    })
    return JSON.stringify(reply)
  } catch (error) {
    if (error instanceof RefusedError) return error.message
    throw error
  }
}
