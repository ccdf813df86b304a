/** A DID of a method that credentials may use, in its one spelling. */
export type Did =
  | { method: 'key'; did: string; multikey: string }
  | { method: 'web'; did: string; url: string }
  | { method: 'ethr'; did: string; address: `0x${string}` }

const CHARACTERS_MAX = 512

/**
 * Parses a `did:key`, a `did:web`, or a `did:ethr` whose identifier is an address; undefined for any other text.
 *
 * A fragment, which names a key of the DID, is dropped; a path or query is refused. Hosts and addresses are lower-cased.
 * Source: DID Core §3; did:key, did:web and did:ethr method specifications.
 */
export function parseDid(text: string): Did | undefined {
  if (text.length > CHARACTERS_MAX) return undefined
  const [did = ''] = text.split('#', 1)
  if (did.startsWith('did:key:')) return readKey(did)
  if (did.startsWith('did:web:')) return readWeb(did.slice('did:web:'.length))
  if (did.startsWith('did:ethr:')) return readEthr(did.slice('did:ethr:'.length))
  return undefined
}

/** `z` stands for base58btc. */
function readKey(did: string): Did | undefined {
  const multikey = did.slice('did:key:'.length)
  return /^z[1-9A-HJ-NP-Za-km-z]{40,200}$/.test(multikey) ? { method: 'key', did, multikey } : undefined
}

function readWeb(identifier: string): Did | undefined {
  const [authority = '', ...path] = identifier.split(':')
  const host = /^([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(?:%3[Aa](\d{1,5}))?$/.exec(authority)
  if (host?.[1] === undefined || !path.every((segment) => /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(segment)))
    return undefined
  const name = host[1].toLowerCase()
  const port = host[2]
  // A development server has no certificate. In production, outbound requests to private hosts are refused.
  const scheme = name === 'localhost' || name === '127.0.0.1' ? 'http' : 'https'
  const address = `${scheme}://${name}${port === undefined ? '' : `:${port}`}`
  const did = ['did', 'web', port === undefined ? name : `${name}%3A${port}`, ...path].join(':')
  const folder = path.length === 0 ? '/.well-known' : `/${path.join('/')}`
  return { method: 'web', did, url: `${address}${folder}/did.json` }
}

function readEthr(identifier: string): Did | undefined {
  const parts = /^(?:([a-z][a-z0-9]{0,31}|0x[0-9a-f]{1,64}):)?(0x[0-9a-fA-F]{40})$/.exec(identifier)
  if (parts?.[2] === undefined) return undefined
  const address = parts[2].toLowerCase() as `0x${string}`
  const network = parts[1] === undefined || parts[1] === 'mainnet' || parts[1] === '0x1' ? [] : [parts[1]]
  return { method: 'ethr', did: ['did', 'ethr', ...network, address].join(':'), address }
}
