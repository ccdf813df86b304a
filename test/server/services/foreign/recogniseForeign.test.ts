import { expect } from 'chai'
import type { ApiError } from '../../../../server/errors.ts'
import type { ForeignReader } from '../../../../server/services/foreign/createForeignReader.ts'
import type { TokenReading } from '../../../../server/services/foreign/foreignAgent.ts'
import { recogniseForeign } from '../../../../server/services/foreign/recogniseForeign.ts'
import type { VerifiableAgent } from '../../../../server/services/verification/parties/verifiableAgent.ts'

const OWNER = '0x00000000000000000000000000000000000000aa'
const FORMER = '0x00000000000000000000000000000000000000bb'
const WALLET = '0x00000000000000000000000000000000000000cc'
const OTHER = '0x00000000000000000000000000000000000000dd'

describe('recogniseForeign, confirming an adopted agent', () => {
  let ended: object[]
  let changed: object[]
  /** Whether another process has ended the adoption. */
  let isEnded = false
  beforeEach(() => {
    ended = []
    changed = []
    isEnded = false
  })
  /** Confirms an agent adopted at block 7; `readings` come from the cache and then from the node. */
  const confirm = (...readings: TokenReading[]) => confirmWith({ wallet: null, walletBlock: 7 }, ...readings)
  /** The same, with what is stored of its wallet. */
  const confirmWith = (
    stored: { wallet: typeof WALLET | null; walletBlock: number | null },
    ...readings: TokenReading[]
  ) => {
    const adopted = { name: {}, owner: OWNER, adoptedBlock: 7, ...stored }
    const agent = { svcId: 'SVC-1', adopted } as unknown as VerifiableAgent
    const retired = { svcId: 'SVC-1', status: 'retired', adopted: null } as VerifiableAgent
    const { confirm: asked } = recogniseForeign({
      reader: {
        readToken: async (_name, _now, freshness) => readings[freshness?.isFresh ? 1 : 0] ?? null,
      } as ForeignReader,
      agentBySvcId: () => (isEnded || ended.length > 0 ? retired : agent),
      agentByCredential: () => null,
      visitingAgent: async () => {
        throw new Error('nobody visits')
      },
      endAdoption: async (transfer) => {
        ended.push(transfer)
      },
      changeWallet: async (reading) => {
        changed.push(reading)
        return reading.wallet
      },
    })
    return asked(agent, 0)
  }
  const reading = (
    owner: typeof OWNER | typeof FORMER,
    block: number,
    wallet: typeof OTHER | null = null,
  ) => ({
    ...{ owner, block, wallet, uri: '' },
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

  it('stores a wallet that was read after the stored one, and lets it sign', async () => {
    const stored = { wallet: WALLET, walletBlock: 8 } as const
    const confirmed = await confirmWith(stored, reading(OWNER, 9, OTHER))
    expect(confirmed).to.deep.include({ accounts: [OWNER, OTHER] })
    expect(changed).to.deep.equal([{ svcId: 'SVC-1', wallet: OTHER, block: 9, now: 0 }])
  })

  it('lets no account sign if another process has ended the adoption meanwhile', async () => {
    isEnded = true
    const confirmed = await confirmWith({ wallet: WALLET, walletBlock: 8 }, reading(OWNER, 9, OTHER))
    expect(confirmed).to.deep.include({ status: 'retired', accounts: [] })
  })

  it('lets the stored wallet sign, whatever a node says that is behind the one it was read from', async () => {
    const stored = { wallet: WALLET, walletBlock: 8 } as const
    for (const [block, wallet] of [
      [7, OTHER],
      [8, null],
    ] as const) {
      const confirmed = await confirmWith(stored, reading(OWNER, block, wallet))
      expect(confirmed).to.deep.include({ accounts: [OWNER, WALLET] })
    }
    expect(changed).to.deep.equal([])
  })

  it('stores a wallet that was not read before, also if there is none', async () => {
    await confirmWith({ wallet: null, walletBlock: null }, reading(OWNER, 5))
    expect(changed).to.deep.equal([{ svcId: 'SVC-1', wallet: null, block: 5, now: 0 }])
  })

  it('refuses a token that does not exist or whose registry is not accepted, without ending anything', async () => {
    expect(await confirm(null)).to.equal('no_such_token')
    expect(await confirm('untrusted')).to.equal('registry_not_trusted')
    expect(ended).to.deep.equal([])
  })
})
