import { expect } from 'chai'
import { operations } from '../../../core/contract/operations.ts'
import { TABLE } from '../../../server/routes/index.ts'

/** Rows of the table that share the contract of another row, and the MCP server, whose messages are not ours to define. */
const OTHERS = ['GET /.well-known/agents/:svcId.json', 'POST /mcp']

describe('the contract', () => {
  const rows = TABLE.map(([method, path, , , operation]) => ({ key: `${method} ${path}`, operation }))

  it('has every operation of the table, and no other', () => {
    const keys = rows.map(({ key }) => key).filter((key) => !OTHERS.includes(key))
    expect(Object.keys(operations).toSorted()).to.deep.equal(keys.toSorted())
  })

  it('gives each operation of the table its own body and answer', () => {
    const contract: Readonly<Record<string, { body?: unknown; answer: unknown }>> = operations
    for (const { key, operation } of rows) {
      const own = contract[key]
      if (own === undefined) continue
      expect(operation.answer, key).to.equal(own.answer)
      expect(operation.body, key).to.equal(own.body)
    }
  })
})
