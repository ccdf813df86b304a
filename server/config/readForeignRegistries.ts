import { parseForeignName } from '@svc/core/foreign/foreignName.ts'
import { splitEntries } from './splitEntries.ts'

/** An ERC-8004 identity registry on another chain, whose agents are accepted here. */
export type ForeignRegistry = {
  /** `eip155:<chain id>:<address>`, in lower case. */
  agentRegistry: string
  chainId: number
  registry: `0x${string}`
  rpcUrl: string
  /** The reputation registry of the same chain; null if feedback there does not count. */
  reputation: `0x${string}` | null
  /** The accounts whose feedback counts: feedback costs only gas, so nobody else's does. */
  reviewers: `0x${string}`[]
}

const REGISTRIES_MAX = 32
const REVIEWERS_MAX = 50
const ADDRESS = /^0x[0-9a-f]{40}$/

/**
 * Reads the registries of other chains from their setting: entries `REGISTRY RPC_URL`, separated by commas or line breaks,
 * each optionally followed by `reputation=ADDRESS reviewers=ADDRESS+ADDRESS`. A line that begins with `#` is a comment.
 *
 * @throws Error that says which entry is wrong, and why. The URL is not repeated, because it may contain a key.
 * Source: CAIP-10; docs/foreign-agents.md.
 */
export function readForeignRegistries(text: string, allowPrivateNetwork: boolean): ForeignRegistry[] {
  const registries = splitEntries(text).map((entry, i) => readEntry(entry, i + 1, allowPrivateNetwork))
  if (new Set(registries.map(({ agentRegistry }) => agentRegistry)).size < registries.length) {
    throw new Error('Setting FOREIGN_REGISTRIES: a registry occurs twice')
  }
  if (registries.length > REGISTRIES_MAX) {
    throw new Error(
      `Setting FOREIGN_REGISTRIES: expected at most ${REGISTRIES_MAX} registries, got ${registries.length}`,
    )
  }
  return registries
}

function readEntry(entry: string, number: number, allowPrivateNetwork: boolean): ForeignRegistry {
  const refuse = (reason: string): never => {
    throw new Error(`Setting FOREIGN_REGISTRIES: entry ${number} ${reason}`)
  }
  const [name = '', rpcUrl = '', ...options] = entry.split(/\s+/)
  // Any agent of the registry has a name that can be parsed.
  const parsed = parseForeignName(`${name}/0`)
  if (parsed === null) return refuse('does not begin with a registry: eip155:CHAIN_ID:0xADDRESS')
  const protocol = URL.canParse(rpcUrl) ? new URL(rpcUrl).protocol : null
  if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivateNetwork)) {
    return refuse(`has no ${allowPrivateNetwork ? 'HTTP or HTTPS' : 'HTTPS'} address of a node`)
  }
  const { agentRegistry, chainId, registry } = parsed
  return { agentRegistry, chainId, registry, rpcUrl, ...readReputation(options, refuse) }
}

function readReputation(
  options: readonly string[],
  refuse: (reason: string) => never,
): Pick<ForeignRegistry, 'reputation' | 'reviewers'> {
  const given = new Map(options.map((option) => option.split('=', 2) as [string, string | undefined]))
  const unknown = [...given.keys()].find((name) => name !== 'reputation' && name !== 'reviewers')
  if (unknown !== undefined || given.size < options.length) {
    return refuse('has something other than reputation=ADDRESS and reviewers=ADDRESS+ADDRESS after the URL')
  }
  const addressOf = (text: string): `0x${string}` => {
    const address = text.toLowerCase()
    return ADDRESS.test(address) ? (address as `0x${string}`) : refuse(`has a malformed address: ${text}`)
  }
  const reputation = given.get('reputation')
  const reviewers = given.get('reviewers')
  if ((reputation === undefined) !== (reviewers === undefined)) {
    return refuse('needs both reputation and reviewers, because the feedback of just anybody does not count')
  }
  if (reputation === undefined || reviewers === undefined) return { reputation: null, reviewers: [] }
  const accounts = [...new Set(reviewers.split('+').map(addressOf))]
  if (accounts.length > REVIEWERS_MAX) return refuse(`has more than ${REVIEWERS_MAX} reviewers`)
  return { reputation: addressOf(reputation), reviewers: accounts }
}
