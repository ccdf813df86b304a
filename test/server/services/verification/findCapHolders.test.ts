import { expect } from 'chai'
import { findCapHolders } from '../../../../server/services/verification/findCapHolders.ts'
import type { AgentRow } from '../../../../server/store/agents/agentStore.ts'

type Family = Record<string, { parent?: string; max?: number; inherits?: boolean }>

const holdersIn = (family: Family, svcId: string) => {
  const rowOf = (id: string) => {
    const { parent = null, max, inherits = true } = family[id] ?? {}
    const limits = max === undefined ? {} : { maxTransactionsPerHour: max }
    const pdlss = { limits, selfInstantiation: { inheritPermissions: inherits } }
    return { svcId: id, parentAgentId: parent, pdlss } as unknown as AgentRow
  }
  return findCapHolders({ bySvcId: async (id) => rowOf(id) }, rowOf(svcId))
}

describe('findCapHolders', () => {
  it('finds an agent without ancestors, or with others than those it inherits from, to have its own caps', async () => {
    const own = { countsAs: 'a', rateCountsAs: 'a', ancestorRates: [] }
    expect(await holdersIn({ a: { max: 3 } }, 'a')).to.deep.equal(own)
    expect(
      await holdersIn({ p: { max: 9, inherits: false }, a: { parent: 'p', max: 3 } }, 'a'),
    ).to.deep.equal(own)
  })

  it('finds one name for all that inherit the same cap', async () => {
    const family = { r: { max: 9 }, p: { parent: 'r', max: 9 }, a: { parent: 'p', max: 9 } }
    expect(await holdersIn(family, 'a')).to.deep.equal({
      countsAs: 'r',
      rateCountsAs: 'r',
      ancestorRates: [],
    })
    expect(await holdersIn({ r: {}, a: { parent: 'r' } }, 'a')).to.deep.equal({
      ...{ countsAs: 'r', rateCountsAs: 'r', ancestorRates: [] },
    })
  })

  it('finds each higher cap under the highest name that has it, nearest first', async () => {
    const family = {
      top: { max: 50, inherits: false },
      r: { parent: 'top', max: 9 },
      q: { parent: 'r', max: 9 },
      p: { parent: 'q', max: 5 },
      a: { parent: 'p', max: 3 },
    }
    expect(await holdersIn(family, 'a')).to.deep.equal({
      countsAs: 'r',
      rateCountsAs: 'a',
      ancestorRates: [
        { countsAs: 'p', max: 5 },
        { countsAs: 'r', max: 9 },
      ],
    })
  })

  it('finds no cap of an ancestor that has none', async () => {
    const family = { r: {}, p: { parent: 'r', max: 5 }, a: { parent: 'p', max: 5 } }
    expect(await holdersIn(family, 'a')).to.deep.equal({
      countsAs: 'r',
      rateCountsAs: 'p',
      ancestorRates: [],
    })
  })
})
