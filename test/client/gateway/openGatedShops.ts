import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPresenter, type Verified } from '@svc/client'
import { type ExpressGatewayOptions, gateway as expressGateway } from '@svc/client/express'
import { createOrganisation, registerAgent, registerEndpoint } from '../../builders/participants.ts'
import { listen } from '../../harness/peers/listen.ts'
import { startService } from '../../harness/service/startService.ts'

/** A request with the members that the gateway adds. */
export type Seen = IncomingMessage & Partial<Verified>

export type GatedShops = Awaited<ReturnType<typeof openGatedShops>>

/** The agents' boundary: only shopping, and the owner must approve from 100 euros. */
export const MANDATE = {
  purpose: { categories: ['shopping'] },
  limits: { autonomousThreshold: 100, approvalThreshold: 500, currency: 'EUR' },
}

/** Starts the service with an agent of that mandate and a shop whose sites are behind the Express gateway. */
export async function openGatedShops() {
  const service = await startService()
  const shop = await createOrganisation(service.baseUrl)
  const { svcId } = await registerAgent(service.baseUrl, { pdlss: MANDATE })

  return {
    service,
    shop,
    svcId,
    /** Opens a counterparty behind a gateway; it responds with the members that the gateway added to the request. */
    async openShop(fields: object = {}, config: Partial<ExpressGatewayOptions<Seen>> = {}) {
      const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey, fields)
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
    /** Presents the agent, with the purpose to buy unless `perRequest` overrides it. */
    presenter: (perRequest: object = {}) =>
      createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose: 'shopping:buy', ...perRequest }),
  }
}

/** Reads the body of a response, whose shape the tests check member by member. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape, checked member by member
export async function bodyOf(response: Response): Promise<any> {
  return response.json()
}
