import { expect } from 'chai'
import { createOrganisation, type Organisation, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const READS = ['', '/allowlist', '/webhook', '/webhook/deliveries'] as const
const WRITES: readonly [string, string, object?][] = [
  ['PUT', '', { name: 'Another' }],
  ['POST', '/deactivate'],
  ['POST', '/archive'],
  ['POST', '/verify-domain'],
  ['POST', '/allowlist', { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' }],
  ['POST', '/webhook', { url: 'http://127.0.0.1:1/' }],
  ['DELETE', '/webhook'],
  ['POST', '/rotate-secret'],
  ['POST', '/test-webhook'],
]

describe('an endpoint of an organisation', () => {
  let service: StartedService
  let owner: Organisation
  let guest: Organisation
  let svceId: string

  before(async () => {
    service = await startService()
    owner = await createOrganisation(service.baseUrl)
    guest = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, owner.apiKey)
    const { id, email } = (await call(guest.accessToken, 'GET', '/api/me')).body.user
    await service.rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', id)
    const members = `/api/organizations/${owner.organizationId}/members`
    await call(owner.accessToken, 'POST', members, { email, role: 'viewer' })
    const joined = await call(guest.accessToken, 'PATCH', `${members}/${id}`, { status: 'active' })
    expect(joined.status, JSON.stringify(joined.body)).to.equal(200)
  })
  after(() => service?.stop())

  const call = (bearer: string, method: string, path: string, body?: object) =>
    api(service.baseUrl, method, path, { bearer, ...(body === undefined ? {} : { body }) })

  it('is fully visible to a viewer', async () => {
    for (const part of READS) {
      const path = `/api/endpoints/${svceId}${part}`
      const seen = await call(guest.accessToken, 'GET', path)
      expect(seen.status, part).to.equal((await call(owner.accessToken, 'GET', path)).status)
    }
    expect((await call(guest.accessToken, 'GET', `/api/endpoints/${svceId}`)).status).to.equal(200)
  })

  it('cannot be changed by a viewer', async () => {
    const path = `/api/endpoints/${svceId}`
    const before = (await call(owner.accessToken, 'GET', path)).body
    for (const [method, part, body] of WRITES) {
      const refused = await call(guest.accessToken, method, path + part, body)
      expect([refused.status, refused.body.code], `${method} ${part}`).to.deep.equal([403, 'FORBIDDEN'])
    }
    const { requestId: _, ...after } = (await call(owner.accessToken, 'GET', path)).body
    const { requestId: __, ...former } = before
    expect(after).to.deep.equal(former)
  })

  it('can be changed by its owner', async () => {
    const changed = await call(owner.accessToken, 'PUT', `/api/endpoints/${svceId}`, { name: 'Another' })
    expect([changed.status, changed.body.code]).to.deep.equal([200, undefined])
  })

  it('does not exist for members of another organisation', async () => {
    const stranger = await createOrganisation(service.baseUrl)
    for (const [method, part, body] of WRITES) {
      const refused = await call(stranger.accessToken, method, `/api/endpoints/${svceId}${part}`, body)
      expect([refused.status, refused.body.code], `${method} ${part}`).to.deep.equal([404, 'NOT_FOUND'])
    }
  })
})
