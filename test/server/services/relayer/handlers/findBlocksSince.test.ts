import { expect } from 'chai'
import { findBlocksSince } from '../../../../../server/services/relayer/handlers/findBlocksSince.ts'
import type { Deployment } from '../../../../../server/store/relayer/deploymentStore.ts'

const DAY_MS = 86_400_000
const SECONDS_A_BLOCK = 2
const [DEPLOYED, HEAD] = [1_000, 50_000_000]

describe('findBlocksSince', () => {
  const timeOf = (block: number) => 1_000_000_000 + block * SECONDS_A_BLOCK
  const look = async (createdAt: number, headBlock = HEAD, blockTime = async (n: number) => timeOf(n)) => {
    let asked = 0
    const counting = (block: number): Promise<number | null> => {
      asked += 1
      return blockTime(block)
    }
    const deployment = { deployedBlock: DEPLOYED } as Deployment
    const blocks = await findBlocksSince(
      { readBlockTime: counting },
      { createdAt },
      { deployment, headBlock },
    )
    return { ...blocks, asked }
  }

  it('begins a day before the intent, to the block, with few queries', async () => {
    const { first, last, asked } = await look(timeOf(40_000_000) * 1000 + DAY_MS)
    expect({ first, last }).to.deep.equal({ first: 40_000_000, last: HEAD })
    expect(asked).to.be.at.most(28)
    expect((await look(timeOf(40_000_000) * 1000 + DAY_MS + 1_000)).first).to.equal(40_000_001)
  })

  it('begins with the contracts if the intent is older', async () => {
    expect((await look(0)).first).to.equal(DEPLOYED)
  })

  it('sends no query if the chain is short', async () => {
    const { first, asked } = await look(timeOf(9_000) * 1000, DEPLOYED + 9_999)
    expect({ first, asked }).to.deep.equal({ first: DEPLOYED, asked: 0 })
  })

  it('omits nothing on a chain that lags behind the clock, or whose node lacks a block', async () => {
    expect((await look(timeOf(HEAD) * 1000 + 2 * DAY_MS)).first).to.equal(DEPLOYED)
    const lacking = async (block: number) => (block === HEAD ? timeOf(block) : null)
    expect((await look(timeOf(40_000_000) * 1000, HEAD, lacking as never)).first).to.equal(DEPLOYED)
    expect((await look(timeOf(40_000_000) * 1000, HEAD, (async () => null) as never)).first).to.equal(
      DEPLOYED,
    )
  })
})
