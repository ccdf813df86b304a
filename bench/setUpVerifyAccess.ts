import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { signRequest } from '../client/agent/signRequest.ts'
import type { RequestSigner } from './load/loadRequest.ts'

const REQUEST_TIMEOUT_MS = 30_000

/** An agent whose boundary has every dimension, with the highest possible hourly cap, which the load does not reach. */
const AGENT = {
  name: 'Bench agent',
  description: 'Buys within its limits, as fast as it is allowed to.',
  agentType: 'autonomous',
  model: { modelName: 'bench-1', modelProvider: 'Bench', modelType: 'llm' },
  framework: { frameworkName: 'bench', frameworkVersion: '1.0.0' },
  pdlss: {
    purpose: {
      categories: ['financial_transaction', 'shopping'],
      allowedActions: ['purchase', 'refund'],
      deniedActions: ['transfer'],
    },
    duration: {
      maxSessionDuration: 3_600,
      ttl: 900,
      allowedDays: [0, 1, 2, 3, 4, 5, 6],
      allowedHours: { start: 0, end: 24 },
      timezone: 'Europe/Berlin',
    },
    limits: {
      autonomousThreshold: 100,
      stepUpThreshold: 500,
      approvalThreshold: 1_000,
      maxTransactionsPerHour: 1_000_000,
      currency: 'USD',
    },
    scope: { jurisdictions: ['DE', 'US'], resources: ['/orders/**', '/carts/*'] },
    selfInstantiation: { allowed: false },
  },
}

const ENDPOINT = {
  counterpartyType: 'api',
  name: 'Bench shop',
  counterpartyUrl: 'https://shop.example/api',
  trustScoreRequirement: 10,
  unverifiedAgentPolicy: 'allow_full',
  pdlss: {
    purpose: { categories: ['financial_transaction', 'read_data'] },
    scope: { resources: ['/orders/**'], deniedResources: ['/orders/*/internal'] },
  },
}

/** What the load presents: a counterparty's key and endpoint, an agent of another owner, and one that signs its requests. */
export type VerifyAccessNames = { apiKey: string; svceId: string; agentId: string; signer: RequestSigner }

/** Sets up a new service through the public API only. */
export async function setUpVerifyAccess(url: string): Promise<VerifyAccessNames> {
  const session = await post(`${url}/api/auth/register`, {
    email: 'bench@example.com',
    password: randomUUID(),
    fullName: 'Bench Owner',
    accountType: 'business',
  })
  const signedIn = { authorization: `Bearer ${text(session, 'data', 'accessToken')}` }
  const organization = await post(`${url}/api/organizations`, { name: 'Bench Shop Ltd' }, signedIn)
  const organizationId = text(organization, 'organizationId')
  const key = await post(`${url}/api/api-keys`, { name: 'bench', organizationId }, signedIn)
  const apiKey = text(key, 'key')
  const endpoint = await post(`${url}/api/endpoints`, ENDPOINT, { authorization: `Bearer ${apiKey}` })
  return {
    apiKey,
    svceId: text(endpoint, 'svceId'),
    agentId: await registerAgent(url, AGENT),
    signer: await registerSigner(url),
  }
}

/** Registers an agent with a key of its own. */
async function registerSigner(url: string): Promise<RequestSigner> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' }) as AgentKey
  const agentId = await registerAgent(url, { ...AGENT, keys: [jwk] })
  const privateJwk = privateKey.export({ format: 'jwk' })
  return {
    privateJwk,
    keyid: computeKeyThumbprint(jwk),
    agentId,
    url: `${ENDPOINT.counterpartyUrl}/orders/17`,
  }
}

/** Registers an agent that differs from the one of the load only in its limits, and returns its identifier. */
export function registerLimitedAgent(url: string, limits: object): Promise<string> {
  return registerAgent(url, { ...AGENT, pdlss: { ...AGENT.pdlss, limits } })
}

/** Registers an agent with a signed request, and returns its identifier. */
async function registerAgent(url: string, agent: object): Promise<string> {
  const path = '/api/agents/register'
  const account = privateKeyToAccount(generatePrivateKey())
  const headers = await signRequest(account, {
    method: 'POST',
    path,
    body: JSON.stringify(agent),
    service: url,
  })
  const registered = await post(`${url}${path}`, agent, headers)
  return text(registered, 'data', 'agent', 'svcId')
}

async function post(address: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`POST ${address}: ${response.status} ${await response.text()}`)
  return response.json()
}

function text(answer: unknown, ...names: string[]): string {
  let value = answer
  for (const name of names) value = (value as Record<string, unknown> | undefined)?.[name]
  if (typeof value !== 'string') throw new Error(`no ${names.join('.')} in ${JSON.stringify(answer)}`)
  return value
}
