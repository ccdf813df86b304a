import { expect } from 'chai'
import { apiError } from '../../../server/errors.ts'
import { ACCESS, type Access } from '../../../server/middleware/authorise.ts'
import type { Route } from '../../../server/middleware/serve.ts'
import type { SignedRequest } from '../../../server/services/accounts/authenticateSignature.ts'
import type { Principal } from '../../../server/services/principal.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

const ADDRESS = '0x1111111111111111111111111111111111111111'
const SVC_ID = 'SVC-0000000000000000000001'
const ACCOUNT = {
  userId: 'user',
  developerId: 'SVCD-0000000000000000000001',
  actsFor: new Set<string>(),
  writesFor: new Set<string>(),
  suspendedOrganizations: new Set<string>(),
}
const KEY_HOLDER: Principal = {
  kind: 'apiKey',
  keyId: 'key',
  personId: 'user',
  organizationId: null,
  ...ACCOUNT,
}

const key = { authorization: 'Bearer svc_live_good' }
const signed = { 'x-svc-signature': 'good' }
const raised = { 'x-svc-elevation': 'fresh' }

/** The headers that each caller sends. */
const CALLERS: Record<string, Record<string, string>> = {
  nobody: {},
  named: { 'x-svc-id': SVC_ID },
  unnamed: { 'x-svc-id': '' },
  bearer: { authorization: `Bearer ${SVC_ID}` },
  key,
  'key+raised': { ...key, ...raised },
  user: { authorization: 'Bearer user' },
  'user+raised': { authorization: 'Bearer user', ...raised },
  operator: { authorization: 'Bearer operator' },
  'operator+raised': { authorization: 'Bearer operator', ...raised },
  agent: { authorization: 'Bearer agent' },
  signer: signed,
  'user+signed': { authorization: 'Bearer user', ...signed },
  badToken: { authorization: 'Bearer other' },
  badKey: { authorization: 'Bearer svc_live_other' },
  basic: { authorization: 'Basic svc_live_good' },
}

/** The service’s table, stated a second time so that a mistake in it fails a test. */
const TABLE = `
                  nobody named unnamed bearer key key+raised user user+raised operator operator+raised agent signer user+signed badToken badKey basic
anyone            in     in    in      in     in  in         in   in          in       in              in    in     in          in       in     in
optional          in     in    in      name   in  in         in   in          in       in              401   in     in          401      401    401
optionalOrAgent   in     in    in      name   in  in         in   in          in       in              in    in     in          401      401    401
signature         401    name  401     name   401 401        401  401         401      401             401   in     401         401      401    401
apiKey            401    name  401     name   in  in         401  401         401      401             401   401    401         401      401    401
session           401    name  401     name   ses ses        in   in          in       in              401   401    in          401      401    401
optionalSession   in     in    in      name   ses ses        in   in          in       in              401   in     in          401      401    401
elevatedSession   401    name  401     name   ses ses        pass in          pass     in              401   401    pass        401      401    401
operator          401    name  401     name   ses ses        forb forb        in       in              401   401    forb        401      401    401
elevatedOperator  401    name  401     name   ses ses        forb forb        pass     in              401   401    forb        401      401    401
sessionOrApiKey   401    name  401     name   in  in         in   in          in       in              401   401    in          401      401    401
signatureOrApiKey 401    name  401     name   in  in         401  401         401      401             401   in     401         401      401    401
elevatedSessionOrSignature 401    name  401     name   ses ses        pass in          pass     in              401   in     pass        401      401    401
`

const OUTCOMES: Record<string, string> = {
  in: '200',
  401: '401 UNAUTHENTICATED',
  name: '401 agent_identity_not_a_credential',
  ses: '403 SESSION_REQUIRED',
  pass: '403 ELEVATION_REQUIRED',
  forb: '403 FORBIDDEN',
}

const [callers = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

describe('access control', () => {
  let served: Served
  let asked: SignedRequest | null = null

  before(async () => {
    const routes = Object.keys(ACCESS).map((access): Route => {
      const handler: Route['handler'] = ({ principal }) => ({
        body: { ...principal, actsFor: null, writesFor: null, suspendedOrganizations: null },
      })
      return { method: 'POST', path: `/${access}`, access: access as Access, budget: 'public', handler }
    })
    served = await serveRoutes(routes, {
      authenticators: {
        apiKey: (text) => (text === 'svc_live_good' ? KEY_HOLDER : null),
        accessToken: async (token, elevation) =>
          token === 'user' || token === 'operator'
            ? {
                kind: 'session',
                sessionId: 'session',
                role: token,
                amr: ['pwd'],
                authenticatedAt: 0,
                isElevated: elevation === 'fresh',
                ...ACCOUNT,
              }
            : null,
        agentToken: async (token) => (token === 'agent' ? { kind: 'agent', svcId: SVC_ID } : null),
        signature: async (request) => {
          asked = request
          if (request.signature !== 'good') throw apiError('invalid_signature')
          return { kind: 'signature', address: ADDRESS, nonce: 'nonce' }
        },
      },
    })
  })
  after(() => served.stop())

  const call = async (path: string, headers: Record<string, string>, body = '{}') => {
    const response = await fetch(served.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const answer = (await response.json()) as {
      code?: string
      message?: string
      kind?: string
      signedBy?: string
    }
    return { ...answer, outcome: [response.status, answer.code].filter(Boolean).join(' ') }
  }

  it('covers every kind of access', () => {
    expect(rows.map(([access]) => access).sort()).to.deep.equal(Object.keys(ACCESS).sort())
  })

  for (const [access = '', ...outcomes] of rows) {
    it(`${access} admits the callers it names, and tells each of the others why it refuses them`, async () => {
      const seen: Record<string, string> = {}
      for (const caller of callers) seen[caller] = (await call(`/${access}`, CALLERS[caller] ?? {})).outcome
      const wanted = callers.map((caller, i) => [caller, OUTCOMES[outcomes[i] ?? '']])
      expect(seen).to.deep.equal(Object.fromEntries(wanted))
    })
  }

  it('explains agent identifiers only to callers without any other credential', async () => {
    const named = { 'x-svc-id': SVC_ID }
    expect((await call('/session', { ...named, ...key })).outcome).to.equal('403 SESSION_REQUIRED')
    expect((await call('/apiKey', { ...named, ...CALLERS.user })).outcome).to.equal('401 UNAUTHENTICATED')
  })

  it('never accepts the agent of a body as a credential, however the body is sent', async () => {
    const seen = async (body: string, headers: Record<string, string> = {}) =>
      (await call('/apiKey', headers, body)).outcome
    expect(await seen(JSON.stringify({ agentId: SVC_ID }))).to.equal(OUTCOMES.name)
    for (const other of ['{"agentId":""}', '{"agentId":1}', '{"agentId":', '["agentId"]', 'null', '']) {
      expect(await seen(other), other).to.equal('401 UNAUTHENTICATED')
    }
    const long = JSON.stringify({ agentId: SVC_ID, purpose: 'x'.repeat(20_000) })
    expect(await seen(long), 'a body too long to read for a stranger').to.equal('401 UNAUTHENTICATED')
    expect(await seen(JSON.stringify({ agentId: SVC_ID }), key)).to.equal('200')
  })

  describe('a refused credential is explained', () => {
    const unknown = `svc_live_${'x'.repeat(32)}`
    const anApiKey = '`Authorization: Bearer` with an API key (svc_live_…)'
    for (const [what, access, headers, message] of [
      ['none', 'apiKey', {}, `The request carries no credential. Expected: ${anApiKey}.`],
      [
        'none, where several are accepted',
        'signatureOrApiKey',
        {},
        `The request carries no credential. Expected: ${anApiKey}, or a signed request (X-Svc-Signature).`,
      ],
      [
        'another scheme',
        'apiKey',
        { authorization: 'Basic svc_live_good' },
        `The Authorization header does not begin with \`Bearer\` and a space. Expected: ${anApiKey}.`,
      ],
      [
        'a key without a scheme',
        'apiKey',
        { authorization: 'svc_live_good' },
        `The Authorization header does not begin with \`Bearer\` and a space. Expected: ${anApiKey}.`,
      ],
      [
        'a scheme without a credential',
        'apiKey',
        { authorization: 'Bearer ' },
        `No credential follows \`Bearer\` in the Authorization header. Expected: ${anApiKey}.`,
      ],
      [
        'a malformed key',
        'apiKey',
        { authorization: 'Bearer svc_live_other' },
        'The API key is malformed: expected svc_live_ and 32 letters and digits.',
      ],
      [
        'an unknown key',
        'apiKey',
        { authorization: `Bearer ${unknown}` },
        'This service does not know this API key.',
      ],
      [
        'a token that is nobody’s',
        'session',
        { authorization: 'Bearer other' },
        'The bearer credential is neither an API key (svc_live_…) nor a valid access token of a full session.',
      ],
      [
        'an access token in place of an API key',
        'apiKey',
        { authorization: 'Bearer user' },
        `This operation does not accept the access token of a session. Expected: ${anApiKey}.`,
      ],
      [
        'an API key in place of a signature',
        'signature',
        key,
        'This operation does not accept an API key. Expected: a signed request (X-Svc-Signature).',
      ],
    ] as const) {
      it(what, async () => {
        const refused = await call(`/${access}`, headers)
        expect(refused).to.include({ outcome: '401 UNAUTHENTICATED', message })
        expect(JSON.stringify(refused)).not.to.include(unknown).and.not.to.include('svc_live_good')
      })
    }
  })

  it('uses the first credential that is present', async () => {
    for (const authorization of ['xBearer svc_live_good', 'Basic Bearer svc_live_good']) {
      expect((await call('/apiKey', { authorization })).outcome).to.equal('401 UNAUTHENTICATED')
    }
  })

  it('depends on the kind of the presented credential', async () => {
    expect((await call('/optionalOrAgent', CALLERS.agent ?? {})).kind).to.equal('agent')
    expect((await call('/optionalOrAgent', CALLERS.user ?? {})).kind).to.equal('session')
    expect((await call('/signatureOrApiKey', signed)).kind).to.equal('signature')
    expect((await call('/optional', signed)).kind).to.equal('nobody')
    expect((await call('/anyone', key)).kind).to.equal('nobody')
  })

  describe('a signed request', () => {
    const named = { 'x-svc-address': ADDRESS, 'x-svc-service': 'https://svc.test' }
    const headers = { ...signed, 'x-svc-timestamp': '1', 'x-svc-nonce': 'n', ...named }

    it('covers its method, path, headers and the bytes of its body', async () => {
      asked = null
      await call('/signature?a=1', headers, '{"a": 1}')
      expect({ ...(asked ?? { rawBody: '' }), rawBody: null }).to.deep.equal({
        method: 'POST',
        path: '/signature',
        signature: 'good',
        timestamp: '1',
        nonce: 'n',
        address: ADDRESS,
        service: 'https://svc.test',
        rawBody: null,
      })
      expect(Buffer.from((asked as SignedRequest | null)?.rawBody ?? []).toString()).to.equal('{"a": 1}')
    })

    it('is refused for a bad signature even with a valid API key', async () => {
      const bad = { ...headers, 'x-svc-signature': 'bad' }
      expect((await call('/signature', bad)).outcome).to.equal('401 invalid_signature')
      expect((await call('/signatureOrApiKey', { ...bad, ...key })).outcome).to.equal('401 invalid_signature')
    })

    it('names the missing headers beside an API key', async () => {
      const { message } = await call('/signatureOrApiKey', { ...signed, ...key })
      expect(message).to.equal('X-Svc-Address: expected beside an API key')
      const { 'x-svc-service': _, ...unaddressed } = headers
      expect((await call('/signatureOrApiKey', { ...unaddressed, ...key })).message).to.equal(
        'X-Svc-Service: expected beside an API key, and signed',
      )
    })

    it('identifies the agent’s key beside an API key, if it names that key', async () => {
      const both = await call('/signatureOrApiKey', { ...headers, ...key })
      expect(both).to.include({ kind: 'apiKey', signedBy: ADDRESS })
      const unnamed = await call('/signatureOrApiKey', { ...signed, ...key })
      expect(unnamed.outcome).to.equal('401 invalid_signature')
    })

    it('is ignored where signatures are not accepted', async () => {
      const both = await call('/apiKey', { ...headers, ...key })
      expect(both.kind).to.equal('apiKey')
      expect(both).to.not.have.property('signedBy')
    })
  })
})
