import { expect } from 'chai'
import { createContractSlots } from '../../../server/chain/createContractSlots.ts'
import type { ApiError } from '../../../server/errors.ts'

const A = '0x00000000000000000000000000000000000000aA'
const B = '0x00000000000000000000000000000000000000bb'
const C = '0x00000000000000000000000000000000000000cc'

describe('createContractSlots', () => {
  let inSlot: ReturnType<typeof createContractSlots>
  let started: string[]
  let ends: Map<string, () => void>

  const open = (waitMs = 60_000) => {
    started = []
    ends = new Map()
    inSlot = createContractSlots({
      ...{ running: { total: 3, perContract: 2 }, waiting: { total: 3, perContract: 2 }, waitMs },
    })
  }
  beforeEach(() => open())

  /** Starts a call that lasts until `end(name)`. */
  const call = (name: string, contract: `0x${string}`) =>
    inSlot(contract, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const end = (name: string) => ends.get(name)?.()
  const endAll = async (calls: Promise<string>[], names: string[]) => {
    for (const [index, name] of names.entries()) {
      end(name)
      expect(await calls[index]).to.equal(name)
    }
  }
  const codeOf = (refused: Promise<unknown>) =>
    refused.then(String, ({ code, headers }: ApiError) => [code, headers?.['Retry-After']])

  it('runs two calls to one contract, however its address is spelt, and three in all', async () => {
    const calls = [call('a1', A), call('a2', A), call('a3', A.toLowerCase() as typeof A)]
    calls.push(call('b1', B), call('c1', C))
    expect(started).to.deep.equal(['a1', 'a2', 'b1'])
    await endAll(calls, ['a1', 'a2', 'a3', 'b1', 'c1'])
  })

  it('starts the first waiting call whose contract has a free slot', async () => {
    const calls = [call('a1', A), call('a2', A), call('b1', B), call('a3', A), call('c1', C)]
    end('b1')
    await calls[2]
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1'])
    end('a1')
    await calls[0]
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3'])
    await endAll(calls, ['a1', 'a2', 'b1', 'a3', 'c1'])
  })

  it('refuses calls to a contract for which two wait, and all while three wait, for a while', async () => {
    const calls = [call('a1', A), call('a2', A), call('a3', A), call('a4', A)]
    expect(await codeOf(call('a5', A))).to.deep.equal(['CHAIN_UNAVAILABLE', '5'])
    calls.push(call('b1', B), call('b2', B))
    expect(await codeOf(call('c1', C))).to.deep.equal(['CHAIN_UNAVAILABLE', '5'])
    await endAll(calls, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
  })

  it('refuses a call that waits too long, and its slot stays free', async () => {
    open(1)
    const calls = [call('a1', A), call('a2', A)]
    expect(await codeOf(call('a3', A))).to.deep.equal(['CHAIN_UNAVAILABLE', '5'])
    await endAll(calls, ['a1', 'a2'])
    const last = call('a4', A)
    expect(started).to.deep.equal(['a1', 'a2', 'a4'])
    await endAll([last], ['a4'])
  })

  it('frees the slot of a call that fails', async () => {
    for (let failed = 0; failed < 4; failed += 1) {
      const failing = inSlot(A, () => Promise.reject(new Error('of the call')))
      expect(await failing.catch((error: Error) => error.message)).to.equal('of the call')
    }
  })
})
