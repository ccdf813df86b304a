const PATIENCE_MS = 60_000

/** Speaks JSON-RPC to a node directly, as only a test may: mining, snapshots, balances. */
export function rpcOf(url: string, patienceMs = PATIENCE_MS) {
  return async (method: string, params: unknown[] = []): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(patienceMs)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
}
