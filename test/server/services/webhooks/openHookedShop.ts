import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { createOrganisation } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'
import { openReceiver, type Received } from './openWebhooks.ts'

const HEADERS = ['x-svc-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** The scene of the webhook tests over HTTP, so that they can declare it before it is open. */
export type HookedShop = Awaited<ReturnType<typeof openHookedShop>>

/** The whole service with a clock that the test advances, a shop with endpoints, a stranger, and a receiver. */
export async function openHookedShop(settings: Record<string, string> = {}) {
  const time = { aheadMs: 0 }
  const service = await startService({ settings, clock: () => Date.now() + time.aheadMs })
  const { baseUrl } = service
  const shop = await createOrganisation(baseUrl)
  const stranger = await createOrganisation(baseUrl)
  const receiver = await openReceiver()

  /** Calls an operation on the webhook of an endpoint for the shop. */
  function at(endpointId: string) {
    const path = `/api/endpoints/${endpointId}`
    const call = (method: string, sub: string, body?: unknown, bearer = shop.apiKey) =>
      api(baseUrl, method, path + sub, body === undefined ? { bearer } : { bearer, body })
    const set = (url = `${receiver.url}/hook`) => call('POST', '/webhook', { url })
    const verify = (body: object = {}) =>
      api(baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body: { counterpartyId: endpointId, ...body },
      })
    const deliveries = async () => (await call('GET', '/webhook/deliveries')).body.items
    const settled = (nth = 0) =>
      waitUntil(async () => {
        const delivery = (await deliveries())[nth]
        return delivery === undefined || delivery.status === 'pending' ? null : delivery
      })
    return { call, set, verify, deliveries, settled }
  }

  /** A new endpoint of the shop, its secret, and an empty receiver that responds 200. */
  async function newEndpoint() {
    receiver.received.length = 0
    Object.assign(receiver.mood, { status: 200, headers: {}, hangs: false })
    const registered = await api(baseUrl, 'POST', '/api/endpoints', {
      bearer: shop.apiKey,
      body: {
        counterpartyType: 'api',
        name: 'Shop',
        counterpartyUrl: `https://shop${Math.random().toString(36).slice(2)}.io/api`,
        trustScoreRequirement: 0,
        unverifiedAgentPolicy: 'deny',
      },
    })
    const svceId: string = registered.body.svceId
    const secret: string = registered.body.webhookSecret
    return { svceId, secret, ...at(svceId) }
  }

  const arrived = (nth = 1): Promise<Received> => waitUntil(async () => receiver.received[nth - 1] ?? null)
  const headersOf = ({ headers }: Received): Record<string, string> =>
    Object.fromEntries(HEADERS.map((name) => [name, String(headers[name])]))

  /** Third-party verifiers, each applied to the received request. */
  const verifiers = {
    stripe({ headers, body }: Received, key: string) {
      const given = String(headers['x-svc-signature'])
      return Stripe.webhooks.constructEvent(body, given, key, 300 + time.aheadMs / 1000)
    },
    standard: (received: Received, key: string) =>
      new Webhook(key).verify(received.body, headersOf(received)) as Record<string, unknown>,
  }

  return {
    ...{ service, time, shop, stranger, receiver, at, newEndpoint, arrived, verifiers },
    async close() {
      await receiver.stop()
      await service.stop()
    },
  }
}
