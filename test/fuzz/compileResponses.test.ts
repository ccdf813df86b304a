import { expect } from 'chai'
import { TABLE } from '../../server/routes/index.ts'
import { openApiDocument } from '../../server/routes/openapi/openApiDocument.ts'
import { compileResponses } from './compileResponses.ts'

type Document = Parameters<typeof compileResponses>[0]

describe('compileResponses', () => {
  const find = compileResponses(openApiDocument(TABLE, 'http://localhost:3000') as Document)
  const keys = find('GET', '/api/api-keys')
  const [type, body] = [
    'application/json; charset=utf-8',
    '{"success":true,"items":[],"nextCursor":null,"hasMore":false}',
  ]
  const good = { status: 200, type, headers: {}, body }
  const error = {
    ...{ success: false, error: 'RATE_LIMITED', code: 'RATE_LIMITED', message: 'm', type: 't', title: 't' },
    ...{ status: 429, detail: 'd', instance: '/', requestId: 'r' },
  }
  const limited = { status: 429, type, headers: { 'retry-after': '3' }, body: JSON.stringify(error) }

  it('finds nothing in a documented response', () => {
    expect([keys(good), keys(limited)]).to.deep.equal([null, null])
  })

  it('finds an undocumented status and media type', () => {
    expect(keys({ ...good, status: 204 })).to.contain('status 204')
    expect(keys({ ...good, type: 'text/html' })).to.contain('text/html')
  })

  it('finds a missing member, and one of another type', () => {
    expect(keys({ ...good, body: '{"success":true}' })).to.contain("'items'")
    expect(keys({ ...good, body: body.replace('[]', '{}') })).to.contain('body/items must be array')
    expect(keys({ ...limited, body: JSON.stringify({ ...error, code: 'NEW' }) })).to.contain('body/code')
  })

  it('finds a body that is not JSON, and one where none is documented', () => {
    expect(keys({ ...good, body: 'no' })).to.contain('body must be object')
    expect(find('POST', '/mcp')({ ...good, status: 202, body: '{}' })).to.equal('a body with status 202')
  })

  it('finds a missing header, and one of another form', () => {
    expect(keys({ ...limited, headers: {} })).to.equal('status 429 without Retry-After')
    expect(keys({ ...limited, headers: { 'retry-after': '-1' } })).to.contain('Retry-After must match')
  })
})
