import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { generateSync } from 'otplib'
import { api } from '../harness/service/api.ts'
import { type Organisation, registerAgent, signHeaders } from './participants.ts'

/** What a credential proves where it is accepted. */
export type CredentialKind = 'nobody' | 'agent id only' | 'key' | 'session' | 'elevated session' | 'invalid'

export type Credential = readonly [name: string, kind: CredentialKind, headers: Record<string, string>]

const PASSWORD = 'correct horse battery'

/**
 * Creates one credential of every kind: valid ones of an account and of a stranger, and every token that has another
 * purpose, is revoked, or is forged.
 */
export async function createEveryCredential(
  baseUrl: string,
  { shop, stranger, elevation }: { shop: Organisation; stranger: Organisation; elevation: string },
): Promise<Credential[]> {
  const created = await api(baseUrl, 'POST', '/api/api-keys', {
    bearer: shop.accessToken,
    body: { name: 'to be revoked' },
  })
  await api(baseUrl, 'DELETE', `/api/api-keys/${created.body.id}`, { bearer: shop.accessToken })
  const [head = '', payload = '', signature = ''] = shop.accessToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forged = await new SignJWT(claims)
    .setProtectedHeader(JSON.parse(Buffer.from(head, 'base64url').toString()))
    .sign(privateKey)
  const { refreshToken, interimToken } = await createOtherTokens(baseUrl)
  return [
    ['none', 'nobody', {}],
    ['only an agent identifier', 'agent id only', { 'x-svc-id': 'SVC-0000000000000000000000' }],
    ['an organisation’s key', 'key', bearer(shop.apiKey)],
    ['a personal key', 'key', bearer(shop.personalKey)],
    ['another organisation’s key', 'key', bearer(stranger.apiKey)],
    ['a session', 'session', bearer(shop.accessToken)],
    ['another’s session', 'session', bearer(stranger.accessToken)],
    [
      'a session with a fresh passkey',
      'elevated session',
      { ...bearer(shop.accessToken), 'x-svc-elevation': elevation },
    ],
    [
      'a session with another’s passkey',
      'session',
      { ...bearer(stranger.accessToken), 'x-svc-elevation': elevation },
    ],
    ['a revoked key', 'invalid', bearer(created.body.key)],
    ['an unknown key', 'invalid', bearer(`svc_live_${'0'.repeat(32)}`)],
    ['a refresh token', 'invalid', bearer(refreshToken)],
    ['an interim token', 'invalid', bearer(interimToken)],
    ['an elevation token', 'invalid', bearer(elevation)],
    ['an agent’s token', 'invalid', bearer(await createAgentToken(baseUrl))],
    ['a token signed by another key', 'invalid', bearer(forged)],
    ['an unsigned token', 'invalid', bearer(`${encodeJson({ alg: 'none', typ: 'at+jwt' })}.${payload}.`)],
    [
      'a token with other claims',
      'invalid',
      bearer(`${head}.${encodeJson({ ...claims, sub: randomUUID() })}.${signature}`),
    ],
    ['another scheme', 'invalid', { authorization: 'Basic YTpi' }],
    ['an empty bearer', 'invalid', bearer('')],
  ]
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const encodeJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Creates, for an account with an authenticator app, the first session's refresh token and an interim token that still
 * needs a code.
 */
async function createOtherTokens(baseUrl: string): Promise<{ refreshToken: string; interimToken: string }> {
  const email = `${randomUUID()}@people.io`
  const body = { email, password: PASSWORD, fullName: 'A Person', accountType: 'individual' }
  const { accessToken, refreshToken } = (await api(baseUrl, 'POST', '/api/auth/register', { body })).body.data
  const app = await api(baseUrl, 'POST', '/api/auth/mfa/totp', { bearer: accessToken })
  const code = generateSync({ secret: app.body.secret })
  await api(baseUrl, 'POST', '/api/auth/mfa/totp/confirm', { bearer: accessToken, body: { code } })
  const { interimToken } = (
    await api(baseUrl, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } })
  ).body
  if (typeof interimToken !== 'string') throw new Error('the sign-in did not ask for a code')
  return { refreshToken, interimToken }
}

async function createAgentToken(baseUrl: string): Promise<string> {
  const { svcId, account } = await registerAgent(baseUrl)
  const path = `/api/agents/${svcId}/token`
  const headers = await signHeaders(account, { method: 'POST', path, body: '' })
  return (await api(baseUrl, 'POST', path, { headers })).body.agentToken
}
