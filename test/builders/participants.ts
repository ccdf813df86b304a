import { createHash, randomUUID } from 'node:crypto'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { api } from '../harness/service/api.ts'

export type Organisation = {
  accessToken: string
  organizationId: string
  apiKey: string
  personalKey: string
}

let people = 0

/** Creates a person with an account and an organisation, and an API key for each of the two. */
export async function createOrganisation(baseUrl: string): Promise<Organisation> {
  people += 1
  const registered = await api(baseUrl, 'POST', '/api/auth/register', {
    body: {
      email: `person${people}.${randomUUID().slice(0, 8)}@acme.io`,
      password: 'correct horse battery',
      fullName: 'A Person',
      accountType: 'business',
    },
  })
  const accessToken = registered.body.data.accessToken
  const created = await api(baseUrl, 'POST', '/api/organizations', {
    bearer: accessToken,
    body: { name: 'Acme' },
  })
  const { organizationId } = created.body
  const createKey = async (body: object) =>
    (await api(baseUrl, 'POST', '/api/api-keys', { bearer: accessToken, body })).body.key as string
  return {
    accessToken,
    organizationId,
    apiKey: await createKey({ name: 'organisation', organizationId }),
    personalKey: await createKey({ name: 'personal' }),
  }
}

/** Registers an endpoint and returns its identifier. */
export async function registerEndpoint(
  baseUrl: string,
  apiKey: string,
  fields: object = {},
): Promise<string> {
  const registered = await api(baseUrl, 'POST', '/api/endpoints', {
    bearer: apiKey,
    body: {
      counterpartyType: 'api',
      name: 'Shop',
      counterpartyUrl: `https://${randomUUID()}.acme.io/api`,
      trustScoreRequirement: 20,
      ...fields,
    },
  })
  if (registered.status !== 201) throw new Error(JSON.stringify(registered.body))
  return registered.body.svceId
}

/** Signs a request with a key and returns its headers. Spec: signed requests. */
export async function signHeaders(
  account: PrivateKeyAccount,
  request: {
    method: string
    path: string
    body: string
    timestamp?: number
    nonce?: string
    service?: string
  },
): Promise<Record<string, string>> {
  const timestamp = String(request.timestamp ?? Math.floor(Date.now() / 1000))
  const nonce = request.nonce ?? randomUUID()
  const bodySha256Hex = createHash('sha256').update(request.body).digest('hex')
  const { method, path, service } = request
  const message = buildSignedRequestMessage({ method, path, timestamp, nonce, bodySha256Hex, service })
  return {
    'x-svc-signature': await account.signMessage({ message }),
    'x-svc-timestamp': timestamp,
    'x-svc-nonce': nonce,
    'x-svc-address': account.address,
    ...(service === undefined ? {} : { 'x-svc-service': service }),
  }
}

export type TestAgent = { svcId: string; account: PrivateKeyAccount }

/** Registers an agent by a signed request, with a new key unless one is given. */
export async function registerAgent(
  baseUrl: string,
  fields: object = {},
  options: { account?: PrivateKeyAccount; timestamp?: number } = {},
): Promise<TestAgent> {
  const account = options.account ?? privateKeyToAccount(generatePrivateKey())
  const body = { name: 'Shopper', ...fields }
  const path = '/api/agents/register'
  const signed = await signHeaders(account, {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    ...(options.timestamp === undefined ? {} : { timestamp: options.timestamp }),
  })
  const registered = await api(baseUrl, 'POST', path, { body, headers: signed })
  if (registered.status !== 201) throw new Error(JSON.stringify(registered.body))
  return { svcId: registered.body.data.agent.svcId, account }
}
