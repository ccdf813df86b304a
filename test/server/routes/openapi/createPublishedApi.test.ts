import { expect } from 'chai'
import { TABLE } from '../../../../server/routes/index.ts'
import { createPublishedApi } from '../../../../server/routes/openapi/createPublishedApi.ts'

describe('createPublishedApi', () => {
  it('writes the document once, as JSON and as a page of the same operations', () => {
    const read = createPublishedApi(TABLE, 'https://svc.test')
    const first = read()
    expect(read()).to.equal(first)
    const { openapi, servers, paths } = JSON.parse(first.json)
    expect([openapi, servers]).to.deep.equal(['3.1.0', [{ url: 'https://svc.test' }]])
    const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `<code>${method.toUpperCase()} ${path}</code>`),
    )
    expect(operations).to.have.length(TABLE.length)
    expect(operations.filter((shown) => !first.page.includes(shown))).to.deep.equal([])
  })
})
