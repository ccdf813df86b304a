import { expect } from 'chai'
import type { Route } from '../../../server/middleware/serve.ts'
import { TABLE } from '../../../server/routes/index.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

const shared: Route = {
  method: 'GET',
  path: '/api/documents/:name',
  access: 'optional',
  budget: 'public',
  isPublicDocument: true,
  handler: () => ({ body: { success: true } }),
}
const write: Route = { ...shared, method: 'POST' }
delete write.isPublicDocument
const { isPublicDocument: _, ...hidden }: Route = { ...shared, path: '/api/hidden' }

const ORIGIN = { origin: 'https://verifier.example' }
const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin')

describe('a public document', () => {
  let served: Served
  before(async () => {
    served = await serveRoutes([shared, write, hidden])
  })
  after(() => served.stop())

  const ask = (path: string, options: RequestInit = {}) =>
    fetch(served.url + path, { ...options, headers: { ...ORIGIN, ...options.headers } })

  it('can be read by pages of any origin, with its headers, and never with cookies', async () => {
    const response = await ask('/api/documents/a')
    expect(allowedOrigin(response)).to.equal('*')
    expect(response.headers.get('access-control-expose-headers')).to.equal('*')
    expect(response.headers.has('access-control-allow-credentials')).to.equal(false)
  })

  it('shows pages of any origin why it cannot be read', async () => {
    const response = await ask('/api/documents/a', { headers: { authorization: 'Bearer other' } })
    expect([response.status, allowedOrigin(response)]).to.deep.equal([401, '*'])
  })

  it('answers the question of a browser before a request with a credential', async () => {
    const response = await ask('/api/documents/a', {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    })
    expect([response.status, await response.text()]).to.deep.equal([204, ''])
    expect(Object.fromEntries(response.headers)).to.include({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*, Authorization',
      allow: 'GET, HEAD, POST, OPTIONS',
    })
  })

  it('lets nobody write at its path from another origin', async () => {
    const response = await ask('/api/documents/a', { method: 'POST' })
    expect([response.status, allowedOrigin(response)]).to.deep.equal([200, null])
  })

  it('leaves other paths to their own origin', async () => {
    expect(allowedOrigin(await ask('/api/hidden'))).to.equal(null)
    expect((await ask('/api/hidden', { method: 'OPTIONS' })).status).to.equal(405)
  })
})

describe('the route table', () => {
  it('marks what anyone may verify as public documents', () => {
    const marked = TABLE.filter((row) => 'isPublicDocument' in row[4]).map(
      ([method, path]) => `${method} ${path}`,
    )
    expect(marked.sort()).to.deep.equal([
      'GET /.well-known/agent-registration.json',
      'GET /.well-known/agents/:svcId.json',
      'GET /.well-known/agents/:svcId/jwks.json',
      'GET /.well-known/jwks.json',
      'GET /.well-known/signed-requests.json',
      'GET /.well-known/status/:list',
      'GET /api/agents/:id/card',
      'GET /api/agents/:id/keys',
      'GET /api/audit/batches',
      'GET /api/audit/batches/:number',
      'GET /api/audit/checkpoint',
      'GET /api/audit/consistency',
      'GET /api/audit/key',
      'GET /api/audit/records/:id',
      'GET /api/audit/records/:id/proof',
      'GET /api/audit/records/:id/receipt',
      'GET /api/chain',
      'GET /api/openapi.json',
      'GET /registration-files/:svcId.json',
    ])
  })
})
