import { expect } from 'chai'
import type { ChainClient } from '../../../../../server/chain/chainClient.ts'
import { handOverIdentity } from '../../../../../server/services/relayer/handlers/handOverIdentity.ts'
import { setTokenUri } from '../../../../../server/services/relayer/handlers/setTokenUri.ts'
import type { HandlerContext } from '../../../../../server/services/relayer/intentHandler.ts'
import type { AgentStore } from '../../../../../server/store/agents/agentStore.ts'
import type { Intent } from '../../../../../server/store/relayer/intentRow.ts'

const DAY_MS = 86_400_000
const BLOCK_MS = 12_000
const HEAD = 5_000_000
const URI = 'https://svc.test/registration-files/SVC-a.json'
const TO = `0x${'22'.repeat(20)}`

describe('searches for the past of a token in custody', () => {
  const asked: { first: number; last: number }[] = []
  const look = async (...given: unknown[]) => {
    asked.push(given.at(-1) as { first: number; last: number })
    return { hash: '0x01', block: HEAD, blockHash: '0x02' }
  }
  const chain = {
    relayers: [`0x${'11'.repeat(20)}`],
    readBlockTime: async (number: number) => (number * BLOCK_MS) / 1000,
    identity: {
      readOwner: async () => TO,
      readToken: async () => ({ owner: TO, uri: URI, wallet: null }),
      findTransfer: look,
      findUriChange: look,
    },
  } as unknown as ChainClient
  const deps = {
    chain,
    agents: { bySvcId: async () => ({ blockchainStatus: 'verified' }) } as unknown as AgentStore,
    interventions: { find: async () => null },
    onTokenChanged: async () => undefined,
  }
  const context = {
    deployment: { identityRegistry: `0x${'33'.repeat(20)}`, deployedBlock: 7 },
    headBlock: HEAD,
    mustSearch: true,
    now: HEAD * BLOCK_MS,
  } as unknown as HandlerContext
  const orderedAt = HEAD * BLOCK_MS - DAY_MS
  const intentOf = (payload: object) =>
    ({ payload: { svcId: 'SVC-a', agentId: '1', ...payload }, createdAt: orderedAt }) as unknown as Intent

  beforeEach(() => asked.splice(0))

  for (const [name, handler, payload] of [
    ['hand-over', handOverIdentity(deps), { to: TO }],
    ['another URI', setTokenUri(deps), { uri: URI }],
  ] as const) {
    it(`begin a day before their request: ${name}`, async () => {
      const prepared = await handler.prepare(intentOf(payload), context)
      expect(prepared.next).to.equal('adopt')
      expect(asked).to.deep.equal([{ first: HEAD - (2 * DAY_MS) / BLOCK_MS, last: HEAD }])
    })
  }
})
