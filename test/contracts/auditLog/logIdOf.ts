import { type Address, concat, type Hex, toHex } from 'viem'

/** An id under which this account may open a log. */
export function logIdOf(opener: Address, name: string | number): Hex {
  return concat([opener, toHex(name, { size: 12 })]).toLowerCase() as Hex
}
