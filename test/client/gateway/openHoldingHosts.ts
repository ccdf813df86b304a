import type { GatewayOptions } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'

/** A guarded host whose only page counts how often it is handled. */
type Host = {
  visit(signal: AbortSignal): Promise<Response>
  guarded(): Promise<unknown> | undefined
  stop(): Promise<unknown>
}

type Described = GatewayOptions & { describeRequest?(req: unknown): Promise<object> }

/** Options of a gateway that holds requests longer than any test takes. */
export function holding(serviceUrl: string) {
  const quiet = { disableInitChecks: true, warn: () => undefined }
  return {
    apiBaseUrl: `${serviceUrl}/api`,
    apiKey: 'k',
    counterpartyUrl: 'https://shop.io',
    ...quiet,
    holdStepUpMs: 3_600_000,
  }
}

/** Visits a host once, until it has decided or the caller has left. */
export async function visitOnce(host: Host, signal: AbortSignal): Promise<void> {
  await host.visit(signal).catch(() => undefined)
  await host.guarded()
  await host.stop()
}

async function openNode(options: Described) {
  const guard = expressGateway(options)
  let handled = 0
  let guarded: Promise<unknown> | undefined
  const { url, stop } = await listen((req, res) => {
    guarded = guard(req, res, () => {
      handled += 1
    })
  })
  const visit = (signal: AbortSignal) => fetch(url, { signal })
  return { visit, stop, handled: () => handled, guarded: () => guarded }
}

async function openFastify(options: Described) {
  const guard = fastifyGateway(options)
  let handled = 0
  let guarded: Promise<unknown> | undefined
  const app = Fastify()
  app.addHook('preHandler', (request, reply) => {
    guarded = guard(request, reply)
    return guarded
  })
  app.get('/', async () => {
    handled += 1
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const visit = (signal: AbortSignal) => fetch(url, { signal })
  return { visit, stop: () => app.close(), handled: () => handled, guarded: () => guarded }
}

async function openFetch(options: GatewayOptions) {
  let handled = 0
  const handle = fetchGateway(options)(() => {
    handled += 1
    return new Response()
  })
  const visit = (signal: AbortSignal) => handle(new Request('https://shop.io/', { signal }))
  return { visit, stop: async () => undefined, handled: () => handled, guarded: async () => undefined }
}

/** Opens a guarded host of each kind. */
export const openHoldingHost = { Node: openNode, Fastify: openFastify, Fetch: openFetch }
