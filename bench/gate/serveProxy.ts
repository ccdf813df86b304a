import type { RequestListener } from 'node:http'
import { Agent } from 'node:http'
import { createGate } from '@svc/gate/createGate.ts'
import type { GateSettings } from '@svc/gate/settings/gateSettings.ts'
import proxy from 'http-proxy'
import { RECEIPT_CLAIMS } from '../../test/builders/receiptClaims.ts'
import { buildPeerResponse } from '../peers/buildPeerResponse.ts'
import { servePeer } from '../peers/servePeer.ts'

const [, , , , address = '', registry = ''] = process.argv

/** What the registry answers to a granted request of the agent. */
const GRANT = JSON.stringify({ ...buildPeerResponse(), identityProof: 'signature' })

/**
 * A server, or a proxy before it: bare, or the gate, which asks a registry for each request, reuses its grants, or asks and
 * has the answer in the same moment, to measure all that is not the call.
 */
const FORMS: Readonly<Record<string, () => RequestListener>> = {
  server: () => (_req, res) => void res.setHeader('content-type', 'application/json').end('{"order":1}'),
  bare: () => {
    const bare = proxy.createProxyServer({ target: address, agent: new Agent({ keepAlive: true }) })
    return (req, res) => bare.web(req, res)
  },
  asking: () => openGate({}),
  reusing: () => openGate({ reuseGrantSeconds: 3_600 }),
  answered() {
    const { fetch } = globalThis
    globalThis.fetch = async (input, init) =>
      String(input).endsWith('/verify-access')
        ? new Response(GRANT, { headers: { 'content-type': 'application/json' } })
        : fetch(input, init)
    return openGate({})
  },
}

function openGate(gateway: Partial<GateSettings['gateway']>): RequestListener {
  const { server } = createGate(
    {
      ...{
        listen: { host: '127.0.0.1', port: 0 },
        admin: null,
        upstream: new URL(address),
        question: 'headers',
      },
      ...{ trustProxy: 0, connectMs: 5_000, responseMs: 60_000, graceMs: 1_000 },
      signedBodies: { waitMs: 20_000, bytesMax: 268_435_456 },
      gateway: { apiBaseUrl: `${registry}/api`, apiKey: 'k', counterpartyId: RECEIPT_CLAIMS.aud, ...gateway },
    },
    (message) => console.error(message),
  )
  return (req, res) => void server.emit('request', req, res)
}

await servePeer((form) => {
  const open = FORMS[form]
  if (open === undefined) throw new Error(`unknown form ${form}`)
  return open()
})
