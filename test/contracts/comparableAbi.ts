import { type Abi, stringify } from 'viem'

/** The items of an ABI as text, in an order of their own and without the compiler's `internalType`. */
export function comparableAbi(abi: Abi): string[] {
  return abi.map((item) => stringify(sorted(item))).sort()
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'internalType')
  // An absent `indexed` is false, an absent list or name empty.
  const isTold = (member: unknown) => member !== false && member !== '' && !isEmptyList(member)
  const told = members.filter(([, member]) => isTold(member))
  return Object.fromEntries(
    told
      .map(([name, member]): [string, unknown] => [name, sorted(member)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
