import { expect } from 'chai'
import { TABLE } from '../../../../server/routes/index.ts'
import { exampleOf, PLACEHOLDER } from '../../../../server/routes/openapi/exampleOf.ts'
import { openApiDocument } from '../../../../server/routes/openapi/openApiDocument.ts'

type Content = Record<string, { schema: unknown; example?: unknown }>
type Responses = Record<string, { content?: Content }>
type Parameter = { in: string; name: string; required: boolean }
type Described = {
  operationId: string
  tags: string[]
  description: string
  security: object[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Responses
}
type Paths = Record<string, Record<string, Described>>

describe('openApiDocument', () => {
  const { paths, tags, components } = openApiDocument(TABLE, 'http://localhost:3000') as {
    paths: Paths
    tags: unknown
    components: unknown
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const mediaTypes = (method: string, path: string) =>
    Object.keys(paths[path]?.[method]?.responses['200']?.content ?? {})

  it('contains every row of the table under a unique id', () => {
    for (const [method, path] of TABLE) {
      expect(paths[path.replace(/:(\w+)/g, '{$1}')], path).to.have.property(method.toLowerCase())
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(TABLE.length)
  })

  it('puts every operation under a declared tag, with a description', () => {
    const declared = (tags as { name: string }[]).map(({ name }) => name)
    for (const operation of operations) {
      expect(declared, operation.operationId).to.include.members(operation.tags)
      expect(operation.tags, operation.operationId).to.have.lengthOf(1)
      expect(operation.description, operation.operationId).to.match(/^Needs .*\.$/)
    }
    expect(new Set(operations.flatMap(({ tags: own }) => own)).size).to.equal(declared.length)
  })

  it('declares every security scheme that an operation names', () => {
    const { securitySchemes } = components as { securitySchemes: object }
    const named = new Set(operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one))))
    expect(Object.keys(securitySchemes)).to.have.members([...named])
  })

  it('also offers every error as problem details', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (Number(status) < 400 || content === undefined || operationId === 'postMcp') continue
        expect(Object.keys(content), `${operationId} ${status}`).to.include('application/problem+json')
      }
    }
  })

  it('names the media type that each operation sends', () => {
    expect(mediaTypes('get', '/api/health')).to.deep.equal(['application/json'])
    expect(mediaTypes('get', '/llms.txt')).to.deep.equal(['text/plain'])
    expect(mediaTypes('get', '/metrics')).to.deep.equal(['text/plain'])
    expect(mediaTypes('get', '/api/audit/export')).to.deep.equal(['application/jsonl'])
    expect(mediaTypes('head', '/api/agents/verify-access')).to.deep.equal([])
  })

  it('describes each response of an operation by its status', () => {
    const responses = paths['/api/agents/register']?.post?.responses ?? {}
    const properties = (status: string) => {
      const schema = responses[status]?.content?.['application/json']?.schema as { properties?: object }
      return Object.keys(schema?.properties ?? {})
    }
    expect(properties('201')).to.deep.equal(['success', 'data'])
    expect(properties('202')).to.deep.equal(['success', 'status', 'requestId', 'pollUrl'])
    expect(Object.keys(paths['/mcp']?.post?.responses ?? {})).to.include.members(['200', '202', '406'])
  })

  it('describes the rate limit of an operation, and none of one that has none', () => {
    const statuses = (path: string) => Object.keys(paths[path]?.get?.responses ?? {})
    for (const path of ['/.well-known/jwks.json', '/api/health', '/.well-known/status/{list}'])
      expect(statuses(path), path).not.to.include('429')
    const responses = paths['/api/chain']?.get?.responses as Record<string, { headers?: object }> | undefined
    for (const status of ['200', '429'])
      expect(Object.keys(responses?.[status]?.headers ?? {})).to.include.members([
        'RateLimit',
        'RateLimit-Policy',
      ])
  })

  it('names the length of a page that is not asked for', () => {
    const limit = paths['/api/audit/batches']?.get?.parameters?.find(({ name }) => name === 'limit')
    expect(limit).to.have.nested.property('schema.default', 25)
    expect(limit?.required).to.equal(false)
  })

  it('names the headers that verify-access reads', () => {
    const headers = paths['/api/agents/verify-access']?.post?.parameters?.filter((one) => one.in === 'header')
    expect(headers?.map(({ name }) => name)).to.deep.equal([
      'X-Svc-Id',
      'X-Svc-Credential',
      'X-Svc-Proof',
      'X-Svc-Token',
      'Idempotency-Key',
    ])
  })

  it('names the headers of a signed request, required if no other credential is accepted', () => {
    const signed = (path: string) => {
      const headers = paths[path]?.post?.parameters?.filter(({ name }) => name.startsWith('X-Svc-'))
      return headers?.map(({ name, required }) => `${name}${required ? ' required' : ''}`)
    }
    expect(signed('/api/agents/{id}/token')).to.deep.equal([
      'X-Svc-Timestamp required',
      'X-Svc-Nonce required',
      'X-Svc-Address',
      'X-Svc-Service',
    ])
    expect(signed('/api/agents/register')).to.deep.equal([
      ...['X-Svc-Timestamp', 'X-Svc-Nonce', 'X-Svc-Address', 'X-Svc-Service'],
    ])
    expect(signed('/api/agents/{id}/retire')).to.deep.equal([])
  })

  it('names the errors of a request body even if the operation ignores the body', () => {
    const { responses } = paths['/api/auth/sessions/{id}']?.delete ?? {}
    expect(Object.keys(responses ?? {})).to.include.members(['400', '413', '415'])
  })

  it('shows an example of every JSON request and of every response that its schema accepts', () => {
    for (const [method, path, , , operation] of TABLE) {
      const { requestBody, responses } = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {}
      const name = `${method} ${path}`
      if (operation.body) {
        const { example } = requestBody?.content['application/json'] ?? {}
        expect(operation.body.safeParse(example).error, `${name}: request`).to.equal(undefined)
      }
      const { mediaType = 'application/json', status = 200 } = operation
      if (method === 'HEAD' || /^(image\/|application\/zip$)/.test(mediaType)) continue
      const { example } = responses?.[String(status)]?.content?.[mediaType] ?? {}
      expect(operation.answer.safeParse(example).error, `${name}: response`).to.equal(undefined)
    }
  })

  it('leaves no placeholder in an example', () => {
    const shown = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((body) =>
        Object.values(body?.content ?? {}).map(({ example }) => `${operationId} ${JSON.stringify(example)}`),
      ),
    )
    expect(shown.filter((example) => example.includes(JSON.stringify(PLACEHOLDER)))).to.deep.equal([])
    expect(exampleOf({ type: 'string' }, 'output', {})).to.equal(PLACEHOLDER)
  })

  it('defines every resource once and resolves every reference', () => {
    const { schemas } = components as { schemas: Record<string, unknown> }
    expect(schemas).to.include.keys(
      'Agent',
      'Endpoint',
      'Verification',
      'VerificationRequest',
      'Event',
      'Error',
    )
    const references = JSON.stringify([paths, schemas]).match(/#\/components\/schemas\/\w+/g) ?? []
    const named = new Set(references.map((reference) => reference.replace('#/components/schemas/', '')))
    expect(Object.keys(schemas)).to.have.members([...named])
  })

  it('leaves every response open to new members', () => {
    const closed = operations
      .filter(({ responses }) => JSON.stringify(responses).includes('"additionalProperties":false'))
      .map(({ operationId }) => operationId)
    expect(closed).to.deep.equal([])
  })
})
