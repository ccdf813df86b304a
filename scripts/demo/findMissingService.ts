import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import type { DemoContext } from './demoContext.ts'

type Fault = { message: string; hint: string }

const TIMEOUT_MS = 5_000

/**
 * Finds what the demo lacks: the service, or the chain that it anchors to. Null if both respond.
 *
 * Checked first, because a call that fails later does not say which address it went to.
 */
export async function findMissingService({
  baseUrl,
  rpcUrl,
}: Omit<DemoContext, 'narrator'>): Promise<Fault | null> {
  const service = await request(`${baseUrl}/api/chain`)
  if (service === 'silent') {
    return {
      message: `No response from the service at ${baseUrl}.`,
      hint: 'Start it in another terminal (npm start), correct its address (--url, PORT), or name none: then the demo starts its own.',
    }
  }
  if (typeof service?.success !== 'boolean') {
    return {
      message: `The server at ${baseUrl} is not the service.`,
      hint: 'Start both on another port: PORT=3001 npm start, PORT=3001 npm run demo.',
    }
  }
  const chain = await request(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const hint = 'Set the address of its chain: --rpc, or the CHAIN_PORT or RPC_URL that it was started with.'
  if (chain === 'silent' || typeof chain?.result !== 'string') {
    return { message: `The service at ${baseUrl} responds, but there is no chain at ${rpcUrl}.`, hint }
  }
  if (service.success && Number(chain.result) !== service.chainId) {
    return {
      message: `The chain id at ${rpcUrl} is ${Number(chain.result)}, but the service uses ${service.chainId}.`,
      hint,
    }
  }
  return null
}

/** Returns null for a response that is not a JSON object. */
async function request(url: string, body?: object): Promise<Record<string, unknown> | null | 'silent'> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { signal, ...(body ? init : {}) })
    return parseJsonObject(await response.text())
  } catch {
    return 'silent'
  }
}
