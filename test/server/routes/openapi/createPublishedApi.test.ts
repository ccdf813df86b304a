import { expect } from 'chai'
import { TABLE } from '../../../../server/routes/index.ts'
import { createPublishedApi } from '../../../../server/routes/openapi/createPublishedApi.ts'

describe('createPublishedApi', () => {
  it('writes the document of the whole table once, as JSON', () => {
    const read = createPublishedApi(TABLE, 'https://svc.test')
    const first = read()
    expect(read()).to.equal(first)
    const { openapi, servers, paths } = JSON.parse(first)
    expect([openapi, servers]).to.deep.equal(['3.1.0', [{ url: 'https://svc.test' }]])
    const operations = Object.values(paths as Record<string, object>).flatMap(Object.keys)
    expect(operations).to.have.length(TABLE.length)
  })
})
