import { type AgentKey, createVerifyClient, exportPublicKey, generateAgentKey } from '@svc/client'
import { signHttpRequest } from '@svc/client/agent/signHttpRequest.ts'
import { checkBody } from '@svc/client/gateway/checkBody.ts'
import { readRequest } from '@svc/client/gateway/readRequest.ts'
import type { RequestFacts } from '@svc/client/gateway/requestFacts.ts'
import type { VerificationFields } from '@svc/client/gateway/verificationFields.ts'
import { verificationFieldsOf } from '@svc/client/gateway/verificationFieldsOf.ts'
import { createGrantReuse } from '@svc/client/reuse/createGrantReuse.ts'
import { openReceipts } from '../../server/services/receipts/openReceipts.ts'

export type ReuseScene = Awaited<ReturnType<typeof openReuse>>

/** A request that an agent sends; its facts are what a gateway reads of it. */
export type Sent = {
  path?: string
  method?: string
  body?: string
  /** Signs the request; null for a request without signature. */
  signer?: AgentKey | null
  agentId?: string
  lifetimeSeconds?: number
  fields?: VerificationFields
  useValue?: number
}

/** The whole service with a shop, an agent with a key, and what a gateway of the shop does with the agent's requests. */
export async function openReuse() {
  const scene = await openReceipts()
  const { endpoint } = (
    await scene.call('GET', `/api/endpoints/${scene.svceId}`, { bearer: scene.shop.apiKey })
  ).body
  const { host } = new URL(endpoint.counterpartyUrl)

  /** Adds a key to an agent and returns it. */
  async function addedKey(agentId: string, algorithm: AgentKey['algorithm'] = 'ed25519'): Promise<AgentKey> {
    const key = await generateAgentKey({ algorithm })
    const { kid: _, ...jwk } = await exportPublicKey(key)
    await scene.added(scene.agentOwner, agentId, jwk)
    return key
  }
  const agentId = await scene.agentOwner.agent({ pdlss: {} })
  const key = await addedKey(agentId)

  /** The facts of a request as a gateway receives it, signed for the shop. */
  async function send(sent: Sent = {}): Promise<RequestFacts> {
    const { path = '/orders/1', method = sent.body === undefined ? 'GET' : 'POST', body, signer = key } = sent
    const own = { 'x-svc-id': sent.agentId ?? agentId, 'x-svc-purpose': 'shopping:buy' }
    const options = {
      agentId: own['x-svc-id'],
      lifetimeSeconds: sent.lifetimeSeconds,
      now: () => scene.time.now,
    }
    const request = { method, url: `https://${host}${path}`, headers: own, body }
    const signed = signer === null ? {} : await signHttpRequest(signer, request, options)
    return {
      ...{ method, target: path, scheme: 'https', headers: { host, ...own, ...signed }, body },
      fields: { jurisdiction: 'DE', currency: 'USD', ...sent.fields },
      useValue: sent.useValue,
    }
  }

  /** A gateway of the shop, or what it answers with; the test makes the service unreachable for it. */
  function open(config: { seconds?: number; issuer?: string } = {}) {
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every call, checked member by member
    const calls: { path: string; body: any }[] = []
    const warnings: string[] = []
    const network = {
      isDown: (_path: string): boolean => false,
      /** Whether the service receives a call and its response is lost. */
      loses: (_path: string): boolean => false,
    }
    const countingFetch: typeof fetch = async (input, init = {}) => {
      const path = String(input).slice(String(input).indexOf('/', 8))
      const { body } = init
      calls.push({ path, body: typeof body === 'string' ? JSON.parse(body) : undefined })
      if (network.isDown(path)) throw new TypeError('fetch failed')
      const response = await fetch(input, init)
      if (network.loses(path)) throw new TypeError('terminated')
      return response
    }
    const options = {
      apiBaseUrl: `${scene.baseUrl}/api`,
      issuer: scene.issuer,
      apiKey: scene.shop.apiKey,
      counterpartyId: scene.svceId,
      disableInitChecks: true,
      fetch: countingFetch,
      warn: (text: string) => void warnings.push(text),
    }
    const reuse = createGrantReuse({
      ...{ ...options, seconds: 600, ...config },
      now: () => scene.time.now,
    })
    const client = createVerifyClient(options)
    const bodiesTo = (path: string) => calls.filter((call) => call.path === path).map(({ body }) => body)

    /** Answers a request as the gateway does. */
    async function ask(facts: RequestFacts) {
      const request = readRequest(facts)
      const { contentDigest } = (await checkBody(request)) as { contentDigest?: string }
      const { answer, isReused = false } = await reuse.ask(
        client,
        verificationFieldsOf(request, contentDigest),
        facts,
      )
      return { answer, isReused }
    }
    return {
      ...{ reuse, client, ask, warnings, network },
      asked: () => bodiesTo('/api/agents/verify-access'),
      reported: () => bodiesTo('/api/agents/verify-access/uses').flatMap(({ uses }) => uses as object[]),
      /** Sends a request, which is granted by the service, and waits until the grant can be used. */
      async granted(sent: Sent = {}) {
        const { answer, isReused } = await ask(await send(sent))
        if (isReused || answer.recommendation !== 'grant') throw new Error(JSON.stringify(answer))
        await reuse.settle()
        return answer
      },
      /** Whether a request is answered by an earlier grant. */
      reuses: async (sent: Sent = {}): Promise<boolean> => (await ask(await send(sent))).isReused,
    }
  }

  /** The reported uses of a grant, as the shop sees them. */
  async function listUses(auditRecordId: string | undefined) {
    const path = `/api/activity?eventType=verification.reused&limit=100`
    const { items } = (await scene.call('GET', path, { bearer: scene.shop.apiKey })).body
    const grants = await Promise.all(
      (items as { id: string }[]).map(async ({ id }) => {
        const { body } = await scene.call('GET', `/api/audit/records/${id}`, { bearer: scene.shop.apiKey })
        return JSON.parse(Buffer.from(body.record.entry, 'base64').toString()).subject.reuseOf
      }),
    )
    return grants.filter((id) => id === auditRecordId)
  }

  return { ...scene, agentId, key, host, addedKey, send, open, listUses }
}
