/** Programs as users of the library write them, which only have to compile, by file name. */
export const CONSUMERS: Readonly<Record<string, string>> = {
  'fastify.ts': `import { gateway } from '@svc/client/fastify'
import Fastify from 'fastify'

const app = Fastify()
const guard = gateway({
  apiBaseUrl: 'https://svc.io/api',
  apiKey: 'k',
  counterpartyId: process.env.SHOP,
  routes: [{ pattern: '/orders', minAccessLevel: 'standard', minIdentityProof: 'signature' }],
  describeRequest: ({ body }) => ({ transactionValue: (body as { total?: number } | undefined)?.total }),
})
// @ts-expect-error There is no such level.
gateway({ apiBaseUrl: 'https://svc.io/api', apiKey: 'k', routes: [{ pattern: '/', minAccessLevel: 'high' }] })
app.addHook('preHandler', guard)
app.get('/', async (request) => {
  const isVerified: boolean | undefined = request.verified
  const { agent } = request
  // Only the platform of an anonymous caller has an \`ial\`.
  const score: number | undefined = agent?.ial === undefined ? agent?.trustScore : undefined
  const grade: string | undefined = agent?.ial === 1 ? agent.evidence : undefined
  const zone: string | undefined = request.pdlss?.duration.timezone
  const globs: readonly string[] | undefined = request.pdlss?.scope.resources
  return { isVerified, score, grade, zone, globs, isReady: await guard.ready }
})
`,
  'headers.ts': `import { createGateway, createVerifyClient, readPresentedIdentity } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fetchGateway, verifyWebhook } from '@svc/client/fetch'
import type { IncomingMessage } from 'node:http'

const setting: string | undefined = process.env.SETTING
const options = { apiBaseUrl: 'https://svc.io/api', apiKey: 'k', counterpartyId: setting, counterpartyUrl: setting }
export const served = (request: Request) => createGateway(options).verify({ headers: request.headers })
export const node = (req: IncomingMessage) => createGateway(options).verify({ headers: req.headers, method: req.method })
export const identity = readPresentedIdentity(new Headers())
export const isReady: Promise<boolean>[] = [expressGateway(options).ready, fetchGateway(options).ready]
export const restrictions = async (): Promise<string[] | undefined> => {
  const answer = await createVerifyClient(options).verifyAccess({ agentId: setting, purpose: setting })
  return answer.agent !== undefined && answer.correlationId === undefined ? answer.access.restrictions : undefined
}
export const hook = async (request: Request, secret: string | undefined) => {
  const { ok, reason } = await verifyWebhook({ rawBody: await request.text(), headers: request.headers, secret })
  return ok ? null : reason
}
`,
  'keys.ts': `import { type AgentKey, generateAgentKey, importAgentKey, type KeyPair } from '@svc/client'

export const exported = async ({ pair }: AgentKey): Promise<string | undefined> =>
  (await crypto.subtle.exportKey('jwk', pair.privateKey)).d
export const imported = async (): Promise<AgentKey> => {
  const { privateKey, publicKey } = (await generateAgentKey()).pair
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const made = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const pair: KeyPair = { privateKey: made.privateKey, publicKey: made.publicKey }
  await crypto.subtle.verify({ name: 'Ed25519' }, publicKey, await crypto.subtle.sign('Ed25519', privateKey, new Uint8Array()), new Uint8Array())
  // @ts-expect-error A JWK is no handle.
  await importAgentKey({ privateKey: { kty: 'OKP' }, publicKey })
  return importAgentKey(pair)
}
`,
  'common.cts': `import client = require('@svc/client')
import { gateway } from '@svc/client/express'
import { compilePolicy, type PolicyEvaluator } from '@svc/client/policy'
import { verifyWebhook } from '@svc/client/webhooks'

const { SvcApiError } = client
const error: client.SvcApiError = new SvcApiError({ code: 'X', status: 0, message: 'x' })
const options: client.GatewayOptions = { apiBaseUrl: 'https://svc.io/api', apiKey: 'k', counterpartyUrl: 'https://shop.io', disableInitChecks: true }
const isReady: Promise<boolean> = gateway(options).ready
const policy: PolicyEvaluator = compilePolicy({ version: 1, pdlss: {} })
const { reason } = verifyWebhook({ rawBody: '', headers: {}, secret: 's' })
void isReady.then((ready) => {
  console.log(error instanceof Error, ready, policy.evaluate({}, { now: 0 }).recommendation, reason)
})
`,
}
