import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { buildVerifyAccessRequest } from './buildVerifyAccessRequest.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { type RunningServer, startServer } from './load/startServer.ts'

/** Starts bare Express 5, the upper bound of what we can reach, and builds a request of the same size as ours. */
export async function startExpress(folder: string): Promise<{ server: RunningServer; request: LoadRequest }> {
  const port = await findFreePort()
  const script = new URL('./peers/bareExpress.ts', import.meta.url)
  const server = await startServer({ script, args: [String(port), folder], port })
  const names = { apiKey: `svc_live_${'0'.repeat(32)}`, svceId: 'SVCE-0123456789abcdefghijkl' }
  return { server, request: buildVerifyAccessRequest({ ...names, agentId: 'SVC-0123456789abcdefghijkl' }) }
}
