import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { registerAgent } from '@svc/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { callService } from '../demo/callService.ts'
import { linkWallet } from '../demo/linkWallet.ts'

const EMAIL = 'owner@example.com'
const PASSWORD = 'correct horse battery'

/** Identifiers of the created data, which the pages need. */
export type Seeded = {
  refreshToken: string
  organizationId: string
  svcId: string
  svceId: string
  approvalId: string
  requestId: string
  eventId: string
  invitationToken: string
}

/**
 * Fills an empty service with a company that has agents, endpoints and some traffic, all through real requests.
 *
 * @param dataDir Contains the mails of the service, one of which confirms the email address.
 */
export async function seed(baseUrl: string, dataDir: string): Promise<Seeded> {
  const owner = await openAccount(baseUrl)
  const call = (method: string, path: string, body?: object, bearer = owner.bearer, status?: number) =>
    callService(baseUrl, method, path, { bearer, ...(body ? { body } : {}), ...(status ? { status } : {}) })
  await call('POST', '/api/auth/verify-email', {
    token: await waitForMail(dataDir, 'verify_email', /token=([\w-]+)/),
  })
  const wallet = privateKeyToAccount(generatePrivateKey())
  await linkWallet(baseUrl, owner.bearer, wallet)

  const { organizationId } = await call(
    'POST',
    '/api/organizations',
    { name: 'Example Outfitters' },
    owner.bearer,
    201,
  )
  const members = `/api/organizations/${organizationId}/members`
  await call('POST', members, { email: 'colleague@example.com', role: 'admin' }, owner.bearer, 201)
  const key = async (name: string, fields: object) =>
    (await call('POST', '/api/api-keys', { name, ...fields }, owner.bearer, 201)).key as string
  const gateway = await key('Checkout gateway', { organizationId })
  await key('Nightly reports', {})

  const register = (fields: object) =>
    registerAgent({ apiBaseUrl: `${baseUrl}/api`, account: wallet, agent: fields as AgentFields })
  const { svcId } = await register(BUYER)
  await register({
    name: 'Inventory watcher',
    description: 'Reads stock levels every hour.',
    agentType: 'automation',
  })
  const travel = await register({ name: 'Travel desk', agentType: 'assistant', protocols: ['a2a'] })
  await call('POST', `/api/agents/${travel.svcId}/suspend`, {})

  const endpoint = async (fields: object): Promise<string> =>
    (
      await call(
        'POST',
        '/api/endpoints',
        { counterpartyType: 'api', trustScoreRequirement: 20, ...fields },
        gateway,
        201,
      )
    ).svceId
  const svceId = await endpoint({
    name: 'Orders API',
    counterpartyUrl: 'https://api.example.com/orders',
    pdlss: { limits: { maxCumulativeSpend: 2_000, currency: 'EUR' } },
  })
  await endpoint({
    name: 'Catalogue',
    counterpartyUrl: 'https://api.example.com/catalogue',
    trustScoreRequirement: 0,
  })
  const verified = await sendTraffic(call, { gateway, svcId, svceId })
  await call(
    'POST',
    '/api/agents/verify-access',
    { counterpartyUrl: 'https://shop.example.org/checkout', agentId: svcId },
    gateway,
  )
  const { requestId } = await call('POST', '/api/agents/request-registration', ASKED, '', 202)
  const { items } = await waitFor(async () => {
    const found = await call('GET', '/api/activity?eventType=verification.completed')
    return found.items.length > 0 ? found : null
  })
  const invitationToken = await waitForMail(dataDir, 'invitation', /\/invitations\/([\w-]+)/)
  const { refreshToken } = owner
  const created = { organizationId, svcId, svceId, requestId }
  return { refreshToken, ...created, eventId: items[0].id, invitationToken, ...verified }
}

type AgentFields = Parameters<typeof registerAgent>[0]['agent']
type Call = (
  method: string,
  path: string,
  body?: object,
  bearer?: string,
  status?: number,
) => ReturnType<typeof callService>

const BUYER = {
  name: 'Purchasing assistant',
  description: 'Reorders what runs low, from suppliers on the list.',
  agentType: 'autonomous',
  model: { modelName: 'open-model-7b', modelProvider: 'self-hosted', modelType: 'llm' },
  framework: { frameworkName: 'in-house', frameworkVersion: '2.3' },
  protocols: ['acp', 'x402'],
  acp: { merchantId: 'example', checkoutEndpoint: 'https://api.example.com/checkout' },
  x402: { walletAddress: '0x1111111111111111111111111111111111111111', supportedTokens: ['USDC'] },
  pdlss: {
    purpose: { categories: ['shopping', 'read_data'] },
    duration: { maxSessionDuration: 1800, timezone: 'Europe/Stockholm' },
    limits: { autonomousThreshold: 100, approvalThreshold: 2_500, currency: 'EUR' },
    scope: { resources: ['/orders/**', '/catalogue/**'], jurisdictions: ['SE', 'DE'] },
  },
}

const ASKED = {
  agentName: 'Returns clerk',
  ownerEmail: EMAIL,
  agentDescription: 'Handles returns at partner shops.',
  reason: 'It called our returns API without an identity; we would like to let it in.',
}

async function openAccount(baseUrl: string): Promise<{ bearer: string; refreshToken: string }> {
  const body = { email: EMAIL, password: PASSWORD, fullName: 'Account Owner', accountType: 'business' }
  const { data } = await callService(baseUrl, 'POST', '/api/auth/register', { body, status: 201 })
  return { bearer: data.accessToken, refreshToken: data.refreshToken }
}

/** Sends requests that are granted, denied and held. */
async function sendTraffic(
  call: Call,
  { gateway, svcId, svceId }: { gateway: string; svcId: string; svceId: string },
): Promise<{ approvalId: string }> {
  const verify = (fields: object) =>
    call('POST', '/api/agents/verify-access', { counterpartyId: svceId, agentId: svcId, ...fields }, gateway)
  const buy = (transactionValue: number, resource: string) =>
    verify({
      purpose: 'shopping:buy',
      resource,
      transactionValue,
      currency: 'EUR',
      jurisdiction: 'SE',
    })
  for (const value of [12, 48, 73, 20, 95, 31, 64]) await buy(value, `/orders/${4100 + value}`)
  await verify({ purpose: 'read_data:list', resource: '/catalogue/boots', jurisdiction: 'DE' })
  await verify({ purpose: 'gambling:bet', resource: '/orders/1', jurisdiction: 'SE' })
  await buy(9_000, '/orders/4200')
  const held = await buy(480, '/orders/4211')
  return { approvalId: held.stepUpApproval.approvalId }
}

/** Waits for a mail of a kind, and returns what the pattern finds in it. */
async function waitForMail(dataDir: string, template: string, pattern: RegExp): Promise<string> {
  const folder = join(dataDir, 'mail')
  return waitFor(async () => {
    const names = existsSync(folder) ? readdirSync(folder) : []
    const texts = names
      .filter((name) => name.startsWith(template) && name.endsWith('.eml'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((text) => template === 'invitation' || text.includes(`To: ${EMAIL}`))
    const plain = texts
      .join('')
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
    return pattern.exec(plain)?.[1] ?? null
  })
}

async function waitFor<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await look()
    if (found !== null) return found
    await pause(100)
  }
  throw new Error('timed out waiting for the service')
}
