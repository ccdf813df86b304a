import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { buildVerifyAccessRequest } from './buildVerifyAccessRequest.ts'
import type { LoadRequest } from './load/loadRequest.ts'
import { type RunningServer, startServer } from './load/startServer.ts'

/** The servers in `peers/`. Bare Express 5 is the upper bound of what we can reach. */
export type PeerName = 'bareHttp' | 'bareExpress' | 'sqliteCommit' | 'knexCommit'

/** Starts a peer, whose database is in `folder`, and builds a request of the same size as ours. */
export async function startPeer(
  name: PeerName,
  folder: string,
  apartFromLoad?: boolean,
): Promise<{ server: RunningServer; request: LoadRequest }> {
  const port = await findFreePort()
  const script = new URL(`./peers/${name}.ts`, import.meta.url)
  const server = await startServer({ script, args: [String(port), folder], port, apartFromLoad })
  // Placeholders with the length of real identifiers.
  const request = buildVerifyAccessRequest({
    apiKey: `svc_live_${'0'.repeat(32)}`,
    svceId: 'SVCE-0123456789abcdefghijkl',
    agentId: 'SVC-0123456789abcdefghijkl',
  })
  return { server, request }
}
