import { Agent, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { GatewayOptions } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import express, {
  type Request as ExpressRequest,
  type Response as ExpressResponse,
  type RequestHandler,
  Router,
} from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { getPathNoStrict } from 'hono/utils/url'
import { listen } from '../harness/peers/listen.ts'

/** The globs of the denied handlers that each shop has. */
export const DENIED_RESOURCES = ['/secret/**', '/admin', '/Keys/*', '/caf%C3%A9']

/** A shop that receives request targets exactly as given. `handler` is the one that was reached, if any. */
export type FoldingShop = {
  send(
    target: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; handler: 'denied' | 'open' | undefined }>
  stop(): Promise<void>
}

/** Opens a shop per framework, with the most lenient routes that it has, behind its gateway if there are options. */
export const openFoldingShops = {
  Express: (options?: GatewayOptions) => openExpressShop(options),
  Fastify: (options?: GatewayOptions) => openFastifyShop(options),
  fetch: (options?: GatewayOptions) => openFetchShop(options),
} satisfies Record<string, (options?: GatewayOptions) => Promise<FoldingShop>>

async function openExpressShop(options?: GatewayOptions): Promise<FoldingShop> {
  const app = express()
  // Express prints no errors in tests.
  app.set('env', 'test')
  if (options) app.use(expressGateway(options))
  app.use(routeDenied((_req, res) => void res.end('denied')))
  app.use((_req, res) => void res.end('open'))
  return openShop(app)
}

function routeDenied(handler: RequestHandler): Router {
  const router = Router()
  router.use('/secret', handler)
  router.all(['/admin', '/keys/:id', '/caf%C3%A9'], handler)
  return router
}

/** Whether Express leads a target to a denied handler, without HTTP and so for any text. */
export function isDeniedByExpress(target: string): boolean {
  let isDenied = false
  const route = routeDenied(() => {
    isDenied = true
  })
  route({ method: 'GET', url: target } as ExpressRequest, {} as ExpressResponse, () => undefined)
  return isDenied
}

async function openFastifyShop(options?: GatewayOptions): Promise<FoldingShop> {
  const app = Fastify({
    routerOptions: {
      ...{ caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
      // Fastify's types lack this option.
      ...{ useSemicolonDelimiter: true },
    },
  })
  if (options) app.addHook('preHandler', fastifyGateway(options))
  for (const path of ['/secret', '/secret/*', '/admin', '/keys/:id', '/café'])
    app.get(path, async () => 'denied')
  app.get('/*', async () => 'open')
  await app.listen({ host: '127.0.0.1', port: 0 })
  return createShop((app.server.address() as AddressInfo).port, () => app.close())
}

/** Hono behind a server that turns requests into those of the Fetch standard, whose URLs are normalised. */
async function openFetchShop(options?: GatewayOptions): Promise<FoldingShop> {
  const app = new Hono({ getPath: (req) => getPathNoStrict(req).toLowerCase() })
  for (const path of ['/secret/*', '/admin', '/keys/:id', '/café']) app.get(path, (c) => c.text('denied'))
  app.get('*', (c) => c.text('open'))
  const handle = options ? fetchGateway(options)((req) => app.fetch(req)) : (req: Request) => app.fetch(req)
  return openShop((req, res) => {
    const { url: target = '/', headers } = req
    const respond = async () => {
      const url = /^https?:\/\//.test(target) ? target : `http://shop.test${target}`
      const response = await handle(new Request(url, { headers: headers as Record<string, string> }))
      res.statusCode = response.status
      res.end(await response.text())
    }
    respond().catch(() => {
      res.statusCode = 400
      res.end()
    })
  })
}

async function openShop(listener: RequestListener): Promise<FoldingShop> {
  const { port, stop } = await listen(listener)
  return createShop(port, stop)
}

/** Keeps its connections, because a long run would use up the ports of this machine. */
function createShop(port: number, close: () => Promise<void>): FoldingShop {
  const agent = new Agent({ keepAlive: true })
  const send: FoldingShop['send'] = (target, headers) =>
    new Promise((resolve, reject) => {
      const sent = { host: 'shop.test', ...headers }
      const outgoing = request({ agent, host: '127.0.0.1', port, path: target, headers: sent })
      outgoing.on('error', (error) => {
        // The server may close an idle connection at the moment in which it is used again.
        if (outgoing.reusedSocket) resolve(send(target, headers))
        else reject(error)
      })
      outgoing.on('response', (incoming) => {
        const handlers = ['denied', 'open'] as const
        const read = text(incoming).then((body) => ({
          status: incoming.statusCode ?? 0,
          handler: handlers.find((handler) => handler === body),
        }))
        read.then(resolve, reject)
      })
      outgoing.end()
    })
  return {
    send,
    async stop() {
      agent.destroy()
      await close()
    },
  }
}
