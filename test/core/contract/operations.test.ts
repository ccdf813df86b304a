import { expect } from 'chai'
import { operations } from '../../../core/contract/operations.ts'
import { parseWith } from '../../../core/fieldErrors.ts'
import { TABLE } from '../../../server/routes/index.ts'

/** Rows without a contract: one shares that of another row, and MCP defines the messages of the other. */
const OTHERS = ['GET /.well-known/agents/:svcId.json', 'POST /mcp']

describe('the contract', () => {
  const rows = TABLE.map(([method, path, , , operation]) => ({ key: `${method} ${path}`, operation }))

  it('covers exactly the operations of the table', () => {
    const keys = rows.map(({ key }) => key).filter((key) => !OTHERS.includes(key))
    expect(Object.keys(operations).toSorted()).to.deep.equal(keys.toSorted())
  })

  it('shares its schemas with each operation of the table', () => {
    const contract: Readonly<Record<string, { body?: unknown; answer: unknown }>> = operations
    for (const { key, operation } of rows) {
      const own = contract[key]
      if (own === undefined) continue
      expect(operation.answer, key).to.equal(own.answer)
      expect(operation.body, key).to.equal(own.body)
    }
  })

  it('refuses a member that a PUT or PATCH does not know, by name', () => {
    const bodies = rows.flatMap(({ key, operation }) =>
      /^(PUT|PATCH) /.test(key) && operation.body ? [[key, operation.body] as const] : [],
    )
    expect(bodies.length).to.be.greaterThan(3)
    for (const [key, body] of bodies) {
      const parsed = parseWith(body, { 'misspelt/member': 1 })
      const pointers = parsed.ok ? [] : parsed.errors.map(({ pointer, code }) => [pointer, code])
      expect(pointers, key).to.deep.include(['/misspelt~1member', 'unknown_key'])
    }
  })
})
