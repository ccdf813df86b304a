const TIMEOUT_MS = 10_000

/**
 * Sends one JSON-RPC request to a node and returns its result.
 *
 * @throws Error if the node cannot be reached in 10 s, or answers with an error.
 */
export async function askNode(rpcUrl: string, method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`the node answered with status ${response.status}`)
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('result' in answer)) {
    throw new Error(`the node answered ${method} with an error`)
  }
  return answer.result
}
