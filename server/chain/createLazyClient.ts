import { http, type PublicClient } from 'viem'
import { createNodeClient } from './createNodeClient.ts'

type LazyClientOptions = {
  url(): string
  /** Creates what sends the requests, each within its own time. */
  createFetch(): typeof fetch
  /** By default 10 MiB, which is viem's limit. */
  responseBytesMax?: number
}

/** Creates the client of a node with the first call, and again if its URL has changed. */
export function createLazyClient(options: LazyClientOptions): () => PublicClient {
  let known: { url: string; client: PublicClient } | null = null
  return () => {
    const url = options.url()
    if (known?.url !== url) {
      const transport = http(url, {
        timeout: 0,
        retryCount: 0,
        fetchFn: options.createFetch(),
        ...(options.responseBytesMax ? { maxResponseBodySize: options.responseBytesMax } : {}),
      })
      known = { url, client: createNodeClient(transport) }
    }
    return known.client
  }
}
