import { defineProtocol } from '@svc/core/commerce/defineProtocol.ts'
import { expect } from 'chai'
import { z } from 'zod'

const declaration = z.looseObject({
  id: z.string(),
  limit: z.number().optional(),
  currency: z.string().optional(),
})

describe('defineProtocol', () => {
  it('fills in limits from confidential members only, and lists from all', () => {
    const seen: unknown[] = []
    const { prefill } = defineProtocol({
      declaration,
      confidential: ['limit'],
      prefillLimits: (block) => {
        seen.push(block)
        return { spendMax: block.limit }
      },
      prefillLists: ({ id, currency = '' }) => ({ counterparties: [id, currency] }),
    })
    const block = { id: 'shop.io', limit: 5, currency: 'EUR', unknown: 1 }
    expect(prefill(block)).to.deep.equal({ spendMax: 5, counterparties: ['shop.io', 'EUR'] })
    expect(seen).to.deep.equal([{ limit: 5 }])
  })

  it('fills in nothing from an invalid block', () => {
    const { prefill } = defineProtocol({
      declaration,
      confidential: ['limit'],
      prefillLimits: () => ({ spendMax: 1 }),
    })
    for (const block of [{ limit: 5 }, null, 'text']) expect(prefill(block)).to.deep.equal({})
  })
})
