import type { IncomingMessage, ServerResponse } from 'node:http'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'

const HEADERS = { 'x-svc-id': 'SVC-1' }

/**
 * Opens a Node host, a Fastify server and a Fetch-style handler, each behind its gateway with the same options.
 *
 * `ask` sends one request to each, in that order; `handled` counts those that reached a handler, and `thrown` lists the
 * errors that escaped a gateway.
 */
export async function openGuardedHosts(options: { apiBaseUrl: string; timeoutMs?: number }) {
  const all = { apiKey: 'k', counterpartyUrl: 'https://shop.io', warn: () => undefined, ...options }
  let handled = 0
  const thrown: unknown[] = []

  const guard = expressGateway(all)
  const node = await listen((req: IncomingMessage, res: ServerResponse) => {
    guard(req, res, () => {
      handled += 1
      res.end('handled')
    }).catch((error: unknown) => {
      thrown.push(error)
      res.end()
    })
  })

  const fastify = Fastify()
  fastify.addHook('preHandler', fastifyGateway(all))
  fastify.addHook('onError', async (_request, _reply, error) => void thrown.push(error))
  fastify.get('/', async () => {
    handled += 1
    return 'handled'
  })
  const fastifyUrl = await fastify.listen({ host: '127.0.0.1', port: 0 })

  const handle = fetchGateway(all)(() => {
    handled += 1
    return new Response('handled')
  })

  return {
    async ask() {
      handled = 0
      const answers = await Promise.all([
        fetch(node.url, { headers: HEADERS }),
        fetch(fastifyUrl, { headers: HEADERS }),
        handle(new Request('https://shop.io/', { headers: HEADERS })),
      ])
      return { answers, statuses: answers.map(({ status }) => status), handled, thrown }
    },
    async stop(): Promise<void> {
      await Promise.all([node.stop(), fastify.close()])
    },
  }
}
