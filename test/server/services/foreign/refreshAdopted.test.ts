import { expect } from 'chai'
import type { ForeignToken } from '../../../../server/chain/foreignChain.ts'
import {
  type RefreshAdoptedDeps,
  refreshAdopted,
} from '../../../../server/services/foreign/refreshAdopted.ts'
import type { Adoption } from '../../../../server/store/agents/adoptionStore.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'
const BUYER = '0x00000000000000000000000000000000000000bb'
const WALLET = '0x00000000000000000000000000000000000000cc'
const AGENT_REGISTRY = `eip155:8453:${'0x'.padEnd(42, '8')}`
const NOW = 1_800_000_000_000

describe('refreshAdopted', () => {
  const adoption: Adoption = {
    ...{ agentId: 'SVC-1', agentRegistry: AGENT_REGISTRY, tokenId: 22, owner: OWNER },
    ...{ adoptedBlock: 7, wallet: WALLET, walletBlock: 7, feedbackReadAt: 0 },
  }
  /** Refreshes the agent, whose token is this, and returns what was done about it. */
  const refresh = async (token: Partial<ForeignToken> | null, isRelayer = true) => {
    const done: [string, object][] = []
    const note = (what: string) => async (about: object) => {
      done.push([what, about])
    }
    const deps = {
      ...{ endAdoption: note('ended'), changeWallet: note('changed'), clock: () => NOW },
      isRelayer: async () => isRelayer,
      db: { transaction: async (work) => work({} as never) },
      adoptions: { withOldFeedback: async () => [adoption], setFeedbackReadAt: async () => undefined },
      agents: { bySvcId: async () => null, update: async () => true },
      onAgentChanged: () => undefined,
    } satisfies RefreshAdoptedDeps
    const read = token && { owner: OWNER, wallet: WALLET, uri: '', block: 9, ...token }
    const chain = { readFeedback: async () => null, readToken: async () => read as ForeignToken | null }
    await refreshAdopted(deps, new Map([[AGENT_REGISTRY, chain]]))
    return done
  }

  it('stores a wallet whose event a reorganisation has put into a block that was followed before', async () => {
    const read = { svcId: 'SVC-1', block: 9, now: NOW }
    expect(await refresh({ wallet: null })).to.deep.equal([['changed', { ...read, wallet: null }]])
  })

  it('ends the adoption of a token that was transferred in such a block', async () => {
    const read = { svcId: 'SVC-1', block: 9, now: NOW }
    expect(await refresh({ owner: BUYER })).to.deep.equal([['ended', { ...read, newOwner: BUYER }]])
  })

  it('does nothing about a token that is as stored, was read before the adoption, or cannot be read', async () => {
    expect(await refresh({})).to.deep.equal([])
    expect(await refresh({ owner: BUYER, block: 7 })).to.deep.equal([])
    expect(await refresh({ wallet: null, block: 7 })).to.deep.equal([])
    expect(await refresh(null)).to.deep.equal([])
  })

  it('is done by one process', async () => {
    expect(await refresh({ wallet: null }, false)).to.deep.equal([])
  })

  it('reads the agents of every registry although another one does not answer, which is asked once', async () => {
    const dead = `eip155:1:${'0x'.padEnd(42, '9')}`
    const adopted = [dead, AGENT_REGISTRY, dead, AGENT_REGISTRY].map((agentRegistry, nth) => ({
      ...adoption,
      ...{ agentId: `SVC-${nth}`, agentRegistry, tokenId: nth },
    }))
    const [asked, marked]: [number[], string[]] = [[], []]
    const deps = {
      ...{ endAdoption: async () => undefined, changeWallet: async () => undefined, clock: () => NOW },
      isRelayer: async () => true,
      db: { transaction: async (work) => work({} as never) },
      adoptions: {
        withOldFeedback: async () => adopted,
        setFeedbackReadAt: async (_trx, agentId) => void marked.push(agentId),
      },
      agents: { bySvcId: async () => null, update: async () => true },
      onAgentChanged: () => undefined,
    } satisfies RefreshAdoptedDeps
    const chainThat = (answers: boolean) => ({
      readFeedback: async () => null,
      async readToken(tokenId: number) {
        asked.push(tokenId)
        if (!answers) throw new Error('away')
        return null
      },
    })
    const chains = new Map([
      [dead, chainThat(false)],
      [AGENT_REGISTRY, chainThat(true)],
    ])
    const failure = await refreshAdopted(deps, chains).catch((error: Error) => error.message)
    expect(failure).to.equal('away')
    expect(asked).to.deep.equal([0, 1, 3])
    expect(marked).to.have.length(4)
  })
})
