import { expect } from 'chai'
import { type FollowForeignDeps, followForeign } from '../../../../server/services/foreign/followForeign.ts'
import type { Adoption } from '../../../../server/store/agents/adoptionStore.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'
const AGENT_REGISTRY = `eip155:8453:${'0x'.padEnd(42, '8')}`

describe('followForeign', () => {
  const adoption: Adoption = {
    ...{ agentId: 'SVC-1', agentRegistry: AGENT_REGISTRY, tokenId: 22, owner: OWNER },
    ...{ adoptedBlock: 7, wallet: null, walletBlock: 7, feedbackReadAt: 0 },
  }
  let ended: number[]
  let read: { first: number; last: number }[]
  let transfers: number[]
  let cursor: number | null
  beforeEach(() => {
    ;[ended, read, transfers, cursor] = [[], [], [], null]
  })

  const follow = (head: number) => {
    const deps: FollowForeignDeps = {
      db: { transaction: async (work) => work({} as never) },
      adoptions: {
        firstBlock: async () => 7,
        amongTokens: async (_registry, ids) => (ids.length > 0 && ended.length === 0 ? [adoption] : []),
      },
      cursors: {
        followedTo: async () => cursor,
        async setFollowedTo(_trx, _name, block) {
          cursor = block
        },
      },
      endAdoption: async ({ block }) => void ended.push(block),
      changeWallet: async () => undefined,
      isRelayer: async () => true,
      clock: () => 0,
    }
    const chain = {
      readHead: async () => head,
      async readTransfers(blocks: { first: number; last: number }) {
        read.push(blocks)
        const found = transfers.filter((block) => block >= blocks.first && block <= blocks.last)
        return new Map(found.map((block) => [22, { block, newOwner: OWNER } as const]))
      },
      readWallets: async () => [],
    }
    return followForeign(deps, { agentRegistry: AGENT_REGISTRY, chain })
  }

  it('notices a token that was sold and came back in blocks that it has followed before', async () => {
    await follow(100)
    transfers = [95]
    await follow(101)
    expect(ended).to.deep.equal([95])
    await follow(102)
    expect(ended, 'once').to.deep.equal([95])
  })

  it('reads the last 64 blocks again, but none from before the first adoption, and nothing without a new block', async () => {
    for (const head of [20, 21, 21, 200, 201]) await follow(head)
    expect(read).to.deep.equal([
      { first: 8, last: 20 },
      { first: 8, last: 21 },
      { first: 8, last: 200 },
      { first: 137, last: 201 },
    ])
  })
})
