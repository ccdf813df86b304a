import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { TABLE } from '../../../server/routes/index.ts'
import { createAgentKey } from '../../builders/createAgentKey.ts'
import {
  type Credential,
  createEveryCredential,
  type CredentialKind as Kind,
} from '../../builders/createEveryCredential.ts'
import {
  createSuspendedCredentials,
  type SuspendedCredential,
} from '../../builders/createSuspendedCredentials.ts'
import { enrolPasskey } from '../../builders/enrolPasskey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../builders/participants.ts'
import { OPERATOR_SETTINGS } from '../../builders/signInOperator.ts'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { api } from '../../harness/service/api.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'
import { AUTHORISATION_ROUTES, type Requirement } from './authorisationRoutes.ts'

/** The caller is authorised, whatever the response to the empty request is. */
const IN = 'authorised'
const NOT = 'UNAUTHENTICATED'

const ELEVATED = row(
  NOT,
  'agent_identity_not_a_credential',
  'SESSION_REQUIRED',
  'ELEVATION_REQUIRED',
  IN,
  NOT,
)

/** Source: `Spec: Authentication` 1–3, 5–7. */
const EXPECTED: Record<Requirement, Record<Kind, string>> = {
  nothing: row(IN, IN, IN, IN, IN, IN),
  'nothing, or a valid credential': row(IN, IN, IN, IN, IN, NOT),
  'nothing, or a session': row(IN, IN, 'SESSION_REQUIRED', IN, IN, NOT),
  'an API key': row(NOT, 'agent_identity_not_a_credential', IN, NOT, NOT, NOT),
  'a signature or an API key': row(NOT, 'agent_identity_not_a_credential', IN, NOT, NOT, NOT),
  'a signature': row(NOT, 'agent_identity_not_a_credential', NOT, NOT, NOT, NOT),
  'a session or an API key': row(NOT, 'agent_identity_not_a_credential', IN, IN, IN, NOT),
  'a session': row(NOT, 'agent_identity_not_a_credential', 'SESSION_REQUIRED', IN, IN, NOT),
  'an elevated session': ELEVATED,
  'an elevated session or a signature': ELEVATED,
  'an operator': row(
    NOT,
    'agent_identity_not_a_credential',
    'SESSION_REQUIRED',
    'FORBIDDEN',
    'FORBIDDEN',
    NOT,
  ),
}

function row(...[nobody, id, key, session, elevated, invalid]: string[]): Record<Kind, string> {
  return {
    nobody: nobody ?? '',
    'agent id only': id ?? '',
    key: key ?? '',
    session: session ?? '',
    'elevated session': elevated ?? '',
    invalid: invalid ?? '',
  }
}

/** Some routes also depend on the account: once it has a passkey, another factor needs a recent assertion. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  'POST /api/auth/passkeys/registration/options': { 'a session': 'ELEVATION_REQUIRED' },
  // The token identifies its agent, which may read the public record of any other agent.
  'GET /api/agents/:id': { 'an agent’s token': IN },
  'POST /api/auth/mfa/totp': { 'a session': 'ELEVATION_REQUIRED' },
  'DELETE /api/me': { 'a session': 'ELEVATION_REQUIRED' },
  'GET /api/me/export': { 'a session': 'ELEVATION_REQUIRED' },
}

const AUTHORISATION_CODES: readonly string[] = [
  ...[NOT, 'agent_identity_not_a_credential', 'SESSION_REQUIRED', 'ELEVATION_REQUIRED'],
  ...['ACCOUNT_SUSPENDED', 'ORGANIZATION_SUSPENDED'],
]

describe('the authorisation of every route', () => {
  let service: StartedService
  let shop: Organisation
  let stranger: Organisation
  let credentials: Credential[]
  let suspended: SuspendedCredential[]
  let requests = 0

  before(async () => {
    service = await startService({ settings: OPERATOR_SETTINGS })
    shop = await createOrganisation(service.baseUrl)
    stranger = await createOrganisation(service.baseUrl)
    const elevation = await (await enrolPasskey(service.baseUrl, shop.accessToken)).elevation()
    credentials = await createEveryCredential(service.baseUrl, { shop, stranger, elevation })
    suspended = await createSuspendedCredentials(service.baseUrl)
  })
  after(async () => {
    await service.stop()
    const kinds = credentials.length + suspended.length
    const routes = Object.keys(AUTHORISATION_ROUTES).length
    reportFaultFigure(
      `${routes} routes × ${kinds} credentials: ${requests} requests, each with the documented code`,
    )
  })

  /** Sends an empty request and returns the error code of the authorisation, or `IN`. */
  const outcome = async (route: string, headers: Record<string, string>): Promise<string> => {
    const [method = '', path = ''] = route.split(' ')
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const response = await fetch(service.baseUrl + path.replace(/:\w+/g, () => randomUUID()), {
      method,
      headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: '{}' } : {}),
      signal: AbortSignal.timeout(10_000),
    })
    expect(response.status, `${route} returns ${response.status}`).to.be.below(500)
    const isRefusal = response.status === 401 || response.status === 403
    if (!isRefusal) {
      await response.body?.cancel()
      return IN
    }
    const { code } = (await response.json()) as { code: string }
    const isRole = code === 'FORBIDDEN' && AUTHORISATION_ROUTES[route] === 'an operator'
    return isRole || AUTHORISATION_CODES.includes(code) ? code : IN
  }

  it('covers exactly the routes of the table', () => {
    const table = TABLE.map(([method, path]) => `${method} ${path}`)
    expect(Object.keys(AUTHORISATION_ROUTES)).to.have.members(table)
  })

  for (const [route, requirement] of Object.entries(AUTHORISATION_ROUTES)) {
    it(`${route} requires ${requirement}`, async () => {
      const seen: Record<string, string> = {}
      const expected: Record<string, string> = {}
      for (const [name, kind, headers] of credentials) {
        // These would end the sessions that other routes are tested with.
        if (route === 'POST /api/auth/logout' && kind !== 'nobody') continue
        if (route === 'POST /api/auth/logout-all' && kind.endsWith('session')) continue
        seen[name] = await outcome(route, headers)
        expected[name] = EXPECTED[requirement][kind]
      }
      for (const [name, code, headers] of suspended) {
        seen[name] = await outcome(route, headers)
        expected[name] = requirement === 'nothing' ? IN : code
      }
      expect(seen).to.deep.equal({ ...expected, ...EXCEPTIONS[route] })
      requests += Object.keys(seen).length
    })
  }

  describe('for the resources of another account', () => {
    const ASSERTION = {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
    }
    /** Routes that return a public part of every resource. */
    const PUBLIC = new Set([
      'GET /api/agents/:id',
      'GET /api/agents/:id/card',
      'GET /api/agents/:id/keys',
      'GET /api/audit/records/:id',
    ])
    /** Routes that only the mailed token opens: without it, the response reveals nothing. */
    const BY_TOKEN = new Set([
      'POST /api/registration-requests/:requestId/claim',
      'GET /api/invitations/:token',
    ])
    let own: Record<string, string>

    before(async () => {
      const call = (method: string, path: string, token: string, body?: object) =>
        api(service.baseUrl, method, path, { bearer: token, ...(body ? { body } : {}) })
      const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
      const { svcId } = await registerAgent(service.baseUrl, {
        pdlss: { limits: { autonomousThreshold: 1, approvalThreshold: 10 } },
      })
      const entry = await call('POST', `/api/endpoints/${svceId}/allowlist`, shop.apiKey, {
        allowedOwnerIdentifier: 'SVCD-0000000000000000000000',
      })
      const entryId: string = entry.body.entry.id
      const verify = (body: object) =>
        call('POST', '/api/agents/verify-access', shop.apiKey, { counterpartyId: svceId, ...body })
      const { auditRecordId } = (await verify({})).body
      const open = await registerEndpoint(service.baseUrl, shop.apiKey)
      const granted = (await verify({ agentId: svcId, counterpartyId: open })).body
      const pending = (await verify({ agentId: svcId, counterpartyId: open, transactionValue: 5 })).body
      const key = await call('POST', '/api/api-keys', shop.accessToken, { name: 'own' })
      const me = await call('GET', '/api/me', shop.accessToken)
      await service.rows('UPDATE users SET kyd_verified_at = 1 WHERE id = ?', me.body.user.id)
      const wallet = `0x${'22'.repeat(20)}`
      const linked = [wallet, me.body.user.id, 1]
      await service.rows('INSERT INTO wallets (address, user_id, created_at) VALUES (?, ?, ?)', ...linked)
      const requested = await call('POST', '/api/agents/register', shop.apiKey, { name: 'Waits' })
      const passkeys = await call('GET', '/api/auth/passkeys', shop.accessToken)
      const sessions = await call('GET', '/api/auth/sessions', shop.accessToken)
      await call('POST', `/api/endpoints/${svceId}/webhook`, shop.apiKey, { url: 'http://127.0.0.1:1/' })
      const tested = await call('POST', `/api/endpoints/${svceId}/test-webhook`, shop.apiKey)
      own = {
        'endpoints/:id': svceId,
        'agents/:id': svcId,
        ':entryId': entryId,
        ':deliveryId': tested.body.delivery.id,
        ':credentialId': randomUUID(),
        ':ruleId': randomUUID(),
        ':kid': createAgentKey().kid,
        'records/:id': auditRecordId,
        ':sessionId': granted.sessionId,
        ':requestId': requested.body.requestId,
        ':approvalId': pending.stepUpApproval.approvalId,
        'api-keys/:id': key.body.id,
        'organizations/:id': shop.organizationId,
        ':userId': me.body.user.id,
        'passkeys/:id': passkeys.body.items[0].id,
        'sessions/:id': sessions.body.items[0].id,
        ':alertId': randomUUID(),
        ':provider': 'google',
        'identities/:id': randomUUID(),
        'push-subscriptions/:id': randomUUID(),
        ':address': wallet,
      }
      for (const [name, id] of Object.entries(own)) expect(id, name).to.be.a('string')
    })

    /** The path with the identifiers of the shop, or with ones that do not exist. */
    const filled = (path: string, isOwn: boolean) =>
      path.replace(/(\w[\w-]*\/)?(:\w+)/g, (_match, before: string | undefined, name: string) => {
        const id = own[name] ?? own[(before ?? '') + name]
        if (id === undefined) throw new Error(`no example of ${before}${name}`)
        const prefix = /^SVC[EO]?-/.exec(id)?.[0]
        const missing = prefix ? `${prefix}0000000000000000000000` : randomUUID()
        return (before ?? '') + (isOwn ? id : missing)
      })

    const BODIES: Record<string, object> = {
      'POST /api/agents/verify-access/:sessionId/decision': { decision: 'granted' },
      'POST /api/endpoints/:id/allowlist': { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' },
      'POST /api/endpoints/:id/webhook': { url: 'https://hooks.acme.io/' },
      'POST /api/organizations/:id/members': { email: 'someone@people.io', role: 'member' },
      'PATCH /api/organizations/:id/members/:userId': { role: 'member' },
      'PUT /api/agents/:id/approval-rules': { rules: [] },
      'POST /api/agents/:id/credentials': { type: 'did', value: 'did:key:z', challenge: 'challenge' },
      'PUT /api/agents/:id/settings': {},
      'POST /api/agents/:id/keys': { key: createAgentKey().jwk },
      'POST /api/agents/:id/hand-over': { address: `0x${'11'.repeat(20)}` },
      'POST /api/step-up-approvals/:approvalId/options': { standing: { amount: 1, days: 1 } },
      'POST /api/step-up-approvals/:approvalId/approve': { response: ASSERTION },
      'POST /api/registration-requests/:requestId/approve': { response: ASSERTION },
    }

    for (const [route, requirement] of Object.entries(AUTHORISATION_ROUTES)) {
      if (requirement === 'nothing' || requirement === 'an operator' || requirement === 'a signature')
        continue
      if (!route.includes(':') || PUBLIC.has(route) || BY_TOKEN.has(route)) continue
      it(`${route} responds as if the resource did not exist`, async () => {
        const [method = '', path = ''] = route.split(' ')
        const theirs = await enrolled()
        const elevation = requirement.startsWith('an elevated session') ? await theirs.elevation() : null
        const token = requirement === 'an API key' ? stranger.apiKey : stranger.accessToken
        const headers: Record<string, string> = elevation === null ? {} : { 'x-svc-elevation': elevation }
        const hasBody = method !== 'GET' && method !== 'DELETE'
        const responses = []
        for (const isOwn of [true, false]) {
          const { status, body } = await api(service.baseUrl, method, filled(path, isOwn), {
            bearer: token,
            headers,
            ...(hasBody ? { body: BODIES[route] ?? {} } : {}),
          })
          const { requestId: _, instance: __, ...rest } = body
          responses.push({ status, ...rest })
        }
        if (path.startsWith('/api/agents/:id')) {
          // The existence of an agent is public.
          expect(responses[0]).to.include({ status: 403, code: 'FORBIDDEN' })
          return
        }
        expect(responses[0]).to.deep.equal(responses[1])
        expect(responses[0]).to.include({ status: 404, code: 'NOT_FOUND' })
      })
    }

    let passkey: Awaited<ReturnType<typeof enrolPasskey>> | undefined
    /** Enrolled only when needed, because each assertion is charged to the sign-in budget. */
    const enrolled = async () => {
      passkey ??= await enrolPasskey(service.baseUrl, stranger.accessToken)
      return passkey
    }
  })
})
