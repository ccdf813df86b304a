import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createAgentKey } from '../../builders/createAgentKey.ts'
import { createOrganisation, type Organisation, registerEndpoint } from '../../builders/participants.ts'
import { signAsAgent } from '../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../builders/storeAgentKey.ts'
import { foreignAccount, openForeignRegistry } from '../../harness/chain/openForeignRegistry.ts'
import { createCredentialHolder } from '../../harness/peers/createCredentialHolder.ts'
import { startSilentHost } from '../../harness/peers/startSilentHost.ts'
import type { ApiAnswer } from '../../harness/service/api.ts'
import { openOwnerScene } from '../services/approvals/openOwnerScene.ts'

/** Places for requests: of these, a person has four for each kind of wait. */
const MAX_AT_ONCE = 128

type Send = () => Promise<Pick<ApiAnswer<unknown>, 'status' | 'headers' | 'body'>>

export type WaitingScene = Awaited<ReturnType<typeof openWaitingScene>>

/** A service with few places for requests, and requests to every operation that waits for a host, which never responds. */
export async function openWaitingScene() {
  const [silent, names, foreign] = await Promise.all([
    startSilentHost(),
    startSilentNameServer(),
    openForeignRegistry(),
  ])
  const scene = await openOwnerScene({
    MAX_REQUESTS_AT_ONCE: String(MAX_AT_ONCE),
    TRUSTED_PROXIES: '127.0.0.1',
    DNS_SERVERS: names.address,
    FOREIGN_REGISTRIES: foreign.setting,
    ALLOW_PRIVATE_NETWORK: 'true',
  })
  const { call, shop } = scene
  const ada = await scene.owner()
  const seconds = () => Math.floor(scene.time.now / 1000)
  /** An agent whose server never responds to a challenge. */
  const silentAgent = (fields: object = {}) => ada.agent({ apiEndpoint: silent.url, pdlss: {}, ...fields })
  const asOwner = (by: Organisation, method: string, path: string, body?: object) =>
    call(method, path, { bearer: by.accessToken, body })

  /** Of a public host, whose name server is silent: a private one belongs to nobody. */
  const contestedUrl = `https://${randomUUID()}.acme.io`
  /** An endpoint that the shop has discovered before anybody registers on its host. */
  async function discover() {
    const body = { agentId: await ada.agent({ pdlss: {} }), counterpartyUrl: `${contestedUrl}/discovered` }
    await call('POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })
    const { items } = (await asOwner(shop, 'GET', '/api/endpoints?only=claimable')).body
    return items[0].id as string
  }
  const discovered = await discover()
  const squatter = await createOrganisation(scene.baseUrl)
  const squatted = await registerEndpoint(scene.baseUrl, squatter.apiKey, {
    counterpartyUrl: `${contestedUrl}/squatted`,
  })
  await call('POST', `/api/endpoints/${scene.svceId}/webhook`, {
    bearer: shop.apiKey,
    body: { url: `${silent.url}/webhook` },
  })

  async function prepareCredential(): Promise<Send> {
    const agentId = await ada.agent()
    const path = `/api/agents/${agentId}/credentials`
    const { challenge, audience } = (await ada.call('POST', `${path}/challenge`)).body
    const proof = createCredentialHolder().token({ aud: audience, nonce: challenge, iat: seconds() })
    const value = `did:web:127.0.0.1%3A${silent.port}`
    return () => ada.call('POST', path, { body: { type: 'did', value, challenge, proof } })
  }
  async function prepareAdoption(path: string): Promise<Send> {
    const { token } = await foreign.register(foreignAccount(3), {}, `${silent.url}/file.json`)
    const signature = await foreignAccount(3).signMessage({ message: 'of no statement' })
    const body = path.endsWith('statement') ? { token } : { token, expiresAt: seconds() + 60, signature }
    return () => ada.call('POST', path, { body })
  }
  async function prepareDecision(path: string, build: (agentId: string) => object): Promise<Send> {
    const body = build(await silentAgent())
    const headers = { accept: 'application/json, text/event-stream' }
    return () => call('POST', path, { bearer: shop.apiKey, body, headers })
  }
  async function prepareSample(): Promise<Send> {
    const key = createAgentKey()
    const agentId = await silentAgent()
    await storeAgentKey(scene.service, agentId, key)
    const path = '/api/sample-counterparty'
    const host = new URL(scene.baseUrl).host.replace('127.0.0.1', 'localhost')
    return () => {
      const signing = { svcId: agentId, url: `http://${host}${path}`, created: seconds() }
      const { signature, signatureInput } = signAsAgent(key, signing)
      const signed = { host, signature, 'signature-input': signatureInput }
      return call('GET', path, {
        headers: { ...signed, 'x-svc-id': agentId, 'x-svc-purpose': 'shopping:buy' },
      })
    }
  }
  const evaluationOf = (id: string) => ({
    ...{ subject: { type: 'agent', id }, action: { name: 'shopping:buy' } },
    resource: { type: 'endpoint', id: scene.svceId },
  })
  const counterpartyId = scene.svceId

  return {
    scene,
    silent,
    squatted: { svceId: squatted, owner: squatter },
    silentAgent,
    /** By operation: prepares requests that each wait for the silent host. */
    requests: {
      'POST /api/endpoints': async () => () =>
        call('POST', '/api/endpoints', {
          bearer: shop.apiKey,
          body: { name: 'Shop', counterpartyUrl: `${contestedUrl}/own` },
        }),
      'POST /api/endpoints/:id/claim': async () => () =>
        asOwner(shop, 'POST', `/api/endpoints/${discovered}/claim`, { organizationId: shop.organizationId }),
      'POST /api/endpoints/:id/verify-domain': async () => () =>
        call('POST', `/api/endpoints/${squatted}/verify-domain`, { bearer: squatter.apiKey }),
      'POST /api/endpoints/:id/test-webhook': async () => () =>
        call('POST', `/api/endpoints/${scene.svceId}/test-webhook`, { bearer: shop.apiKey }),
      'POST /api/agents/:id/credentials': prepareCredential,
      'POST /api/agents/adopt/statement': () => prepareAdoption('/api/agents/adopt/statement'),
      'POST /api/agents/adopt': () => prepareAdoption('/api/agents/adopt'),
      'POST /api/agents/verify-access': () =>
        prepareDecision('/api/agents/verify-access', (agentId) => ({ agentId, counterpartyId })),
      'POST /access/v1/evaluation': () => prepareDecision('/access/v1/evaluation', evaluationOf),
      'POST /access/v1/evaluations': () =>
        prepareDecision('/access/v1/evaluations', (id) => ({ evaluations: [evaluationOf(id)] })),
      'POST /mcp': () =>
        prepareDecision('/mcp', (agentId) => ({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'verify_agent', arguments: { agentId, counterpartyId } },
        })),
      'GET /api/sample-counterparty': prepareSample,
    } satisfies Record<string, () => Promise<Send>>,
    async close() {
      silent.release()
      await scene.service.stop()
      await Promise.all([silent.stop(), names.stop(), foreign.stop()])
    },
  }
}

/** Starts a name server that never responds; whoever asks gives up after some seconds. */
async function startSilentNameServer() {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}
