import { type Abi, stringify } from 'viem'

/** Renders the items of an ABI as sorted text, without the compiler's `internalType`. */
export function renderComparableAbi(abi: Abi): string[] {
  return abi.map((item) => stringify(sortMembers(item))).sort()
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'internalType')
  // A missing `indexed` means false, a missing list or name means empty.
  const isPresent = (member: unknown) => member !== false && member !== '' && !isEmptyList(member)
  const present = members.filter(([, member]) => isPresent(member))
  return Object.fromEntries(
    present
      .map(([name, member]): [string, unknown] => [name, sortMembers(member)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
