import { expect } from 'chai'
import { type OwnerNonceDeps, readOwnerNonce } from '../../../server/services/chain/readOwnerNonce.ts'

const OWNER = `0x${'ab'.repeat(20)}` as const
const PAYLOAD = {
  svcId: `SVC-${'a'.repeat(22)}`,
  owner: OWNER,
  agentURI: 'https://registry.io/registration-files/a.json',
  metadata: [],
  consent: { deadline: '1', signature: '0x00' },
}

/** A registration that is mined from read number `mined` on, and settled in the outbox from `settled` on. */
function depsOf({ mined, settled }: { mined: number; settled: number }): OwnerNonceDeps {
  let reads = 0
  const isPast = (moment: number) => reads++ >= moment
  const deps = {
    deployments: { remembered: async () => ({ identityRegistry: OWNER }) },
    chain: {
      identity: { readNonce: async () => (isPast(mined) ? 1n : 0n) },
      readReceipt: async () => (isPast(mined) ? {} : null),
    },
    outbox: {
      open: async () =>
        isPast(settled) ? [] : [{ id: 'intent', kind: 'identity.mint', nonce: 7, payload: PAYLOAD }],
    },
    transactions: { ofIntent: async () => [{ hash: '0x01' }] },
  }
  return deps as unknown as OwnerNonceDeps
}

describe('next nonce of an owner', () => {
  it('counts a registration once, at whatever moment it reaches the chain', async () => {
    for (let mined = 0; mined <= 6; mined += 1) {
      for (let settled = mined; settled <= 7; settled += 1) {
        const nonce = await readOwnerNonce(depsOf({ mined, settled }), { owner: OWNER })
        expect(nonce, `mined at read ${mined}, settled at ${settled}`).to.equal(1n)
      }
    }
  })
})
