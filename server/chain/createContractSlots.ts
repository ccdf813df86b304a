import { apiError } from '../errors.ts'
import type { Hex } from './chainTypes.ts'

type Waiting = { address: string; start(): void }

export type ContractSlots = {
  /** Calls at once, in all and to one contract. */
  running: { total: number; perContract: number }
  /** Calls that wait for a slot, in all and for one contract. */
  waiting: { total: number; perContract: number }
  waitMs: number
}

/**
 * Creates the slots for calls to contracts that strangers name, in this process. A call waits while as many run as may run
 * at once, in all or to the same contract: one contract cannot take all slots.
 *
 * A call that finds too many waiting, or waits too long, fails with `CHAIN_UNAVAILABLE`.
 */
export function createContractSlots(slots: ContractSlots) {
  const running: string[] = []
  const waiting: Waiting[] = []
  const isFree = (address: string) =>
    running.length < slots.running.total && count(running, address) < slots.running.perContract
  const isFull = (address: string) => {
    const addresses = waiting.map((call) => call.address)
    return addresses.length >= slots.waiting.total || count(addresses, address) >= slots.waiting.perContract
  }

  const wait = (address: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const call = {
        address,
        start() {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(call), 1)
        reject(tooMany())
      }, slots.waitMs)
      waiting.push(call)
    })

  const leave = (address: string): void => {
    running.splice(running.indexOf(address), 1)
    const next = waiting.findIndex((call) => isFree(call.address))
    const [call] = next < 0 ? [] : waiting.splice(next, 1)
    if (call === undefined) return
    running.push(call.address)
    call.start()
  }

  return async <T>(contract: Hex, call: () => Promise<T>): Promise<T> => {
    const address = contract.toLowerCase()
    if (isFree(address)) running.push(address)
    else if (isFull(address)) throw tooMany()
    else await wait(address)
    try {
      return await call()
    } finally {
      leave(address)
    }
  }
}

function count(addresses: readonly string[], address: string): number {
  return addresses.filter((one) => one === address).length
}

function tooMany(): Error {
  return apiError('CHAIN_UNAVAILABLE', {
    message: 'Too many signatures of contracts are being verified; retry later.',
    headers: { 'Retry-After': '5' },
  })
}
