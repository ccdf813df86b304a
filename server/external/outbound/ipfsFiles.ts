/** How long the node may take to store a small file. */
const TIMEOUT_MS = 10_000

/** Stores files in IPFS. */
export type IpfsFiles = {
  /** @returns The content identifier from the node. @throws Error when the node is unreachable or refuses. */
  add(text: string): Promise<string>
}

/**
 * Stores files in IPFS through the HTTP interface of a Kubo node, each as one pinned raw block, so that its identifier is
 * the hash of its bytes.
 *
 * The library is loaded with the first file, because most installations have no node.
 */
export function createIpfsFiles(apiUrl: string): IpfsFiles {
  return {
    async add(text) {
      const { create } = await import('kubo-rpc-client')
      const node = create({ url: apiUrl, timeout: TIMEOUT_MS })
      const options = { cidVersion: 1 as const, rawLeaves: true, pin: true, timeout: TIMEOUT_MS }
      const { cid } = await node.add(new TextEncoder().encode(text), options)
      return cid.toString()
    },
  }
}
