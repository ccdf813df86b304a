import { expect } from 'chai'
import type { ApiError } from '../../../../server/errors.ts'
import type { ForeignReader } from '../../../../server/services/foreign/createForeignReader.ts'
import type { TokenReading } from '../../../../server/services/foreign/foreignAgent.ts'
import { recogniseForeign } from '../../../../server/services/foreign/recogniseForeign.ts'
import type { VerifiableAgent } from '../../../../server/services/verification/verifiableAgent.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'
const FORMER = '0x00000000000000000000000000000000000000bb'

describe('recogniseForeign, confirming an adopted agent', () => {
  let ended: object[]
  beforeEach(() => {
    ended = []
  })
  /** Confirms an agent adopted at block 7; `readings` come from the cache and then from the node. */
  const confirm = (...readings: TokenReading[]) => {
    const { confirm: asked } = recogniseForeign({
      reader: {
        readToken: async (_name, _now, freshness) => readings[freshness?.isFresh ? 1 : 0] ?? null,
      } as ForeignReader,
      agentBySvcId: () => ({ svcId: 'SVC-1', status: 'retired' }) as VerifiableAgent,
      agentByCredential: () => null,
      visitingAgent: async () => {
        throw new Error('nobody visits')
      },
      endAdoption: async (transfer) => {
        ended.push(transfer)
      },
    })
    const agent = { svcId: 'SVC-1', adopted: { name: {}, owner: OWNER, adoptedBlock: 7 } }
    return asked(agent as unknown as VerifiableAgent, 0)
  }
  const reading = (owner: typeof OWNER | typeof FORMER, block: number) => ({
    ...{ owner, block, wallet: null, uri: '' },
  })

  it('ends the adoption for an owner that was read after it', async () => {
    expect(await confirm(reading(FORMER, 8))).to.include({ status: 'retired' })
    expect(ended).to.deep.equal([{ svcId: 'SVC-1', newOwner: FORMER, block: 8, now: 0 }])
  })

  it('reads again what was read before the adoption, and fails if the node is behind', async () => {
    expect(await confirm(reading(FORMER, 7), reading(OWNER, 7))).to.deep.include({ accounts: [OWNER] })
    const error = await confirm(reading(FORMER, 6), reading(FORMER, 6)).catch((thrown: ApiError) => thrown)
    expect((error as ApiError).code).to.equal('CHAIN_UNAVAILABLE')
    expect(ended).to.deep.equal([])
  })

  it('refuses a token that does not exist or whose registry is not accepted, without ending anything', async () => {
    expect(await confirm(null)).to.equal('no_such_token')
    expect(await confirm('untrusted')).to.equal('registry_not_trusted')
    expect(ended).to.deep.equal([])
  })
})
