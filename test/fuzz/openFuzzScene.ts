import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createEveryCredential } from '../builders/createEveryCredential.ts'
import { enrolPasskey } from '../builders/enrolPasskey.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { postKyd } from '../builders/postKyd.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import type { KnownTexts } from './arbitraryJsonText.ts'
import type { FuzzCredential } from './fuzzCredential.ts'
import { linkWallet, signatureOf, signInOperatorOnce } from './openMoreCredentials.ts'

export type FuzzScene = {
  credentials: readonly FuzzCredential[]
  known: KnownTexts
  /** Whether the good credentials still work; without them later requests would be rejected early. */
  isAlive(): Promise<boolean>
}

/** Fills a started service with one of everything that has an identifier, and returns those identifiers. */
export async function openFuzzScene(baseUrl: string): Promise<FuzzScene> {
  const [shop, stranger] = [await createOrganisation(baseUrl), await createOrganisation(baseUrl)]
  const elevation = await (await enrolPasskey(baseUrl, shop.accessToken)).elevation()
  const wallet = privateKeyToAccount(generatePrivateKey())
  await linkWallet(baseUrl, wallet, { bearer: shop.accessToken, elevation })
  const operator = await signInOperatorOnce(baseUrl)
  const credentials: readonly FuzzCredential[] = [
    ...(await createEveryCredential(baseUrl, { shop, stranger, elevation })),
    ...operator,
    signatureOf('a wallet’s signature', wallet),
    signatureOf('a new key’s signature', privateKeyToAccount(generatePrivateKey())),
  ]
  const call = (method: string, path: string, bearer: string, body?: object) =>
    api(baseUrl, method, path, { bearer, ...(body ? { body } : {}) })
  const pdlss = { limits: { autonomousThreshold: 10, approvalThreshold: 1_000, currency: 'USD' } }
  const agents = await each(
    4,
    async () => (await registerAgent(baseUrl, { pdlss }, { account: wallet })).svcId,
  )
  const endpoints = await each(4, () => registerEndpoint(baseUrl, shop.apiKey))
  const strangers = await registerEndpoint(baseUrl, stranger.apiKey)
  const [agentId, counterpartyId] = [agents[0], endpoints[0]]
  const ask = async (fields: object) =>
    (await call('POST', '/api/agents/verify-access', shop.apiKey, { agentId, counterpartyId, ...fields }))
      .body
  const granted = await each(2, () => ask({}))
  const waiting = await each(2, () => ask({ transactionValue: 50, currency: 'USD', attemptId: randomUUID() }))
  const entry = await call('POST', `/api/endpoints/${counterpartyId}/allowlist`, shop.apiKey, {
    allowedOwnerIdentifier: 'SVCD-0000000000000000000000',
  })
  const key = await call('POST', '/api/api-keys', shop.accessToken, { name: 'to be deleted' })
  const me = await call('GET', '/api/me', shop.accessToken)
  const nobody = randomUUID()
  await postKyd(baseUrl, shop.accessToken)
  const cases = await api(baseUrl, 'GET', '/api/admin/kyd', { headers: operator[0]?.[2] ?? {} })
  const asked = await call('POST', '/api/agents/request-registration', shop.apiKey, {
    agentName: 'Shopper',
    ownerEmail: me.body.user?.email,
  })
  const registering = await call('POST', '/api/agents/register', shop.apiKey, { name: 'Shopper' })
  // The alerts about the waiting approvals are written in the background.
  const alerts: string[] = await waitUntil(async () => {
    const { items } = (await call('GET', '/api/alerts', shop.accessToken)).body
    return items.length > 0 ? items.map(({ id }: { id: string }) => id) : null
  })
  const ids = {
    'agents/id': [...agents, 'SVC-0000000000000000000000'],
    svcId: [...agents, 'SVC-0000000000000000000000'],
    agentId: agents,
    counterpartyId: [...endpoints, strangers],
    'endpoints/id': [...endpoints, strangers],
    'records/id': [granted[0]?.auditRecordId, nobody],
    sessionId: [...granted.map((one) => one.sessionId), nobody],
    approvalId: [...waiting.map((one) => one.stepUpApproval?.approvalId), nobody],
    entryId: [entry.body.entry?.id, nobody],
    'api-keys/id': [key.body.id, nobody],
    'organizations/id': [shop.organizationId, stranger.organizationId],
    organizationId: [shop.organizationId, stranger.organizationId],
    userId: [me.body.user?.id, nobody],
    address: [`0x${'11'.repeat(20)}`],
    number: ['0', '1', '-1', '99999'],
    provider: ['google', 'microsoft', 'github'],
    kind: ['passport', 'selfie'],
    'accounts/id': [me.body.user?.developerId, nobody],
    'platforms/id': ['openai', 'anthropic', 'nobody'],
    'kyd/id': [cases.body.items?.[0]?.id ?? nobody, nobody],
    requestId: [asked.body.requestId, registering.body.requestId, nobody],
    alertId: alerts,
    alertIds: alerts,
    'certifications/name': ['SOC2', 'ISO27001'],
    email: ['a@people.io', `${nobody}@people.io`, 'a@people.io, b@people.io'],
    // A numeric address needs no name server.
    url: ['http://127.0.0.1:1/', 'https://192.0.2.1/hook'],
    counterpartyUrl: ['https://shop.acme.io/api', 'https://shop.acme.io/other', 'http://localhost:1'],
  }
  const byName = Object.fromEntries(
    Object.entries(ids).map(([name, all]) => [
      name,
      all.filter((id): id is string => typeof id === 'string'),
    ]),
  )
  for (const [name, all] of Object.entries(ids)) {
    if (all.some((id) => typeof id !== 'string')) throw new Error(`the scene has no ${name}`)
  }
  return {
    credentials,
    known: { any: [nobody], byName },
    async isAlive() {
      const session = await call('GET', '/api/me', shop.accessToken)
      const response = await call('POST', '/api/agents/verify-access', shop.apiKey, {
        counterpartyId,
        dryRun: true,
      })
      return session.status === 200 && response.status < 300
    },
  }
}

async function each<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  const created: Value[] = []
  for (let at = 0; at < count; at += 1) created.push(await make())
  return created
}
