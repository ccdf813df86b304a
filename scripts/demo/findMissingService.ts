import { parseJsonObject } from '../parseJsonObject.ts'
import type { Stage } from './stage.ts'

type Fault = { message: string; hint: string }

const TIMEOUT_MS = 5_000

/**
 * What is missing before the demo can play: the service, or the chain that it anchors to. Null when both are there.
 *
 * Both are asked first, because a call that fails later does not say which address it went to.
 */
export async function findMissingService({
  baseUrl,
  rpcUrl,
}: Omit<Stage, 'narrator'>): Promise<Fault | null> {
  const service = await ask(`${baseUrl}/api/chain`)
  if (service === 'silent') {
    return {
      message: `Nothing answers at ${baseUrl}, where the service is looked for.`,
      hint: 'Start it in another terminal (npm start), or say where it is: --url, or the PORT it was started with.',
    }
  }
  if (typeof service?.success !== 'boolean') {
    return {
      message: `What answers at ${baseUrl} is not the service.`,
      hint: 'Start the service on another port, and the demo with the same: PORT=3001 npm start, PORT=3001 npm run demo.',
    }
  }
  const chain = await ask(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const where = 'Say where its chain is: --rpc, or the CHAIN_PORT or RPC_URL it was started with.'
  if (chain === 'silent' || typeof chain?.result !== 'string') {
    return { message: `The service answers at ${baseUrl}, but no chain at ${rpcUrl}.`, hint: where }
  }
  if (service.success && Number(chain.result) !== service.chainId) {
    return {
      message: `The chain at ${rpcUrl} is ${Number(chain.result)}; that of the service is ${service.chainId}.`,
      hint: where,
    }
  }
  return null
}

/** Answers null for what is no JSON object. */
async function ask(url: string, body?: object): Promise<Record<string, unknown> | null | 'silent'> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { signal, ...(body ? init : {}) })
    return parseJsonObject(await response.text())
  } catch {
    return 'silent'
  }
}
