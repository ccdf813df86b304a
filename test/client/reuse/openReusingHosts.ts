import type { IncomingMessage, RequestListener } from 'node:http'
import type { Verified } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import type { ReusingGatewayOptions } from '@svc/client/reuse'
import express from 'express'
import Fastify from 'fastify'
import { listen } from '../../harness/peers/listen.ts'

/** A host behind a gateway that reuses grants; it responds with whether it did. */
export type ReusingHost = { url: string; settle(): Promise<void>; stop(): Promise<void> }

/** Where the gateway is opened, once the host's address is known. */
type Options = (authority: string) => Promise<ReusingGatewayOptions>

type Seen = Pick<Partial<Verified>, 'isReused' | 'identityProof'>

const respond = ({ isReused, identityProof }: Seen) => ({ isReused, identityProof })
/** What a request takes of the value that is asked for. */
const useValueOf = () => 2
const describeRequest = () => ({ transactionValue: 5, currency: 'EUR' })

/** Opens hosts of each kind, each with the same gateway. */
export const openReusingHost: Readonly<Record<string, (options: Options) => Promise<ReusingHost>>> = {
  async Express(options) {
    const app = express()
    const site = await listen(((req, res) => app(req, res)) as RequestListener)
    const gate = expressGateway({ ...(await options(hostOf(site.url))), describeRequest, useValueOf })
    app.use(gate)
    app.use((req, res) => void res.json(respond(req)))
    return { ...site, settle: gate.settle }
  },

  async Fastify(options) {
    const app = Fastify()
    const site = await listen((req: IncomingMessage, res) => app.server.emit('request', req, res))
    const gate = fastifyGateway({ ...(await options(hostOf(site.url))), describeRequest, useValueOf })
    app.addHook('preHandler', gate)
    app.get('*', async (req) => respond(req))
    await app.ready()
    return { ...site, settle: gate.settle }
  },

  async Fetch(options) {
    let handle = async (_request: Request): Promise<Response> => new Response(null, { status: 503 })
    const site = await listen(async (req, res) => {
      const headers = req.headers as Record<string, string>
      const response = await handle(new Request(`http://${req.headers.host}${req.url}`, { headers }))
      res.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text())
    })
    const gate = fetchGateway({ ...(await options(hostOf(site.url))), describeRequest, useValueOf })
    handle = gate((_request, verified) => Response.json(respond(verified)))
    return { ...site, settle: gate.settle }
  },
}

function hostOf(url: string): string {
  return new URL(url).host
}
