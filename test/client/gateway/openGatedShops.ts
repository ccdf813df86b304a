import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPresenter, type Verified } from '@svc/client'
import { type ExpressGatewayOptions, gateway as expressGateway } from '@svc/client/express'
import { agent, endpoint, organisation } from '../../builders/world.ts'
import { listen } from '../../harness/peers/listen.ts'
import { startService } from '../../harness/service/startService.ts'

/** A request with what the gateway puts on it. */
export type Seen = IncomingMessage & Partial<Verified>

export type GatedShops = Awaited<ReturnType<typeof openGatedShops>>

/** What the agents may do: shopping, and from 100 euros on their owner is asked. */
export const MANDATE = {
  purpose: { categories: ['shopping'] },
  limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: 'EUR' },
}

/** The service, an agent with that mandate, and a shop whose sites stand behind the gateway for Express. */
export async function openGatedShops() {
  const service = await startService()
  const shop = await organisation(service.baseUrl)
  const { svcId } = await agent(service.baseUrl, { pdlss: MANDATE })

  return {
    service,
    shop,
    svcId,
    /** A counterparty behind a gateway, which answers what the gateway put on the request. */
    async openShop(fields: object = {}, config: Partial<ExpressGatewayOptions<Seen>> = {}) {
      const counterpartyId = await endpoint(service.baseUrl, shop.apiKey, fields)
      const warnings: string[] = []
      const gateway = expressGateway<Seen>({
        apiBaseUrl: `${service.baseUrl}/api`,
        apiKey: shop.apiKey,
        counterpartyId,
        warn: (text) => warnings.push(text),
        ...config,
      })
      const server = await listen((req: Seen, res: ServerResponse) => {
        void gateway(req, res, () => {
          const { verified, accessLevel, agent: caller, advisory, recommendation, verification, pdlss } = req
          const { headers } = req
          const seen = { verified, accessLevel, agent: caller, advisory, recommendation, verification, pdlss }
          res.end(JSON.stringify({ ...seen, headers }))
        })
      })
      return { ...server, counterpartyId, warnings }
    },
    /** Requests of the agent, to buy unless `perRequest` says otherwise. */
    presenter: (perRequest: object = {}) =>
      createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose: 'shopping:buy', ...perRequest }),
  }
}

/** The body of an answer, whose shape the tests check member by member. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, checked member by member
export async function bodyOf(response: Response): Promise<any> {
  return response.json()
}
